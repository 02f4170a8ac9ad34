def test_where_the_engine_refuses_its_sentence_stands_and_the_page_lives(app):
    at = app("layer_normalisation", {"layer_normalisation.eps": "0"})
    assert at.charts
    at.set(row="4 4 4 4 4 4")
    assert not at.exception
    assert "ε must be above 0" in at.texts("error")[0]
    assert not at.charts
    assert at.texts("header") == []
    assert at.click("start_over").charts
    assert not at.error


def test_source_is_the_engines_own(app):
    at = app("softmax").unfold("source")
    assert "def softmax(logits" in "".join(at.texts("code"))


def test_a_preset_returns_all_other_controls_to_their_defaults(app):
    at = app("softmax", {"softmax.shift": "100", "softmax.masked": "z1"})
    at.click("Hot")
    assert at.control("temperature").value == 10
    assert at.control("shift").value == 0
    assert at.charts["probs"].data[1]["name"] == "now, T = 10"

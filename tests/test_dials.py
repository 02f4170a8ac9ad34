SLUG = "parameters_flops_memory"


def dials(app, preset, **turned):
    start = {f"{SLUG}.preset": preset, f"{SLUG}.dials": "true"}
    return app(SLUG, start | {f"{SLUG}.{preset}.{name}": value for name, value in turned.items()})


def title(at):
    return next(text for text in at.texts("markdown") if "parameters in all" in text).split("**")[-2]


def test_dials_start_at_the_preset_and_change_nothing(app):
    for preset, n in (("gpt2", "124,439,808"), ("gemma-7b", "8,537,680,896"), ("bert-base", "109,482,240")):
        at = dials(app, preset)
        assert title(at) == n
        assert {w.key.rsplit(".", 1)[1] for w in at.number_input} >= {"d_model", "head_dim", "token_types"}


def test_a_turned_dial_counts(app):
    assert title(dials(app, "gpt2", tied="false")) == "163,037,184"
    assert title(dials(app, "llama-2-7b", gated="false")) == "5,295,575,040"
    assert title(dials(app, "llama-2-70b", n_kv_heads="0")) == "78,371,889,152"


def test_dials_that_do_not_fit_are_refused_in_words(app):
    for turned, words in (
        ({"d_model": "770"}, "d_model must be divisible by n_heads"),
        ({"n_kv_heads": "5"}, "n_heads must be a multiple of n_kv_heads"),
        ({"n_kv_heads": "13"}, "n_kv_heads"),
        ({"positions": "rope", "head_dim": "63"}, "head_dim must be even for rope"),
    ):
        at = dials(app, "gpt2", **turned)
        assert not at.exception
        assert words in at.texts("error")[0]
        assert at.click("start_over").error == []


def test_each_model_keeps_its_own_dials(app):
    at = dials(app, "gpt2", n_layers="1")
    assert title(at.set(preset="gpt2-medium")) == "354,823,168"

def test_strangers_are_named_once_and_leave_the_link(app):
    at = app("softmax", {"foo": "1", "bar": "2", "baz": "3", "qux": "4", "softmax.scale": "2"})
    assert (
        at.warning[0].value
        == "The link also held “foo”, “bar”, “baz” and more, which this page does not know: left out."
    )
    assert at.slider(key="softmax.scale").value == 2
    at.slider(key="softmax.scale").set_value(3.0).run()
    assert len(at.warning) == 1
    at.query_params.clear()
    at.switch_page("pages/attention_matrix.py")
    at.run()
    assert not at.warning


def test_embedding_parameters_are_no_strangers(app):
    assert not app("softmax", {"embed": "true"}).warning


def test_start_over_after_a_refused_link_takes_only_strangers_out(app):
    start = "parameters_flops_memory"
    at = app(start, {f"{start}.preset": "gpt2", f"{start}.dials": "true", f"{start}.gpt2.n_heads": "7", "foo": "1"})
    assert "divisible" in at.error[0].value
    at.button(key=f"{start}.start_over").click().run()
    assert not at.exception
    assert "“foo”" in at.warning[0].value
    assert "n_heads" not in at.warning[0].value


def test_a_refused_page_says_what_was_wrong_with_the_link(app):
    constant = "\n".join(["1 1 1 1 1 1 1 1"] * 4)
    at = app("rows_normalised", {"rows_normalised.x": constant, "rows_normalised.eps": "0", "stranger": "1"})
    assert at.error
    assert "“stranger”" in at.warning[0].value

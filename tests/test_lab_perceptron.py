import json

import numpy as np

from engine.perceptron import dataset, train_perceptron


def figures(at) -> dict:
    """The specs of the page's charts by the words of their titles or axes."""
    specs = [json.loads(json.loads(e.proto.json)["spec"]) for e in at.get("bidi_component") if '"spec"' in e.proto.json]
    return {spec["layout"]["xaxis"]["title"]["text"]: spec for spec in specs}


def words(at) -> str:
    return " ".join(m.value for m in at.markdown)


def test_the_line_drawn_is_the_line_learnt(app):
    at = app("perceptron")
    step = train_perceptron(*dataset("and"), max_epochs=30).steps[15]
    line = next(part for part in figures(at)["x₁"]["data"] if part["name"] == "the line")
    sums = np.column_stack([line["x"], line["y"]]) @ step.weights + step.bias
    np.testing.assert_allclose(sums, 0, atol=1e-12)
    assert "w = (2.000, 2.000), b = −1.000" in words(at)


def test_xor_never_stops_and_is_shown_to(app):
    at = app("perceptron", {"perceptron.problem": "XOR", "perceptron.step": "120"})
    so_far = next(part for part in figures(at)["examples looked at, 4 an epoch"]["data"] if part["name"] == "so far")
    assert len(so_far["y"]) == 30
    assert min(so_far["y"]) > 0
    assert "XOR never stops" in words(at)
    assert "leaves exactly the weights of epoch 2" in words(at)


def test_a_line_by_hand_needs_no_training(app):
    hand = {"perceptron.step": "0", "perceptron.w_1": "1", "perceptron.w_2": "1", "perceptron.bias": "-1.5"}
    at = app("perceptron", hand)
    assert "answers **4 of 4** rightly" in words(at)
    assert "this is the line set by hand" in words(at)
    assert "after **1 epoch**" in words(at)


def test_overlapping_clouds_keep_making_mistakes(app):
    at = app("perceptron")
    at.button(key="perceptron.try.Clouds that overlap").click().run()
    assert "no clean pass, so no end" in words(at)
    at.button(key="perceptron.try.Two clouds").click().run()
    assert "Training ends by itself" in words(at)

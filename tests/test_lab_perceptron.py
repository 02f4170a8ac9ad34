import numpy as np

from engine.perceptron import dataset, train_perceptron


def test_the_line_drawn_is_the_line_learnt(app):
    at = app("perceptron")
    step = train_perceptron(*dataset("and"), max_epochs=30).steps[15]
    line = at.charts["plane"].named("the line")
    sums = np.column_stack([line["x"], line["y"]]) @ step.weights + step.bias
    np.testing.assert_allclose(sums, 0, atol=1e-12)
    assert "w = (2.000, 2.000), b = −1.000" in at.words()


def test_xor_never_stops_and_is_shown_to(app):
    at = app("perceptron", {"perceptron.problem": "XOR", "perceptron.step": "120"})
    so_far = at.charts["mistakes"].named("so far")
    assert len(so_far["y"]) == 30
    assert min(so_far["y"]) > 0
    assert "XOR never stops" in at.words()
    assert "leaves exactly the weights of epoch 2" in at.words()


def test_a_line_by_hand_needs_no_training(app):
    hand = {"perceptron.step": "0", "perceptron.w_1": "1", "perceptron.w_2": "1", "perceptron.bias": "-1.5"}
    at = app("perceptron", hand)
    assert "answers **4 of 4** rightly" in at.words()
    assert "this is the line set by hand" in at.words()
    assert "after **1 epoch**" in at.words()


def test_overlapping_clouds_keep_making_mistakes(app):
    at = app("perceptron").click("Clouds that overlap")
    assert "no clean pass, so no end" in at.words()
    assert "Training ends by itself" in at.click("Two clouds").words()

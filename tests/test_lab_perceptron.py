import numpy as np
import pytest

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
    assert "no line keeps (0, 1) and (1, 0) on one side and the other two on the other" in at.words()
    assert "leaves exactly the weights of epoch 2" in at.words()


def test_a_line_by_hand_needs_no_training(app):
    hand = {"perceptron.step": "0", "perceptron.w_1": "1", "perceptron.w_2": "1", "perceptron.bias": "-1.5"}
    at = app("perceptron", hand)
    assert "answers **4 of 4** rightly" in at.words()
    assert "w and b are those set by hand" in at.words()
    assert "after **1 epoch**, 4 looks" in at.words()


def test_the_biases_that_would_do_are_told(app):
    at = app("perceptron").click("AND by hand")
    assert "every b above **−2.000** and up to **−1.000** gets all 4 right" in at.words()
    assert "no b gets all 4 right" in at.set(w_1=-1.0).words()


def test_overlapping_clouds_keep_making_mistakes(app):
    at = app("perceptron").click("Clouds that overlap")
    assert "**No line gets all 20 right**, so the mistakes never die out" in at.words()
    assert "Training ends by itself after **6 epochs**, 120 looks" in at.click("Two clouds").words()


@pytest.mark.parametrize("distance", ["3", "3.25", "3.5", "3.75"])
def test_a_training_cut_short_is_not_said_to_have_no_end(app, distance):
    link = {"perceptron.problem": "two clouds", "perceptron.distance": distance, "perceptron.step": "120"}
    at = app("perceptron", link)
    assert "**Not ended yet** after 120 looks" in at.words()
    assert "A line gets all 20 right" in at.words()
    assert "never die out" not in at.words()


def test_no_weights_draw_no_line(app):
    at = app("perceptron", {"perceptron.step": "0"})
    assert "w = (0, 0) draws no line: the answer is 0 everywhere." in at.words()
    assert "lies outside" not in at.words()
    assert "lies outside this square" in at.set(w_1=0.25, bias=3.0).words()


def test_from_nothing_the_learning_rate_only_scales(app):
    said = "the learning rate only scales w and b: with η = 2 the same looks are mistakes"
    assert said in app("perceptron").words()
    assert said not in app("perceptron", {"perceptron.w_1": "1"}).words()


def test_the_looks_end_where_training_ends(app):
    looks = app("perceptron").control("step")
    assert looks.options[-1] == "24"
    at = app("perceptron", {"perceptron.step": "24"}).set(bias=0.25)
    assert f"Look {at.control('step').value}: " in at.words()


def test_libraries_differ_on_the_line(app):
    at = app("perceptron").click("XOR")
    assert "2 of 4 answered 1 now, 2 of 4 on the line" in at.words()
    assert "w·x + b ≥ 0 is enough, 4 of 4 answered 1" in at.words()
    assert "scikit-learn's η·target = ±1, Raschka's (2015) η·(target − answer) = ±2" in at.words()


def test_a_question_has_the_answer_worked_out_by_hand(app):
    words = app("perceptron").ask("AND by hand").predict(4.0).press("ask_show").words()
    assert "**Right.**" in words
    assert "(1, 1) has 1.500 before, 0.500 now, the others −1.50, −0.50, −0.50: 2 of 4 were right, 4 of 4 are." in words


OWN = "0 0 0\n0.5 1 0\n1 0 1\n1 1 1\n1.5 0.25 1"


def test_examples_of_ones_own_are_learnt_told_and_taken_away(app):
    at = app("perceptron", {"perceptron.examples": OWN, "perceptron.step": "3"}).unfold("take_away")
    x, targets = np.array([[0, 0], [0.5, 1], [1, 0], [1, 1], [1.5, 0.25]]), [0, 0, 1, 1, 1]
    trace = train_perceptron(x, targets, max_epochs=24)
    step = trace.steps[2]
    line = at.charts["plane"].named("the line")
    sums = np.column_stack([line["x"], line["y"]]) @ step.weights + step.bias
    np.testing.assert_allclose(sums, 0, atol=1e-12)
    assert at.charts["plane"].alt.startswith("5 examples of your own in the plane")
    assert f"after **{trace.epochs} epochs**, {5 * trace.epochs} looks" in at.words()
    assert "0.5%201%200" in at.link
    assert at.numbers["x"] == x.tolist()
    assert at.computed()["weights"].tolist() == step.weights.tolist()


def test_what_is_said_of_xor_is_said_of_its_own_points_only(app):
    at = app("perceptron", {"perceptron.problem": "XOR", "perceptron.step": "8"})
    assert "Why no line can do XOR" in at.words()
    at.set(examples="0 0 0\n0 1 1\n1 0 1\n0.4 0.4 0")
    assert "XOR" not in at.charts["plane"].alt
    assert "Why no line can do XOR" not in at.words()
    assert "XOR never stops" not in at.words()
    assert "No line gets all 4 right" not in at.words()
    assert "No line gets all 4 right" in at.set(examples="0 0 0\n0 1 1\n1 0 1\n0.6 0.6 0").words()


def test_another_data_set_fills_the_examples_and_a_link_keeps_them(app):
    at = app("perceptron", {"perceptron.examples": OWN})
    assert at.set(problem="OR").control("examples").value == "0 0 0\n0 1 1\n1 0 1\n1 1 1"
    at.set(examples=OWN)
    at.control("problem").set_value("two clouds")
    clouds = at.run().control("examples").value
    at.control("examples").set_value("1 2 0\n3 4 1")
    assert at.run().charts["plane"].alt.startswith("2 examples of your own")
    assert at.set(distance=4.0).control("examples").value == "1 2 0\n3 4 1"
    assert at.set(distance=5.0).control("examples").value.count("\n") == 19
    assert at.set(distance=4.0).control("examples").value == clouds
    at.set(examples="1 2 0\n3 4 1").click("start_over")
    assert at.control("examples").value == "0 0 0\n0 1 0\n1 0 0\n1 1 1"
    at.set(problem="OR")
    at.control("problem").set_value("AND")  # as a step back: both come at once
    at.control("examples").set_value(OWN)
    assert at.run().control("examples").value == OWN


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("0 0 2\n1 1 1", "Row 0, column class: 2 lies outside 0 to 1."),
        ("0 0 0.5\n1 1 1", "Row 0, column class: “0\\.5” is not a whole number."),
        ("0 0\n1 1", "Row 0 has 2 numbers, 3 are needed."),
        ("0 2 0\n1 1 1", "Row 0, column x₂: 2 lies outside -0.75 to 1.75."),
        ("0 0 0", "1 row given, at least 2 are needed."),
        ("0 0 0;" * 25, "25 rows given, at most 24 fit."),
    ],
)
def test_examples_that_cannot_be_read_are_refused_in_a_sentence(app, typed, why):
    at = app("perceptron").set(examples=typed)
    assert why in at.error[0].value
    assert "4 examples of AND" in at.charts["plane"].alt


def test_every_cloud_fits_its_square(app):
    for seed, distance in (("3", "4"), ("53", "8"), ("92", "8")):
        link = {"perceptron.problem": "two clouds", "perceptron.seed": seed, "perceptron.distance": distance}
        at = app("perceptron", link)
        low, high = at.charts["plane"].layout["xaxis"]["range"]
        for name in ("target 0", "target 1"):
            drawn = at.charts["plane"].named(name)
            assert min(*drawn["x"], *drawn["y"]) > low
            assert max(*drawn["x"], *drawn["y"]) < high


def test_a_question_judges_examples_that_a_link_brings(app):
    link = {"perceptron.ask": "2", "perceptron.shown": "true", "perceptron.examples": OWN}
    words = app("perceptron", link).words()
    assert "they go from −1.500 to 0.500 now: 4 of 5 were right, 4 are." in words

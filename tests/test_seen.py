"""What questions and comparisons are made of: what is covered, and controls by their short names."""

from ui.seen import Asked, Seen


def test_a_question_covers_whole_pictures_or_some_of_their_matrices():
    asked = Asked("1.1", True, (), ("four.Weights", "four.Masked", "mix"), "", dict)
    assert asked.hides("four") == ("Weights", "Masked")
    assert asked.hides("mix") == ()
    assert asked.hides("entropy") is None
    assert asked._replace(open=False).hides("mix") is None


def test_a_state_gives_its_controls_by_name():
    seen = Seen([1.0], {"x": 2}, {"scale": 3})
    assert (seen["scale"], seen.numbers, seen[1]) == (3, [1.0], {"x": 2})

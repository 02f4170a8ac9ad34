"""Questions: covered until shown, judged once, linked, and the numbers of before beside those of now."""

import pytest

from ui import catalogue
from ui.page.ask import Question, judged
from ui.questions.pooling import QUESTIONS
from ui.seen import Seen

SLUG = "attention_matrix"
WITH_QUESTIONS = [lab.slug for lab in catalogue.shown()]


def test_an_open_question_shows_its_beginning_and_no_answer(app):
    at = app(SLUG).ask("Without √d_k")
    assert at.control("query").value == 5
    assert at.control("scale").value
    assert not [s.value for s in at.header]
    assert "0.383" not in at.words()


def test_showing_it_makes_the_change_judges_and_says_why(app):
    at = app(SLUG).ask("Without √d_k").predict("sharper").press("ask_show")
    assert not at.control("scale").value
    assert "**Right.** The largest weight of “mat” goes from 0.282 to 0.383" in at.words()
    assert "0.383 (0.282 before)" in at.words()
    at = app(SLUG).ask("Without √d_k").predict("flatter").press("ask_show")
    assert "**Not so: sharper.**" in at.words()


def test_cells_carry_what_they_were(app):
    at = app(SLUG).ask("Without √d_k").press("ask_show")
    weights = at.charts["four"].data[-1]
    assert "0.282" in weights["text"][5][5]
    assert "0.383" in weights["text"][5][5]


def test_what_is_covered_is_nowhere_in_what_is_sent(app):
    at = app(SLUG).ask("The favourite")
    assert list(at.charts) == ["four"]
    assert len(at.charts["four"].heatmaps) == 3
    assert "covered" in at.charts["four"].alt


def test_back_to_before_and_on_to_the_next(app):
    at = app(SLUG).ask("Without √d_k").press("ask_show").press("ask_before")
    assert at.control("scale").value
    at.press("ask_next")
    assert "All padding" in at.words()
    assert at.control("query").value == 2


def test_a_question_is_a_link_and_so_is_a_shown_one(app):
    at = app(SLUG, {f"{SLUG}.ask": "2"})
    assert "Without √d_k" in at.words()
    assert at.control("query").value == 5
    at = app(SLUG, {f"{SLUG}.ask": "2", f"{SLUG}.shown": "true", f"{SLUG}.query": "5", f"{SLUG}.scale": "false"})
    assert "0.383 (0.282 before)" in at.words()
    assert not at.control("scale").value


def test_an_endless_question_is_the_same_for_the_same_round(app):
    first, again = (app(SLUG, {f"{SLUG}.ask": "more", f"{SLUG}.round": "7"}).words() for _ in range(2))
    other = app(SLUG, {f"{SLUG}.ask": "more", f"{SLUG}.round": "8"}).words()
    assert "A weight by eye" in first
    assert first == again != other


@pytest.mark.parametrize("junk", ["0", "99", "more ", "<b>", ""])
def test_junk_for_a_question_is_explained(app, junk):
    at = app(SLUG, {f"{SLUG}.ask": junk, f"{SLUG}.shown": "true", f"{SLUG}.round": "-1"})
    assert not at.exception
    assert at.charts


def test_a_kept_state_stands_beside_the_one_of_now_until_it_is_let_go(app):
    at = app(SLUG).press("keep").set(query=5)
    assert "before)" in at.words()
    at.set(scale=False)
    assert "0.282" in at.charts["four"].data[-1]["text"][5][5]
    assert "before)" not in at.press("keep").words()


def test_a_question_linked_with_other_controls_moved_has_its_verdict_too(app):
    at = app(SLUG, {f"{SLUG}.ask": "2", f"{SLUG}.padding": "1", f"{SLUG}.query": "4"})
    assert "The largest weight of" in at.press("ask_show").words()


def test_a_click_is_right_at_any_of_several_places():
    clicked = Question("", "", lambda before, after: ([], ""), click="four")
    alike = [{"panel": 0, "row": 1}, {"panel": 0, "row": 3}]
    right = [row for row in range(5) if judged(clicked, alike, {"panel": 0, "row": row, "column": 2})[0]]
    assert right == [1, 3]
    assert not judged(clicked, alike, {"panel": 1, "row": 1, "column": 2})[0]
    assert judged(clicked, {"row": 2}, {"panel": 1, "row": 2})[0]
    assert not judged(clicked, alike, None)[0]


def test_of_two_maxima_each_is_right_and_no_other_row():
    question = next(one for one in QUESTIONS if one.title == "Who has the maximum")
    rows = [[0.0, 0.0], [0.0, -2.0]]
    seen = Seen({"hidden": [*rows, [0.0, 0.0]]}, {"rows": rows}, {})
    right, _ = question.answer(seen, seen)
    assert [judged(question, right, {"panel": 0, "row": row})[0] for row in range(3)] == [True, False, True]


def ask_score(at) -> dict:
    return at.session_state["ask.score"]


def test_home_tells_how_many_were_predicted_rightly(app):
    at = app(SLUG).ask("Without √d_k").predict("sharper").press("ask_show").press("ask_next")
    at.predict(1.0).press("ask_show")
    assert ask_score(at) == {SLUG: {"2.1": True, "3.1": False}}
    home = app()
    home.session_state["ask.score"] = ask_score(at)
    assert "1 of 2 predictions" in home.run().words()


def test_a_ghost_is_that_of_its_own_line_and_no_area_has_one(app):
    at = app("perceptron").set(step="0", w_1=1.0, w_2=1.0, bias=-0.5)
    line = at.charts["plane"].named("the line")["y"]
    drawn = at.press("keep").set(step="4").charts["plane"].data  # with a line before the look, and a ring round a point
    ghosts = [trace for trace in drawn if trace.get("zorder") == -1]
    assert line in [ghost["y"] for ghost in ghosts]
    assert not [ghost for ghost in ghosts if "fill" in ghost]


def test_a_cell_says_what_it_was_itself_also_where_others_are_hatched_now(app):
    at = app("forward_and_backward").ask("Standing on a corner")
    was = [part["text"] for part in at.charts["check"].data if part["type"] == "heatmap"]
    at.press("ask_show")
    now = [part["text"] for part in at.charts["check"].data if part["type"] == "heatmap"]
    told = [
        (cell.split('px">')[1].removesuffix("</span>"), before)
        for part, earlier in zip(now, was, strict=True)
        for row, row_before in zip(part, earlier, strict=True)
        for cell, before in zip(row, row_before, strict=True)
        if "<span" in cell
    ]
    assert told
    assert all(said == before for said, before in told)

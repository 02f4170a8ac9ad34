import numpy as np
import pytest

from engine.sampling import explain_draws, next_token
from ui.labs.one_distribution_one_token import drawn, mass_kept, sum_behind, ways_compared
from ui.page.parse import words
from ui.words import told

Z, WORDS = [2.0, 1.0, 0.0], words("a_b c d")


def named(figure) -> dict:
    return {trace["name"]: trace for trace in figure.to_dict()["data"]}


def test_a_panel_names_what_is_cut_and_the_way_drawn_from_stands_out():
    model, cut = next_token(Z), next_token(Z, top_k=2)
    found = named(ways_compared({"greedy": model, "top-k": cut}, ["All", "Two"], WORDS, model, "top-k"))
    assert found["Two"]["text"] == ["0.731", "0.269", "cut"]
    assert found["Two: grey"]["x"] == pytest.approx(model.out)
    assert found["All"]["marker"]["color"] != found["Two"]["marker"]["color"]


def test_the_word_that_crosses_p_is_marked():
    alone, late = (next_token(Z, top_k=k, top_p=0.8).stage("top_p") for k in (3, 2))
    found = named(mass_kept(alone, late, WORDS, 0.8))
    assert found["top-p alone"]["y"] == pytest.approx([0, 0.66524, 0.90997, 1], abs=1e-5)
    assert len(found["all three"]["y"]) == 3
    assert (found["now"]["x"], found["now"]["text"]) == ([2.0], ["c"])


def test_counts_outside_the_band_stand_out():
    draws = explain_draws(next_token(Z, top_k=2).out, 1000, np.random.default_rng(0))
    last = draws._replace(outside=np.array([True, False, False]))
    figure = drawn(last, np.array([True, True, False]), WORDS, "top-k").to_dict()
    dots = next(trace for trace in figure["data"] if trace["name"].endswith("dot"))
    assert dots["x"] == draws.counts.tolist()
    assert dots["marker"]["color"][0] != dots["marker"]["color"][1]
    ends = next(trace for trace in figure["data"] if trace.get("mode") == "text")
    assert (ends["text"][0], ends["text"][2]) == (f"{draws.counts[0]} · 731 ± 28", "cut")


@pytest.mark.parametrize(
    ("at", "setting", "way", "said"),
    [
        (2, {"top_k": 2}, "top-k", "c is cut by top-k: it never comes. The model itself gives it 0.090."),
        (0, {"top_k": 2}, "top-k", "so a\\_b goes from 0.665 to 0.731."),
        (0, {"temperature": 0.0}, "greedy", "Only this word is left: "),
        (1, {"temperature": 2.0}, "temperature", "the model itself, at T = 1, gives b 0.245."),
        (1, {"top_k": 12}, "top-k", "below the line: nothing is cut."),
    ],
)
def test_the_sum_says_what_became_of_its_word(at, setting, way, said):
    names, model, trace = words("a_b b c"), next_token(Z), next_token(Z, **setting)
    now = told(word=names[at], before=model.out[at], left=trace.kept.sum())
    formulas, sentence = sum_behind(now, np.array(Z), at, trace, setting.get("temperature", 1.0), way)
    assert said in sentence
    assert len(formulas) == trace.kept[at]

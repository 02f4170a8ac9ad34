import numpy as np
import pytest

from engine.sampling import explain_draws, next_token
from ui.labs.one_distribution_one_token import below_the_line, counted, mass_kept, ways_compared
from ui.page.parse import words
from ui.words import told

Z, WORDS = [2.0, 1.0, 0.0], words("a_b c d")


def named(figure) -> dict:
    return {trace["name"]: trace for trace in figure.to_dict()["data"]}


def test_a_panel_names_what_is_cut_and_the_way_drawn_from_stands_out():
    model, cut = next_token(Z), next_token(Z, top_k=2)
    drawn = named(ways_compared({"greedy": model, "top-k": cut}, ["All", "Two"], WORDS, model, "top-k"))
    assert drawn["Two"]["text"] == ["0.731", "0.269", "cut"]
    assert drawn["Two: grey"]["x"] == pytest.approx(model.out)
    assert drawn["All"]["marker"]["color"] != drawn["Two"]["marker"]["color"]


def test_the_word_that_crosses_p_is_marked():
    alone, late = (next_token(Z, top_k=k, top_p=0.8).stage("top_p") for k in (3, 2))
    drawn = named(mass_kept(alone, late, WORDS, 0.8))
    assert drawn["top-p alone"]["y"] == pytest.approx([0, 0.66524, 0.90997, 1], abs=1e-5)
    assert len(drawn["all three"]["y"]) == 3
    assert (drawn["now"]["x"], drawn["now"]["text"]) == ([2.0], ["c"])


def test_counts_outside_the_band_stand_out():
    draws = explain_draws(next_token(Z, top_k=2).out, 1000, np.random.default_rng(0))
    last = draws._replace(outside=np.array([True, False, False]))
    figure = counted(last, np.array([True, True, False]), WORDS, "top-k").to_dict()
    dots = next(trace for trace in figure["data"] if trace["name"].endswith("dot"))
    assert dots["x"] == draws.counts.tolist()
    assert dots["marker"]["color"][0] != dots["marker"]["color"][1]
    ends = next(trace for trace in figure["data"] if trace.get("mode") == "text")
    assert (ends["text"][0], ends["text"][2]) == (f"{draws.counts[0]} · 731 ± 28", "cut")


def test_only_a_cut_shares_out_what_is_gone():
    cut = told(left=2, top="a_b", before=0.5, out=0.75)
    assert below_the_line(cut, heated=False).endswith("so a\\_b rises from 0.500 to 0.750.")
    kept = told(left=12, top="a_b", before=0.5, out=0.5001)
    assert below_the_line(kept, heated=False).endswith("gives a\\_b 0.500.")

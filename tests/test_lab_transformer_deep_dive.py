"""The deep dive: the document's numbers, steps overwritten, positions, masks."""

import json

import numpy as np
import pytest

SLUG = "transformer_deep_dive"
PARTS = ["Attention", "Heads", "Positions", "Masking", "Practice"]


def open_part(app, part, **values):
    return app(SLUG, {f"{SLUG}.part": part} | {f"{SLUG}.{name}": str(value) for name, value in values.items()})


def matrices(at):
    """The numbers of every heatmap by the title over it."""
    found = {}
    for chart in [json.loads(e.proto.json) for e in at.get("bidi_component") if '"spec"' in e.proto.json]:
        spec = json.loads(chart["spec"])
        heats = [trace for trace in spec["data"] if trace["type"] == "heatmap"]
        titles = [note["text"].split("</b>")[0].split(">")[-1] for note in spec["layout"].get("annotations", ())]
        found |= {title: np.array(heat["z"], float) for title, heat in zip(titles, heats, strict=False)}
    return found


@pytest.mark.parametrize("part", PARTS)
def test_every_part_opens_and_can_be_taken_away(app, part):
    at = open_part(app, part)
    at.session_state[f"{SLUG}.take_away"] = True
    at.run()
    assert not at.exception
    assert not at.error
    names = {}
    exec(next(c.value for c in at.code if c.value.startswith("import numpy")), names)
    assert {"out", "concat", "sine", "masked", "answer"} & names.keys()


def test_the_documents_example(app):
    shown = matrices(app(SLUG))
    assert shown["1 Scores"].tolist() == [[0, 2], [1, 0]]
    np.testing.assert_allclose(shown["3 Weights"], [[0.240, 0.760], [0.640, 0.360]], atol=5e-4)
    np.testing.assert_allclose(shown["4 Output"], shown["3 Weights"])


def test_an_overwritten_step_carries_on(app):
    at = open_part(app, "Attention", own_scores="5 5\n0 0", v="3 1\n1 3")
    shown = matrices(at)
    assert shown["1 Scores, yours"].tolist() == [[5, 5], [0, 0]]
    assert shown["3 Weights"].tolist() == [[0.5, 0.5], [0.5, 0.5]]
    assert shown["4 Output"].tolist() == [[2, 2], [2, 2]]
    assert not any("s_{0,0} =" in formula.value for formula in at.get("latex"))
    at = at.text_area(key=f"{SLUG}.own_scores").set_value("5 5").run()
    assert "row given" in at.error[0].value
    assert matrices(at)["1 Scores, yours"].tolist() == [[5, 5], [0, 0]]


def test_the_first_position_of_the_document(app):
    at = open_part(app, "Positions")
    assert any("0.841" in formula.value for formula in at.get("latex"))
    at = open_part(app, "Positions", d_model=8, i=200)
    assert any("the last pair is 3: it stands here in place of pair 200" in m.value for m in at.markdown)


@pytest.mark.parametrize("scores", ["1 2 3", "1\n2\n3", "7", "1 2\n3 4\n5 6"])
def test_any_shape_of_scores_can_be_masked(app, scores):
    at = open_part(app, "Masking", s=scores, token=0)
    assert not at.exception
    shown = matrices(at)
    n_q, n_k = shown["Before: all scores"].shape
    assert (shown["After: softmax"] > 0).tolist() == np.tri(n_q, n_k, n_k - n_q, dtype=bool).tolist()
    assert any("nothing is left" in m.value for m in at.markdown) == (n_q > n_k)

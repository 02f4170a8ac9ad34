import plotly.graph_objects as go

from ui.charts import diagram, theme

BOXES = [diagram.Box("A", "n×3"), diagram.Box("B", "n×6"), diagram.Box("C")]


def test_boxes_arrows_and_the_chosen_one():
    figure = diagram.flow(BOXES, [(0, 1)], chosen=1)
    go.Figure(figure.to_dict())
    rectangles = [s for s in figure.layout.shapes if s.type == "rect"]
    assert [r.line.color == theme.colour("today") for r in rectangles] == [False, True, False]
    assert sum(a.showarrow for a in figure.layout.annotations) == 2
    assert {a.text for a in figure.layout.annotations} >= {"A", "B", "C", "n×3", "n×6", "residual"}


def test_a_phone_gets_it_upright():
    narrow = diagram.flow([*BOXES[:2], diagram.Box("acti-<br>vation")], []).layout.meta["narrow"]
    tops = [shape["y1"] for shape in narrow["shapes"]]
    assert tops == sorted(tops, reverse=True)
    assert narrow["height"] == 86 * 3
    assert [a["text"] for a in narrow["annotations"] if a.get("text")] == ["activation"], "where the box is wide enough"

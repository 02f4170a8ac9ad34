import numpy as np

from engine.softmax import explain_softmax, naive_softmax
from ui.labs import softmax as room

NAMES = ["z0", "z1", "z2"]
KINDS = ("float16", "float32", "float64")
TRACE = explain_softmax([2.0, 1.0, 0.0], 0, temperature=2.0, scale=2.0)


def test_the_pictures_mark_the_chosen_cell_and_the_point_of_now():
    figure = room.slopes(TRACE, NAMES, 0, 1, 1.0)
    assert len(figure.data) == 2
    drawn = room.by_scale([0, 1], np.array([0.1, 0.2]), "Entropy, nats", "query", 2.0, (1.0, 0.2))
    assert [trace.name for trace in drawn.data][0] == "Entropy, nats"
    assert tuple(drawn.layout.yaxis.range) == (0, 2.0)


def test_the_chain_leads_from_a_slope_to_the_gradient():
    slope, grad = room.chain(TRACE, NAMES, 0, 1, 2.0, 2.0)
    assert slope.startswith(r"\frac{\partial p_0}{\partial z_1} = \frac{2.000}{2.000}")
    assert "(0 - " in slope
    assert "(1 - " in room.chain(TRACE, NAMES, 0, 0, 2.0, 2.0)[0]
    assert grad.endswith("0.3072")
    masked = explain_softmax([2.0, 1.0, 0.0], 0, mask=[False, True, True])
    assert len(room.chain(masked, NAMES, 0, 1, 1.0, 1.0)) == 1


def test_number_formats_with_one_fate_are_told_together():
    told = {kind: naive_softmax([-800.0, -800.0], kind) for kind in KINDS}
    assert room.unshifted(told).endswith("every exp is 0, and 0 / 0 is no number in float16, float32 and float64.")
    told = {kind: naive_softmax([-17.0, -20.0], kind) for kind in KINDS}
    assert "off by as much as **0.047** in float16; right to within 0.008 in float32" in room.unshifted(told)

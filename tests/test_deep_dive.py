import numpy as np

from engine.attention import attention_by_hand, causal_mask, multi_head, scaled_dot_product
from engine.positions import rope_angles, sinusoidal_table
from ui.labs import transformer_deep_dive as deep_dive

DOCUMENT = tuple(np.array(m, float) for m in ([[1, 0, 1], [0, 1, 0]], [[0, 1, 0], [1, 0, 1]], [[1, 0], [0, 1]]))


def titles(figure):
    return [note.text.split("</b>")[0].split(">")[-1] for note in figure.layout.annotations]


def test_an_overwritten_step_is_named_and_has_no_formula():
    trace = attention_by_hand(*DOCUMENT, scaled=np.eye(2))
    assert titles(deep_dive.steps(trace, 0, ["scaled"])) == ["1 Scores", "2 Scaled, yours", "3 Weights", "4 Output"]
    formulas = deep_dive.sums(trace, *DOCUMENT, 0, 1, ["scaled"])
    assert len(formulas) == 3
    assert not any("sqrt" in formula for formula in formulas)
    assert len(deep_dive.sums(trace, *DOCUMENT, 0, 1, [])) == 4
    assert titles(deep_dive.inputs(*DOCUMENT, 1)) == ["Queries Q", "Keys K", "Values V"]


def test_heads_keep_their_colours_and_silence_is_named():
    trace = multi_head(np.eye(2), *[np.eye(2)] * 4, n_heads=2, active=[True, False])
    assert titles(deep_dive.maps(trace, [True, False])) == ["Head 0", "Head 1, silent"]
    assert titles(deep_dive.mixed(trace, 1)) == ["Contexts side by side", "Output: contexts · W_O"]


def test_the_row_of_a_position_always_holds_the_pair():
    for d_model in (4, 8, 64, 512):
        table = sinusoidal_table(41, d_model)
        for i in (0, 1, d_model // 4, d_model // 2 - 1):
            figure = deep_dive.positional_row(table, 40, i)
            shown = [text.split("</b>")[0].split(">")[-1] for text in figure.layout.xaxis.ticktext]
            assert {str(2 * i), str(2 * i + 1)} <= set(shown)
            assert len(shown) == min(d_model, 8)
            today = figure.data[0].z[0][shown.index(str(2 * i))]
            assert np.isclose(float(today), table[40, 2 * i], atol=1e-6)


def test_the_formula_of_a_position_has_its_numbers():
    angle = rope_angles(3, 4)[1]
    assert deep_dive.position(sinusoidal_table(4, 4), angle, 3, 1) == [
        r"\text{angle} = \text{pos} / 10000^{2i/d} = 3 / 10000^{2/4} = 0.0300",
        r"PE(3, 2) = \sin(0.0300) = 0.030",
        r"PE(3, 3) = \cos(0.0300) = 1.000",
    ]
    assert [mark for mark in deep_dive.waves(sinusoidal_table(41, 4), 40, 1).data if mark.name == "today"]


def test_masking_shows_before_and_after():
    scores, keys = np.ones((2, 3)), np.eye(3)
    mask = causal_mask(2, 3)
    before, after = (scaled_dot_product(scores, keys, keys, scale=1.0, mask=m) for m in (None, mask))
    figure = deep_dive.masking(scores, mask, before, after, 0)
    assert len(titles(figure)) == 4
    assert deep_dive.listed([1, -0.5]) == "1.000, −0.500"

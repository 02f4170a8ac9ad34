import numpy as np

from engine.attention import attend_to_scores, attention_by_hand, causal_mask, multi_head
from engine.positions import rope_angles, sinusoidal_table
from ui import snippets, words
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
    assert [mark for mark in deep_dive.waves(sinusoidal_table(41, 4), 40, 1).data if mark.name == "now"]


def test_masking_shows_before_and_after():
    mask = causal_mask(2, 3)
    before, after = attend_to_scores(np.ones((2, 3))), attend_to_scores(np.ones((2, 3)), mask=mask)
    figure = deep_dive.masking(np.ones((2, 3)), mask, before, after, 0)
    assert len(titles(figure)) == 4
    assert deep_dive.first_weight(after, 0).startswith("w_{0,0} = ")


def test_what_a_step_of_your_own_does_is_said():
    trace = attention_by_hand(*DOCUMENT, weights=np.eye(2))
    told = deep_dive.attention_told(trace, 0, 0, ["weights"])
    assert told[0] == "The query of word 0 gives word 0 the weight 1.000. Its weights sum to **1.000**."
    assert told[1].startswith("Its output [1.000, 0.000] is")
    assert told[2].startswith("The weights are yours")
    assert len(deep_dive.attention_told(trace, 0, 0, [])) == 2


def test_the_heads_in_words():
    trace = multi_head(np.eye(2), *[np.eye(2)] * 4, n_heads=2, active=[True, False])
    told = deep_dive.heads_told(trace, 0)
    assert "of 2 × 1: word 0 gives itself 0.731, 0.500." in told[0]
    assert told[2] == "To word 0, column 0, the heads add 0.731, 0.000; together **0.731**."
    assert deep_dive.mixing(trace, np.eye(2), 0).endswith("= 0.731")


def test_a_pair_that_a_narrow_table_lacks_is_said():
    table = sinusoidal_table(41, 4)
    told = deep_dive.position_told(table, 0.03, 628.3, 3, 1, 200)
    assert told[0] == "Pair 1 turns once in **628.3** positions; at position 3 it stands at 0.0300 radians."
    assert told[2] == "With d_model = 4 the last pair is 1: it stands here in place of pair 200."
    assert len(deep_dive.position_told(table, 0.03, 628.3, 3, 1, 1)) == 2


def test_a_query_that_sees_nothing_is_said():
    now = words.told(sum_before=0.0, later=1.0)
    assert "nothing is left" in deep_dive.mask_told(now, 0, 0, 3)[0]
    assert "over those alone" in deep_dive.mask_told(now, 0, 2, 3)[0]


def test_the_practice_tells_of_the_slip_with_the_documents_question_only():
    assert len(deep_dive.practice_told(0.001, 8, True)) == 3
    assert len(deep_dive.practice_told(0.001, 8, False)) == 2
    assert deep_dive.objective("unheard of") is None


def test_lines_to_leave_out_stand_in_the_program():
    _, program = snippets.program("transformer_deep_dive_attention")
    assert all(line in program for line in deep_dive.LINES.values())
    assert set(deep_dive.LINES) == set(deep_dive.STEPS)

import numpy as np

from engine.attention import attend_to_scores, attend_with_zeros, attention_by_hand, causal_mask, multi_head
from engine.positions import library_table, nearest_row, one_frequency_per_column, rope_angles, sinusoidal_table
from ui import snippets
from ui.labs.transformer_deep_dive import asked, drawn, said

DOCUMENT = tuple(np.array(m, float) for m in ([[1, 0, 1], [0, 1, 0]], [[0, 1, 0], [1, 0, 1]], [[1, 0], [0, 1]]))
HEADS = multi_head(np.eye(2), *[np.eye(2)] * 4, n_heads=2, active=[True, False])


def titles(figure):
    return [note.text.split("</b>")[0].split(">")[-1] for note in figure.layout.annotations]


def holding(rows):
    """The sentences whose claims hold."""
    return [row if isinstance(row, str) else row[1] for row in rows if isinstance(row, str) or row[0]]


def test_an_overwritten_step_is_named_and_nothing_before_it_is_written_out():
    trace = attention_by_hand(*DOCUMENT, scaled=np.eye(2))
    assert titles(drawn.steps(trace, 0, 1, ["scaled"])) == ["1 Scores", "2 Scaled, yours", "3 Weights", "4 Output"]
    counts = [len(said.sums(trace, *DOCUMENT, 0, 1, yours)) for yours in ([], ["scores"], ["scaled"], ["weights"])]
    assert counts == [4, 3, 2, 1]
    assert len(said.sums(trace, *DOCUMENT, 0, 1, ["scores", "weights"])) == 1
    assert titles(drawn.inputs(*DOCUMENT, 1, 0)) == ["Queries Q", "Keys K", "Values V"]


def test_heads_keep_their_colours_and_silence_is_named():
    speaks = [True, False]
    assert titles(drawn.maps(HEADS, np.eye(2), speaks, 0, 0, 1)) == ["Two words X", "Head 0", "Head 1, silent"]
    mixed = drawn.mixed(HEADS, np.eye(2), speaks, 0, 1)
    assert titles(mixed) == ["Contexts side by side", "W_O", "Output: contexts · W_O"]
    assert [link["part"] for link in mixed.layout.meta["links"] if link["of"] == "concat"] == [("*", "0:1")]


def test_clicks_choose_what_stands_there():
    at = {"row": 1, "column": 0}
    assert [drawn.OF_INPUTS["query"](at | {"panel": panel}) for panel in range(3)] == [1, None, None]
    assert [drawn.OF_INPUTS["key"](at | {"panel": panel}) for panel in range(3)] == [None, 1, None]
    assert [drawn.OF_STEPS["key"](at | {"panel": panel}) for panel in range(4)] == [0, 0, 0, None]
    assert [drawn.OF_MIXED["column"](at | {"panel": panel}) for panel in range(3)] == [None, 0, 0]
    assert [drawn.OF_MIXED["word"](at | {"panel": panel}) for panel in range(3)] == [1, None, 1]
    assert [drawn.OF_MAPS["head"](at | {"panel": panel}) for panel in range(3)] == [None, 0, 1]
    assert [drawn.OF_MAPS["to"](at | {"panel": panel}) for panel in range(3)] == [None, 0, 0]
    table = sinusoidal_table(4, 64)
    assert [drawn.pair_of(table, 20)({"column": c}) for c in (0, 4, 5, 7)] == [18, 20, 20, 21]


def test_the_row_of_a_position_always_holds_the_pair():
    for d_model in (4, 8, 64, 512):
        table = sinusoidal_table(41, d_model)
        for i in (0, 1, d_model // 4, d_model // 2 - 1):
            figure = drawn.positional_row(table, 40, i)
            shown = [text.split("</b>")[0].split(">")[-1] for text in figure.layout.xaxis.ticktext]
            assert {str(2 * i), str(2 * i + 1)} <= set(shown)
            assert len(shown) == min(d_model, 8)
            now = figure.data[0].z[0][shown.index(str(2 * i))]
            assert np.isclose(float(now), table[40, 2 * i], atol=1e-6)


def test_the_formula_of_a_position_has_its_numbers():
    angle = rope_angles(3, 4)[1]
    assert said.position(sinusoidal_table(4, 4), angle, 3, 1) == [
        r"\text{angle} = \text{pos} / 10000^{2i/d} = 3 / 10000^{2/4} = 0.030",
        r"PE(3, 2) = \sin(0.030) = 0.030",
        r"PE(3, 3) = \cos(0.030) = 0.9996",
    ]
    assert [mark for mark in drawn.waves(sinusoidal_table(41, 4), 40, 1).data if mark.name == "now"]


def test_masking_shows_before_and_after():
    mask, ones = causal_mask(2, 3), np.ones((2, 3))
    before, after = attend_to_scores(ones), attend_to_scores(ones, mask=mask)
    assert len(titles(drawn.masking(ones, mask, before, after, 0, 2))) == 4
    assert r"e^{-\infty}" in said.one_weight(after, 0, 2)


def test_what_a_step_of_your_own_cuts_off_is_said():
    trace = attention_by_hand(*DOCUMENT, weights=[[0, 1], [1, 0]])
    told = holding(said.attention_told(trace, 0, 1, ["scores", "weights"]))
    assert told[0] == "The query of word 0 gives word 1 the weight 1.000. Its weights sum to **1.000**."
    assert "word 0 [0.000, 1.000], word 1 [1.000, 0.000]" in told[1]
    assert "takes that word's value as it stands" in told[2]
    assert told[3].startswith("The weights are yours")
    assert len(told) == 4
    plain = holding(said.attention_told(attention_by_hand(*DOCUMENT), 0, 1, []))
    assert len(plain) == 2
    assert "The scaled scores are yours" in holding(said.attention_told(trace, 0, 1, ["scaled"]))[-1]


def test_the_heads_in_words():
    told = said.heads_told(HEADS, 0, 0)
    assert "of 2 × 1: word 0 gives itself 0.731, 0.500." in told[0]
    assert "h = 8 heads of d_k = 64 in d_model = 512" in told[1]
    assert told[2] == "To word 0, column 0, the heads add 0.731, 0.000; together **0.731**."
    assert "is not established" in told[3]
    assert "untrained" in told[4]
    assert said.mixing(HEADS, np.eye(2), 0, 0).endswith("= 0.7311")
    assert len(said.sums_of_head(HEADS, 1, 0, 1)) == 4


def test_a_position_in_words():
    table = sinusoidal_table(41, 4)
    told = holding(said.position_told(table, 0.03, 628.3, 3, 1, nearest_row(table, 3)))
    assert told[0] == "Pair 1 turns once in **628.3** positions; at position 3 it stands at 0.0300 radians."
    assert told[2] == "In 3 positions its sine has risen from 0.000 to **0.030**, in less than a quarter turn."
    assert told[3].startswith("No other of the 41 positions has this row: the one most like it, position ")
    assert len(holding(said.position_told(table, 3.0, 6.28, 3, 0, nearest_row(table, 3)))) == 3
    assert len(holding(said.position_told(table, 3.0, 6.28, 3, 0, (4, 0.0)))) == 2


def test_the_mask_in_words():
    def told(n_queries, n_keys, query):
        scores = np.arange(1.0, n_queries * n_keys + 1).reshape(n_queries, n_keys) / 4
        mask = causal_mask(n_queries, n_keys)
        steps = attend_to_scores(scores), attend_to_scores(scores, mask=mask), attend_with_zeros(scores, mask)
        return " ".join(holding(said.mask_told(mask, *steps, query)))

    assert "over that one alone. With one key left its weight is **1.000**" in told(3, 3, 0)
    assert "Why −∞ and not 0" in told(3, 3, 0)
    assert "Why −∞" not in told(3, 3, 2)
    assert "2 more keys than queries" in told(1, 3, 0)
    assert "1 more query than keys" in told(4, 3, 0)
    assert "sees 0 of 3 keys: nothing is left" in told(4, 3, 0)


def test_conventions_and_slips_belong_to_the_part():
    trace = attention_by_hand(*DOCUMENT)
    undivided = attend_to_scores(trace.scores)
    conventions, slips = said.attention_rows(trace, undivided, 0, 1, [], [0.5], [0.25])
    assert conventions[0][2] == "T5 (Raffel et al. 2020), which divides by nothing: 0.881"
    assert len(said.attention_rows(trace, undivided, 0, 1, ["weights"], [0.5], [0.25])[0]) == 1
    assert len(slips) == 1
    assert said.heads_rows(HEADS, 0, 0, 0)[0][0][2].endswith("their mean, 0.616")
    table = sinusoidal_table(41, 4)
    others = library_table(41, 4, library="fairseq"), one_frequency_per_column(41, 4)
    conventions, slips = said.position_rows(table, *others, 1)
    assert conventions[0][2].endswith(": 1.00e−04"), "fairseq's own number, not the paper's in another order"
    assert len(slips) == 1
    assert not said.position_rows(table, *others, 0)[1]


def test_alignment_is_told_where_it_matters():
    scores, mask = np.ones((2, 4)), causal_mask(2, 4)
    aligned = mask[0], causal_mask(2, 4, align="start")[0]
    steps = attend_to_scores(scores), attend_to_scores(scores, mask=mask)
    conventions, slips = said.mask_rows(mask, aligned, *steps, 0)
    assert conventions[0] == (
        "2 queries, 4 keys: what query 0 sees",
        "the last query stands at the last key: 3 keys",
        "PyTorch's scaled_dot_product_attention with is_causal=True puts query 0 at key 0: 1 key",
    )
    assert slips[0][1:] == ("1.000", "after softmax: 0.750")


def test_the_practice_tells_of_the_slip_with_the_courses_question_only():
    assert len(holding(said.practice_told(0.001, 8, True))) == 3
    assert len(holding(said.practice_told(0.001, 8, False))) == 2
    assert asked.objective("unheard of") is None
    assert asked.objective("heads") == "Implement multi-head attention"
    assert asked.objective("parameters") is None


def test_lines_to_leave_out_stand_in_the_program():
    _, program = snippets.program("transformer_deep_dive_attention")
    assert all(line in program for line in asked.LINES.values())
    assert set(asked.LINES) == set(asked.STEPS)

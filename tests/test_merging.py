import pytest

from engine.tokenizers import explain_pair, growth, trace_bpe, trace_wordpiece, train_bpe, train_wordpiece
from ui.labs.bpe_against_wordpiece import drawn, written

HUGS = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}


def sides(merges, table=HUGS):
    bpe, wordpiece = train_bpe(table, 20), train_wordpiece(table, 20)
    return [
        drawn.side("BPE", "count", "", "way_2", bpe, growth(bpe), merges),
        drawn.side("WordPiece", "score", "##", "way_1", wordpiece, growth(wordpiece), merges),
    ]


def test_a_side_is_the_training_stopped_after_some_merges():
    for merges in range(8):
        for one, train in zip(sides(merges), (train_bpe, train_wordpiece), strict=True):
            stopped = train(HUGS, merges)
            assert one.known == stopped.vocabulary
            assert one.candidates == stopped.remaining
            assert one.words == (stopped.steps[-1].words if stopped.steps else stopped.start)


def test_a_training_that_ended_early_stays_at_its_end():
    bpe, _ = sides(20, {"abc": 1})
    assert (bpe.done, len(bpe.candidates)) == (2, 0)
    bars = drawn.candidates([bpe, bpe], "8th").data[0]
    assert (list(bars.x), list(bars.text)) == ([0] * 8, [""] * 8)


def test_ties_are_coloured_and_the_candidate_worked_out_stands_out():
    first, second = drawn.candidates(sides(1), "2nd").data[:2]
    tied = sides(1)[1].candidates.tied
    assert second.marker.color[0] == second.marker.color[tied - 1] != second.marker.color[-1]
    assert first.marker.color[1] not in (first.marker.color[0], first.marker.color[2])


@pytest.mark.parametrize(
    ("merges", "rank", "fate"),
    [(0, "1st", "wins"), (0, "8th", "loses"), (1, "1st", "wins, the oldest"), (1, "2nd", "younger")],
)
def test_the_fate_of_a_candidate(merges, rank, fate):
    wordpiece = sides(merges)[1]
    assert (wordpiece.candidates.tied > 1) == (merges == 1)
    assert fate in written.fate(wordpiece, rank)


def test_the_sums_have_the_numbers_in_them():
    bpe, _ = sides(0)
    count, score = written.sums_behind(HUGS, explain_pair(HUGS, bpe.words, ("u", "g")))
    assert r"10 \cdot 1 + 5 \cdot 1 + 5 \cdot 1 = 20" in count
    assert r"\frac{20}{36 \cdot 20} = 0.02778" in score


def test_the_walk_is_told_step_by_step():
    bpe, wordpiece = sides(3)
    split, cut = trace_bpe("hugs", [("u", "g"), ("h", "ug")]), trace_wordpiece("slug", wordpiece.known)
    lines = written.merged_by(split).splitlines()
    assert [line[:2] for line in lines] == ["1."] * 3
    assert "“h” + “ug”" in lines[1]
    assert "the whole word is unknown" in written.cut_by(cut)
    figure = drawn.word_split([bpe, wordpiece], "slug", trace_bpe("slug", []), cut)
    assert (list(figure.data[0].text), list(figure.data[1].text)) == (list("slug"), ["[UNK]"])


def test_what_comes_next_and_who_wins_a_tie():
    bpe, wordpiece = sides(1)
    assert written.next_merge(bpe) == "BPE merges “u” + “n” next: count 16, score 0.062."
    assert written.next_merge(wordpiece).endswith("wins, then the older second.")


def bare(text) -> str:
    return text.replace("\\", "")


def said(sentences) -> str:
    return bare(
        " ".join(one if isinstance(one, str) else one[1] for one in sentences if isinstance(one, str) or one[0])
    )


def test_a_pair_is_told_with_its_words_and_why_it_is_preferred():
    bpe, wordpiece = sides(0)
    found = explain_pair(HUGS, wordpiece.words, ("##g", "##s"))
    assert bare(written.worked_out(wordpiece, "1st", found)) == "“##g” + “##s” stands in “hugs”. By its score it wins."
    assert "occurs less often, 5 times against 20," in said(written.preferred(bpe, wordpiece))
    ab = sides(0, {"ab": 1})
    assert said(written.preferred(*ab)) == "Both rules want the same pair next."
    assert written.preferred(*sides(20, {"abc": 1})) == []


def test_a_training_that_ended_says_so():
    done, _ = sides(20, {"abc": 1})
    assert written.ended(done).endswith("Training ends after 2 merges.")


def test_words_cut_at_different_places_are_counted():
    assert written.cut_differently(*sides(0)) == 0
    assert written.cut_differently(*sides(1)) == 3


def test_the_curves_end_where_the_training_ended():
    figure = drawn.grown(sides(3, {"abc": 1}), "tokens_per_word", "Tokens per word", 20).to_dict()
    assert [trace["y"] for trace in figure["data"][:2]] == [[3.0, 2.0, 1.0]] * 2
    assert figure["data"][2]["x"] == [2.0, 2.0]


def test_a_word_is_told_with_its_strangers():
    bpe, wordpiece = sides(3)
    split, cut = trace_bpe("slug", [("u", "g")]), trace_wordpiece("slug", wordpiece.known)
    told = said(written.split_of("slug", split, cut, bpe.known))
    assert told.startswith("“slug” becomes **3 tokens** with BPE and is **unknown** to WordPiece: no piece it knows")
    assert told.endswith("BPE keeps “l” as it is, outside its vocabulary.")
    many = trace_bpe("xyz", [])
    assert "as they are" in said(written.split_of("xyz", many, trace_wordpiece("xyz", wordpiece.known), bpe.known))
    one = trace_wordpiece("hug", (*wordpiece.known, "hug"))
    assert "becomes **1 token** with BPE" in said(
        written.split_of("hug", trace_bpe("hug", [("u", "g"), ("h", "ug")]), one, bpe.known)
    )


def test_the_numbers_to_take_away_are_named_by_rule():
    taken = written.taken(sides(3))
    assert list(taken)[:4] == ["bpe_vocabulary_size", "bpe_n_tokens", "bpe_tokens_per_word", "bpe_merges"]
    assert taken["wordpiece_merges"][0] == "##gs"

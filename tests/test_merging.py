import pytest

from engine.tokenizers import explain_pair, growth, trace_bpe, trace_wordpiece, train_bpe, train_wordpiece
from ui.labs import bpe_against_wordpiece as merging

HUGS = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}


def sides(merges, table=HUGS):
    bpe, wordpiece = train_bpe(table, 20), train_wordpiece(table, 20)
    return [
        merging.side("BPE", "count", "", "way_2", bpe, growth(bpe), merges),
        merging.side("WordPiece", "score", "##", "way_1", wordpiece, growth(wordpiece), merges),
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
    bars = merging.candidates([bpe, bpe], "8th").data[0]
    assert (list(bars.x), list(bars.text)) == ([0] * 8, [""] * 8)


def test_ties_are_coloured_and_the_candidate_worked_out_stands_out():
    first, second = merging.candidates(sides(1), "2nd").data[:2]
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
    assert fate in merging.fate(wordpiece, rank)


def test_the_sums_have_the_numbers_in_them():
    bpe, _ = sides(0)
    count, score = merging.sums_behind(HUGS, explain_pair(HUGS, bpe.words, ("u", "g")))
    assert r"10 \cdot 1 + 5 \cdot 1 + 5 \cdot 1 = 20" in count
    assert r"\frac{20}{36 \cdot 20} = 0.028" in score


def test_the_walk_is_told_step_by_step():
    bpe, wordpiece = sides(3)
    split, cut = trace_bpe("hugs", [("u", "g"), ("h", "ug")]), trace_wordpiece("slug", wordpiece.known)
    lines = merging.merged_by(split).splitlines()
    assert [line[:2] for line in lines] == ["1."] * 3
    assert "“h” + “ug”" in lines[1]
    assert "the whole word is unknown" in merging.cut_by(cut)
    figure = merging.walk([bpe, wordpiece], "slug", trace_bpe("slug", []), cut)
    assert (list(figure.data[0].text), list(figure.data[1].text)) == (list("slug"), ["[UNK]"])


def test_what_comes_next_and_who_wins_a_tie():
    bpe, wordpiece = sides(1)
    assert merging.next_merge(bpe) == "BPE merges “u” + “n” next: count 16, score 0.062."
    assert merging.next_merge(wordpiece).endswith("wins, then the older second.")


def test_a_pair_is_told_with_its_words_and_both_its_rivals():
    _, wordpiece = sides(0)
    found = explain_pair(HUGS, wordpiece.words, ("##g", "##s"))
    told = merging.worked_out(wordpiece, "1st", found).replace("\\", "")
    assert told == "“##g” + “##s” stands in “hugs”. By its score it wins."
    by_score, by_count = (told.replace("\\", "") for told in merging.next_by_both(wordpiece))
    assert by_score == "by score: “##g” + “##s”, 0.050"
    assert by_count.endswith("“##u” + “##g”, 20")


def test_a_training_that_ended_says_so():
    done, _ = sides(20, {"abc": 1})
    assert merging.ended(done).endswith("Training ends after 2 merges.")
    assert merging.next_by_both(done)[0] == "no pair is left"


def test_words_cut_at_different_places_are_counted():
    assert merging.cut_differently(*sides(0)) == 0
    assert merging.cut_differently(*sides(1)) == 3


def test_the_curves_end_where_the_training_ended():
    figure = merging.grown(sides(3, {"abc": 1}), "tokens_per_word", "Tokens per word", 20).to_dict()
    assert [trace["y"] for trace in figure["data"][:2]] == [[3.0, 2.0, 1.0]] * 2
    assert figure["data"][2]["x"] == [2.0, 2.0]


def test_a_word_is_told_with_its_strangers():
    bpe, wordpiece = sides(3)
    split, cut = trace_bpe("slug", [("u", "g")]), trace_wordpiece("slug", wordpiece.known)
    told = merging.split_of("slug", split, cut, bpe.known)
    assert told.startswith("“slug” becomes **3** tokens with BPE and is **unknown** to WordPiece")
    assert told.endswith("BPE keeps “l” as it is, outside its vocabulary.")


def test_the_numbers_to_take_away_are_named_by_rule():
    taken = merging.taken(sides(3))
    assert list(taken)[:4] == ["bpe_vocabulary_size", "bpe_n_tokens", "bpe_tokens_per_word", "bpe_merges"]
    assert taken["wordpiece_merges"][0] == "##gs"

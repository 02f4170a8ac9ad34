import pytest

from engine.tokenizers import Corpus, explain_pair, merge_pair, pair_counts, train_bpe

HUGS = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}


def test_candidates_behave_like_a_tuple():
    candidates = train_bpe(HUGS, 1).steps[0].candidates
    assert candidates[0] == (("u", "g"), 20, pytest.approx(20 / (36 * 20)))
    assert candidates[-1] == tuple(candidates)[-1]
    assert candidates[:2] == (candidates[0], candidates[1])
    assert candidates != ()
    assert "Candidate(pair=('u', 'g')" in repr(candidates)
    with pytest.raises(IndexError):
        candidates[99]


def test_overlapping_pairs_count_but_are_replaced_once():  # minbpe#51, #72, sentencepiece#318
    step = train_bpe({"aaaaa": 1}, 1).steps[0]
    assert (step.count, step.replaced, step.words["aaaaa"]) == (4, 2, ("aa", "aa", "a"))
    assert merge_pair(("a",) * 3, ("a", "a"), "aa") == ("aa", "a")
    assert pair_counts("111121212") == {("1", "1"): (3, 2), ("1", "2"): (3, 3), ("2", "1"): (2, 2)}
    assert pair_counts(("aa", "aa", "aa")) == {("aa", "aa"): (2, 1)}
    assert pair_counts("") == {}


def test_merge_counts_what_it_replaces_and_keeps_the_rest():
    corpus = Corpus({"aab": 2, "b": 5}, {"aab": ("a", "a", "b"), "b": ("b",)})
    before = corpus.words
    assert corpus.merge(("a", "b"), "ab") == 2
    assert corpus.words == {"aab": ("a", "ab"), "b": ("b",)}
    assert before["aab"] == ("a", "a", "b")
    assert list(corpus.candidates(by_score=True)) == [(("a", "ab"), 2, 2 / (2 * 2))]
    assert corpus.merge(("x", "y"), "xy") == 0


@pytest.mark.parametrize("bad", [None, 3, [1, 2], {"a"}, ["a", None]])
def test_refuses_what_is_no_sequence_of_texts(bad):
    with pytest.raises(ValueError, match="symbols"):
        pair_counts(bad)


def test_a_pair_is_explained_word_by_word():
    trace = train_bpe(HUGS, 3)
    for step, words in zip(trace.steps, [trace.start, *(step.words for step in trace.steps)], strict=False):
        for candidate in step.candidates:
            found = explain_pair(trace.counts, words, candidate.pair)
            assert (found.count, found.score) == (candidate.count, pytest.approx(candidate.score))
            assert sum(HUGS[word] * n for word, n in found.by_word.items()) == candidate.count
    assert explain_pair({"aaa": 2}, {"aaa": ("a", "a", "a")}, ("a", "a")) == ({"aaa": 2}, 6, 6, 4, pytest.approx(1 / 9))
    with pytest.raises(ValueError, match="side by side"):
        explain_pair({"ab": 1}, {"ab": ("a", "b")}, ("b", "a"))

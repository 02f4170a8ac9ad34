import random
import time
from collections import Counter
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.tokenizers import (
    MAX_CHARACTERS,
    MAX_COUNT,
    encode_bpe,
    growth,
    merge_pair,
    split_wordpiece,
    train_bpe,
    train_subword_nmt,
    train_wordpiece,
)

HUGS = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
tables = st.dictionaries(st.text("abé👍", min_size=1, max_size=9), st.integers(1, 5), max_size=6)


def tokens(trace):
    return [step.token for step in trace.steps]


def by_the_book(table, n_merges, wordpiece):
    """The trainer again, counting everything anew at each step, scores as exact fractions."""
    words = {w: tuple("##" + c if i and wordpiece else c for i, c in enumerate(w)) for w in table}
    age = sorted({s for symbols in words.values() for s in symbols})
    for _ in range(n_merges):
        single, double = Counter(), Counter()
        for word, symbols in words.items():
            for s in symbols:
                single[s] += table[word]
            for p in pairwise(symbols):
                double[p] += table[word]
        scores = {(a, b): Fraction(n, single[a] * single[b]) for (a, b), n in double.items()}
        rank = scores if wordpiece else double
        order = sorted(double, key=lambda p: (-rank[p], age.index(p[0]), age.index(p[1])))
        if not order:
            return
        a, b = order[0]
        token = a + (b[2:] if wordpiece else b)
        age += [] if token in age else [token]
        words = {word: merge_pair(symbols, order[0], token) for word, symbols in words.items()}
        yield [(p, double[p], float(scores[p])) for p in order], words, tuple(age)


def worst_tables():
    rng = random.Random(0)
    char = [chr(0x4E00 + i) for i in range(20_000)]
    yield {"".join(rng.choices(char, k=100)): i + 1 for i in range(100)}  # 9,900 different pairs
    yield {"a" + char[i]: 1 + i % 7 for i in range(5_000)}  # every pair shares a symbol
    yield {"".join("a" + c for c in rng.choices(char, k=50)): i + 1 for i in range(100)}
    yield {"".join(rng.choices("ab", k=100)): i + 1 for i in range(100)}  # every word changes at each merge
    yield {char[i] + "ab" + char[-i - 1]: 1 for i in range(2_500)}


def test_merges_agree_with_subword_nmt(reference):
    stops = {}
    for case in reference("tokenizers")["subword_nmt"]:
        trace = train_subword_nmt(case["table"], 500)
        assert [list(step.pair) for step in trace.steps] == case["merges"], case["table"]
        stops[tuple(case["table"])[:2]] = len(trace.steps)
    assert (stops["hug", "pug"], stops["aaaaa", "aaab"]) == (23, 5), "the last table of each beginning"


def test_an_end_mark_tells_the_end_of_a_word():
    trace = train_bpe({"est": 3, "este": 2}, 99, end_mark="</w>")
    assert trace.vocabulary[:4] == ("e", "e</w>", "s", "t")
    merges = [step.pair for step in trace.steps]
    assert encode_bpe("est", merges, end_mark="</w>") == ["est</w>"]
    assert encode_bpe("este", merges[:2], end_mark="</w>")[-1] == "e</w>"
    assert train_bpe({"ab": 1}, 9, min_count=2).steps == ()
    assert len(train_bpe({"ab": 2}, 9, min_count=2).steps) == 1
    for options, match in (({"ties": "new"}, "ties"), ({"min_count": 0}, "min_count"), ({"end_mark": 3}, "end_mark")):
        with pytest.raises(ValueError, match=match):
            train_bpe({"ab": 1}, 1, **options)


def test_merges_agree_with_the_tokenizers_library(reference):
    for case in reference("tokenizers")["bpe"]:
        merges = [list(step.pair) for step in train_bpe(case["table"], 500).steps]
        assert merges == case["merges"], case["table"]


def test_the_published_example_by_score_and_by_count():  # tokenizers#144, #570, #1086
    by_score, by_count = train_wordpiece(HUGS, 50), train_bpe(HUGS, 50)
    assert tokens(by_count) == ["ug", "un", "hug", "pun", "pug", "hugs", "bun"]
    assert tokens(by_score) == ["##gs", "##ug", "##un", "##ugs", "hugs", "hug", "bun", "pug", "pun"]
    first, second = by_score.steps[:2]
    assert (first.pair, first.count, first.score, first.candidates.tied) == (("##g", "##s"), 5, 0.05, 1)
    assert second.score == pytest.approx(1 / 36)
    assert second.candidates.tied == len(second.candidates) == 6


def test_a_tie_goes_to_the_older_symbols():  # minbpe#90, tokenizers#1065
    for table in ["ab", "ba"], ["ba", "ab"]:
        assert train_bpe([(word, 1) for word in table], 1).steps[0].pair == ("a", "b")
    assert tokens(train_bpe({"bbbaaaddddcccc": 1}, 1)) == tokens(train_bpe({"aaabbbccccdddd": 1}, 1)) == ["cc"]
    assert train_bpe({"cab": 1, "xcd": 1}, 2).steps[1].pair == ("c", "d")  # c is older than x, d than ab
    assert train_bpe({"cab": 1}, 0).vocabulary == ("a", "b", "c")


def test_three_merges_by_hand():  # minbpe#93, #111
    trace = train_bpe({"aaabdaaabac": 1}, 3)
    assert tokens(trace) == ["aa", "ab", "aaab"]
    assert trace.steps[-1].words["aaabdaaabac"] == ("aaab", "d", "aaab", "a", "c")


def test_ends_only_when_no_pair_is_left():  # subword-nmt#63
    trace = train_bpe({"abc": 1}, 20)
    assert tokens(trace) == ["ab", "abc"]
    assert not trace.remaining
    assert trace.remaining.tied == 0
    assert len(train_bpe({"abc": 1}, 1).remaining) == 1
    for train in train_bpe, train_wordpiece:
        assert train({}, 5)[:2] == ((), ())
        assert train({"a": 3, "b": 1}, 5).steps == ()
    assert train_wordpiece({"a": 1, "b": 1}, 5).vocabulary == ("a", "b")


def test_the_same_word_twice_adds_up():
    assert train_bpe([("ab", 2), ("c", 1), ("ab", np.int64(3))], 1).counts == {"ab": 5, "c": 1}


@given(tables, st.booleans())
@settings(max_examples=50, deadline=None)
def test_every_step_is_what_a_full_recount_gives(table, wordpiece):
    trace = (train_wordpiece if wordpiece else train_bpe)(table, 30)
    expected = list(by_the_book(table, 30, wordpiece))
    assert len(trace.steps) == len(expected)
    for step, (candidates, words, _) in zip(trace.steps, expected, strict=True):
        assert step.candidates == candidates
        assert step.words == words
    if expected:
        assert trace.vocabulary == expected[-1][2]


def test_growth():
    trace = train_bpe(HUGS, 7)
    result = growth(trace)
    assert result.vocabulary_size.tolist() == [7, 8, 9, 10, 11, 12, 13, 14]
    for n_tokens, words in zip(result.n_tokens, [trace.start, *(step.words for step in trace.steps)], strict=True):
        assert n_tokens == sum(HUGS[word] * len(symbols) for word, symbols in words.items())
    assert result.tokens_per_word[-1] == 1
    assert growth(train_bpe({}, 3)).tokens_per_word.tolist() == [0]


@pytest.mark.parametrize(
    "table", list(worst_tables()), ids=["different", "hub", "hub_in_words", "two_letters", "middle"]
)
@pytest.mark.parametrize("train", [train_bpe, train_wordpiece])
def test_twenty_merges_of_the_largest_table_are_quick(train, table):
    assert sum(map(len, table)) == MAX_CHARACTERS
    seconds = []
    for _ in range(3):
        start = time.process_time()
        assert len(train(table, 20).steps) == 20
        seconds.append(time.process_time() - start)
    assert min(seconds) < 0.2  # a quarter of that on an ordinary core


@pytest.mark.parametrize("train", [train_bpe, train_wordpiece])
@pytest.mark.parametrize(
    ("table", "says"),
    [
        (None, "dict"),
        ("text", "dict"),
        (7, "dict"),
        (["abc"], "dict"),
        ({"": 1}, "at least one character"),
        ({1: 1}, "a word must be a text"),
        ({b"a": 1}, "a word must be a text"),
        ({"a" * 101: 1}, "at most 100 characters; got 101"),
        ({"a\ud800": 1}, "surrogate"),
        ({"a": 0}, "the count of 'a'"),
        ({"a": -1}, "the count of 'a'"),
        ({"a": 1.0}, "the count of 'a'"),
        ({"a": True}, "the count of 'a'"),
        ({"a": "3"}, "the count of 'a'"),
        ({"a": float("nan")}, "the count of 'a'"),
        ({"a": MAX_COUNT + 1}, "the count of 'a'"),
        ([("a", MAX_COUNT), ("a", 1)], "the count of 'a'"),
        ({"a" * 99: MAX_COUNT}, "add up"),
        ({f"{i:05}": 1 for i in range(2001)}, "at most 10,000 characters in all; got 10,005"),
    ],
)
def test_refuses_a_bad_table(train, table, says):
    with pytest.raises(ValueError, match=says):
        train(table, 1)


@pytest.mark.parametrize("n", [-1, 1001, 1.0, "2", None, True])
def test_refuses_bad_merge_numbers(n):
    with pytest.raises(ValueError, match="n_merges"):
        train_bpe(HUGS, n)


def test_refuses_a_trace_too_large_to_keep():
    table = {f"{i:05}": 1 for i in range(2000)}
    assert len(train_bpe(table, 100).steps) == 100
    with pytest.raises(ValueError, match="10,000 characters allow at most 100 merges; got 101"):
        train_bpe(table, 101)


def test_refuses_a_word_that_looks_like_a_continuation():
    for call in (train_wordpiece, lambda table, _: split_wordpiece(*table)):
        with pytest.raises(ValueError, match="continuation"):
            call({"##g": 1}, 1)
    assert split_wordpiece("#g") == ("#", "##g")
    assert split_wordpiece("") == ()
    with pytest.raises(ValueError, match="word must be a text"):
        split_wordpiece(3)

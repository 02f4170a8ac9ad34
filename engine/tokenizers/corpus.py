"""Words as symbols, the pairs of neighbours in them, and what a merge does to both."""

from collections import Counter
from collections.abc import Sequence
from itertools import groupby, islice, pairwise
from typing import NamedTuple

import numpy as np

from engine import checks
from engine.tokenizers.graphemes import check_text

Pair = tuple[str, str]
Words = dict[str, tuple[str, ...]]
MAX_SYMBOLS = 100_000  # of a text, or of a table of words


class Candidate(NamedTuple):
    """A pair of neighbours that could be merged: how often it occurs, and count(ab) / (count(a)·count(b))."""

    pair: Pair
    count: int  # type: ignore[assignment]  # a tuple has a method of that name
    score: float


class Candidates(Sequence):
    """Every pair at one moment of the training, best first, as a sequence of `Candidate`.

    `tied` is how many at the front share the best rank: 1 where the winner is clear, 0 where no pair is left. The
    entries are made when asked for: a large table has ten thousand of them at every step.
    """

    def __init__(self, pairs: list[Pair], order: np.ndarray, counts: np.ndarray, scores: np.ndarray, tied: int):
        self._pairs, self._order, self._counts, self._scores = pairs, order, counts, scores  # order, … (n_candidates,)
        self.tied = tied

    def __len__(self) -> int:
        return len(self._order)

    def __getitem__(self, at):
        if isinstance(at, slice):
            return tuple(self[i] for i in range(*at.indices(len(self))))
        return Candidate(self._pairs[self._order[at]], int(self._counts[at]), float(self._scores[at]))

    def __eq__(self, other) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __repr__(self) -> str:
        return f"Candidates({list(self[:3])}{', …' if len(self) > 3 else ''})"


class PairTrace(NamedTuple):
    """Where a candidate's count and score come from.

    `by_word` is how often the pair stands in one copy of each word that has it; `first` and `second` are count(a) and
    count(b); `count` is the sum of occurrences × copies, `score` is count / (first·second).
    """

    by_word: dict[str, int]
    first: int
    second: int
    count: int  # type: ignore[assignment]  # a tuple has a method of that name
    score: float


class Corpus:
    """All words as symbols with the counts of symbols and pairs, kept up to date merge by merge.

    `age` numbers the symbols: those of the start in code-point order, then tokens as they come.
    """

    def __init__(self, counts: dict[str, int], words: Words):
        self.counts, self.words = counts, words
        self.age = {symbol: age for age, symbol in enumerate(sorted(set().union(*words.values())))}
        self._singles = dict.fromkeys(self.age, 0)  # in order of age
        self._pairs: Counter[Pair] = Counter()  # in order of appearance; a pair that is gone stays, with 0
        self._listed: list[Pair] = []  # the keys of _pairs
        self._ages = np.empty((0, 2), int)  # (n_listed, 2)
        for word, symbols in words.items():
            self._tally(symbols, counts[word])

    def merge(self, pair: Pair, token: str) -> int:
        """Replace the pair everywhere; returns how many times, each word counted as often as it occurs."""
        first, second = pair
        self.age.setdefault(token, len(self.age))
        self._singles.setdefault(token, 0)
        replaced, changed = 0, {}
        for word, symbols in self.words.items():
            if first in symbols and second in symbols:
                merged = replaced_in(symbols, pair, token)
                if len(merged) < len(symbols):
                    changed[word] = merged
                    replaced += self.counts[word] * (len(symbols) - len(merged))
                    self._tally(symbols, -self.counts[word])
                    self._tally(merged, self.counts[word])
        self.words = {**self.words, **changed}
        return replaced

    def candidates(self, *, by_score: bool) -> Candidates:
        """Every pair that occurs; highest score or count first, then the older first symbol, then the older second."""
        fresh = list(islice(self._pairs, len(self._listed), None))
        self._listed += fresh
        ages = np.array([(self.age[a], self.age[b]) for a, b in fresh], int).reshape(-1, 2)
        self._ages = np.concatenate([self._ages, ages])
        counts = np.fromiter(self._pairs.values(), np.int64, len(self._pairs))
        alive = np.flatnonzero(counts)
        counts = counts[alive]
        first, second = self._ages[alive].T
        singles = np.fromiter(self._singles.values(), np.int64, len(self._singles))
        scores = counts / (singles[first] * singles[second])
        rank = scores if by_score else counts
        order = np.lexsort((second, first, -rank))
        tied = np.count_nonzero(rank == rank[order[:1]])
        return Candidates(self._listed, alive[order], counts[order], scores[order], int(tied))

    def _tally(self, symbols: tuple[str, ...], count: int) -> None:
        for symbol in symbols:
            self._singles[symbol] += count
        for pair in pairwise(symbols):
            self._pairs[pair] += count


def merge_pair(symbols: tuple[str, ...], pair: Pair, token: str) -> tuple[str, ...]:
    """Every occurrence of the pair replaced by the token, left to right.

    Raises ValueError for symbols that are no texts or more than `MAX_SYMBOLS`, a pair that is not two texts, or a token
    that is none.

    >>> merge_pair(("a", "a", "a"), ("a", "a"), "aa")
    ('aa', 'a')
    """
    return replaced_in(_symbols(symbols), _pair(pair), check_text("token", token))


def replaced_in(symbols: tuple[str, ...], pair: Pair, token: str) -> tuple[str, ...]:
    """`merge_pair` of what is already known to be texts.

    >>> replaced_in(("a", "b", "a"), ("a", "b"), "ab")
    ('ab', 'a')
    """
    first, second = pair
    out: list[str] = []
    left = None  # a symbol that may still become the first half of a pair
    for symbol in symbols:
        if symbol == second and left == first:
            out[-1] = token
            left = None
        else:
            out.append(symbol)
            left = symbol
    return tuple(out)


def pair_counts(symbols) -> dict[Pair, tuple[int, int]]:
    """Each pair of neighbours: how often it occurs, and how often one left-to-right pass can replace it.

    The two differ where a pair overlaps itself; training counts the first, some programs the second. symbols: a text or
    a sequence of texts, at most `MAX_SYMBOLS`. Raises ValueError for anything else.

    >>> pair_counts("aaaab")
    {('a', 'a'): (3, 2), ('a', 'b'): (1, 1)}
    """
    symbols, at_once = _symbols(symbols), Counter[Pair]()
    for symbol, run in groupby(symbols):  # only a pair of equals overlaps itself: in a run of n it fits n // 2 times
        at_once[symbol, symbol] += sum(1 for _ in run) // 2
    return {
        pair: (count, at_once[pair] if pair[0] == pair[1] else count)
        for pair, count in Counter(pairwise(symbols)).items()
    }


def explain_pair(counts: dict[str, int], words: Words, pair: Pair) -> PairTrace:
    """Count a pair of neighbours and its two halves again, word by word.

    count(ab) / (count(a)·count(b)), every word as often as it occurs; counts and words as a training step has them, at
    most `MAX_SYMBOLS` symbols in all. Raises ValueError for anything else, and for a pair that is nowhere.

    >>> explain_pair({"hug": 10, "hugs": 5}, {"hug": ("h", "ug"), "hugs": ("h", "ug", "s")}, ("ug", "s"))
    PairTrace(by_word={'hugs': 1}, first=15, second=5, count=5, score=0.06666666666666667)
    """
    pair, counts, words = _pair(pair), *_table_of(counts, words)
    by_word = {word: pairs[pair][0] for word, symbols in words.items() if pair in (pairs := pair_counts(symbols))}
    if not by_word:
        raise ValueError(f"the pair must stand side by side in some word; got {checks.shown(pair)}")
    first, second = (sum(counts[word] * symbols.count(half) for word, symbols in words.items()) for half in pair)
    count = sum(counts[word] * n for word, n in by_word.items())
    return PairTrace(by_word, first, second, count, count / (first * second))


def _symbols(symbols) -> tuple[str, ...]:
    listed = isinstance(symbols, Sequence) and not isinstance(symbols, bytes | bytearray)
    if not listed or not all(isinstance(symbol, str) for symbol in symbols):
        raise ValueError(f"symbols must be a text or a sequence of texts; got {checks.shown(symbols)}")
    checks.integer("the number of symbols", len(symbols), 0, MAX_SYMBOLS)
    return tuple(symbols)


def _pair(pair) -> Pair:
    if not isinstance(pair, tuple | list) or len(pair) != 2 or not all(isinstance(half, str) for half in pair):
        raise ValueError(f"pair must be two texts; got {checks.shown(pair)}")
    return pair[0], pair[1]


def _table_of(counts, words) -> tuple[dict[str, int], Words]:
    """Counts and symbols of words, as long as every word with symbols has its count."""
    for name, table in (("counts", counts), ("words", words)):
        checks.instance(name, table, dict, "a dict by word")
    symbols = {check_text("a word", word): _symbols(parts) for word, parts in words.items()}
    checks.integer("the number of symbols", sum(map(len, symbols.values())), 0, MAX_SYMBOLS)
    if any(word not in counts for word in symbols):
        raise ValueError("counts must have a number for every one of the words; got none for one of them")
    return {word: checks.integer(f"counts[{word!r:.40}]", counts[word], 1, 10**6) for word in symbols}, symbols

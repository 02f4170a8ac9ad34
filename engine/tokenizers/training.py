"""How a vocabulary is learned: byte-pair encoding and WordPiece, one merge at a time."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

import numpy as np

from engine import checks
from engine.tokenizers.corpus import Candidate, Candidates, Corpus, Pair, Words
from engine.tokenizers.text import check_text

MAX_CHARACTERS = 10_000  # in all words of a table together
MAX_WORD = 100  # characters in one word
MAX_COUNT = 1_000_000  # of one word
MAX_CORPUS = 90_000_000  # characters, every word as often as it occurs: count(a)·count(b) stays exact in float64
MAX_MERGES = 1_000
MAX_ENTRIES = 100_000  # of a word and its count, the same word again and again
MAX_WORK = 1_000_000  # characters × merges: what a trace may cost


class MergeStep(NamedTuple):
    """One merge: the winner, everything it won against (best first), and every word's symbols afterwards.

    `candidates.tied` is how many share the winner's rank; `replaced` how many times the pair was really replaced, less
    than `count` where it overlaps itself, as in aaa.
    """

    pair: Pair
    token: str
    count: int  # type: ignore[assignment]  # a tuple has a method of that name
    score: float
    candidates: Candidates
    words: Words
    replaced: int


class TrainingTrace(NamedTuple):
    """All merges, and the vocabulary by age: characters in code-point order, then tokens as they came.

    `counts` is the word table as read, `start` the words before any merge, `remaining` the candidates after the last
    one (none: no pair is left to merge).
    """

    steps: tuple[MergeStep, ...]
    vocabulary: tuple[str, ...]
    counts: dict[str, int]
    start: Words
    remaining: Candidates


class Growth(NamedTuple):
    """After 0, 1, 2 … merges, each (n_steps + 1,): vocabulary size, tokens in the corpus, tokens per word."""

    vocabulary_size: np.ndarray
    n_tokens: np.ndarray
    tokens_per_word: np.ndarray


def train_bpe(
    word_counts, n_merges: int, *, end_mark: str = "", min_count: int = 1, ties: str = "older"
) -> TrainingTrace:
    """Merge the most frequent pair of neighbours, again and again.

    The winner has the highest count; on a tie the older first symbol, then the older second (Sennrich, Haddow & Birch
    2016, §3.2; the tie rule is that of the `tokenizers` library), or with ties "text" the pair whose text comes last.
    Every adjacent pair counts, overlapping ones too; replacing runs left to right. A pair that occurs less than
    min_count times is not merged: training ends there, and in any case when no pair is left. end_mark is written to the
    last character of each word, so that "st" inside a word and "st</w>" at its end are two tokens (ibid.).
    Sennrich's own program, subword-nmt, is end_mark "</w>", min_count 2, ties "text": `train_subword_nmt`.

    word_counts: a dict word -> count, or pairs (the same word twice adds up); counts are whole numbers from 1 to
    `MAX_COUNT`. Raises ValueError for anything else, and beyond `MAX_CHARACTERS`, `MAX_WORD`, `MAX_CORPUS`,
    `MAX_MERGES` or `MAX_WORK`.

    >>> [step.token for step in train_bpe({"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}, 4).steps]
    ['ug', 'un', 'hug', 'pun']
    """
    check_text("end_mark", end_mark, MAX_WORD)
    least = checks.integer("min_count", min_count, 1)

    def pick(candidates: Candidates) -> Candidate | None:
        best = candidates[: max(candidates.tied, 1)] if ties == "text" else candidates[:1]
        best = tuple(one for one in best if one.count >= least)
        return max(best, key=lambda one: one.pair, default=None)

    checks.one_of("ties", ties, ("older", "text"))
    return _train(word_counts, n_merges, lambda word: split_bpe(word, end_mark), lambda a, b: a + b, pick)


def train_subword_nmt(word_counts, n_merges: int) -> TrainingTrace:
    """`train_bpe` as subword-nmt has it by default (version 0.3.8): words end in "</w>", a pair seen once never merges.

    Arguments and errors as in `train_bpe`.

    >>> [step.token for step in train_subword_nmt({"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}, 4).steps]
    ['pu', 'hu', 'pun</w>', 'hug</w>']
    """
    return train_bpe(word_counts, n_merges, end_mark="</w>", min_count=2, ties="text")


def train_wordpiece(word_counts, n_merges: int) -> TrainingTrace:
    """Merge the pair that occurs most often for how frequent its parts are.

    The winner has the highest count(ab) / (count(a)·count(b)), ties as in `train_bpe`; every symbol but a word's first
    is written with "##", which counts when symbols are put in code-point order (Schuster & Nakajima 2012; the score is
    the one the Hugging Face course gives; the trainer of the `tokenizers` library merges by count instead).

    Arguments and errors as in `train_bpe`; a word that itself starts with "##" is refused too.

    >>> step = train_wordpiece({"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}, 1).steps[0]
    >>> step.token, step.score  # 5 / (20·5), though it occurs least often of all
    ('##gs', 0.05)
    """
    return _train(word_counts, n_merges, split_wordpiece, lambda a, b: a + b[2:], _first, by_score=True)


def growth(trace: TrainingTrace) -> Growth:
    """How each merge buys shorter words with a larger vocabulary.

    Tokens per word is the mean over the words of the corpus, each counted as often as it occurs; 0 for an empty table.
    Raises ValueError for anything but a TrainingTrace.

    >>> growth(train_bpe({"aaa": 2, "b": 1}, 2)).tokens_per_word.round(2).tolist()
    [2.33, 1.67, 1.0]
    """
    _checked_training(trace)
    n_words = sum(trace.counts.values())
    n_start = sum(count * len(trace.start[word]) for word, count in trace.counts.items())
    n_tokens = n_start - np.cumsum([0, *(step.replaced for step in trace.steps)])
    seen = set().union(*trace.start.values())
    sizes = [len(seen)]
    for step in trace.steps:
        seen.add(step.token)  # a token that two merges lead to counts once
        sizes.append(len(seen))
    return Growth(np.array(sizes), n_tokens, n_tokens / max(n_words, 1))


def split_wordpiece(word: str) -> tuple[str, ...]:
    """A word's characters, every one but the first marked as a continuation.

    Raises ValueError for anything but a text, and for a word that starts with the mark.

    >>> split_wordpiece("hug")
    ('h', '##u', '##g')
    """
    if check_text("word", word).startswith("##"):
        raise ValueError(f'a word must not start with "##", the mark of a continuation; got {word!r:.60}')
    return (word[0], *("##" + char for char in word[1:])) if word else ()


def split_bpe(word: str, end_mark: str = "") -> tuple[str, ...]:
    """A word's characters, the last one with the end mark written to it.

    >>> split_bpe("hug", "</w>")
    ('h', 'u', 'g</w>')
    """
    check_text("word", word)
    check_text("end_mark", end_mark)
    return (*word[:-1], word[-1] + end_mark) if word else ()


def _train(
    word_counts, n_merges, split: Callable, join: Callable, pick: Callable, *, by_score: bool = False
) -> TrainingTrace:
    """`pick` names the candidate to merge next, or None to end the training."""
    counts = _table(word_counts)
    n_merges = checks.integer("n_merges", n_merges, 0, MAX_MERGES)
    size = sum(map(len, counts))
    if size * n_merges > MAX_WORK:
        raise ValueError(
            f"{size:,} characters allow at most {MAX_WORK // size} merges; got {n_merges}: fewer merges or words"
        )
    corpus = Corpus(counts, {word: split(word) for word in counts})
    steps: list[MergeStep] = []
    start, candidates = corpus.words, corpus.candidates(by_score=by_score)
    while len(steps) < n_merges and (best := pick(candidates)) is not None:
        token = join(*best.pair)
        replaced = corpus.merge(best.pair, token)
        steps.append(MergeStep(best.pair, token, best.count, best.score, candidates, corpus.words, replaced))
        candidates = corpus.candidates(by_score=by_score)
    return TrainingTrace(tuple(steps), tuple(corpus.age), counts, start, candidates)


def _checked_training(trace) -> None:
    checks.instance("trace", trace, TrainingTrace, "a TrainingTrace, what train_bpe returns")
    for name, table in (("counts", trace.counts), ("start", trace.start)):
        checks.instance(f"trace.{name}", table, dict, "a dict by word")
    for step in checks.items("trace.steps", trace.steps, "MergeSteps"):
        checks.instance("a step of the trace", step, MergeStep, "a MergeStep")
    symbols = [part for parts in trace.start.values() for part in checks.items("the symbols", parts, "texts")]
    if trace.counts.keys() != trace.start.keys() or not all(isinstance(part, str) for part in symbols):
        raise ValueError("trace.start must have the symbols of every word of trace.counts; got others")
    for word, count in trace.counts.items():
        checks.integer(f"the count of {checks.shown(word)}", count, 1, MAX_COUNT)


def _first(candidates: Candidates) -> Candidate | None:
    return candidates[0] if candidates else None


def _table(word_counts) -> dict[str, int]:
    pairs = word_counts.items() if isinstance(word_counts, Mapping) else word_counts
    listed = isinstance(pairs, Iterable) and not isinstance(pairs, str | bytes | np.ndarray)
    pairs = checks.items("word_counts", pairs, "pairs of a word and its count", most=MAX_ENTRIES) if listed else (None,)
    if not all(isinstance(pair, tuple | list) and len(pair) == 2 for pair in pairs):
        raise ValueError(f"word_counts must be a dict word -> count, or such pairs; got {checks.shown(word_counts)}")
    counts: Counter[str] = Counter()
    for word, count in pairs:
        if not check_text("a word", word, MAX_WORD):
            raise ValueError("a word must have at least one character; got an empty one: take it out of the table")
        name = f"the count of {word!r:.60}"
        counts[word] = checks.integer(name, counts[word] + checks.integer(name, count, 1, MAX_COUNT), 1, MAX_COUNT)
    size = sum(map(len, counts))
    if size > MAX_CHARACTERS:
        raise ValueError(f"words may have at most {MAX_CHARACTERS:,} characters in all; got {size:,}: leave some out")
    size = sum(len(word) * count for word, count in counts.items())
    if size > MAX_CORPUS:
        raise ValueError(f"counts × lengths may add up to {MAX_CORPUS:,} characters; got {size:,}: lower the counts")
    return dict(counts)

"""How a word becomes tokens: the learned merges or the longest known piece, step by step."""

from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

from engine import checks
from engine.tokenizers.corpus import Pair, replaced_in
from engine.tokenizers.text import check_text
from engine.tokenizers.training import MAX_CHARACTERS, MAX_WORD, split_bpe, split_wordpiece

MAX_LEARNED = 300_000  # merges or tokens: more than any model in use has


class BPEStep(NamedTuple):
    """One merge of a word: which pairs have a rank (lowest first), the one taken, and the symbols afterwards."""

    options: tuple[tuple[int, Pair], ...]
    rank: int
    pair: Pair
    token: str
    symbols: tuple[str, ...]


class WordPieceStep(NamedTuple):
    """One piece of a word: where it starts, what was looked up (longest first), what was found; None if nothing."""

    start: int
    tried: tuple[str, ...]
    piece: str | None


class EncodingTrace(NamedTuple):
    """The walk through one word, and its tokens."""

    steps: tuple[BPEStep | WordPieceStep, ...]
    tokens: list[str]


def trace_bpe(word: str, merges, *, end_mark: str = "") -> EncodingTrace:
    """Apply the merges to a word, always the one learned first of those that fit.

    Starts from characters, the last with end_mark written to it where the training had one; the lowest-ranked pair
    among the neighbours is replaced everywhere, left to right, until no pair has a rank (Sennrich, Haddow & Birch 2016,
    §3.2; Radford et al. 2019). A character that no merge knows stays.

    merges: pairs of symbols in the order learned, [step.pair for step in trace.steps]; of a pair given twice the first
    counts. Raises ValueError for a word that is no text or longer than `MAX_WORD`, or merges that are not pairs or more
    than `MAX_LEARNED`.

    >>> [step.symbols for step in trace_bpe("hugs", [("u", "g"), ("h", "ug")]).steps]
    [('h', 'ug', 's'), ('hug', 's')]
    """
    symbols = split_bpe(check_text("word", word, MAX_WORD), check_text("end_mark", end_mark, MAX_WORD))
    ranks = _ranks(merges)
    steps = []
    while options := sorted({(ranks[pair], pair) for pair in pairwise(symbols) if pair in ranks}):
        rank, pair = options[0]
        token = "".join(pair)
        symbols = replaced_in(symbols, pair, token)
        steps.append(BPEStep(tuple(options), rank, pair, token, symbols))
    return EncodingTrace(tuple(steps), list(symbols))


def encode_bpe(word: str, merges, *, end_mark: str = "") -> list[str]:
    """The tokens of `trace_bpe`.

    >>> encode_bpe("aaa", [("a", "a")])
    ['aa', 'a']
    """
    return trace_bpe(word, merges, end_mark=end_mark).tokens


def trace_wordpiece(word: str, vocabulary, *, unknown: str = "[UNK]", max_characters: int = 100) -> EncodingTrace:
    """Cut the longest piece the vocabulary knows off the front of a word, again and again.

    Every piece but the first is looked up with "##" before it. Where nothing fits, the whole word becomes `unknown`; so
    does a word longer than `max_characters`, without a look: 100 in the `tokenizers` and transformers libraries, 200 in
    the tokenizer that BERT was released with (Devlin et al. 2019).

    vocabulary: any collection of at most `MAX_LEARNED` tokens. Raises ValueError for a word that is no text, longer
    than `MAX_CHARACTERS` or starting with "##", for a vocabulary that is not texts, and for max_characters outside 1 …
    200.

    >>> trace_wordpiece("hugs", {"h", "hug", "##s"}).steps
    (WordPieceStep(start=0, tried=('hugs', 'hug'), piece='hug'), WordPieceStep(start=3, tried=('##s',), piece='##s'))
    """
    split_wordpiece(check_text("word", word, MAX_CHARACTERS))
    known = _vocabulary(vocabulary)
    check_text("unknown", unknown)
    if len(word) > checks.integer("max_characters", max_characters, 1, 200):
        return EncodingTrace((), [unknown])
    steps: list[WordPieceStep] = []
    tokens: list[str] = []
    at = 0
    while at < len(word):
        step = _longest(word, at, known)
        steps.append(step)
        if step.piece is None:
            return EncodingTrace(tuple(steps), [unknown])
        tokens.append(step.piece)
        at += len(step.piece) - (2 if at else 0)
    return EncodingTrace(tuple(steps), tokens)


def encode_wordpiece(word: str, vocabulary, *, unknown: str = "[UNK]", max_characters: int = 100) -> list[str]:
    """The tokens of `trace_wordpiece`.

    >>> encode_wordpiece("hut", {"hu", "##g"})
    ['[UNK]']
    """
    return trace_wordpiece(word, vocabulary, unknown=unknown, max_characters=max_characters).tokens


def _longest(word: str, start: int, known: frozenset[str]) -> WordPieceStep:
    tried: list[str] = []
    for end in range(len(word), start, -1):
        tried.append(("##" if start else "") + word[start:end])
        if tried[-1] in known:
            return WordPieceStep(start, tuple(tried), tried[-1])
    return WordPieceStep(start, tuple(tried), None)


def _ranks(merges) -> dict[Pair, int]:
    ranks: dict[Pair, int] = {}
    listed = isinstance(merges, Iterable) and not isinstance(merges, str | bytes)
    pairs = checks.items("merges", merges, "pairs of texts", most=MAX_LEARNED) if listed else (None,)
    for rank, pair in enumerate(pairs):
        two = isinstance(pair, tuple | list) and len(pair) == 2
        if not two or not isinstance(pair[0], str) or not isinstance(pair[1], str):
            raise ValueError(f"merges must be pairs of texts in the order learned; got {checks.shown(merges)}")
        ranks.setdefault((pair[0], pair[1]), rank)
    return ranks


def _vocabulary(vocabulary) -> frozenset[str]:
    tokens = checks.items("vocabulary", vocabulary, "texts", most=MAX_LEARNED)
    if not all(isinstance(token, str) for token in tokens):
        raise ValueError(f"vocabulary must be a collection of texts; got {checks.shown(vocabulary)}")
    return frozenset(tokens)

"""The pictures and sentences of tokens that merge: a corpus cut two ways, the candidates, the walk through one word."""

from typing import Any, NamedTuple

import plotly.graph_objects as go

from ui.charts import BarPanel, Mark, Series, TilePanel, bar_rows, lines, tiles
from ui.charts.tiles import visible
from ui.words import bare, number, plain, terms

SHOWN = 8  # candidates
RANKS = ["1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th"]


class Side(NamedTuple):
    """One rule after some merges: `done` of them, the words as cut now, the pairs that could merge next.

    `rule` is what the rule maximises, "count" or "score"; `mark` starts a continuation; `known` is the vocabulary.
    """

    name: str
    rule: str
    mark: str
    colour: str
    trace: Any
    growth: Any
    done: int
    words: dict[str, tuple[str, ...]]
    candidates: Any
    known: tuple[str, ...]


def side(name: str, rule: str, mark: str, colour: str, trace, growth, merges: int) -> Side:
    """A trained rule as it stood after `merges` merges, or after its last if there were fewer."""
    done = min(merges, len(trace.steps))
    words = trace.steps[done - 1].words if done else trace.start
    candidates = trace.steps[done].candidates if done < len(trace.steps) else trace.remaining
    known = trace.vocabulary[: growth.vocabulary_size[done]]
    return Side(name, rule, mark, colour, trace, growth, done, words, candidates, known)


def quoted(token: str) -> str:
    """A token for a sentence, in quotation marks and harmless."""
    return f"“{plain(visible(token, '##'))}”"


def pair(candidate) -> str:
    """The two halves of a candidate or a step for a sentence."""
    return f"{quoted(candidate.pair[0])} + {quoted(candidate.pair[1])}"


def corpus(sides: list[Side]) -> go.Figure:
    """Every word of the table as its tokens, one panel a rule; the newest token has an outline."""
    panels = [
        TilePanel(
            f"{one.name}: {one.growth.n_tokens[one.done]:,} tokens, "
            f"{number(one.growth.tokens_per_word[one.done], 2)} a word",
            list(one.words.values()),
            [f"{one.trace.counts[word]:,} ×" for word in one.words],
            _colours(one),
            one.mark,
            one.trace.steps[one.done - 1].token if one.done else None,
        )
        for one in sides
    ]
    return tiles(panels, columns=max(map(len, sides[0].words)), lines=len(sides[0].words))


def candidates(sides: list[Side], rank: str) -> go.Figure:
    """The best candidates of each rule by what it maximises; all that tie for the best coloured, `rank` in today's."""
    return bar_rows([_candidates(one, rank) for one in sides])


def _candidates(one: Side, rank: str) -> BarPanel:
    shown = one.candidates[:SHOWN]
    spare = SHOWN - len(shown)
    values = [getattr(candidate, one.rule) for candidate in shown]
    colours = [one.colour if i < one.candidates.tied else "ghost" for i in range(len(shown))] + ["ghost"] * spare
    colours[place(one, rank)] = "today"
    tied = f", {one.candidates.tied} tie" if one.candidates.tied > 1 else ""
    return BarPanel(
        f"{one.name}: next by {one.rule}{tied}" if shown else f"{one.name}: no pair is left",
        (0, 2.4 * max([getattr(step, one.rule) for step in one.trace.steps] + values, default=1)),
        values + [0] * spare,
        colours,
        [f"count {c.count:,} · score {number(c.score)}" for c in shown] + [""] * spare,
        rows=[" + ".join(visible(half, one.mark) for half in c.pair) for c in shown] + [""] * spare,
    )


def place(one: Side, rank: str) -> int:
    """Where the candidate that is worked out stands: at `rank` of `RANKS`, or last if there are fewer."""
    return max(0, min(RANKS.index(rank), len(one.candidates) - 1))


def sums_behind(counts: dict[str, int], found) -> tuple[str, str]:
    """The count and the score of a pair as formulas; `found` says where it stands."""
    parts = terms([rf"{counts[word]} \cdot {n}" for word, n in found.by_word.items()])
    fraction = r"\frac{\mathrm{count}(ab)}{\mathrm{count}(a) \cdot \mathrm{count}(b)}"
    numbers = rf"\frac{{{found.count}}}{{{found.first} \cdot {found.second}}} = {bare(found.score)}"
    return rf"\mathrm{{count}}(ab) = {parts} = {found.count}", rf"\mathrm{{score}}(ab) = {fraction} = {numbers}"


def fate(one: Side, rank: str) -> str:
    """What becomes of the candidate that is worked out."""
    at, tied = place(one, rank), one.candidates.tied
    if at == 0:
        return f"wins, the oldest of the {tied} that tie" if tied > 1 else "wins"
    return "ties with the winner but is younger" if at < tied else "loses"


def worked_out(one: Side, rank: str, found) -> str:
    """Where the candidate that is worked out stands, and what becomes of it."""
    where = ", ".join(map(quoted, found.by_word))
    return f"{pair(one.candidates[place(one, rank)])} stands in {where}. By its {one.rule} it {fate(one, rank)}."


def ended(one: Side) -> str:
    """What to say of a rule that has nothing left to merge."""
    told = f"**{one.name}**: no pair of neighbours is left, every word is one token."
    return f"{told} Training ends after {one.done} merges."


def walk(sides: list[Side], word: str, bpe, wordpiece) -> go.Figure:
    """The way of one word through both rules, a line a step: merged from the left, cut off the front on the right."""
    found = [step.piece for step in wordpiece.steps if step.piece]
    missed = [] if wordpiece.tokens == found else [wordpiece.tokens]
    panels = [
        TilePanel(
            f"{sides[0].name} merges neighbours",
            [tuple(word), *(step.symbols for step in bpe.steps)],
            ["start", *(f"merge {step.rank + 1}" for step in bpe.steps)],
            _colours(sides[0]),
        ),
        TilePanel(
            f"{sides[1].name} cuts the longest piece off",
            [found[: i + 1] for i in range(len(found))] + missed,
            [f"piece {i + 1}" for i in range(len(found))] + ["unknown"] * len(missed),
            _colours(sides[1]),
            sides[1].mark,
        ),
    ]
    return tiles(panels, columns=len(word), lines=len(word))


def merged_by(split) -> str:
    """The walk of BPE in words, a numbered list."""
    told = [
        f"1. Of its pairs {len(step.options)} {'is a merge' if len(step.options) == 1 else 'are merges'} already "
        f"learned; the first learned was number {step.rank + 1}: {pair(step)}"
        for step in split.steps
    ]
    return "\n".join([*told, "1. No pair of it is a merge: done."])


def cut_by(split) -> str:
    """The walk of WordPiece in words, a numbered list."""
    told = []
    for step in split.steps:
        tried = ", ".join(map(quoted, step.tried[:3])) + (" …" if len(step.tried) > 3 else "")
        end = f"{quoted(step.piece)} is known" if step.piece else "none is known, so the whole word is unknown"
        told.append(f"1. Longest first, {tried}: {end}.")
    return "\n".join(told)


def grown(sides: list[Side], what: str, title: str, most: int) -> go.Figure:
    """What each merge does to the vocabulary's size or the tokens per word: `what` names the field of their growth."""
    curves = [getattr(one.growth, what) for one in sides]
    each = list(zip(sides, curves, strict=True))
    return lines(
        range(most + 1),
        [Series(one.name, curve, one.colour, x=range(len(curve))) for one, curve in each],
        title=title,
        x_title="merges",
        x_range=(0, most),
        y_range=(0, 1.15 * max(map(max, curves))),
        marks=[Mark(one.done, curve[one.done]) for one, curve in each],
        height=250,
    )


def cut_differently(left: Side, right: Side) -> int:
    """How many words the two rules cut at different places."""
    pieces = [[token.removeprefix(right.mark) for token in tokens] for tokens in right.words.values()]
    return sum(list(a) != b for a, b in zip(left.words.values(), pieces, strict=True))


def next_merge(one: Side) -> str:
    """What a rule merges next, and who wins if several tie."""
    best, tied = one.candidates[0], one.candidates.tied
    told = f"{one.name} merges {pair(best)} next: count {best.count:,}, score {number(best.score)}."
    if tied > 1:
        told += f" {tied} pairs tie at that {one.rule}: the older first symbol wins, then the older second."
    return told


def next_by_both(one: Side) -> tuple[str, str]:
    """What merges next by score, and what would by count."""
    if not one.candidates:
        return "no pair is left", "no pair is left there either"
    best, by_count = one.candidates[0], max(one.candidates, key=lambda candidate: candidate.count)
    return (
        f"by score: {pair(best)}, {number(best.score)}",
        f"the trainer of the tokenizers library merges by count: {pair(by_count)}, {by_count.count:,}",
    )


def split_of(word: str, bpe, wordpiece, known: tuple[str, ...]) -> str:
    """What both rules make of a word; `known` is the vocabulary of BPE."""
    strangers = sorted({symbol for symbol in bpe.tokens if symbol not in known})
    unknown = wordpiece.steps[-1].piece is None
    return (
        f"{quoted(word)} becomes **{len(bpe.tokens)}** tokens with BPE and "
        + (
            "is **unknown** to WordPiece: at one place no piece fits."
            if unknown
            else f"**{len(wordpiece.tokens)}** with WordPiece."
        )
        + (f" BPE keeps {', '.join(map(quoted, strangers))} as it is, outside its vocabulary." if strangers else "")
    )


def taken(sides: list[Side]) -> dict[str, Any]:
    """The numbers of both rules to take away: how they grew, and their merges."""
    return {
        f"{one.name.lower()}_{what}": part
        for one in sides
        for what, part in (one.growth._asdict() | {"merges": [step.token for step in one.trace.steps]}).items()
    }


def _colours(one: Side) -> dict[str, str]:
    return {step.token: f"token_{i % 8}" for i, step in enumerate(one.trace.steps)}

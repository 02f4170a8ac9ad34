"""Tokens that merge as pictures: a corpus cut two ways, the candidates, the walk through one word, the growth."""

from typing import Any, NamedTuple

import plotly.graph_objects as go

from ui.charts import BarPanel, Mark, Series, TilePanel, bar_rows, lines, tiles
from ui.charts.tiles import visible
from ui.words import number

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


def word_split(sides: list[Side], word: str, bpe, wordpiece) -> go.Figure:
    """The way of one word through both rules, a line a step: merged from the left, cut off the front on the right."""
    found = [step.piece for step in wordpiece.steps if step.piece]
    missed = [] if wordpiece.tokens == found else [wordpiece.tokens]
    panels = [
        TilePanel(
            f"{sides[0].name} merges “{word}”",
            [tuple(word), *(step.symbols for step in bpe.steps)],
            ["start", *(f"merge {step.rank + 1}" for step in bpe.steps)],
            _colours(sides[0]),
        ),
        TilePanel(
            f"{sides[1].name} cuts “{word}”",
            [found[: i + 1] for i in range(len(found))] + missed,
            [f"piece {i + 1}" for i in range(len(found))] + ["unknown"] * len(missed),
            _colours(sides[1]),
            sides[1].mark,
        ),
    ]
    return tiles(panels, columns=len(word), lines=len(word))


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


def _colours(one: Side) -> dict[str, str]:
    return {step.token: f"token_{i % 8}" for i, step in enumerate(one.trace.steps)}

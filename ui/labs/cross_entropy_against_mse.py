"""Two losses over the probability of the right class with the rows as dots on them, and sentences about their means."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import plotly.graph_objects as go

from ui import charts
from ui.charts import Handle, Mark, Panel, Series, links
from ui.words import agree, counted, terms, together, told

LOOKS = {"cross-entropy": ("way_1", "solid"), "MSE": ("way_2", "dash")}
TOPS = (16, 100, 1000, 10_000)  # where a chart of losses may end


class View(NamedTuple):
    """A chart of both losses over the probability of the right class; the dots of the loss `named` bear the names."""

    title: str
    fields: tuple[str, str]  # of a trace of the right class: cross-entropy's, MSE's
    named: int
    y_range: tuple[float, float]

    def of(self, trace: Any) -> list:
        """What it shows of such a trace."""
        return [getattr(trace, name) for name in self.fields]

    def spots(self, point: Any) -> list[tuple[float, float]]:
        """Where the named dots stand, in units that make close dots close on the screen."""
        return [(x, y / self.y_range[1]) for x, y in zip(point.probability, self.of(point)[self.named], strict=True)]

    def alt(self, point: Any, row: int) -> str:
        """What it shows of one row."""
        now = told(both=[dots[row] for dots in self.of(point)])
        return (
            f"{self.title} under both losses against the probability of the right class. "
            f"Row {row}: {now.both[0]} under cross-entropy, {now.both[1]} under MSE."
        )


VIEWS = {
    "cost": View("Loss of one row", ("cross_entropy", "mean_squared_error"), 0, (-0.2, 8)),
    "steep": View("Gradient by its right logit", ("cross_entropy_grad", "mean_squared_error_grad"), 1, (-1.05, 0.45)),
}


def curves(view: View, curve: Any, point: Any, *, names: list[str], row: int) -> go.Figure:
    """Both losses as lines along `curve`, and a dot on each for every row of `point`; `row` is the one worked out.

    Both are traces of the right class: its probability, the losses and their gradients, (m,) and (n,).
    """
    marks = [
        Mark(point.probability[i], y, names[i] if at == view.named else "", "today" if i == row else colour)
        for at, (dots, (colour, _)) in enumerate(zip(view.of(point), LOOKS.values(), strict=True))
        for i, y in enumerate(dots)
    ]
    looks = zip(LOOKS.items(), view.of(curve), strict=True)
    series = [Series(name, line, colour, dash=dash) for (name, (colour, dash)), line in looks]
    axes: dict[str, Any] = {"x_title": "p of the right class", "x_range": (-0.02, 1.16), "y_range": view.y_range}
    return charts.lines(curve.probability, series, title=view.title, marks=marks, height=250, **axes)


def dots(point: Any, targets: Sequence[int], held: str, logit: Callable[[int, float], float]) -> list[Handle]:
    """The dots of cross-entropy, each drawn along its curve by the row's right `logit` for a probability."""

    def to(row: int) -> Callable[[dict], float]:
        return lambda at: round(logit(row, min(max(at["x"], 0.001), 0.999)), 2)

    followed = lambda row: lambda at: row
    return [
        Handle({(held, row, int(targets[row])): to(row), "row": followed(row)}, float(p), float(cost))
        for row, (p, cost) in enumerate(zip(point.probability, point.cross_entropy, strict=True))
        if held and VIEWS["cost"].y_range[1] >= cost
    ]


def called(rows: Sequence[int]) -> str:
    """Rows by name.

    >>> called([3]), called([0, 2]), called([0, 1, 2])
    ('row 3', 'rows 0 and 2', 'rows 0, 1 and 2')
    """
    return f"{agree(len(rows), 'row', 'rows')} {together(map(str, rows))}"


def names(alike: Sequence[Sequence[int]]) -> list[str]:
    """A name for each row's dot; dots that lie together have one, on the first.

    >>> names([(0, 2), (1,), (0, 2)])
    ['rows 0 and 2', 'row 1', '']
    """
    return [called(rows) if rows[0] == i else "" for i, rows in enumerate(alike)]


def of_each_row(
    title: str, rows: list[str], per_row, mask, means: Any, *, colour: str, top: float | None = None
) -> go.Figure:
    """One loss row by row, masked rows in grey, and its mean; beside it the sum divided by every row, if that differs.

    `means` is the trace of its denominators; without `top` the chart ends where it must.
    """
    differs = means.divisor != len(rows)
    colours: Any = [*(colour if counts else "masked" for counts in mask), "today", *["ghost"] * differs]
    values = [*per_row, means.out, *[means.wrong] * differs]
    labels = [*rows, "mean", *[f"÷ {len(rows)}"] * differs]
    title = f"{title}, mean ÷ {means.divisor:g}"
    top = top or next((top for top in TOPS if max(values) <= 0.95 * top), TOPS[-1])
    return charts.bars(labels, [Series(title, values, colours)], title=title, y_range=(0, top), height=200)


def of_means(name: str, means: Any) -> str:
    """What that chart shows."""
    now = told(mean=means.out, wrong=means.wrong)
    return f"{name} of each row, their mean {now.mean}, and {now.wrong} where all four rows divide."


def sums(wanted, right: int, probs, weights, cost: float, error: float) -> tuple[str, str]:
    """Both losses of one row of the class `right` written out; `weights` are those of the classes.

    Their brackets are plain ones, which a narrow screen can break a line in.
    """
    now = told(probs=probs, cost=cost, error=error)
    weighted = set(weights) != {1.0}
    spread = [
        rf"{w:g} \cdot {q:g} \cdot \log ({p:bare})" if weighted else rf"{q:g} \cdot \log ({p:bare})"
        for w, q, p in zip(weights, wanted, now.probs, strict=True)
        if w * q
    ]
    squares = [f"({p:tex} - {int(k == right)})^2" for k, p in enumerate(now.probs)]
    return (
        rf"\text{{cross-entropy}} = -({terms(spread or ['0'])}) = {now.cost:bare}",
        rf"\text{{MSE}} = \frac{{1}}{{{len(probs)}}} \cdot ({terms(squares)}) = {now.error:bare}",
    )


def on_the_way_back(z, losses: tuple[Any, Any], gone: Any, held: str, **marked: Any) -> go.Figure:
    """The logits, which a hand may change, their probabilities, and the gradient of either mean loss, masked rows 0."""
    ce, mse = losses
    back: dict[str, Any] = {"masked": gone, "gone": "0", "limit": 0.5, **marked}
    panels = [
        Panel(z, "Logits", limit=6, name="z", held=held, **marked),
        Panel(ce.probs, "Probabilities", kind="probability", name="probs", **marked),
        Panel(ce.grad, "∂ mean cross-entropy / ∂z", colour="way_1", name="ce_grad", **back),
        Panel(mse.grad, "∂ mean MSE / ∂z", colour="way_2", name="mse_grad", **back),
    ]
    way = (links.softmax("probs", "z"), links.copied("ce_grad", "probs"), links.by_row("mse_grad", "probs"))
    return charts.matrices(panels, per_row=2, cell=30, links=way)


def slopes(cell: str, ce: Sequence[float], mse: Sequence[float], divisor: float, n: int) -> tuple[str, str]:
    """The gradient of either mean by one logit; ce and mse = (its row's own gradient, that of the mean)."""
    now = told(ce=ce, mse=mse)
    return (
        rf"\frac{{\partial\,\text{{mean cross-entropy}}}}{{\partial z_{{{cell}}}}} = "
        rf"\frac{{{now.ce[0]:bare}}}{{{divisor:g}}} = {now.ce[1]:bare}",
        rf"\frac{{\partial\,\text{{mean MSE}}}}{{\partial z_{{{cell}}}}} = "
        rf"\frac{{{now.mse[0]:bare}}}{{{n}}} = {now.mse[1]:bare}",
    )


def on_the_least(least: Sequence[int], point: Any, grad: float, n: int, *, weighted: bool) -> list[tuple[Any, str]]:
    """The lowest probability of a right class, its gradients, and `grad`, what the mean of n rows has of the first."""
    low = least[0]
    own = told(ce=point.cross_entropy_grad[low], mse=point.mean_squared_error_grad[low])
    now = told(p=point.probability[low], grad=grad)
    return [
        (
            least,
            f"Of the rows that count, {called(least)} {agree(len(least), 'has', 'have')} the lowest probability of the "
            f"right class, **{now.p}**. The gradient of the row's own loss by that logit is **{own.ce}** under "
            f"cross-entropy and **{own.mse}** under MSE.",
        ),
        (
            n > 1 and not weighted,
            f"The matrices show the gradient of the mean: the same divided by the {n} rows that count, {now.grad} "
            "under cross-entropy.",
        ),
    ]


def since(scale: float, row: int, before: Any, point: Any) -> tuple[Any, str]:
    """What confidence has made of a row's gradients; `before` is the trace at confidence 1."""
    was = told(ce=before.cross_entropy_grad[row], mse=before.mean_squared_error_grad[row])
    now = told(ce=point.cross_entropy_grad[row], mse=point.mean_squared_error_grad[row])
    return (
        scale != 1 and (f"{was.ce}", f"{was.mse}") != (f"{now.ce}", f"{now.mse}"),
        f"From confidence 1 to {scale:g} row {row}'s gradient by its right logit went from {was.ce} to **{now.ce}** "
        f"under cross-entropy and from {was.mse} to **{now.mse}** under MSE.",
    )


def on_the_mean(costliest: Sequence[int], cost: float, means: Any) -> list[tuple[Any, str]]:
    """What the mean does not tell of the rows that cost most; `means` is the trace of its denominators."""
    alone, each = ("alone makes up", "") if len(costliest) == 1 else ("make up", " each")
    share, uneven = 100 * cost / (means.total or 1.0), cost * means.counted > 1.001 * means.total
    return [
        (uneven, f"The mean hides that {called(costliest)} {alone} {share:.0f} % of the sum{each}."),
        (not uneven and means.counted > 1, "The mean hides nothing: every row that counts costs the same."),
        (means.counted == 1, f"Only {called(costliest)} counts, so the mean is its loss."),
    ]


def on_equal_logits(probs, cost: float) -> tuple[Any, str]:
    """What a row costs where no class is preferred."""
    return (
        abs(probs - 0.2).max() < 1e-12,
        f"With every class at p = 0.2 a row costs log 5 = **{told(cost=cost).cost}**, whichever class is right.",
    )


def beyond(costs, top: float = 8.0) -> tuple[Any, str]:
    """Which rows cost more than the first chart shows.

    >>> beyond([9.0, 1.0])[1]
    'Above the 8 nats that the first chart shows: row 0 with 9.000.'
    """
    over = [row for row, cost in enumerate(costs) if cost > top]
    now = told(costs=[costs[row] for row in over])
    return over, f"Above the {top:g} nats that the first chart shows: {called(over or [0])} with {now.costs}."


def on_the_mask(masked: list[str], means: Any) -> list[tuple[Any, str]]:
    """What masked rows do to the mean, and to the one that divides by every row."""
    now = told(masked=masked, mean=means.out, wrong=means.wrong)
    divided = (
        f"Divided by the {means.counted} that {agree(means.counted, 'counts', 'count')} the mean is **{now.mean}**"
    )
    return [
        (not masked, "No row is masked. Mask one to see what the mean divides by."),
        (
            masked and means.divisor == means.counted,
            f"Masked: {now.masked}. {divided}, divided by all 4 it would be {now.wrong}"
            f"{': too small' if means.wrong < means.out else ''}.",
        ),
    ]


def on_weights(weights, means: Any) -> tuple[Any, str]:
    """What class weights do to the mean."""
    now = told(total=means.total, mean=means.out, rows=means.total / means.counted)
    return (
        set(weights) != {1.0},
        f"Each loss is multiplied by the weight of its class and their sum {now.total} divided by the weights that "
        f"count, {means.divisor:g} in all: **{now.mean}**. Divided by {counted(means.counted, 'row', 'rows')} it would "
        f"be {now.rows}. MSE has no weights here.",
    )


def on_smoothing(smoothing: float, row: int, wanted: float, p: float, grad: float, counts: bool):
    """Where smoothing sends a row, by what its right class should get and gets and by the gradient there."""
    now = told(wanted=wanted, p=p, grad=grad)
    aim = f"With ε = {smoothing:g} the right class should get {now.wanted}, not 1: row {row}, at {now.p}, "
    return [
        (
            not smoothing,
            "Without smoothing the gradient of cross-entropy by the right logit is p − 1: it fades only as p reaches "
            "1, that of MSE at both ends.",
        ),
        (smoothing and not counts, f"{aim}is masked and gets no gradient."),
        (smoothing and counts and grad > 0, f"{aim}has the gradient +{now.grad}: a step lowers its logit."),
        (smoothing and counts and grad < 0, f"{aim}has the gradient {now.grad}: a step raises its logit."),
        (smoothing, "MSE is taken against the unsmoothed target, 1 for the right class."),
    ]

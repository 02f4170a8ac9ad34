"""Where a cell of a gradient came from: each function returns what writes out the chain behind (row, column)."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ui.words import bare, dot, tex
from ui.words import terms as summed

Chain = Callable[[int, int], list[str]]
Use = tuple[Any, Any]  # what a matrix is multiplied with, and the gradient of what comes out


def slope(name: str, r: int, c: int) -> str:
    r"""The derivative of the loss by one cell.

    >>> slope("Q", 1, 0)
    '\\frac{\\partial L}{\\partial Q[1,0]}'
    """
    return rf"\frac{{\partial L}}{{\partial {name}[{r},{c}]}}"


def through(name: str, d_out: Any, matrix: Any, out: Any, why: str = "") -> Chain:
    """Back through out = x @ matrix: a row of the gradient times a row of the matrix; `why` it is 0 all the same."""
    if why:
        return nothing(name, why)
    return lambda r, c: [dot(slope(name, r, c), d_out[r], matrix[c], out[r][c])]


def gathered(name: str, uses: Sequence[Use], out: Any) -> Chain:
    """The gradient of a matrix: over all tokens, what it met times the gradient of what came out; of all its layers."""

    def write(r: int, c: int) -> list[str]:
        each = [([row[r] for row in x], [row[c] for row in d]) for x, d in uses]
        if len(uses) == 1:
            return [dot(slope(name, r, c), *each[0], out[r][c])]
        shares = [float(np.dot(x, d)) for x, d in each]
        at = max(range(len(shares)), key=lambda i: abs(shares[i]))
        return [
            rf"{slope(name, r, c)} = \text{{all {len(uses)} uses}} = {summed(list(map(tex, shares)))} "
            f"= {bare(out[r][c])}",
            dot(rf"\text{{of which use {at}}}", *each[at], shares[at]),
        ]

    return write


def together(name: str, parts: Sequence[tuple[str, Any]], out: Any) -> Chain:
    """An array that several read gathers what comes back from each; `parts` = (what it is called, its gradient)."""
    if len(parts) == 1:
        return handed(name, parts[0][0], out)

    def write(r: int, c: int) -> list[str]:
        names, numbers = " + ".join(rf"\text{{{called}}}" for called, _ in parts), [tex(d[r][c]) for _, d in parts]
        return [f"{slope(name, r, c)} = {names} = {summed(numbers)} = {bare(out[r][c])}"]

    return write


def handed(name: str, why: str, out: Any) -> Chain:
    """A gradient that arrives as it is."""
    return lambda r, c: [rf"{slope(name, r, c)} = \text{{{why}}} = {bare(out[r][c])}"]


def nothing(name: str, why: str) -> Chain:
    """No gradient arrives."""
    return lambda r, c: [rf"{slope(name, r, c)} = 0\text{{: {why}}}"]


def word_row(name: str, ids: Sequence[int], d: Any, out: Any) -> Chain:
    """The row of a word gathers the gradients of all places where the word stands."""

    def write(r: int, c: int) -> list[str]:
        places = [at for at, word in enumerate(ids) if word == ids[r]]
        met = " + ".join(slope("x", at, c) for at in places[:3]) + (r" + \dots" if len(places) > 3 else "")
        numbers = summed([tex(d[at][c]) for at in places])
        return [f"{slope(name, r, c)} = {met} = {numbers}" + (f" = {bare(out[r][c])}" if len(places) > 1 else "")]

    return write


def times(name: str, factor: float, symbol: str, d: Any, out: Any) -> Chain:
    """Back through a product with one number."""
    return lambda r, c: [
        rf"{slope(name, r, c)} = {symbol} \cdot {slope('Z', r, c)} = {bare(factor)} \cdot {tex(d[r][c])} "
        f"= {bare(out[r][c])}"
    ]


def unmasked(name: str, mask: Any, out: Any) -> Chain:
    """Back through the mask: what is hidden gets nothing."""
    return lambda r, c: (
        handed(name, "the gradient after the mask", out)(r, c)
        if mask[r][c]
        else nothing(name, "the mask puts −∞ in its place")(r, c)
    )


def softmaxed(name: str, weights: Any, d: Any, out: Any) -> Chain:
    """Back through the softmax of a row: a weight times how far its own gradient lies above the row's mean."""

    def write(r: int, c: int) -> list[str]:
        mean = float(np.dot(weights[r], d[r]))
        general = (
            rf"A[{r},{c}] \left({slope('A', r, c)} - \sum_j A[{r},j] \frac{{\partial L}}{{\partial A[{r},j]}}\right)"
        )
        now = rf"{tex(weights[r][c])} \cdot ({bare(d[r][c])} - {tex(mean)})"
        return [
            f"{slope(name, r, c)} = {general} = {now} = {bare(out[r][c])}",
            dot(rf"\sum_j A[{r},j] \frac{{\partial L}}{{\partial A[{r},j]}}", weights[r], d[r], mean),
        ]

    return write


def applied(name: str, function: str, hidden: Any, slopes: Any, d: Any, out: Any) -> Chain:
    """Back through a function of one number."""
    return lambda r, c: [
        rf"{slope(name, r, c)} = \operatorname{{{function}}}'({bare(hidden[r][c])}) \cdot {slope('a', r, c)} "
        rf"= {tex(slopes[r][c])} \cdot {tex(d[r][c])} = {bare(out[r][c])}"
    ]


def normalised(name: str, norm: Any, back: Any) -> Chain:
    """Back through a layer norm: g less its mean, less its share along the row, over the deviation."""

    def write(r: int, c: int) -> list[str]:
        g, n = back.d_normalized[r], norm.normalized[r]
        mean, along = float(np.mean(g)), float(np.mean(g * n))
        above = rf"{bare(g[c])} - {tex(mean)} - {tex(n[c])} \cdot {tex(along)}"
        below = rf"\sqrt{{{bare(norm.variance[r, 0])} + 10^{{-5}}}}"
        return [
            rf"{slope(name, r, c)} = \frac{{g_{{{c}}} - \bar g - n_{{{c}}}\,\overline{{g n}}}}{{\sigma}} "
            rf"= \frac{{{above}}}{{{below}}} = {bare(back.d_x[r, c])}"
        ]

    return write


def of_logits(name: str, probs: Any, right: int, out: Any) -> Chain:
    """The gradient of −log p by the logits: p less 1 for the right token; only the last row predicts the next one."""

    def write(r: int, c: int) -> list[str]:
        if r < len(probs) - 1:
            return nothing(name, "only the last row predicts the next token")(r, c)
        minus, one = ("p - 1", " - 1") if c == right else ("p - 0", " - 0")
        return [f"{slope(name, r, c)} = {minus} = {bare(probs[r][c])}{one} = {bare(out[r][c])}"]

    return write


def of_probs(name: str, probs: Any, right: int, out: Any) -> Chain:
    """The gradient of −log p by the probabilities themselves."""

    def write(r: int, c: int) -> list[str]:
        if r < len(probs) - 1 or c != right:
            return nothing(name, "the loss looks at the right token's probability alone")(r, c)
        return [rf"{slope(name, r, c)} = -\frac{{1}}{{p}} = -\frac{{1}}{{{bare(probs[r][c])}}} = {bare(out[r][c])}"]

    return write

"""Formulas with the numbers of now in them."""

import math

from ui.words.text import bare, tex

MOST_TERMS = 8  # a longer sum is shown with its middle left out


def terms(parts: list[str], joiner: str = " + ") -> str:
    r"""A sum or a list with its middle left out when it is long.

    >>> terms(["a", "b"]), terms([str(i) for i in range(12)], " + ")
    ('a + b', '0 + 1 + 2 + 3 + \\dots + 9 + 10 + 11')
    """
    if len(parts) > MOST_TERMS:
        parts = [*parts[: MOST_TERMS // 2], r"\dots", *parts[-(MOST_TERMS // 2 - 1) :]]
    return joiner.join(parts)


def dot(name: str, a, b, out: float, digits: int = 3) -> str:
    r"""A dot product written out: name = a_1·b_1 + … = out.

    >>> dot(r"q \cdot k", [1, 2], [3, -4], -5)
    'q \\cdot k = 1.000 \\cdot 3.000 + 2.000 \\cdot (-4.000) = -5.000'
    """
    products = [rf"{tex(x, digits)} \cdot {tex(y, digits)}" for x, y in zip(a, b, strict=True)]
    return f"{name} = {terms(products)} = {bare(out, digits)}"


def weighted_sum(name: str, weights, vectors, out) -> str:
    """A weighted sum of row vectors written out: name = w_1·[v_1] + … = [out]."""
    parts = [rf"{tex(w)}\,{row(v)}" for w, v in zip(weights, vectors, strict=True)]
    return f"{name} = {terms(parts)} = {row(out)}"


def softmax(name: str, logits, index: int, out: float, divisor: str = "") -> str:
    """One softmax entry written out: name = exp(z_i) / (exp(z_1) + …) = out. `divisor` is "/ T" where there is one.

    Large logits z are written after their maximum is subtracted: the formula says so first, and nothing changes.
    """
    top = max((float(z) for z in logits if math.isfinite(z)), default=0.0)
    shift = top if abs(top) > 20 else 0.0
    exps = [rf"e^{{{bare(z - shift)}{divisor}}}" for z in logits]
    first = rf"{name} = \frac{{e^{{z_{{{index}}} - \max z}}}}{{\sum e^{{z - \max z}}}}" if shift else name
    return rf"{first} = \frac{{{exps[index]}}}{{{terms(exps)}}} = {bare(out)}"


def row(values) -> str:
    """A row vector: [a, b, c], with its middle left out when it is long."""
    return r"\left[" + terms([bare(v) for v in values], r",\; ") + r"\right]"

"""Two vectors drawn with the shadow of one on the other, both measures over the angle, and what they mean in words."""

from types import SimpleNamespace

import plotly.graph_objects as go

from ui import charts, words
from ui.charts import Arrow, Mark, Series


def picture(a, b, shadow, far, longest: float, apart: str) -> go.Figure:
    """Both vectors and the projection of a on b; `far` is a point on the line through b, outside the picture."""
    (x, y), (at_x, at_y), (end_x, end_y) = a, shadow, far
    drawn = [Arrow(x, y, "a", "query"), Arrow(b[0], b[1], "b", "key"), Arrow(at_x, at_y, "", "today")]
    drawn.sort(key=lambda arrow: -abs(arrow.x) - abs(arrow.y))  # the shorter of two on one line stays visible
    line = [Arrow(end_x, end_y, "", "line", -end_x, -end_y, head=False)] if b.any() else []
    fall = Arrow(at_x, at_y, "", "ghost", x, y, dash="dot", head=False)
    title = f"a, b ({apart}); the projection of a on b"
    return charts.arrows([*line, fall, *drawn], limit=longest + 0.6, title=title, height=470)


def by_angle(angles, values, title: str, limit: float, *, now: tuple, lowest: bool = False) -> go.Figure:
    """One measure over the angle between the vectors; `now` is its point, left out while its angle is None.

    The lowest of several has the title of the axis that they share.
    """
    return charts.lines(
        angles,
        [Series(title.split(":")[0], values, "ink")],
        title=title,
        x_title="angle between a and b, degrees" if lowest else "",
        x_range=(0, 184),
        x_step=45,
        y_range=(-limit, limit),
        marks=[] if now[0] is None else [Mark(*now)],
        height=245 if lowest else 225,
    )


def formulas(a, b, shadow, zero: str, now: SimpleNamespace) -> list[str]:
    """Dot product, cosine and projection written out; `zero` names the vectors without a direction."""
    both = rf"{now.length_a:bare} \cdot {now.length_b:bare}"
    quotient = rf"\cos(a, b) = \frac{{a \cdot b}}{{\|a\| \, \|b\|}} = \frac{{{now.dot:bare}}}{{{both}}} = "
    written = [words.dot(r"a \cdot b", a, b, now.dot)]
    if zero:
        written.append(quotient + r"\frac{0}{0}\text{, undefined: shown as }0")
    else:
        by_angle = rf"\|a\| \, \|b\| \cos {float(now.angle):.1f}^\circ = {both} \cdot {now.cosine:tex}"
        written += [quotient + f"{now.cosine:bare}", rf"a \cdot b = {by_angle} = {now.dot:bare}"]
    if not now.length_b:
        return [*written, r"\text{no projection: the zero vector } b \text{ spans no line to fall on}"]
    name, share = r"\text{projection of } a \text{ on } b", rf"\frac{{{now.dot:bare}}}{{{now.square:bare}}}"
    return [*written, rf"{name} = \frac{{a \cdot b}}{{b \cdot b}}\, b = {share}\,{words.row(b)} = {words.row(shadow)}"]


def meaning(zero: str, now: SimpleNamespace) -> str:
    """What the angle says about both measures; `zero` names the vectors without a direction."""
    if zero:
        some = "has length 0, so it points" if " and " not in zero else "have length 0, so they point"
        return (
            f"**{zero}** {some} nowhere: there is no angle, and no cosine. "
            f"The dot product is **{now.dot}** all the same."
        )
    if now.dot == 0:
        return (
            "The vectors stand at a **right angle**: the projection of a on b, its shadow, is "
            f"**{now.shadow}** long, and with it the dot product and the cosine are {now.dot}."
        )
    side, sign = ("less", "positive") if now.cosine > 0 else ("more", "negative")
    return f"**{now.angle:1}°** is {side} than a right angle, so dot product and cosine are both **{sign}**."

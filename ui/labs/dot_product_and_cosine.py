"""Two vectors drawn with the shadow of one on the other, both measures over the angle, and what they mean in words."""

from types import SimpleNamespace

import plotly.graph_objects as go

from ui import charts
from ui.charts import Arrow, Mark, Series


def picture(a, b, shadow, far, longest: float, apart: str) -> go.Figure:
    """Both vectors and the projection of a on b; `far` is a point on the line through b, outside the picture."""
    drawn = [Arrow(*a, "a", "query"), Arrow(*b, "b", "key"), Arrow(*shadow, "", "today")]
    drawn.sort(key=lambda arrow: -abs(arrow.x) - abs(arrow.y))  # the shorter of two on one line stays visible
    line = [Arrow(*far, "", "line", *-far, head=False)] if b.any() else []
    fall = Arrow(*shadow, "", "ghost", *a, dash="dot", head=False)
    title = f"a, b ({apart}); the projection of a on b"
    return charts.arrows([*line, fall, *drawn], limit=longest + 0.6, title=title, height=470)


def by_angle(angles, values, title: str, limit: float, *, today: tuple, lowest: bool = False) -> go.Figure:
    """One measure over the angle between the vectors; `today` is its point, left out while its angle is None.

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
        marks=[] if today[0] is None else [Mark(*today)],
        height=245 if lowest else 225,
    )


def meaning(zero: str, now: SimpleNamespace) -> str:
    """What the angle says about both measures; `zero` names the vectors without a direction."""
    if zero:
        return (
            f"**{zero}** has length 0, so it points nowhere: there is no angle, and no cosine. "
            f"The dot product is **{now.dot}** all the same."
        )
    if now.dot == 0:
        return (
            "The vectors stand at a **right angle**: the projection of a on b, its shadow, vanishes, and with it the "
            "dot product and the cosine."
        )
    side, sign = ("less", "positive") if now.cosine > 0 else ("more", "negative")
    return f"**{now.angle:1}°** is {side} than a right angle, so dot product and cosine are both **{sign}**."

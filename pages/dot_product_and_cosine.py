"""How much do two vectors point the same way, and what do their lengths add to that?"""

import numpy as np

from engine.vectors import angle_between, cosine_similarity, dot, measures_by_angle, norm, projection, vector_at
from ui import charts
from ui import words as worked
from ui.charts import Arrow, Mark, Series
from ui.page import controls, lab
from ui.words import bare, number

LONGEST = 4.0
ANGLES = np.linspace(0, 180, 61)

lab.begin(__file__)
with lab.panel():
    angle_a = controls.slider("angle_a", "Angle of a", 0, 360, 75, help="Degrees from the first axis, anticlockwise.")
    length_a = controls.slider(
        "length_a", "Length of a", 0.0, LONGEST, 3.0, step=0.1, help="At 0, a is the zero vector: it has no direction."
    )
    angle_b = controls.slider("angle_b", "Angle of b", 0, 360, 20, help="Degrees from the first axis, anticlockwise.")
    length_b = controls.slider(
        "length_b", "Length of b", 0.0, LONGEST, 3.5, step=0.1, help="It scales the dot product, never the cosine."
    )

a, b = vector_at(angle_a, length_a), vector_at(angle_b, length_b)
cosine, shadow = round(cosine_similarity(a, b), 12), np.round(projection(a, b), 12)
total = dot(a, b) if cosine else 0.0  # a right angle leaves a rounding error of 1e-16
zero = [name for name, length in (("a", length_a), ("b", length_b)) if length == 0]
between = None if zero else angle_between(a, b)
curve = measures_by_angle(length_a, length_b, ANGLES)
apart = f"{' and '.join(zero)} = 0: no angle" if zero else f"{number(between, 1)}° apart"

left, right = lab.columns(2)
with left:
    drawn = [Arrow(*a, "a", "query"), Arrow(*b, "b", "key"), Arrow(*shadow, "", "today")]
    drawn.sort(key=lambda arrow: -abs(arrow.x) - abs(arrow.y))  # the shorter of two on one line stays visible
    far = vector_at(angle_b, 9.0)
    axis = [] if length_b == 0 else [Arrow(*far, "", "line", *-far, head=False)]
    fall = Arrow(*shadow, "", "ghost", *a, dash="dot", head=False)
    charts.show(
        "arrows",
        charts.arrows(
            [*axis, fall, *drawn], limit=LONGEST + 0.6, title=f"a, b ({apart}); the projection of a on b", height=470
        ),
        f"Vectors a and b, {apart}; the projection of a on b is {number(norm(shadow))} long.",
    )
measures = [
    ("dot", "Dot product", curve.dots, total, LONGEST**2 + 2),
    ("cosine", "Cosine", curve.cosines, cosine, 1.15),
]
with right:
    for name, title, values, today, limit in measures:
        figure = charts.lines(
            ANGLES,
            [Series(title, values, "ink")],
            title=f"{title}: " + ("undefined, shown as 0" if zero and name == "cosine" else number(today)),
            x_title="angle between a and b, degrees" if name == "cosine" else "",
            x_range=(0, 184),
            y_range=(-limit, limit),
            marks=[] if zero else [Mark(between, today)],
            height=245 if name == "cosine" else 225,
        )
        figure.layout.xaxis.dtick = 45
        charts.show(
            name,
            figure,
            f"{title} against the angle between the vectors; {apart} it is {number(today)}.",
            angle_a=lambda at: (angle_b + at["x"]) % 360,
        )

lengths = rf"{number(length_a)} \cdot {number(length_b)}"
lab.step(
    "One sum, then divided by both lengths",
    worked.dot(r"a \cdot b", a, b, total),
    rf"\cos(a, b) = \frac{{a \cdot b}}{{\|a\| \, \|b\|}} = \frac{{{bare(total)}}}{{{lengths}}} = "
    + (r"\frac{0}{0}\text{, undefined: shown as }0" if zero else bare(cosine)),
    rf"\text{{projection of }} a \text{{ on }} b = \frac{{a \cdot b}}{{b \cdot b}}\, b = {worked.row(shadow)}"
    if length_b
    else r"\text{no projection: the zero vector } b \text{ spans no line to fall on}",
)
if zero:
    meaning = f"**{' and '.join(zero)}** has length 0, so it points nowhere: there is no angle, and no cosine. The dot product is **{number(total)}** all the same."
elif total == 0:
    meaning = "The vectors stand at a **right angle**: the projection of a on b, its shadow, vanishes, and with it the dot product and the cosine."
else:
    meaning = f"**{number(between, 1)}°** is {'less' if cosine > 0 else 'more'} than a right angle, so dot product and cosine are both **{'positive' if cosine > 0 else 'negative'}**."
lab.notice(
    meaning,
    f"With b twice as long the dot product would be **{number(2 * total)}** instead of {number(total)}; the cosine would still be **{number(cosine_similarity(a, 2 * b))}**.",
    f"The projection, the shadow of a on b, is {number(norm(shadow))} long{' and points against b' if total < 0 else ''}. Times the length of b, {number(length_b)}, that is the dot product{' without its sign' if total < 0 else ''}: **{number(norm(shadow) * length_b)}**.",
    f"At these lengths a turn of a takes the dot product from {number(curve.dots[0])} down to {number(curve.dots[-1])}; the cosine never leaves −1 … 1.",
)
lab.try_this(
    ("A right angle", "How long is the shadow of a at 90°, and what are both numbers?", {"angle_a": 110}),
    (
        "Head on",
        "With a turned against b: how low does the dot product fall, and how low the cosine?",
        {"angle_a": 200},
    ),
    (
        "Long and askew",
        "Two long vectors, 80° apart: do the lengths make up for the angle, in which of the two numbers?",
        {"angle_a": 100, "length_a": 4.0, "length_b": 4.0},
    ),
    ("No direction", "What is the angle to a vector of length 0?", {"length_a": 0.0}),
)
lab.conventions(
    (
        "Cosine with a zero vector",
        f"undefined, shown as {number(cosine_similarity([0, 0], b))}, as in PyTorch and scikit-learn",
        "the plain formula divides 0 by 0: NaN",
    ),
    ("Alike or apart", f"similarity, {number(cosine)}", f"distance, 1 − cosine: {number(1 - cosine)}"),
)
lab.take_away({"a": a, "b": b, "dot": dot(a, b), "cosine": cosine_similarity(a, b), "angle": between, "projection": projection(a, b)}, code="""
a = length_a * np.array([np.cos(np.radians(angle_a)), np.sin(np.radians(angle_a))])
b = length_b * np.array([np.cos(np.radians(angle_b)), np.sin(np.radians(angle_b))])
dot = a @ b
lengths = np.linalg.norm(a) * np.linalg.norm(b)
cosine = dot / lengths if lengths > 0 else 0.0
angle = np.degrees(np.arctan2(abs(a[0] * b[1] - a[1] * b[0]), dot))
projection = dot / (b @ b) * b if b.any() else np.zeros(2)
""", angle_a=angle_a, length_a=length_a, angle_b=angle_b, length_b=length_b)  # fmt: skip
lab.source(dot, cosine_similarity, projection, angle_between)

"""How much do two vectors point the same way, and what do their lengths add to that?"""

import numpy as np

from engine.vectors import angle_between, cosine_similarity, dot, measures_by_angle, norm, projection, vector_at
from ui import charts, words
from ui.labs.dot_product_and_cosine import by_angle, meaning, picture
from ui.page import controls, lab
from ui.words import told

LONGEST = 4.0
ANGLES = np.linspace(0, 180, 61)

lab.begin(__file__)
with lab.panel():
    about = "Degrees from the first axis, anticlockwise."
    angle_a = controls.slider("angle_a", "Angle of a", 0, 360, 75, help=about)
    zero_has_none = "At 0, a is the zero vector: it has no direction."
    length_a = controls.slider("length_a", "Length of a", 0.0, LONGEST, 3.0, step=0.1, help=zero_has_none)
    angle_b = controls.slider("angle_b", "Angle of b", 0, 360, 20, help=about)
    scales_one = "It scales the dot product, never the cosine."
    length_b = controls.slider("length_b", "Length of b", 0.0, LONGEST, 3.5, step=0.1, help=scales_one)

a, b = vector_at(angle_a, length_a), vector_at(angle_b, length_b)
cosine, shadow = round(cosine_similarity(a, b), 12), projection(a, b).round(12)
product = dot(a, b) if cosine else 0.0  # a right angle leaves a rounding error of 1e-16
zero = " and ".join(name for name, length in (("a", length_a), ("b", length_b)) if length == 0)
between = None if zero else angle_between(a, b)
curve = measures_by_angle(length_a, length_b, ANGLES)
now = told(
    length_a=length_a,
    length_b=length_b,
    angle=0.0 if zero else between,
    dot=product,
    cosine=cosine,
    twice=2 * product,
    cosine_twice=cosine_similarity(a, 2 * b),
    shadow=norm(shadow),
    times=norm(shadow) * length_b,
    highest=curve.dots[0],
    lowest=curve.dots[-1],
    undefined=cosine_similarity([0, 0], b),
    distance=1 - cosine,
)
apart = f"{zero} = 0: no angle" if zero else f"{now.angle:1}° apart"

left, right = lab.columns(2)
with left:
    figure = picture(a, b, shadow, vector_at(angle_b, 9.0), LONGEST, apart)
    charts.show("arrows", figure, f"Vectors a and b, {apart}; the projection of a on b is {now.shadow} long.")
with right:
    turned = lambda at: (angle_b + at["x"]) % 360
    title = f"Dot product: {now.dot}"
    figure = by_angle(curve.angles, curve.dots, title, LONGEST**2 + 2, today=(between, product))
    alt = f"Dot product against the angle between the vectors; {apart} it is {now.dot}."
    charts.show("dot", figure, alt, angle_a=turned)
    title = f"Cosine: {'undefined, shown as 0' if zero else now.cosine}"
    figure = by_angle(curve.angles, curve.cosines, title, 1.15, today=(between, cosine), lowest=True)
    alt = f"Cosine against the angle between the vectors; {apart} it is {now.cosine}."
    charts.show("cosine", figure, alt, angle_a=turned)

by_lengths = rf"\frac{{a \cdot b}}{{\|a\| \, \|b\|}} = \frac{{{now.dot:bare}}}{{{now.length_a} \cdot {now.length_b}}}"
lab.step(
    "One sum, then divided by both lengths",
    words.dot(r"a \cdot b", a, b, product),
    rf"\cos(a, b) = {by_lengths} = " + (r"\frac{0}{0}\text{, undefined: shown as }0" if zero else f"{now.cosine:bare}"),
    rf"\text{{projection of }} a \text{{ on }} b = \frac{{a \cdot b}}{{b \cdot b}}\, b = {words.row(shadow)}"
    if length_b
    else r"\text{no projection: the zero vector } b \text{ spans no line to fall on}",
)
lab.notice(
    meaning(zero, now),
    f"With b twice as long the dot product would be **{now.twice}** instead of {now.dot}; the cosine would still be "
    f"**{now.cosine_twice}**.",
    f"The projection, the shadow of a on b, is {now.shadow} long{' and points against b' if product < 0 else ''}. "
    f"Times the length of b, {now.length_b}, that is the dot product{' without its sign' if product < 0 else ''}: "
    f"**{now.times}**.",
    f"At these lengths a turn of a takes the dot product from {now.highest} down to {now.lowest}; the cosine never "
    "leaves −1 … 1.",
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
        f"undefined, shown as {now.undefined}, as in PyTorch and scikit-learn",
        "the plain formula divides 0 by 0: NaN",
    ),
    ("Alike or apart", f"similarity, {now.cosine}", f"distance, 1 − cosine: {now.distance}"),
)
cosine_now, projected = cosine_similarity(a, b), projection(a, b)
numbers = {"a": a, "b": b, "dot": dot(a, b), "cosine": cosine_now, "angle": between, "projection": projected}
lab.take_away(numbers, angle_a=angle_a, length_a=length_a, angle_b=angle_b, length_b=length_b)
lab.source(dot, cosine_similarity, projection, angle_between)

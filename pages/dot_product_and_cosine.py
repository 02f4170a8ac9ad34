"""How much do two vectors point the same way, and what do their lengths add to that?"""

import numpy as np

from engine.vectors import angle_between, cosine_similarity, dot, measures_by_angle, norm, projection, vector_at
from ui import charts
from ui.charts import Handle
from ui.labs.dot_product_and_cosine import by_angle, formulas, meaning, picture
from ui.page import controls, lab
from ui.questions.dot_product_and_cosine import QUESTIONS
from ui.words import told

LONGEST = 4.0
ANGLES = np.linspace(0, 180, 61)

lab.begin(__file__, QUESTIONS)
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
between = None if zero else round(angle_between(a, b), 12)
curve = measures_by_angle(length_a, length_b, ANGLES)
now = told(
    length_a=length_a,
    length_b=length_b,
    angle=0.0 if zero else between,
    dot=product,
    cosine=cosine,
    twice=2 * product,
    cosine_twice=round(cosine_similarity(a, vector_at(angle_b, 2 * length_b)), 12),
    shadow=norm(shadow),
    times=norm(shadow) * length_b,
    lengths=length_a * length_b,
    square=dot(b, b),
    highest=curve.dots[0],
    lowest=curve.dots[-1],
    undefined=cosine_similarity([0, 0], b),
    distance=1 - cosine,
)
apart = f"{zero} = 0: no angle" if zero else f"{now.angle:.1f}° apart"

left, right = lab.columns(2)
with left:
    figure = picture(a, b, shadow, vector_at(angle_b, 9.0), LONGEST, apart)
    tips = [Handle({f"angle_{name}": "angle", f"length_{name}": "length"}, *v) for name, v in (("a", a), ("b", b))]
    alt = f"Vectors a and b, {apart}; the projection of a on b is {now.shadow} long."
    charts.show("arrows", figure, alt, drags=tips)
with right:
    turned = lambda at: (angle_b + at["x"]) % 360
    turns = [Handle({"angle_a": turned}, x=between)] if not zero else []
    title = f"Dot product: {now.dot}"
    figure = by_angle(curve.angles, curve.dots, title, LONGEST**2 + 2, now=(between, product))
    alt = f"Dot product against the angle between the vectors, now {now.dot} ({apart})."
    charts.show("dot", figure, alt, drags=turns, angle_a=turned)
    title = f"Cosine: {'undefined, shown as 0' if zero else now.cosine}"
    figure = by_angle(curve.angles, curve.cosines, title, 1.15, now=(between, cosine), lowest=True)
    alt = f"Cosine against the angle between the vectors, now {now.cosine} ({apart})."
    charts.show("cosine", figure, alt, drags=turns, angle_a=turned)

lab.step("One sum, then divided by both lengths", *formulas(a, b, shadow, zero, now))
against, point = "" if product >= 0 else " and points against b", not zero
lab.notice(
    meaning(zero, now),
    (
        point and cosine != 0,
        f"The lengths multiply the dot product: {now.length_a:g} · {now.length_b:g} = **{now.lengths:g}** times that "
        f"of two vectors of length 1, which is {now.cosine}. The cosine is {now.cosine} at every length.",
    ),
    (
        product and now.cosine_twice == now.cosine,
        f"With b twice as long the dot product would be **{now.twice}** instead of {now.dot}; the cosine would still "
        f"be **{now.cosine_twice}**.",
    ),
    (not length_b, "b spans no line that a could fall on: there is no projection."),
    (not length_a and length_b, "The projection of a on b is the zero vector too."),
    (
        point,
        f"The projection, the shadow of a on b, is {now.shadow} long{against}. Times the length of b, {now.length_b}, "
        f"that is the dot product{' without its sign' if product < 0 else ''}: **{now.times}**.",
    ),
    (point and cosine == -1, f"Lower they cannot fall: the dot product is **{now.dot}**, the cosine **{now.cosine}**."),
    (
        point and abs(cosine) < 1,
        f"At these lengths a turn of a takes the dot product from {now.highest} down to {now.lowest}; the cosine never "
        "leaves −1 … 1.",
    ),
)
lab.conventions(
    (
        "Cosine with a zero vector",
        f"undefined, shown as {now.undefined}, as PyTorch's cosine_similarity and scikit-learn give it",
        "SciPy's distance.cosine: NaN, 0 divided by 0",
    ),
    (
        "Alike or apart",
        f"similarity, {now.cosine}" if point else "similarity, undefined",
        "scikit-learn's cosine_distances, SciPy's distance.cosine: 1 − cosine"
        + (f" = {now.distance}" if point else ""),
    ),
)
cosine_now, projected = cosine_similarity(a, b), projection(a, b)
numbers = {"a": a, "b": b, "dot": dot(a, b), "cosine": cosine_now, "angle": between, "projection": projected}
lab.take_away(numbers, angle_a=angle_a, length_a=length_a, angle_b=angle_b, length_b=length_b)
lab.source(dot, cosine_similarity, projection, angle_between)

"""The same predictions under two losses: which one notices a confident mistake, and what does a mean hide?"""

import numpy as np

from engine import losses
from engine.vectors import alike_within, scaled_and_shifted
from ui import charts
from ui.charts import Panel
from ui.labs.cross_entropy_against_mse import curves, names, of_each_row, on_smoothing, on_the_mask, on_the_mean, spots
from ui.page import controls, lab, parse
from ui.page.matrices import matrix, nudge
from ui.words import terms, told

LOGITS = [
    [5.0, 0.0, 1.0, -1.0, 0.0],
    [0.5, 1.5, 0.0, 1.0, 0.0],
    [1.0, 2.0, 0.5, 0.0, -0.5],
    [6.0, 1.0, 0.0, -1.0, -1.0],
]
CLASSES, ROWS = list("ABCDE"), [f"row {i}" for i in range(4)]
CURVE = losses.probabilities_from_log_odds(np.linspace(-8, 8, 110))  # close to 0 and to 1 too

lab.begin(__file__)
with lab.panel():
    about = "Every logit is multiplied by it; at 0 nothing is preferred."
    scale = controls.slider("scale", "Confidence", 0.0, 2.0, 1.0, step=0.05, help=about)
    about = "The row worked out below. A click on a matrix sets it."
    row = controls.which("row", "Row", ROWS, "row 3", help=about)
    about = "A masked row counts in no mean and gets no gradient."
    masked = controls.several("masked", "Masked rows", ROWS, help=about)
    about = "This share of the target goes to all classes alike."
    smoothing = controls.slider("smoothing", "Label smoothing ε", 0.0, 0.5, 0.0, step=0.01, help=about)
    with lab.folded("Edit classes and logits"):
        read = lambda text: parse.tokens(" ".join(parse.words(text, least=4, most=4)), vocabulary=CLASSES, most=4)
        about = "Four of A, B, C, D, E, separated by spaces."
        targets = controls.text("targets", "Right class of each row", "A B C D", read, help=about)
        logits = matrix("logits", "Logits", LOGITS, limit=20, rows=ROWS, columns=CLASSES)
    (logits,) = nudge(z=logits, limit=6)

z = scaled_and_shifted(logits, scale=scale)
mask = np.array([name not in masked for name in ROWS])
point = losses.right_class(z, targets, label_smoothing=smoothing)
curve = losses.right_class_curve(CURVE, 5, label_smoothing=smoothing)
p, low, right_one = point.probability, int(point.probability.argmin()), targets[row]
cost = (curve.cross_entropy, point.cross_entropy), (curve.mean_squared_error, point.mean_squared_error)
pull = (
    (curve.cross_entropy_grad, point.cross_entropy_grad),
    (curve.mean_squared_error_grad, point.mean_squared_error_grad),
)
views = (
    ("cost", "Loss", cost, {"named": 0, "y_range": (-0.2, 8)}),
    ("pull", "Pull on the right logit", pull, {"named": 1, "y_range": (-1.05, 0.45)}),
)

for column, (key, title, both, view) in zip(lab.columns(2), views, strict=True):
    of_row = told(ce=both[0][1][row], mse=both[1][1][row])
    near = alike_within(spots(p, both[view["named"]][1], view["y_range"][1]), 0.09)
    alt = f"{title} under both losses against the probability of the right class. "
    alt += f"Row {row}: {of_row.ce} under cross-entropy, {of_row.mse} under MSE."
    with column:
        charts.show(key, curves(title, CURVE, p, both, names=names(near), row=row, **view), alt)

ce = lab.attempt(losses.cross_entropy, z, targets, mask=mask, label_smoothing=smoothing)
mse = losses.mean_squared_error(z, targets, mask=mask)
means, worst = losses.denominators(ce, mask), losses.costliest_row(ce, mask)
halves = (("Cross-entropy", ce, "way_1", 16), ("MSE", mse, "way_2", 0.46))
for column, (name, loss, colour, top) in zip(lab.columns(2), halves, strict=True):
    over = told(**losses.denominators(loss, mask)._asdict())
    figure = of_each_row(name, ROWS, loss.per_row, mask, mean=over.out, wrong=over.wrong, colour=colour, top=top)
    alt = f"{name} of each row, their mean {over.out}, and {over.wrong} where all four rows divide."
    with column:
        charts.show(f"rows_{colour}", figure, alt)

wanted = losses.wanted_probabilities(targets, 5, label_smoothing=smoothing)
onehot = losses.wanted_probabilities(targets, 5)
now = told(
    least=p[low],
    least_ce=abs(point.cross_entropy_grad[low]),
    least_mse=abs(point.mean_squared_error_grad[low]),
    ce=ce.loss,
    mse=mse.loss,
    brier=5 * mse.loss,
    **means._asdict(),
    row_ce=ce.per_row[row],
    row_mse=mse.per_row[row],
    worst_mse=mse.per_row[worst],
    probs=ce.probs[row],
    kept=wanted[row, right_one],
    kept_by_others=1 - smoothing,
)
spread = [rf"{a:g} \log {b:tex}" for a, b in zip(wanted[row], now.probs, strict=True) if a]
squares = [f"({b:.3f} - {a:g})^2" for a, b in zip(onehot[row], ce.probs[row], strict=True)]
lab.step(
    f"Row {row}, right class {CLASSES[right_one]}",
    rf"\text{{cross-entropy}} = -\left({terms(spread)}\right) = {now.row_ce:bare}",
    rf"\text{{MSE}} = \tfrac{{1}}{{5}}\left({terms(squares)}\right) = {now.row_mse:bare}",
)
gone = {"masked": losses.left_out_cells(mask, 5), "gone": "0", "limit": 0.5}
marked = {"rows": ROWS, "columns": CLASSES, "mark": (row, right_one)}
panels = [
    Panel(ce.probs, "Probabilities", kind="probability", **marked),
    Panel(ce.grad, "∂ cross-entropy / ∂z", colour="way_1", **gone, **marked),
    Panel(mse.grad, "∂ MSE / ∂z", colour="way_2", **gone, **marked),
]
alt = "Probabilities of five classes in four rows, and the gradient of either mean loss by each logit."
charts.show("gradients", charts.matrices(panels, per_row=3, cell=34), alt, row="row")

lab.notice(
    f"No row gives its right class less than row {low}: p = **{now.least}**. Cross-entropy pulls at that logit with "
    f"**{now.least_ce}**, MSE with **{now.least_mse}**.",
    f"The mean, **{now.ce}** nats, {on_the_mean(worst, ce.per_row[worst], now.total, now.out)} "
    f"MSE tops out at 2/5 = 0.4 a row; row {worst} has {now.worst_mse}. "
    "It depends on the four wrong classes too, so its dots may leave the curve, which shares the rest equally."
    f"{' The rows above 8 nats lie outside the first chart.' if point.cross_entropy.max() > 8 else ''}",
    on_the_mask(masked, now.counted, now.out, now.wrong),
    on_smoothing(smoothing, row, now.kept, p[row], mask[row]),
)
lab.try_this(
    (
        "A confident mistake",
        "As row 3 grows surer of the wrong class, which pull grows and which dies?",
        {"scale": 2.0},
    ),
    (
        "What the mean hides",
        "Row 3 is masked. What is the mean now, and what if one still divides by 4?",
        {"masked": ["row 3"]},
    ),
    (
        "Too sure",
        "With a fifth of the target smoothed away, can row 0 be too right?",
        {"smoothing": 0.2, "row": "row 0"},
    ),
    ("No idea", "All logits equal: what do five classes cost, and does it matter which is right?", {"scale": 0.0}),
)
lab.conventions(
    ("What a mean divides by", f"the rows that count: {now.out}", f"every row: {now.wrong}"),
    ("Every row masked", "refused: a mean over no rows is undefined", "PyTorch: NaN for the mean, 0 for the sum"),
    ("MSE over the classes", f"mean of 5: {now.mse}", f"sum (the Brier score): {now.brier}"),
    (
        "Smoothing goes to",
        f"all 5 classes: the right one keeps {now.kept}",
        f"the 4 others: it keeps {now.kept_by_others}",
    ),
)
numbers = {"probs": ce.probs, "wanted": wanted, "ce_rows": ce.per_row, "ce_grad": ce.grad, "ce": ce.loss}
numbers |= {"mse_rows": mse.per_row, "mse_grad": mse.grad, "mse": mse.loss, "wrong_mean": means.wrong}
lab.take_away(numbers, z=z, targets=targets, mask=mask, smoothing=smoothing)
lab.source(losses.cross_entropy, losses.mean_squared_error)

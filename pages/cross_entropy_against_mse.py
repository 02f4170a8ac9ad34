"""The same predictions under two losses: which one notices a confident mistake, and what does a mean hide?"""

import numpy as np

from engine import losses
from engine.softmax import logit_for
from engine.vectors import alike_within, scaled_and_shifted
from ui import charts
from ui.labs import cross_entropy_against_mse as drawn
from ui.page import controls, lab, parse
from ui.page.matrices import matrix, shown_as
from ui.questions.cross_entropy_against_mse import QUESTIONS
from ui.words import told

LOGITS = [
    [5.0, 0.0, 1.0, -1.0, 0.0],
    [0.5, 1.5, 0.0, 1.0, 0.0],
    [1.0, 2.0, 0.5, 0.0, -0.5],
    [6.0, 1.0, 0.0, -1.0, -1.0],
]
CLASSES, ROWS = list("ABCDE"), [f"row {i}" for i in range(4)]
CURVE = losses.probabilities_from_log_odds(np.linspace(-8, 8, 110))  # close to 0 and to 1 too

lab.begin(__file__, QUESTIONS)
with lab.panel():
    about = "Every logit is multiplied by it; at 0 nothing is preferred."
    scale = controls.slider("scale", "Confidence", 0.0, 2.0, 1.0, step=0.05, help=about)
    about = "The row worked out below. A click on a matrix sets it."
    row = controls.which("row", "Row", ROWS, "row 3", help=about)
    about = "Of either gradient matrix. A click on a matrix sets it."
    of_class = controls.which("of_class", "Class of the gradient", CLASSES, "D", help=about)
    about = "A masked row counts in no mean and gets no gradient."
    masked = controls.several("masked", "Masked rows", ROWS, help=about)
    about = "This share of the target goes to all classes alike."
    smoothing = controls.slider("smoothing", "Label smoothing ε", 0.0, 0.5, 0.0, step=0.01, help=about)
    with lab.folded("Edit classes and logits"):
        read = lambda text: parse.tokens(" ".join(parse.words(text, least=4, most=4)), vocabulary=CLASSES, most=4)
        about = "Four of A, B, C, D, E, separated by spaces."
        targets = controls.text("targets", "Right class of each row", "A B C D", read, help=about)
        about = "What a row of this class counts. Of cross-entropy only."
        weights = matrix("weights", "Class weights", [[1.0] * 5], limit=10, columns=CLASSES, help=about)[0]
        logits = matrix("logits", "Logits", LOGITS, limit=20, rows=ROWS, columns=CLASSES)

z = scaled_and_shifted(logits, scale=scale)
mask = np.array([name not in masked for name in ROWS])
point = losses.right_class(z, targets, label_smoothing=smoothing)
curve = losses.right_class_curve(CURVE, 5, label_smoothing=smoothing)
held = shown_as("logits", scale)
pulled = drawn.dots(point, targets, held, lambda of, p: logit_for(z[of], targets[of], p))
for column, (key, view) in zip(lab.columns(2), drawn.VIEWS.items(), strict=True):
    names = drawn.names(alike_within(view.spots(point), 0.09))
    with column:
        figure = drawn.curves(view, curve, point, names=names, row=row)
        charts.show(key, figure, view.alt(point, row), drags=pulled if key == "cost" else ())

ce = lab.attempt(losses.cross_entropy, z, targets, mask=mask, label_smoothing=smoothing, class_weights=weights)
mse = losses.mean_squared_error(z, targets, mask=mask)
means, weighted = losses.denominators(ce, mask), set(weights) != {1.0}
wanted = losses.wanted_probabilities(targets, 5, label_smoothing=smoothing)
least, most = losses.rows_at_top(-point.probability, mask & (ce.weights > 0)), losses.rows_at_top(ce.per_row, mask)
right_one, cell = targets[row], (row, of_class)
now = told(
    ce=ce.loss,
    mse=mse.loss,
    perplexity=ce.perplexity,
    brier=5 * mse.loss,
    given=ce.probs[cell],
    **means._asdict(),
    by_rows=means.total / means.counted,
    worst_mse=mse.per_row[most[0]],
    kept=wanted[row, right_one],
    kept_by_others=1 - smoothing,
)

left, right = lab.columns(2)
halves = ((left, "Cross-entropy" + " × class weight" * weighted, ce, "way_1", None), (right, "MSE", mse, "way_2", 0.46))
for column, name, loss, colour, top in halves:
    divided = losses.denominators(loss, mask)
    figure = drawn.of_each_row(name, ROWS, loss.per_row, mask, divided, colour=colour, top=top)
    with column:
        charts.show(f"rows_{colour}", figure, drawn.of_means(name, divided))
lab.step(
    f"Row {row}, right class {CLASSES[right_one]}",
    *drawn.sums(wanted[row], right_one, ce.probs[row], weights, ce.per_row[row], mse.per_row[row]),
)
gone = losses.left_out_cells(mask, 5)
figure = drawn.on_the_way_back(z, (ce, mse), gone, held, rows=ROWS, columns=CLASSES, mark=cell)
alt = "Logits and probabilities of five classes in four rows, and the gradient of either mean loss by each logit"
alt += f"; row {row} gives {CLASSES[of_class]} a probability of {now.given}."
charts.show("gradients", figure, alt, row="row", of_class="column")
if mask[row]:
    ways = (ce.row_grads[cell], ce.grad[cell]), (mse.row_grads[cell], mse.grad[cell])
    lab.step(
        f"The gradient of row {row}'s own loss by its logit of {CLASSES[of_class]}, and its share of the mean's",
        *drawn.slopes(f"{row},{CLASSES[of_class]}", *ways, means.divisor, means.counted),
    )
else:
    lab.say(f"Row {row} is masked: no mean depends on its logits, and all their gradients are 0.")

lab.notice(
    *drawn.on_the_least(least, point, ce.grad[least[0], targets[least[0]]], means.counted, weighted=weighted),
    drawn.since(scale, row, losses.right_class(logits, targets, label_smoothing=smoothing), point),
    f"The mean is **{now.ce}** nats, a perplexity of e^mean = **{now.perplexity}**.",
    *drawn.on_the_mean(most, ce.per_row[most[0]], means),
    drawn.on_equal_logits(ce.probs, point.cross_entropy[0]),
    f"MSE tops out at 2/5 = 0.4 a row; row {most[0]} has {now.worst_mse}. It depends on the four wrong classes too, so "
    "its dots may leave the curve, which shares the rest equally.",
    drawn.beyond(point.cross_entropy),
    *drawn.on_the_mask(masked, means),
    drawn.on_weights(weights, means),
    *drawn.on_smoothing(smoothing, row, now.kept, point.probability[row], point.cross_entropy_grad[row], mask[row]),
)
lab.conventions(
    (
        "What a mean under class weights divides by",
        f"the weights that count, {means.divisor:g} in all, as PyTorch: {now.out}",
        f"Keras: the number of rows that count, {now.counted}: {now.by_rows}",
    ),
    ("Every row masked", "refused: a mean over no rows is undefined", "PyTorch: NaN for the mean, 0 for the sum"),
    ("MSE over the classes", f"mean of 5, as PyTorch and Keras: {now.mse}", f"Brier (1950): the sum, {now.brier}"),
    (
        "Smoothing goes to",
        f"all 5 classes, as Szegedy et al. (2016) and PyTorch: the right one keeps {now.kept}",
        f"fairseq: the 4 others, it keeps {now.kept_by_others}; Annotated Transformer: not to padding either",
    ),
)
lab.slips(("What a mean under a mask divides by", f"the rows that count: {now.out}", f"every row: {now.wrong}"))
numbers = {"probs": ce.probs, "wanted": wanted, "ce": ce.loss, "perplexity": ce.perplexity, "mse": mse.loss}
numbers |= {"ce_rows": ce.per_row, "ce_row_grads": ce.row_grads, "ce_grad": ce.grad, "wrong_mean": means.wrong}
numbers |= {"mse_rows": mse.per_row, "mse_row_grads": mse.row_grads, "mse_grad": mse.grad}
lab.take_away(numbers, z=z, targets=targets, mask=mask, smoothing=smoothing, class_weights=weights)
lab.source(losses.cross_entropy, losses.mean_squared_error)

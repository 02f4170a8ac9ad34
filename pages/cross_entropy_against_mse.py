"""The same predictions under two losses: which one notices a confident mistake, and what does a mean hide?"""

import numpy as np

from engine.losses import (
    cross_entropy,
    denominators,
    mean_squared_error,
    right_class,
    right_class_curve,
    wanted_probabilities,
)
from ui import charts
from ui import words as worked
from ui.charts import Mark, Panel, Series
from ui.page import controls, lab, parse
from ui.page import matrices as edited
from ui.words import bare, number, tex

LOGITS = [
    [5.0, 0.0, 1.0, -1.0, 0.0],
    [0.5, 1.5, 0.0, 1.0, 0.0],
    [1.0, 2.0, 0.5, 0.0, -0.5],
    [6.0, 1.0, 0.0, -1.0, -1.0],
]
CLASSES, ROWS = list("ABCDE"), [f"row {i}" for i in range(4)]
CURVE = 1 / (1 + np.exp(-np.linspace(-8, 8, 110)))  # probabilities of the right class, close to 0 and to 1 too

lab.begin(__file__)
with lab.panel():
    scale = controls.slider("scale", "Confidence", 0.0, 2.0, 1.0, step=0.05, help="Every logit is multiplied by it; at 0 nothing is preferred.")  # fmt: skip
    row = ROWS.index(
        controls.choice("row", "Row", ROWS, "row 3", help="The row worked out below. A click on a matrix sets it.")
    )
    masked = controls.several("masked", "Masked rows", ROWS, help="A masked row counts in no mean and gets no gradient.")  # fmt: skip
    smoothing = controls.slider("smoothing", "Label smoothing ε", 0.0, 0.5, 0.0, step=0.01, help="This share of the target goes to all classes alike.")  # fmt: skip
    with lab.folded("Edit classes and logits"):
        targets = controls.text(
            "targets", "Right class of each row", "A B C D",
            lambda text: parse.tokens(" ".join(parse.words(text, least=4, most=4)), vocabulary=CLASSES, most=4),
            help="Four of A, B, C, D, E, separated by spaces.",
        )  # fmt: skip
        logits = edited.matrix("logits", "Logits", LOGITS, limit=20, rows=ROWS, columns=CLASSES)
    (logits,) = edited.nudge(z=logits, limit=6)

z = logits * scale
mask = np.array([name not in masked for name in ROWS])
point = right_class(z, targets, label_smoothing=smoothing)
curve = right_class_curve(CURVE, 5, label_smoothing=smoothing)
views = [
    ("Loss", "cost", (-0.2, 8), "cross_entropy", "mean_squared_error"),
    ("Pull on the right logit", "pull", (-1.05, 0.45), "cross_entropy_grad", "mean_squared_error_grad"),
]
for column, (title, key, y_range, of_ce, of_mse) in zip(lab.columns(2), views, strict=True):
    pairs = [(getattr(point, of_ce), "way_1", key == "cost"), (getattr(point, of_mse), "way_2", key == "pull")]
    spots = np.column_stack([point.probability, pairs[key == "pull"][0] / y_range[1]])
    near = [np.flatnonzero((abs(spots - spot) < 0.09).all(axis=1)).tolist() for spot in spots]
    names = [f"row{'s' * (len(alike) > 1)} {', '.join(map(str, alike))}" * (alike[0] == i) for i, alike in enumerate(near)]  # fmt: skip
    marks = [
        Mark(point.probability[i], y[i], names[i] if named else "", "today" if i == row else colour)
        for y, colour, named in pairs for i in range(4)
    ]  # fmt: skip
    series = [
        Series("cross-entropy", getattr(curve, of_ce), "way_1"),
        Series("MSE", getattr(curve, of_mse), "way_2", dash="dash"),
    ]
    with column:
        charts.show(key, charts.lines(
                CURVE, series, title=title, x_title="p of the right class", x_range=(-0.02, 1.16), y_range=y_range, marks=marks, height=280,
            ), f"{title} under both losses against the probability of the right class. Row {row}: {number(pairs[0][0][row])} under cross-entropy, {number(pairs[1][0][row])} under MSE.")  # fmt: skip

ce = lab.attempt(cross_entropy, z, targets, mask=mask, label_smoothing=smoothing)
mse = mean_squared_error(z, targets, mask=mask)
means = denominators(ce, mask)
halves = zip(lab.columns(2), ("Cross-entropy", "MSE"), (ce, mse), ("way_1", "way_2"), (16, 0.46), strict=True)
for column, name, trace, colour, top in halves:
    with column:
        divided = denominators(trace, mask)
        colours = [colour if counts else "masked" for counts in mask] + ["today", "ghost"]
        charts.show(f"rows_{colour}", charts.bars(
                [*ROWS, "mean", "wrong"], [Series(name, [*trace.per_row, divided.out, divided.wrong], colours)],
                title=f"{name}, mean ÷ {means.counted}, wrong ÷ 4", y_range=(0, top), height=230,
            ), f"{name} of each row, their mean {number(divided.out)}, and {number(divided.wrong)} where all four rows divide.")  # fmt: skip

right_one = targets[row]
wanted = wanted_probabilities(targets, 5, label_smoothing=smoothing)
q, y, p = wanted[row], wanted_probabilities(targets, 5)[row], ce.probs[row]
spread = [rf"{a:g} \log {tex(b)}" for a, b in zip(q, p, strict=True) if a]
squares = [f"({b:.3f} - {a:g})^2" for a, b in zip(y, p, strict=True)]
lab.step(
    f"Row {row}, right class {CLASSES[right_one]}",
    rf"\text{{cross-entropy}} = -\left({worked.terms(spread)}\right) = {bare(ce.per_row[row])}",
    rf"\text{{MSE}} = \tfrac{{1}}{{5}}\left({worked.terms(squares)}\right) = {bare(mse.per_row[row])}",
)
gone = np.broadcast_to(~mask[:, None], ce.grad.shape)
marked = {"rows": ROWS, "columns": CLASSES, "mark": (row, right_one)}
panels = [
    Panel(ce.probs, "Probabilities", kind="probability", **marked),
    Panel(ce.grad, "∂ cross-entropy / ∂z", limit=0.5, colour="way_1", masked=gone, gone="0", **marked),
    Panel(mse.grad, "∂ MSE / ∂z", limit=0.5, colour="way_2", masked=gone, gone="0", **marked),
]
charts.show(
    "gradients",
    charts.matrices(panels, per_row=3, cell=34),
    "Probabilities of five classes in four rows, and the gradient of either mean loss by each logit.",
    row="row",
)
worst = int(np.where(mask, ce.per_row, -1).argmax())
low = int(point.probability.argmin())
lab.notice(
    f"No row gives its right class less than row {low}: p = **{number(point.probability[low])}**. Cross-entropy pulls at that logit with "
    f"**{number(abs(point.cross_entropy_grad[low]))}**, MSE with **{number(abs(point.mean_squared_error_grad[low]))}**.",
    f"The mean, **{number(ce.loss)}** nats, "
    + (f"hides that row {worst} alone makes up {100 * ce.per_row[worst] / means.total:.0f} % of the sum. " if ce.per_row[worst] > 1.001 * means.out else "hides nothing: every row that counts costs the same. ")
    + f"MSE tops out at 2/5 = 0.4 a row; row {worst} has {number(mse.per_row[worst])}. "
    "It depends on the four wrong classes too, so its dots may leave the curve, which shares the rest equally."
    + (" The rows above 8 nats lie outside the first chart." if point.cross_entropy.max() > 8 else ""),
    f"Masked: {', '.join(masked)}. Divided by the {means.counted} that count the mean is **{number(means.out)}**, divided by all 4 it would be {number(means.wrong)}{': too small' if means.wrong < means.out else ''}."
    if masked else "Every row counts, so both denominators agree. Mask a row to see them part.",
    f"With ε = {smoothing:g} the right class should get {number(q[right_one])}, not 1: row {row}, at {number(p[right_one])}, is {('pulled down' if p[right_one] > q[right_one] else 'pulled up') if mask[row] else 'masked and not pulled at all'}."
    if smoothing else "Without smoothing the cross-entropy pull is p − 1: it fades only as p reaches 1. MSE's fades at both ends.",
)  # fmt: skip
lab.try_this(
    ("A confident mistake", "As row 3 grows surer of the wrong class, which pull grows and which dies?", {"scale": 2.0}),
    ("What the mean hides", "Row 3 is masked. What is the mean now, and what if one still divides by 4?", {"masked": ["row 3"]}),
    ("Too sure", "With a fifth of the target smoothed away, can row 0 be too right?", {"smoothing": 0.2, "row": "row 0"}),
    ("No idea", "All logits equal: what do five classes cost, and does it matter which is right?", {"scale": 0.0}),
)  # fmt: skip
lab.conventions(
    ("What a mean divides by", f"the rows that count: {number(means.out)}", f"every row: {number(means.wrong)}"),
    ("Every row masked", "refused: a mean over no rows is undefined", "PyTorch: NaN for the mean, 0 for the sum"),
    ("MSE over the classes", f"mean of 5: {number(mse.loss)}", f"sum (the Brier score): {number(5 * mse.loss)}"),
    ("Smoothing goes to", f"all 5 classes: the right one keeps {number(q[right_one])}", f"the 4 others: it keeps {number(1 - smoothing)}"),
)  # fmt: skip
lab.take_away({
        "probs": ce.probs, "wanted": wanted, "ce_rows": ce.per_row, "ce_grad": ce.grad, "ce": ce.loss,
        "mse_rows": mse.per_row, "mse_grad": mse.grad, "mse": mse.loss, "wrong_mean": means.wrong,
    }, code="""
exps = np.exp(z - z.max(axis=1, keepdims=True))
probs = exps / exps.sum(axis=1, keepdims=True)
onehot = np.eye(5)[targets]
wanted = (1 - smoothing) * onehot + smoothing / 5
ce_rows = -(wanted * np.log(probs)).sum(axis=1)
mse_rows = ((probs - onehot) ** 2).mean(axis=1)
ce, mse = ce_rows[mask].mean(), mse_rows[mask].mean()
wrong_mean = ce_rows[mask].sum() / len(mask)
slope = 2 / 5 * (probs - onehot)
share = mask[:, None] / mask.sum()
ce_grad = share * (probs - wanted)
mse_grad = share * probs * (slope - (probs * slope).sum(axis=1, keepdims=True))
""", z=z, targets=targets, mask=mask, smoothing=smoothing)  # fmt: skip
lab.source(cross_entropy, mean_squared_error)

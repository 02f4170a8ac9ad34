"""What makes a softmax peaked, and when does no gradient get through?"""

import numpy as np

from engine.softmax import entropy_limit, explain_softmax, favourites, naive_softmax, softmax, sweep_scale
from engine.vectors import largest_difference, scaled_and_shifted
from ui import charts, words
from ui.charts import Series
from ui.labs.softmax import by_hand, by_scale, chain, leaders, slopes, small, unshifted
from ui.page import controls, lab
from ui.page.matrices import matrices
from ui.questions.softmax import QUESTIONS
from ui.words import noise, number, told

LOGITS = [[2.0, 1.0, 0.5, 0.0, -0.5, -1.0, -2.0, 3.0]]
NAMES = [f"z{i}" for i in range(8)]
SCALES = np.linspace(0, 20, 81)

lab.begin(__file__, QUESTIONS)
with lab.panel():
    about = "Logits are divided by T."
    temperature = controls.slider("temperature", "Temperature T", 0.1, 10.0, 2.0, step=0.1, help=about)
    about = "The typed logits z are multiplied by it."
    scale = controls.slider("scale", "Scale of the logits", 0.0, 20.0, 1.0, step=0.25, help=about)
    about = "Added to all eight alike."
    shift = controls.slider("shift", "Shift of every logit", -800.0, 800.0, 0.0, step=10.0, help=about)
    about = "Its loss is −log p. A click on a bar or a row of the Jacobian sets it."
    target = controls.which("target", "Right class", NAMES, "z7", help=about)
    about = "The column of the Jacobian that is written out. A click on a cell sets both."
    moved = controls.which("moved", "Logit that moves", NAMES, "z0", help=about)
    about = "A masked entry is −∞ before exp, so its probability is 0."
    masked = controls.several("masked", "Masked entries", NAMES, help=about)
    edited = {"z": ("Logits", LOGITS, {"name": "logits", "limit": 100, "columns": NAMES})}
    logits = matrices("Edit the logits", **edited)[0][0]

x = scaled_and_shifted(logits, scale=scale, shift=shift)
mask, T = np.array([name not in masked for name in NAMES]), temperature
trace, choices = explain_softmax(x, target, temperature=T, mask=mask, scale=scale), int(mask.sum())
at_one, best = softmax(x, mask=mask), favourites(trace.out)
first = leaders(NAMES, best, choices)
unmoved = softmax(scaled_and_shifted(logits, scale=scale), temperature=T, mask=mask)
sweep = sweep_scale(logits, SCALES, temperature=T, mask=mask)
plain = {kind: naive_softmax(x, kind, temperature=T, mask=mask) for kind in ("float16", "float32", "float64")}
now = told(
    target=NAMES[target],
    p=trace.out[best[0]],
    at_one=at_one[best[0]],
    total=trace.out.sum(),
    each=1 / max(choices, 1),
    most=entropy_limit(choices),
    shifted=trace.exps.max(),
    shift=shift,
    changed=noise(largest_difference(trace.out, unmoved), abs(shift) / T),
    at_masked=-scale / T,
)
tiny = small(
    lowest=trace.out[mask].min() if choices else 0.0,
    entropy=trace.entropy,
    largest=trace.largest_gradient,
    at_scale_one=sweep_scale(logits, [1.0], temperature=T, mask=mask).typed_gradient[0],
    without_T=trace.largest_gradient * T,
    loss=trace.loss,
    steepest=abs(trace.grad).max(),
    naive=plain["float16"].exps.max(),
)

both = [Series(f"now, T = {T:g}", trace.out, "query")]
if T != 1:
    both.insert(0, Series("at T = 1", at_one, "ghost"))
bars = charts.bars(NAMES, both, title="Probabilities", y_range=(0, 1.12), height=280)
alt = f"Eight probabilities at temperature {T:g}{'' if T == 1 else ' beside those at 1'}; the largest is {now.p}."
charts.show("probs", bars, alt, target="point")
colours = ["masked" if name in masked else "today" if i == target else "soft_ink" for i, name in enumerate(NAMES)]
figure, ends = by_hand(NAMES, logits, colours, "logits")
alt = f"The eight logits as bars, before scale, shift and T; that of {now.target} is {number(logits[target])}."
charts.show("logits", figure, alt, drags=ends, target="point")
if choices:
    total = words.softmax(f"p_{target}", trace.shifted, target, trace.out[target])
    lab.step(f"The sum behind the bar of {now.target}", total)
    lab.say("Each exponent is (x − the largest x) / T with x = scale · z + shift: none is above 0, so none overflows.")
else:
    lab.say("Every entry is masked: there is nothing to choose from. The row is all zeros and sums to 0, not 1.")

figure = slopes(trace, NAMES, target, moved, (scale or 1.0) / T)
alt = f"The 8 by 8 Jacobian of the probabilities, largest entry {tiny.largest}, and below it the gradient of the loss."
of_jacobian = lambda at: at["row"] if at["panel"] == 0 else None
charts.show("jacobian", figure, alt, target=of_jacobian, moved="column")
if choices:
    title = f"How {now.target} answers to {NAMES[moved]}, and what its loss makes of that"
    lab.step(title, *chain(trace, NAMES, target, moved, scale, T))
left, right = lab.columns(2)
with left:
    top, point = 1.1 * max(sweep.typed_gradient.max(), 0.01), (scale, trace.largest_gradient)
    figure = by_scale(SCALES, sweep.typed_gradient, "Largest slope ∂p / ∂z", "gradient", top, point)
    alt = f"The largest entry of the Jacobian against the scale; at {scale:g} it is {tiny.largest}."
    charts.show("gradient", figure, alt, scale="x")
with right:
    figure = by_scale(SCALES, sweep.entropy, "Entropy, nats", "query", 2.2, (scale, trace.entropy))
    charts.show("entropy", figure, f"Entropy against the scale; at {scale:g} it is {tiny.entropy} nats.", scale="x")

slope, sharp = trace.largest_gradient, bool(mask[target]) and abs(trace.grad).max() >= 0.1 * (scale or 1.0) / T
lab.notice(
    (not choices, f"With all eight masked the probabilities sum to **{now.total}**: nothing is left to choose from."),
    (choices and T != 1, f"They sum to **{now.total}**. The largest, {first}: **{now.p}**; at T = 1: {now.at_one}."),
    (choices and T == 1, f"The probabilities sum to **{now.total}**. The largest, {first}: **{now.p}**."),
    (
        choices > 1,
        f"As T grows, all {choices} go towards 1/{choices} = **{now.each}**; now the least is {tiny.lowest}.",
    ),
    (choices, f"Entropy is **{tiny.entropy}** of at most {now.most} nats (log {choices})."),
    (slope == 0, "No logit can move a probability: every slope in the Jacobian is **0.000**."),
    (
        0 < slope < 0.01,
        f"No logit moves a probability by more than **{tiny.largest}** a unit ({tiny.at_scale_one} at scale 1): a loss "
        "on the probabilities themselves, such as a squared error, has almost nothing to hold on to.",
    ),
    (slope >= 0.01, f"The largest slope in the Jacobian is **{tiny.largest}**: there a gradient reaches the logits."),
    (
        mask[target],
        f"The loss of {now.target}, −log p, is **{tiny.loss}** nats, its gradient **{tiny.steepest}** at most.",
    ),
    (0 < slope < 0.01 and sharp, "That is not small: −log p divides the small slope by a small probability."),
    (not mask[target], f"The right class {now.target} is masked: its loss is **∞**, and here no gradient leaves it."),
    (shift and choices, f"The shift of {now.shift:g} changes no probability: {now.changed} is the largest difference."),
    (choices, unshifted(plain)),
)
lab.conventions(
    ("A row with every entry masked", "zeros, sum 0", "PyTorch's softmax: NaN; its scaled_dot_product_attention: 0"),
    (
        "A right class that is masked",
        "loss ∞, gradient 0 everywhere",
        f"PyTorch's cross_entropy: loss ∞, gradient −1 · scale / T = {now.at_masked} at it",
    ),
)
slipped = [
    (choices, ("The largest exp, in float16", f"{now.shifted} after the shift", f"{tiny.naive} without it")),
    (T != 1 and slope, ("The slopes hold 1/T", f"largest {tiny.largest}", f"1/T forgotten: {tiny.without_T}")),
]
if choices:
    lab.slips(*(row for holds, row in slipped if holds))
lab.take_away(trace, logits=logits, scale=scale, shift=shift, T=T, mask=mask, target=target)
lab.source(explain_softmax, softmax, naive_softmax)

"""What makes a softmax peaked, and when does no gradient get through?"""

import numpy as np

from engine.softmax import entropy_limit, explain_softmax, naive_exp, overflowing, softmax, sweep_scale
from engine.vectors import scaled_and_shifted
from ui import charts, words
from ui.charts import Mark, Panel, Series
from ui.page import controls, lab
from ui.page.matrices import matrices
from ui.words import told

LOGITS = [[2.0, 1.0, 0.5, 0.0, -0.5, -1.0, -2.0, 3.0]]
NAMES = [f"z{i}" for i in range(8)]
SCALES = np.linspace(0, 20, 81)

lab.begin(__file__)
with lab.panel():
    about = "Logits are divided by T."
    temperature = controls.slider("temperature", "Temperature T", 0.1, 10.0, 1.0, step=0.1, help=about)
    about = "Logits are multiplied by it."
    scale = controls.slider("scale", "Scale of the logits", 0.0, 20.0, 1.0, step=0.25, help=about)
    about = "Added to all eight alike."
    shift = controls.slider("shift", "Shift of every logit", -800.0, 800.0, 0.0, step=10.0, help=about)
    about = "Its loss is −log p. A click on a bar sets it."
    target = controls.which("target", "Right class", NAMES, "z7", help=about)
    about = "A masked entry is −∞ before exp, so its probability is 0."
    masked = controls.several("masked", "Masked entries", NAMES, help=about)
    edited = {"z": ("Logits", LOGITS, {"name": "logits", "limit": 100, "columns": NAMES})}
    logits = matrices("Edit the logits", reach=5, **edited)[0][0]

z = scaled_and_shifted(logits, scale=scale, shift=shift)
mask = np.array([name not in masked for name in NAMES])
trace = explain_softmax(z, target, temperature=temperature, mask=mask)
at_one = softmax(z, mask=mask)
sweep = sweep_scale(logits, SCALES, temperature=temperature, mask=mask)
too_large = overflowing(z, temperature=temperature, mask=mask)
top, choices = int(trace.out.argmax()), int(mask.sum())
now = told(
    top=NAMES[top],
    p=trace.out[top],
    at_one=at_one[top],
    total=trace.out.sum(),
    entropy=trace.entropy,
    most=entropy_limit(choices),
    largest=trace.largest_gradient,
    undivided=trace.largest_gradient * temperature,
    target=NAMES[target],
    loss=trace.loss,
    shifted=trace.exps.max(),
    naive=naive_exp(z, "float16", temperature=temperature).max(),
)

both = [Series("at T = 1", at_one, "ghost"), Series(f"today, T = {temperature:g}", trace.out, "query")]
bars = charts.bars(NAMES, both, title="Probabilities", y_range=(0, 1.12), height=280)
alt = f"Eight probabilities at temperature {temperature:g} beside those at 1; the largest is {now.p}."
charts.show("probs", bars, alt, target="point")
if choices:
    lab.step("The sum behind the tallest bar", words.softmax(f"p_{top}", trace.shifted, top, trace.out[top]))
    lab.say("Each exponent is (z − the largest z) / T, so no exponent is above 0 and none overflows.")
else:
    lab.say("Every entry is masked: there is nothing to choose from. The row is all zeros and sums to 0, not 1.")

slopes = [
    Panel(trace.jacobian, "Jacobian ∂p / ∂z", NAMES, NAMES, limit=0.25 / temperature, mark=(target, None)),
    Panel([trace.grad], "Gradient of −log p", ["∂loss"], NAMES, limit=1 / temperature, colour="gradient"),
]
alt = f"The 8 by 8 Jacobian of the probabilities, largest entry {now.largest}, beside the gradient of the loss."
charts.show("jacobian", charts.matrices(slopes, per_row=1, cell=30), alt, target="row")
left, right = lab.columns(2)
by_scale = {"x_title": "scale", "x_range": (0, 20), "height": 260}
with left:
    line, today = Series("largest gradient", sweep.largest_gradient, "gradient"), trace.largest_gradient
    frame = {"title": "Largest gradient", "y_range": (0, 0.27 / temperature), **by_scale}
    figure = charts.lines(SCALES, [line], marks=[Mark(scale, today, f"{now.largest}")], **frame)
    alt = f"The largest entry of the Jacobian against the scale; at {scale:g} it is {now.largest}."
    charts.show("gradient", figure, alt, scale="x")
with right:
    line, today = Series("entropy", sweep.entropy, "query"), trace.entropy
    frame = {"title": "Entropy, nats", "y_range": (0, 2.2), **by_scale}
    figure = charts.lines(SCALES, [line], marks=[Mark(scale, today, f"{now.entropy}")], **frame)
    charts.show("entropy", figure, f"Entropy against the scale; at {scale:g} it is {now.entropy} nats.", scale="x")

lab.notice(
    f"The probabilities sum to **{now.total}**; the largest, {now.top}, is **{now.p}** against {now.at_one} at T = 1.",
    f"Entropy is **{now.entropy}** of at most {now.most} nats (log of {choices} entries).",
    f"The largest slope anywhere in the Jacobian is **{now.largest}**: "
    + (
        "learning has almost nothing to hold on to." if now.largest < 0.01 / temperature else "a gradient gets through."
    ),
    f"The loss of {now.target} is **{now.loss}** nats."
    + ("" if mask[target] else " It is masked, so no gradient leaves it."),
    "exp without the shift "
    + (
        f"overflows in {', '.join(too_large)}: ∞ / ∞ is not a number. The stable form does not notice."
        if too_large
        else "still fits in float16, float32 and float64 here; it ends above 11.09, 88.72 and 709.78."
    ),
)
lab.try_this(
    ("As peaked as it gets", "At scale 20, how large is the largest gradient still?", {"scale": 20.0}),
    ("Hot", "As T grows, towards which number do all eight probabilities go?", {"temperature": 10.0}),
    ("A shift of 800", "Does adding 800 to every logit change a probability? And the naive exp?", {"shift": 800.0}),
    ("Everything masked", "With all eight masked, what do the probabilities sum to?", {"masked": NAMES}),
)
lab.conventions(
    (
        "A row with every entry masked",
        "zeros, sum 0",
        "PyTorch's plain softmax: NaN; its scaled_dot_product_attention: 0",
    ),
    ("exp in float16, largest term", f"{now.shifted} after the shift", f"{now.naive} without it"),
    (
        "Where the temperature goes",
        f"logits / T, so the Jacobian holds 1/T: {now.largest}",
        f"forgetting 1/T: {now.undivided}",
    ),
)
lab.take_away(trace, logits=logits, scale=scale, shift=shift, T=temperature, mask=mask)
lab.source(explain_softmax, softmax)

"""What makes a softmax peaked, and when does no gradient get through?"""

import numpy as np

from engine.softmax import explain_softmax, naive_exp, softmax, sweep_scale
from ui import charts
from ui import words as worked
from ui.charts import Mark, Panel, Series
from ui.page import controls, lab
from ui.page import matrices as edited
from ui.words import number

LOGITS = [[2.0, 1.0, 0.5, 0.0, -0.5, -1.0, -2.0, 3.0]]
NAMES = [f"z{i}" for i in range(8)]
SCALES = np.linspace(0, 20, 81)

lab.begin(__file__)
with lab.panel():
    temperature = controls.slider(
        "temperature", "Temperature T", 0.1, 10.0, 1.0, step=0.1, help="Logits are divided by T."
    )
    scale = controls.slider(
        "scale", "Scale of the logits", 0.0, 20.0, 1.0, step=0.25, help="Logits are multiplied by it."
    )
    shift = controls.slider(
        "shift", "Shift of every logit", -800.0, 800.0, 0.0, step=10.0, help="Added to all eight alike."
    )
    target = NAMES.index(
        controls.choice("target", "Right class", NAMES, "z7", help="Its loss is −log p. A click on a bar sets it.")
    )
    masked = controls.several(
        "masked", "Masked entries", NAMES, help="A masked entry is −∞ before exp, so its probability is 0."
    )
    with lab.folded("Edit the logits"):
        logits = edited.matrix("logits", "Logits", LOGITS, limit=100, columns=NAMES)
    (logits,) = edited.nudge(z=logits, limit=5)

z = logits[0] * scale + shift
mask = np.array([name not in masked for name in NAMES])
trace = explain_softmax(z, target, temperature=temperature, mask=mask)
at_one = softmax(z, mask=mask)
sweep = sweep_scale(logits[0], SCALES, temperature=temperature, mask=mask)
top = int(trace.out.argmax())
largest = float(abs(trace.jacobian).max())

series = [Series("at T = 1", at_one, "ghost"), Series(f"today, T = {temperature:g}", trace.out, "query")]
charts.show(
    "probs",
    charts.bars(NAMES, series, title="Probabilities", y_range=(0, 1.12), height=280),
    f"Eight probabilities at temperature {temperature:g} beside those at 1; the largest is {number(trace.out[top])}.",
    target="point",
)
if mask.any():
    lab.step("The sum behind the tallest bar", worked.softmax(f"p_{top}", trace.shifted, top, trace.out[top]))
    lab.say("Each exponent is (z − the largest z) / T, so no exponent is above 0 and none overflows.")
else:
    lab.say("Every entry is masked: there is nothing to choose from. The row is all zeros and sums to 0, not 1.")

panels = [
    Panel(trace.jacobian, "Jacobian ∂p / ∂z", NAMES, NAMES, limit=0.25 / temperature, mark=(target, None)),
    Panel([trace.grad], "Gradient of −log p", ["∂loss"], NAMES, limit=1 / temperature, colour="gradient"),
]
charts.show(
    "jacobian",
    charts.matrices(panels, per_row=1, cell=30),
    f"The 8 by 8 Jacobian of the probabilities, largest entry {number(largest)}, beside the gradient of the loss.",
    target="row",
)
left, right = lab.columns(2)
with left:
    line = [Series("largest gradient", sweep.largest_gradient, "gradient")]
    marks = [Mark(scale, largest, number(largest))]
    limit = 0.27 / temperature
    charts.show(
        "gradient",
        charts.lines(
            SCALES,
            line,
            title="Largest gradient",
            x_title="scale",
            x_range=(0, 20),
            y_range=(0, limit),
            marks=marks,
            height=260,
        ),
        f"The largest entry of the Jacobian against the scale; at {scale:g} it is {number(largest)}.",
        scale="x",
    )
with right:
    line = [Series("entropy", sweep.entropy, "query")]
    marks = [Mark(scale, trace.entropy, number(trace.entropy))]
    charts.show(
        "entropy",
        charts.lines(
            SCALES,
            line,
            title="Entropy, nats",
            x_title="scale",
            x_range=(0, 20),
            y_range=(0, 2.2),
            marks=marks,
            height=260,
        ),
        f"Entropy against the scale; at {scale:g} it is {number(trace.entropy)} nats.",
        scale="x",
    )

overflowing = [
    dtype for dtype in ("float16", "float32", "float64") if np.isinf(naive_exp(z / temperature, dtype)[mask]).any()
]
lab.notice(
    f"The probabilities sum to **{number(trace.out.sum())}**; the largest, {NAMES[top]}, is **{number(trace.out[top])}** against {number(at_one[top])} at T = 1.",
    f"Entropy is **{number(trace.entropy)}** of at most {number(np.log(max(mask.sum(), 1)))} nats (log of {mask.sum()} entries).",
    f"The largest slope anywhere in the Jacobian is **{number(largest)}**: "
    + ("learning has almost nothing to hold on to." if largest < 0.01 / temperature else "a gradient gets through."),
    f"The loss of {NAMES[target]} is **{number(trace.loss)}** nats."
    + (" It is masked, so no gradient leaves it." if not mask[target] else ""),
    f"exp without the shift overflows in {', '.join(overflowing)}: ∞ / ∞ is not a number. The stable form does not notice."
    if overflowing
    else "exp without the shift still fits in float16, float32 and float64 here; it ends above 11.09, 88.72 and 709.78.",
)
lab.try_this(
    ("As peaked as it gets", "At scale 20, how large is the largest gradient still?", {"scale": 20.0}),
    ("Hot", "As T grows, towards which number do all eight probabilities go?", {"temperature": 10.0}),
    ("A shift of 800", "Does adding 800 to every logit change a probability? And the naive exp?", {"shift": 800.0}),
    ("Everything masked", "With all eight masked, what do the probabilities sum to?", {"masked": NAMES}),
)
naive = naive_exp(z / temperature, "float16")
lab.conventions(
    (
        "A row with every entry masked",
        "zeros, sum 0",
        "PyTorch's plain softmax: NaN; its scaled_dot_product_attention: 0",
    ),
    (
        "exp in float16, largest term",
        f"{number(trace.exps.max())} after the shift",
        f"{number(naive.max())} without it",
    ),
    (
        "Where the temperature goes",
        f"logits / T, so the Jacobian holds 1/T: {number(largest)}",
        f"forgetting 1/T: {number(largest * temperature)}",
    ),
)
lab.take_away(trace, code="""
z = np.where(mask, logits * scale + shift, -np.inf)
top = z.max() if mask.any() else 0.0
exps = np.exp((z - top) / T)
out = exps / max(exps.sum(), 1e-300)
jacobian = (np.diag(out) - np.outer(out, out)) / T
""", logits=logits[0], scale=scale, shift=shift, T=temperature, mask=mask)  # fmt: skip
lab.source(explain_softmax, softmax)

"""What does dropout zero, and why is the rest scaled up?"""

import numpy as np

from engine.dropout import dropout, dropout_rows, mask_sums, sum_histogram, swapped_scale
from engine.vectors import nudged
from ui import charts
from ui.labs.dropout import attention, beyond, eight, expected, held, masked_sum, sums
from ui.page import controls, lab
from ui.page.matrices import matrix
from ui.words import told

ROW = [[1.2, 0.4, 0.9, 2.0, 0.3, 1.5, 0.7, 1.1, 0.2, 1.7]]
NAMES = [f"a{i}" for i in range(10)]
MASKS = 1000
ATTENTION = [[0.5, 0.3, 0.2], [0.8, 0.1, 0.1], [0.1, 0.1, 0.8]]

lab.begin(__file__)
with lab.panel():
    about = "Each activation is dropped with this probability."
    p = controls.slider("p", "p, the share dropped", 0.0, 1.0, 0.4, step=0.05, help=about)
    about = "Off is evaluation: nothing is dropped, nothing is scaled."
    training = controls.toggle("training", "Training", True, help=about)
    scaled = controls.toggle("scaled", "Scale what is kept by 1 / (1 − p)", True)
    seed = controls.seed(label="Seed of the masks")
    chosen = controls.slider("mask", "Mask to follow", 1, 8, 1, help="A click on a row sets it.")
    (row,) = matrix("row", "The row of activations", ROW, limit=100, columns=NAMES)
    cell = controls.slider("cell", "Activation to nudge", 0, 9, 3)
    by = controls.slider("nudge", "by", -2.0, 2.0, 0.0, step=0.1, format="%+.2f")

x = nudged(row, cell, by)
drawn = lambda: np.random.default_rng(seed)
trace = dropout_rows(x, p, drawn(), n_rows=8, training=training, scaled=scaled)
many = mask_sums(x, p, MASKS, drawn(), scaled=scaled)
bins = sum_histogram(x, many.sums)
weights = dropout_rows(ATTENTION, p, drawn(), training=training, scaled=scaled)
keep, factor = trace.keep[chosen - 1], dropout(1.0, p, drawn()).scale
low, high = many.band
now = told(
    keep=keep.sum(),
    scale=trace.scale,
    sum=trace.after[chosen - 1],
    total=trace.before[0],
    mean=many.mean,
    expected=many.expectation,
    inside=100 * many.inside,
    low=low,
    high=high,
    after=weights.after,
    before=weights.before,
    above=(weights.out.round(9) > 1).sum(),
    factor=factor,
    swapped=swapped_scale(p),
    unscaled=mask_sums(x, p, 1, drawn(), scaled=False).expectation,
)

charts.show(
    "masks",
    eight(x, trace, NAMES, chosen, typed=row),
    f"The row of ten activations, then under eight masks: mask {chosen} keeps {now.keep} of them and sums to {now.sum} "
    f"against {now.total}.",
    mask="row",
)
charts.show(
    "sums",
    sums(bins, many, now.total),
    f"How often which sum came out of {MASKS:,} masks; {now.expected} is expected, {now.mean} is their mean.",
)
lab.say(beyond(bins, many))
lab.step(
    f"The sum under mask {chosen}, and what {MASKS:,} masks should give",
    masked_sum(x[keep], trace.scale, now.sum),
    expected(many, factor if scaled else 1.0),
)
alt = f"Three rows of attention weights that sum to 1, and after dropout, when they sum to {now.after}."
charts.show("attention", attention(ATTENTION, weights), alt)
verb = "is" if now.above == 1 else "are"
lab.say(
    ("Dropped weights are not handed to the others: after it" if training else "In evaluation")
    + f" the rows sum to {now.after}"
    + (f", and {now.above} of 9 weights {verb} above 1." if now.above else ".")
)

scales = f"training expects {now.expected}, so the next layer meets another scale than it learnt with."
nothing = "At p = 1 everything is dropped: there is nothing left to scale, and no factor brings the sum back."
lab.notice(
    f"Mask {chosen} keeps **{now.keep} of 10** and multiplies them by {now.scale}: the sum is **{now.sum}** against "
    f"{now.total} without dropout.",
    f"Over {MASKS:,} training masks the sums average **{now.mean}**, where {now.expected} is expected; "
    f"**{now.inside:.1f} %** of them lie within ±2σ, from {now.low} to {now.high}.",
    f"Evaluation drops nothing and sums to **{now.total}**"
    + (", as training expects." if held(many, now.total) else f"; {scales}"),
    *([nothing] if p == 1 else []),
)
lab.try_this(
    (
        "Without the factor",
        "The kept ones are not scaled. What does the next layer get in evaluation that training never showed it?",
        {"scaled": False},
    ),
    (
        "Nine in ten dropped",
        "At p = 0.9, does the average of the sums still hold? And the width of the band?",
        {"p": 0.9},
    ),
    ("Evaluation", "Training is over. Which of the eight masks still drops something?", {"training": False}),
    ("Everything dropped", "At p = 1 the factor would be 1 / 0. What should come out?", {"p": 1.0}),
)
lab.conventions(
    (
        f"The factor, with p = {p:g} the share dropped",
        f"1 / (1 − p) = {now.factor}" if p < 1 else f"1 / (1 − p) has no value: {now.factor}, all is zero",
        f"1 / p = {now.swapped}, a common slip; right in the 2014 paper, whose p is the share kept",
    ),
    (
        "Where the factor goes",
        f"into training, × {now.factor}; the evaluated row sums to {now.total}",
        f"the 2014 paper: into evaluation, × (1 − p); the evaluated row sums to {now.unscaled}",
    ),
    (
        "Attention weights on show, sum of q0",
        f"before dropout: {now.before[0]}",
        f"PyTorch's MultiheadAttention returns them after it: {now.after[0]}",
    ),
)
numbers = {"keep": trace.keep, "out": trace.out, **many._asdict(), "attention": weights.out}
lab.take_away(numbers, x=x, p=p, seed=seed, training=training, scaled=scaled)
lab.source(dropout, mask_sums)

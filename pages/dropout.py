"""What does dropout zero, and why is the rest scaled up?"""

import numpy as np

from engine.dropout import dropout, dropout_rows, mask_sums, sum_histogram, swapped_scale
from ui import charts
from ui.labs.dropout import attention, beyond, eight, evaluated, expected, masked_sum, one, rows, sums, what_p_means
from ui.page import controls, lab
from ui.page.matrices import matrix
from ui.questions.dropout import QUESTIONS
from ui.words import cleared, noise, told

ROW = [[1.2, 0.4, 0.9, 2.0, 0.3, 1.5, 0.7, 1.1, 0.2, 1.7]]
NAMES = [f"a{i}" for i in range(10)]
MASKS = 1000
ATTENTION = [[0.5, 0.3, 0.2], [0.8, 0.1, 0.1], [0.1, 0.1, 0.8]]

lab.begin(__file__, QUESTIONS)
with lab.panel():
    about = "Each activation is dropped with this probability."
    p = controls.slider("p", "p, the share dropped", 0.0, 1.0, 0.4, step=0.05, help=about)
    about = "Off is evaluation: nothing is dropped, nothing is scaled."
    training = controls.toggle("training", "Training", True, help=about)
    scaled = controls.toggle("scaled", "Scale what is kept by 1 / (1 − p)", True)
    seed = controls.seed(label="Seed of the masks")
    chosen = controls.slider("mask", "Mask to follow", 1, 8, 1, help="A click on a row sets it.")
    (x,) = matrix("row", "The row of activations", ROW, limit=100, columns=NAMES)
    cell = controls.slider("cell", "Activation to follow", 0, 9, 3, help="A click on a cell sets it.")

drawn = lambda: np.random.default_rng(seed)
trace = dropout_rows(x, p, drawn(), n_rows=8, training=training, scaled=scaled)
many, opening = (mask_sums(x, share, MASKS, drawn(), scaled=scaled) for share in (p, 0.4))
bins = sum_histogram(x, many.sums)
weights = dropout_rows(ATTENTION, p, drawn(), training=training, scaled=scaled)
by_torch = dropout_rows(ATTENTION, p, drawn(), training=training)
mask, factor, total = chosen - 1, dropout(1.0, p, drawn()).scale, trace.before[0]
low, high = many.band
size = max(1.0, factor) * abs(x).sum()
now = told(
    keep=trace.keep[mask].sum(),
    scale=trace.scale,
    inside=100 * many.inside,
    low=cleared(low, size),
    high=cleared(high, size),
    deviation=many.deviation,
    opening=opening.deviation,
    before=weights.before,
    by_torch=by_torch.after,
    factor=factor,
    swapped=swapped_scale(p),
)
unscaled = mask_sums(x, p, 1, drawn(), scaled=False).expectation
row_sum, sum_all, mean, expectation, unscaled = (
    noise(value, size) for value in (trace.after[mask], total, many.mean, many.expectation, unscaled)
)

charts.show(
    "masks",
    eight(x, trace, NAMES, chosen, cell),
    f"The row of ten activations, then under eight masks: mask {chosen} keeps {now.keep} of them and sums to {row_sum} "
    f"against {sum_all}.",
    mask="row",
    cell=lambda clicked: None if clicked["panel"] else clicked["column"],
)
charts.show(
    "sums",
    sums(bins, many, total),
    f"How often which sum came out of {MASKS:,} masks; {expectation} is expected, {mean} is their mean.",
)
lab.say(beyond(bins, many))
lab.step(
    f"Activation a{cell} and the sum under mask {chosen}, and what {MASKS:,} masks should give",
    one(cell, x[cell], trace.keep[mask, cell], trace.scale, trace.out[mask, cell]),
    masked_sum(x[trace.keep[mask]], trace.scale, trace.after[mask]),
    *expected(many, factor if scaled else 1.0, p, x),
)
alt = f"Three rows of attention weights that sum to 1, and after dropout. {rows(weights, training, p)}"
charts.show("attention", attention(ATTENTION, weights), alt)
lab.say(rows(weights, training, p))

lab.notice(
    (
        training,
        f"Mask {chosen} keeps **{now.keep} of 10** and multiplies what stays by {now.scale}: the sum is **{row_sum}** "
        f"against {sum_all} without dropout.",
    ),
    (
        not training,
        f"In evaluation none of the eight masks drops anything, and nothing is scaled: each sums to **{sum_all}**.",
    ),
    f"Over {MASKS:,} training masks the sums average **{mean}**, where {expectation} is expected; "
    f"**{now.inside:.1f} %** of them lie within ±2σ, from {now.low} to {now.high}.",
    (p != 0.4, f"From mask to mask the sum scatters by σ = **{now.deviation}**; at p = 0.4 it is {now.opening}."),
    *evaluated(many, total, p, scaled, x),
    (p == 1, "At p = 1 everything is dropped and zeros come out: no factor brings the sum back."),
    (
        many.deviation > 0,
        "Each training step draws another mask, so no later number can rely on a single activation: this noise is what "
        "makes dropout a regulariser.",
    ),
)
lab.conventions(
    what_p_means(p, factor),
    (
        "Where the factor goes",
        f"into training, as in PyTorch and Keras: × {now.factor}{'' if scaled else ' (switched off now)'}; the "
        f"evaluated row sums to {sum_all}",
        f"Srivastava et al. 2014: into evaluation, × (1 − p); the evaluated row sums to {unscaled}",
    ),
    (
        "Attention weights on show, sum of q0",
        f"before dropout: {now.before[0]}",
        f"PyTorch's MultiheadAttention returns them after it, always scaled: {now.by_torch[0]}",
    ),
    (
        "Where a transformer drops",
        "one row, or attention weights",
        "Vaswani et al. 2017: each sublayer's output and the embedded input; GPT-2 attention weights too; Llama none; "
        "timm's DropPath (Huang et al. 2016) a whole sublayer's output, for one example of the batch",
    ),
)
lab.slips(
    (
        "The factor when p is the share dropped",
        f"1 / (1 − p) {f'= {now.factor}' if p < 1 else 'has no value'}",
        f"1 / p = {now.swapped}{', the same at p = 0.5' if p == 0.5 else ''}",
    ),
)
numbers = {"keep": trace.keep, "out": trace.out, **many._asdict(), "attention": weights.out}
inputs = {"x": x, "p": p, "seed": seed, "training": training, "scaled": scaled, "weights": np.array(ATTENTION)}
lab.take_away(numbers, **inputs)
lab.source(dropout, mask_sums)

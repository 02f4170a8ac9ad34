"""What does dropout zero, and why is the rest scaled up?"""

import numpy as np

from engine.dropout import dropout, mask_sums, sum_histogram, swapped_scale
from ui import charts
from ui import words as worked
from ui.charts import Mark, Panel, Series
from ui.page import controls, lab
from ui.page import matrices as edited
from ui.words import bare, number, tex

ROW = [[1.2, 0.4, 0.9, 2.0, 0.3, 1.5, 0.7, 1.1, 0.2, 1.7]]
NAMES = [f"a{i}" for i in range(10)]
MASKS = 1000
ATTENTION = [[0.5, 0.3, 0.2], [0.8, 0.1, 0.1], [0.1, 0.1, 0.8]]
KEYS = ["k0", "k1", "k2"]

lab.begin(__file__)
with lab.panel():
    p = controls.slider(
        "p", "p, the share dropped", 0.0, 1.0, 0.4, step=0.05, help="Each activation is dropped with this probability."
    )
    training = controls.toggle(
        "training", "Training", True, help="Off is evaluation: nothing is dropped, nothing is scaled."
    )
    scaled = controls.toggle("scaled", "Scale what is kept by 1 / (1 − p)", True)
    seed = controls.seed(label="Seed of the masks")
    chosen = controls.slider("mask", "Mask to follow", 1, 8, 1, help="A click on a row sets it.")
    (row,) = edited.matrix("row", "The row of activations", ROW, limit=100, columns=NAMES)
    cell = controls.slider("cell", "Activation to nudge", 0, 9, 3)
    by = controls.slider("nudge", "by", -2.0, 2.0, 0.0, step=0.1, format="%+.2f")

x = row + by * np.eye(10)[cell]
trace = dropout(np.tile(x, (8, 1)), p, np.random.default_rng(seed), training=training, scaled=scaled)
many = mask_sums(x, p, MASKS, np.random.default_rng(seed), scaled=scaled)
bins = sum_histogram(x, many.sums)
m = chosen - 1
keep, out, sums = trace.keep[m], trace.out[m], trace.out.sum(axis=1)
total = x.sum()

names = ["all", *(f"mask {i}" for i in range(1, 9))]
gone = np.vstack([np.zeros((1, 10), bool), ~trace.keep])
panels = [
    Panel(np.vstack([x, trace.out]), "One row under eight masks", names, NAMES, limit=4, digits=2, masked=gone, gone="0", mark=(chosen, None)),
    Panel(np.r_[total, sums][:, None], "Sum", names, ["Σ"], limit=2 * max(abs(row.sum()), 1.0), digits=2, mark=(chosen, 0)),
]  # fmt: skip
charts.show(
    "masks",
    charts.matrices(panels, per_row=2, cell=26),
    f"The row of ten activations, then under eight masks: mask {chosen} keeps {keep.sum()} of them and sums to {number(sums[m])} against {number(total)}.",
    mask="row",
)

held = abs(many.expectation - total) < 1e-9
marks = [
    Mark(many.expectation, None, "expected"),
    Mark(many.band[0], None, "−2σ", "soft_ink"),
    Mark(many.band[1], None, "+2σ", "soft_ink"),
    *([] if held else [Mark(total, None, "in evaluation", "ink")]),
]
charts.show("sums", charts.lines(
        bins.centres, [Series("masks", bins.counts, "query")], title=f"The sums of {MASKS:,} training masks", x_title="sum of the row under one mask",
        y_title="masks", x_range=(bins.centres[0], bins.centres[-1]), y_range=(0, 300), marks=marks, height=250,
    ), f"How often which sum came out of {MASKS:,} masks; {number(many.expectation)} is expected, {number(many.mean)} is their mean.")  # fmt: skip
lab.say(
    f"All {MASKS:,} sums are the same, {number(many.mean)}: one spike, beyond the top of the chart." if many.deviation == 0
    else ("The ±2σ band is wider than the axis. " if many.band[0] < bins.centres[0] or many.band[1] > bins.centres[-1] else "")
    + "Sums beyond either end of the axis are counted in the bin at that end; a peak above 300 leaves the chart."
)  # fmt: skip

factor = dropout(1.0, p, np.random.default_rng(0)).scale
lab.step(
    f"The sum under mask {chosen}, and what {MASKS:,} masks should give",
    rf"\Sigma = {bare(trace.scale)} \cdot ({worked.terms([tex(value) for value in x[keep]]) or 0}) = {bare(sums[m])}",
    rf"\mathbb{{E}}\,\Sigma = s\,(1 - p) \sum_i a_i = {bare(many.expectation)}, \qquad "
    rf"\sigma = s\,\sqrt{{p\,(1 - p) \textstyle\sum_i a_i^2}} = {bare(many.deviation)}, \qquad s = {bare(factor if scaled else 1.0)}",
)

attention = dropout(ATTENTION, p, np.random.default_rng(seed), training=training, scaled=scaled)
before, after = np.sum(ATTENTION, axis=1), attention.out.sum(axis=1)
shared = {"rows": ["q0", "q1", "q2"], "columns": [*KEYS, "sum"], "kind": "probability", "margins": (0, 1)}
panels = [
    Panel(np.c_[ATTENTION, before], "Attention weights", **shared),
    Panel(np.c_[attention.out, after], "After dropout", masked=np.c_[~attention.keep, np.zeros((3, 1), bool)], gone="0", **shared),
]  # fmt: skip
charts.show(
    "attention",
    charts.matrices(panels, per_row=2, cell=30),
    f"Three rows of attention weights that sum to 1, and after dropout, when they sum to {', '.join(number(v) for v in after)}.",
)
above = (attention.out.round(9) > 1).sum()
lab.say(
    ("Dropped weights are not handed to the others: after it" if training else "In evaluation")
    + f" the rows sum to {', '.join(number(v) for v in after)}"
    + (f", and {above} of 9 weights {'is' if above == 1 else 'are'} above 1." if above else ".")
)

lab.notice(
    f"Mask {chosen} keeps **{keep.sum()} of 10** and multiplies them by {number(trace.scale)}: the sum is **{number(sums[m])}** against {number(total)} without dropout.",
    f"Over {MASKS:,} training masks the sums average **{number(many.mean)}**, where {number(many.expectation)} is expected; **{100 * many.inside:.1f} %** of them lie within ±2σ, from {number(many.band[0])} to {number(many.band[1])}.",
    f"Evaluation drops nothing and sums to **{number(total)}**"
    + (
        ", as training expects."
        if held
        else f"; training expects {number(many.expectation)}, so the next layer meets another scale than it learnt with."
    ),
    *(
        ["At p = 1 everything is dropped: there is nothing left to scale, and no factor brings the sum back."]
        if p == 1
        else []
    ),
)
lab.try_this(
    ("Without the factor", "The kept ones are not scaled. What does the next layer get in evaluation that training never showed it?", {"scaled": False}),
    ("Nine in ten dropped", "At p = 0.9, does the average of the sums still hold? And the width of the band?", {"p": 0.9}),
    ("Evaluation", "Training is over. Which of the eight masks still drops something?", {"training": False}),
    ("Everything dropped", "At p = 1 the factor would be 1 / 0. What should come out?", {"p": 1.0}),
)  # fmt: skip
unscaled = mask_sums(x, p, 1, np.random.default_rng(0), scaled=False)
lab.conventions(
    (
        f"The factor, with p = {p:g} the share dropped",
        f"1 / (1 − p) = {number(factor)}" if p < 1 else f"1 / (1 − p) has no value: {number(factor)}, all is zero",
        f"1 / p = {number(swapped_scale(p))}, a common slip; right in the 2014 paper, whose p is the share kept",
    ),
    (
        "Where the factor goes",
        f"into training, × {number(factor)}; the evaluated row sums to {number(total)}",
        f"the 2014 paper: into evaluation, × (1 − p); the evaluated row sums to {number(unscaled.expectation)}",
    ),
    (
        "Attention weights on show, sum of q0",
        f"before dropout: {number(before[0])}",
        f"PyTorch's MultiheadAttention returns them after it: {number(after[0])}",
    ),
)
lab.take_away({"keep": trace.keep, "out": trace.out, **many._asdict(), "attention": attention.out}, code="""
scale = (1 / (1 - p) if p < 1 else 0.0) if scaled else 1.0
kept = np.random.default_rng(seed).random((1000, 10)) >= p
sums = (kept * x).sum(axis=1) * scale
mean = sums.mean()
expectation = scale * (1 - p) * x.sum()
deviation = scale * np.sqrt(p * (1 - p) * (x**2).sum())
keep = kept[:8] if training else np.ones((8, 10), bool)
out = keep * x * (scale if training else 1.0)
""", x=x, p=p, seed=seed, training=training, scaled=scaled)  # fmt: skip
lab.source(dropout, mask_sums)

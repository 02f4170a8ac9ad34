"""How does a score come to depend on distance alone: by rotating query and key (RoPE), or by a penalty (ALiBi)?"""

import numpy as np

from engine.attention import causal_mask, scaled_dot_product
from engine.positions import (
    alibi_bias,
    alibi_slopes,
    alibi_slopes_geometric,
    rope,
    rope_pairs,
    rope_scores,
    wavelengths,
)
from engine.vectors import angle_between, norm
from ui import charts
from ui import words as worked
from ui.charts import Arrow, Mark, Panel, Series
from ui.page import controls, lab
from ui.page import matrices as edited
from ui.words import number

CONTENT = [[1.2, 0.6, 1.1, -0.5], [0.7, 1.2, 0.4, 1.2]]
DIMS = ["d0", "d1", "d2", "d3"]
OFFSETS = np.linspace(-24, 24, 97)
LOUDNESS = np.array([[1.0], [3.0]] + [[1.0]] * 6)  # among eight equal keys, key 1 speaks up
POWERS = {1: "1", 1 / 4: "1/4", 1 / 16: "1/16", 1 / 64: "1/64", 1 / 256: "1/256"}

lab.begin(__file__)
with lab.panel():
    m = controls.slider("query", "Query stands at", 0, 24, 6)
    n = controls.slider("key", "Key stands at", 0, 24, 2)
    shift = controls.slider("shift", "Move both by", 0, 96, 0, help="The offset between the two stays.")
    layout = controls.choice("layout", "Which dimensions form a pair", ["pairs", "halves"], help="Neighbours, as in the paper and GPT-J; or i with i + d/2, as in Llama.")  # fmt: skip
    base = controls.stops("base", "Base", [10, 100, 1_000, 10_000, 500_000], 100, show=lambda b: f"{b:,}", help="RoPE turns pair i by base^(−2i/d) a position. Models use 10,000 or more; d is 4 here.")  # fmt: skip
    n_heads = controls.slider("heads", "ALiBi heads", 1, 16, 8)
    asked = controls.slider("head", "ALiBi head", 1, 16, 2, help="A click on a slope sets it.")
    with lab.folded("Edit query and key"):
        q, k = edited.matrix("content", "q and k", CONTENT, rows=["q", "k"], columns=DIMS, limit=1.5)

options = {"base": base, "layout": layout, "scale": 1.0}
trace = rope_scores(q, k, [m, m + shift], [n, n + shift], **options)
curve = rope_scores(q, k, [0], OFFSETS, **options).out[0]
waves = wavelengths(4, base=base)
dims = rope_pairs(np.arange(4.0), layout=layout).astype(int)
places = {"q": (q, m, trace.q_rotated, "query"), "k": (k, n, trace.k_rotated, "key")}
score, moved = trace.out[0, 0], trace.out[1, 1]

columns = lab.columns(3)
for i, column in enumerate(columns[:2]):
    drawn, trails = [], []
    for name, (content, place, rotated, colour) in places.items():
        start, (before, after) = rope_pairs(content, layout=layout)[i], rope_pairs(rotated, layout=layout)[:, i]
        trail = np.linspace(max(0, place + shift - waves[i]), place + shift, 49)
        x, y = rope_pairs(rope(np.tile(content, (49, 1)), trail, base=base, layout=layout), layout=layout)[:, i].T
        trails.append(Series(f"way of {name}", y, colour, x, dash="dot"))
        drawn.append(Arrow(*start, colour=colour, dash="dot", head=False))
        drawn += [Arrow(*before, colour="ghost")] if shift else []
        drawn.append(Arrow(*after, name, colour))
    with column:
        charts.show(f"pair{i}", charts.arrows(drawn, limit=2.2, title=f"Pair {i}: a turn in {number(waves[i], 1)} places", x_title=f"d{dims[i, 0]}", y_title=f"d{dims[i, 1]}", paths=trails, height=270), f"Pair {i} of query and key in the plane of dimensions {dims[i, 0]} and {dims[i, 1]}, turned to positions {m + shift} and {n + shift}.")  # fmt: skip
top = float(np.ceil(abs(curve).max() + 0.25))
today = Mark(n - m, moved)
with columns[2]:
    charts.show("score", charts.lines(OFFSETS, [Series("score", curve)], title=f"RoPE: q·k = {number(moved)}", x_title="key − query", x_range=(-24, 24), y_range=(-top, top), marks=[today], height=270), f"The score against the offset of the key; at offset {n - m} it is {number(moved)}, wherever the two stand.")  # fmt: skip
head = min(asked, n_heads)
slopes, paper = alibi_slopes(n_heads), alibi_slopes_geometric(n_heads)
slope = slopes[head - 1]
bias = alibi_bias(8, 8, slope)
tokens = (np.tile(q, (8, 1)), k * LOUDNESS, np.eye(8))
causal = causal_mask(8)
plain = scaled_dot_product(*tokens, mask=causal).weights
biased = scaled_dot_product(*tokens, mask=causal, bias=bias).weights
row = {"mark": (7, None), "digits": 2}
panels = [Panel(bias, f"ALiBi: −{slope:.3g} · distance", limit=4, masked=~causal, **row)]
panels += [Panel(plain, "Weights without it", kind="probability", **row)]
panels += [Panel(biased, "Weights with it", kind="probability", **row)]
charts.show("alibi", charts.matrices(panels, per_row=3, cell=25), f"The causal bias of head {head}, and the attention weights without and with it; key 1 gets {number(plain[7, 1])} and {number(biased[7, 1])} from query 7.")  # fmt: skip

angle = float(trace.q_angles[1, 0])
(a, b), turned = rope_pairs(q, layout=layout)[0], rope_pairs(trace.q_rotated[1], layout=layout)[0, 0]
lab.step(
    f"The query at position {m + shift}, and its score with the key at {n + shift}",
    rf"q'_0 = {worked.tex(a)} \cos({angle:g}) - {worked.tex(b)} \sin({angle:g}) = {worked.bare(turned)}",
    worked.dot(r"q' \cdot k'", trace.q_rotated[1], trace.k_rotated[1], moved),
)
corner = rope_pairs(rope(np.ones(4), shift, base=base))  # any arrow will do: both are turned alike
back = [angle_between([1, 1], pair) for pair in corner]
alone = (
    f"a difference of {number(abs(moved - score))}. Had only the query moved, it would be {number(trace.out[1, 0])}."
)
lab.say(f"Moved by {shift}, the score is **{number(moved)}** where it was {number(score)}: {alone}" if shift else f"The score is **{number(score)}**. Move both: does it change? Then move only one.")  # fmt: skip

logit, lowered = scaled_dot_product(*tokens).scaled[7, 1], scaled_dot_product(*tokens, bias=bias).masked[7, 1]
lab.step("ALiBi does not rotate: query 7 and key 1, six places apart", rf"\frac{{q \cdot k_1}}{{\sqrt{{4}}}} - {slope:.3g} \cdot 6 = {worked.bare(logit)} - {worked.bare(-bias[7, 1])} = {worked.bare(lowered)}")  # fmt: skip
rules = [Series("the paper's one rule", paper, "ghost", dash="dot"), Series("the released code", slopes)]
today = Mark(head, slope, number(slope, 4))
charts.show("slopes", charts.lines(np.arange(1, n_heads + 1), rules, title="Slope of each head", x_title="head", x_range=(0.6, 16.4), y_range=(0.002, 1.6), y_ticks=POWERS, log_y=True, mode="lines+markers", marks=[today], height=230), f"The slopes of {n_heads} heads on a log axis, by the released code and by the paper's rule; head {head} has {number(slope, 4)}.", head="x")  # fmt: skip

home = [f"pair {i}" for i in range(2) if shift and back[i] < 3]
lab.notice(
    f"Since position 0 the query has made {number((m + shift) / waves[0], 2)} turns in pair 0 and {number((m + shift) / waves[1], 2)} in pair 1: the fast pair tells neighbours apart, the slow one sees far.",
    f"Moving both by {shift} leaves pair 0 **{number(back[0], 1)}°** and pair 1 **{number(back[1], 1)}°** from where they were."
    + (f" Back on itself: {' and '.join(home)}, which alone could not tell the two places apart." if home else "")
    if shift
    else "Nothing has been moved yet: grey arrows will show where q and k were before.",
    f"A rotation keeps lengths: ‖q‖ is {number(norm(q))} before and {number(norm(trace.q_rotated[1]))} after.",
    f"Key 1 is three times each of the others. From query 7 it gets {number(plain[7, 1])} without ALiBi and **{number(biased[7, 1])}** with the slope {slope:.3g} of head {head}; key 7, the query's own place, gets {number(plain[7, 7])} and {number(biased[7, 7])}.",
    f"The slopes of {n_heads} heads run from {number(slopes.max(), 4)} to {number(slopes.min(), 4)}: steep heads look near, flat ones far. They are fixed, not learned."
    + (f" There is no head {asked}: the last one is shown." if asked > n_heads else ""),
)  # fmt: skip
lab.try_this(
    ("Back on itself", "After 44 places pair 0 has made almost exactly seven turns. Where do its arrows land, and pair 1's?", {"shift": 44}),
    ("Move only one", "The query walks on from 6 to 23. Must its score with the key fall with the distance?", {"query": 23}),
    ("The other layout", "The same q and k, but d0 now turns with d2. Is the score the same?", {"layout": "halves"}),
    ("Three heads", "Three is no power of two. Which head is steepest: the first, or the last?", {"heads": 3, "head": 3}),
)  # fmt: skip
other = "halves" if layout == "pairs" else "pairs"
swapped = rope_scores(q, k, [m], [n], base=base, layout=other, scale=1.0).out[0, 0]
lab.conventions(
    ("Which dimensions RoPE joins", f"{layout}: score {number(score)}", f"{other}, from the same weights: {number(swapped)}"),
    (f"ALiBi slope of head {head} of {n_heads}", f"the released code, as in BLOOM: {number(slope, 5)}", f"the paper's 2^(−8h/n): {number(paper[head - 1], 5)}"),
    ("What ALiBi adds for query 7 and key 4", f"−slope · distance: {number(bias[7, 4], 4)}", f"slope · place of the key, with the same weights in the end: {number(-bias[4, 0], 4)}"),
    ("The first of 8 slopes", f"exponents start at 1: {number(alibi_slopes(8)[0])}", "the slip, starting at 0: 1.000"),
)  # fmt: skip
lab.take_away({"q_rotated": trace.q_rotated[1], "k_rotated": trace.k_rotated[1], "score": moved, "slopes": slopes, "bias": bias, "weights": biased}, code="""
theta = base ** (-np.arange(0, 4, 2) / 4)
def rotate(x, place):
    a, b = x.reshape(2, 2).T if layout == "pairs" else x.reshape(2, 2)
    cos, sin = np.cos(place * theta), np.sin(place * theta)
    turned = np.stack([a * cos - b * sin, a * sin + b * cos])
    return turned.T.ravel() if layout == "pairs" else turned.ravel()
q_rotated, k_rotated = rotate(q, m), rotate(k, n)
score = q_rotated @ k_rotated

power = 2 ** int(np.log2(n_heads))
between = 2.0 ** (-8 * np.arange(1, 2 * power, 2) / (2 * power))
slopes = np.append(2.0 ** (-8 * np.arange(1, power + 1) / power), between[: n_heads - power])
places = np.arange(8)
bias = -slopes[head - 1] * abs(places[:, None] - places)
logits = np.tile(q, (8, 1)) @ (k * loudness).T / 2 + bias
exps = np.where(places <= places[:, None], np.exp(logits - logits.max()), 0)
weights = exps / exps.sum(axis=1, keepdims=True)
""", q=q, k=k, m=m + shift, n=n + shift, base=base, layout=layout, n_heads=n_heads, head=head, loudness=LOUDNESS)  # fmt: skip
lab.source(rope, rope_scores, alibi_slopes, alibi_bias)

"""How does a score come to depend on distance alone: by rotating query and key (RoPE), or by a penalty (ALiBi)?"""

import numpy as np

from engine.attention import attend_alike, causal_mask
from engine.positions import (
    alibi_bias,
    alibi_slopes,
    alibi_slopes_geometric,
    rope,
    rope_columns,
    rope_pairs,
    rope_scores,
    rope_trail,
    wavelengths,
)
from engine.vectors import angle_between, norm
from ui import charts
from ui.labs.rope_and_alibi import Way, bias_and_weights, penalised, plane, score_chart, slope_chart, turn
from ui.page import controls, lab
from ui.page.matrices import matrix
from ui.words import dot, told

CONTENT, DIMS = [[1.2, 0.6, 1.1, -0.5], [0.7, 1.2, 0.4, 1.2]], ["d0", "d1", "d2", "d3"]
BASES, OFFSETS = [10, 100, 1_000, 10_000, 500_000], np.linspace(-24, 24, 97)
LOUDNESS = np.array([[1.0], [3.0], *[[1.0]] * 6])  # among eight equal keys, key 1 speaks up

lab.begin(__file__)
with lab.panel():
    m = controls.slider("query", "Query stands at", 0, 24, 6)
    n = controls.slider("key", "Key stands at", 0, 24, 2)
    shift = controls.slider("shift", "Move both by", 0, 96, 0, help="The offset between the two stays.")
    about = "Neighbours, as in the paper and GPT-J; or i with i + d/2, as in Llama."
    layout = controls.choice("layout", "Which dimensions form a pair", ["pairs", "halves"], help=about)
    about = "RoPE turns pair i by base^(−2i/d) a position. Models use 10,000 or more; d is 4 here."
    base = controls.stops("base", "Base", BASES, 100, show=lambda b: f"{b:,}", help=about)
    n_heads = controls.slider("heads", "ALiBi heads", 1, 16, 8)
    asked = controls.slider("head", "ALiBi head", 1, 16, 2, help="A click on a slope sets it.")
    with lab.folded("Edit query and key"):
        q, k = matrix("content", "q and k", CONTENT, rows=["q", "k"], columns=DIMS, limit=1.5)

turning, other = {"base": base, "layout": layout}, "halves" if layout == "pairs" else "pairs"
trace = rope_scores(q, k, [m, m + shift], [n, n + shift], scale=1.0, **turning)
curve = rope_scores(q, k, [0], OFFSETS, scale=1.0, **turning).out[0]
waves, dims, (score, moved) = wavelengths(4, base=base), rope_columns(4, layout=layout), trace.out.diagonal()
starts, q_pairs, k_pairs = (rope_pairs(x, layout=layout) for x in ((q, k), trace.q_rotated, trace.k_rotated))
head, slopes, paper = min(asked, n_heads), alibi_slopes(n_heads), alibi_slopes_geometric(n_heads)
bias, causal = alibi_bias(8, 8, slopes[head - 1]), causal_mask(8)
without, biased = (attend_alike(q, k, LOUDNESS[:, 0], mask=causal, bias=added) for added in (None, bias))
now = told(
    score=score,
    moved=moved,
    change=abs(moved - score),
    alone=trace.out[1, 0],
    swapped=rope_scores(q, k, [m], [n], scale=1.0, base=base, layout=other).out[0, 0],
    turns=(m + shift) / waves,
    back=[angle_between([1, 1], pair) for pair in rope_pairs(rope([1] * 4, shift, base=base))],  # all turn alike
    lengths=[norm(q), norm(trace.q_rotated[1])],
    slopes=slopes,
    slope=slopes[head - 1],
    paper=paper[head - 1],
    first_of_8=alibi_slopes(8)[0],
    without=without.weights[7],
    biased=biased.weights[7],
    adds=[bias[7, 4], -bias[4, 0]],
)

columns = lab.columns(3)
for i in range(2):
    q_way = Way(starts[0, i], *q_pairs[:, i], rope_trail(q, m + shift, i, **turning))
    k_way = Way(starts[1, i], *k_pairs[:, i], rope_trail(k, n + shift, i, **turning))
    alt = f"Pair {i} of query and key in the plane of dimensions {dims[i, 0]} and {dims[i, 1]}, turned to positions "
    with columns[i]:
        picture = plane(i, dims[i], waves[i], q_way, k_way, moved=shift > 0)
        charts.show(f"pair{i}", picture, f"{alt}{m + shift} and {n + shift}.")
with columns[2]:
    alt = f"The score against the offset of the key; at offset {n - m} it is {now.moved}, wherever the two stand."
    charts.show("score", score_chart(OFFSETS, curve, n - m, moved), alt)
alt = f"The causal bias of head {head}, and the attention weights without and with it; key 1 gets {now.without[1]} and "
picture = bias_and_weights(bias, causal, without.weights, biased.weights, now.slope)
charts.show("alibi", picture, f"{alt}{now.biased[1]} from query 7.")

lab.step(
    f"The query at position {m + shift}, and its score with the key at {n + shift}",
    turn("q'_0", starts[0, 0], float(trace.q_angles[1, 0]), q_pairs[1, 0]),
    dot(r"q' \cdot k'", trace.q_rotated[1], trace.k_rotated[1], moved),
)
lab.say(
    f"Moved by {shift}, the score is **{now.moved}** where it was {now.score}: a difference of {now.change}. Had only "
    f"the query moved, it would be {now.alone}."
    if shift
    else f"The score is **{now.score}**. Move both: does it change? Then move only one."
)
lowered = penalised(without.scaled[7, 1], now.slope, 6, biased.masked[7, 1])
lab.step("ALiBi does not rotate: query 7 and key 1, six places apart", lowered)
alt = f"The slopes of {n_heads} heads on a log axis, by the released code and by the paper's rule; head {head} has "
charts.show("slopes", slope_chart(slopes, paper, head), f"{alt}{now.slope:4}.", head="x")

home = " and ".join(f"pair {i}" for i in range(2) if now.back[i] < 3)
lab.notice(
    f"Since position 0 the query has made {now.turns[0]:2} turns in pair 0 and {now.turns[1]:2} in pair 1: the fast "
    "pair tells neighbours apart, the slow one sees far.",
    f"Moving both by {shift} leaves pair 0 **{now.back[0]:1}°** and pair 1 **{now.back[1]:1}°** from where they were."
    + (f" Back on itself: {home}, which alone could not tell the two places apart." if home else "")
    if shift
    else "Nothing has been moved yet: grey arrows will show where q and k were before.",
    f"A rotation keeps lengths: ‖q‖ is {now.lengths[0]} before and {now.lengths[1]} after.",
    f"Key 1 is three times each of the others. From query 7 it gets {now.without[1]} without ALiBi and "
    f"**{now.biased[1]}** with the slope {now.slope:.3g} of head {head}; key 7, the query's own place, gets "
    f"{now.without[7]} and {now.biased[7]}.",
    f"The slopes of {n_heads} heads run from {max(now.slopes):4} to {min(now.slopes):4}: steep heads look near, flat "
    "ones far. They are fixed, not learned."
    + (f" There is no head {asked}: the last one is shown." if asked > n_heads else ""),
)
lab.try_this(
    (
        "Back on itself",
        "After 44 places pair 0 has made almost exactly seven turns. Where do its arrows land, and pair 1's?",
        {"shift": 44},
    ),
    (
        "Move only one",
        "The query walks on from 6 to 23. Must its score with the key fall with the distance?",
        {"query": 23},
    ),
    ("The other layout", "The same q and k, but d0 now turns with d2. Is the score the same?", {"layout": "halves"}),
    (
        "Three heads",
        "Three is no power of two. Which head is steepest: the first, or the last?",
        {"heads": 3, "head": 3},
    ),
)
lab.conventions(
    ("Which dimensions RoPE joins", f"{layout}: score {now.score}", f"{other}, from the same weights: {now.swapped}"),
    (
        f"ALiBi slope of head {head} of {n_heads}",
        f"the released code, as in BLOOM: {now.slope:5}",
        f"the paper's 2^(−8h/n): {now.paper:5}",
    ),
    (
        "What ALiBi adds for query 7 and key 4",
        f"−slope · distance: {now.adds[0]:4}",
        f"slope · place of the key, with the same weights in the end: {now.adds[1]:4}",
    ),
    ("The first of 8 slopes", f"exponents start at 1: {now.first_of_8}", "the slip, starting at 0: 1.000"),
)
numbers = {"q_rotated": trace.q_rotated[1], "k_rotated": trace.k_rotated[1], "score": moved}
numbers |= {"slopes": slopes, "bias": bias, "weights": biased.weights}
lab.take_away(numbers, q=q, k=k, m=m + shift, n=n + shift, **turning, n_heads=n_heads, head=head, loudness=LOUDNESS)
lab.source(rope, rope_scores, alibi_slopes, alibi_bias)

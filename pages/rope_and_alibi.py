"""How does a score come to depend on distance alone: by rotating query and key (RoPE), or by a penalty (ALiBi)?"""

import numpy as np

from engine.attention import attend_alike, causal_mask
from engine.positions import (
    alibi_bias,
    alibi_slopes,
    alibi_slopes_geometric,
    ntk_base,
    rope,
    rope_columns,
    rope_pairs,
    rope_scores,
    rope_trail,
    wavelengths,
)
from engine.vectors import angle_between, norm
from ui import charts
from ui.charts import Handle
from ui.labs.positions_compared import placed
from ui.labs.rope_and_alibi import (
    Way,
    alibi_said,
    bias_and_weights,
    elsewhere,
    penalised,
    plane,
    rope_said,
    score_chart,
    slope_chart,
    tips,
    turn,
)
from ui.page import controls, lab
from ui.page.matrices import matrix
from ui.page.recall import recall
from ui.questions.rope_and_alibi import QUESTIONS
from ui.words import cleared, counted, dot, noise, told

CONTENT, DIMS = [[1.2, 0.6, 1.1, -0.5], [0.7, 1.2, 0.4, 1.2]], ["d0", "d1", "d2", "d3"]
BASES, OFFSETS = [10, 100, 1_000, 10_000, 500_000], np.linspace(-24, 24, 97)
LOUDNESS = np.array([[1.0], [3.0], *[[1.0]] * 6])  # among eight equal keys, key 1 speaks up

lab.begin(__file__, QUESTIONS)
with lab.panel():
    m = controls.slider("query", "Query stands at", 0, 24, 6)
    n = controls.slider("key", "Key stands at", 0, 24, 2)
    shift = controls.slider("shift", "Move both by", 0, 96, 0, help="The offset between the two stays.")
    about = "Neighbours, as in the paper and GPT-J; or i with i + d/2, as in GPT-NeoX."
    layout = controls.choice("layout", "Which dimensions form a pair", ["pairs", "halves"], help=about)
    about = "RoPE turns pair i by base^(−2i/d) a position. Models use 10,000 or more; d is 4 here."
    base = controls.stops("base", "Base", BASES, 100, show=lambda b: f"{b:,}", help=about)
    n_heads = controls.slider("heads", "ALiBi heads", 1, 16, 8)
    head = controls.index("head", "ALiBi head", n_heads, 1, help="A click on a slope sets it.")
    with lab.folded("Edit query and key"):
        q, k = matrix("content", "q and k", CONTENT, rows=["q", "k"], columns=DIMS, limit=1.5)

turning, other = {"base": base, "layout": layout}, "halves" if layout == "pairs" else "pairs"
trace = rope_scores(q, k, [m, m + shift], [n, n + shift], scale=1.0, **turning)
size = norm(q) * norm(k)
score_with = lambda **options: cleared(rope_scores(q, k, [m], [n], scale=1.0, **options).out[0, 0], size)
curve = recall(rope_scores, q, k, [0], OFFSETS, scale=1.0, **turning).out[0]
waves, dims, (score, moved) = (
    wavelengths(4, base=base),
    rope_columns(4, layout=layout),
    (cleared(s, size) for s in trace.out.diagonal()),
)
starts, q_pairs, k_pairs = (rope_pairs(x, layout=layout) for x in ((q, k), trace.q_rotated, trace.k_rotated))
slopes, paper = alibi_slopes(n_heads), alibi_slopes_geometric(n_heads)
bias, causal = alibi_bias(8, 8, slopes[head]), causal_mask(8)
offset, nearer = str(n - m).replace("-", "−"), range(0, n - m, 1 if n > m else -1)
up_to_here = rope_scores(q, k, [0], [*nearer, n - m], scale=1.0, **turning).out[0]
least = int(up_to_here.argmin())
without, biased = (recall(attend_alike, q, k, LOUDNESS[:, 0], mask=causal, bias=added) for added in (None, bias))
now = told(
    score=score,
    moved=moved,
    change=noise(abs(moved - score), size),
    alone=cleared(trace.out[1, 0], size),
    swapped=score_with(base=base, layout=other),
    turns=(m + shift) / waves,
    back=[angle_between([1, 1], pair) for pair in rope_pairs(rope([1] * 4, shift, base=base))],  # all turn alike
    lengths=[norm(q), norm(trace.q_rotated[1])],
    least=cleared(up_to_here[least], size),
    slopes=slopes,
    slope=slopes[head],
    paper=paper[head],
    without=without.weights[7],
    biased=biased.weights[7],
    adds=[bias[7, 4], -bias[4, 0]],
)
lab.shape(f"one query–key pair of d = 4 · {counted(n_heads, 'ALiBi head', 'ALiBi heads')}")

columns = lab.columns(3)
for i in range(2):
    q_way = Way(starts[0, i], *q_pairs[:, i], rope_trail(q, m + shift, i, **turning))
    k_way = Way(starts[1, i], *k_pairs[:, i], rope_trail(k, n + shift, i, **turning))
    alt = f"Pair {i} of query and key in the plane of dimensions {dims[i, 0]} and {dims[i, 1]}, turned to positions "
    with columns[i]:
        picture = plane(i, dims[i], waves[i], q_way, k_way, moved=shift > 0)
        turned = tips(waves[i], shift, query=(q_way, m), key=(k_way, n))
        charts.show(f"pair{i}", picture, f"{alt}{m + shift} and {n + shift}.", drags=turned)
with columns[2]:
    alt = f"The score against the offset of the key; at offset {offset} it is {now.moved}, wherever the two stand."
    apart = {name: lambda click, i=i: placed(m, click, 25)[i] for i, name in enumerate(("query", "key"))}
    charts.show("score", score_chart(OFFSETS, curve, n - m, moved), alt, drags=[Handle(apart, x=n - m)], **apart)
alt = f"The causal bias of head {head}, and the attention weights without and with it; key 1 gets {now.without[1]} and "
picture = bias_and_weights(bias, causal, without.weights, biased.weights, now.slope)
charts.show("alibi", picture, f"{alt}{now.biased[1]} from query 7.")
alt = f"The slope of each head on a log axis, by the released code and by the paper's rule; head {head} has "
charts.show("slopes", slope_chart(slopes, paper, head), f"{alt}{now.slope:4}.", head="x")

lab.step(
    f"The query at position {m + shift}, and its score with the key at {n + shift}",
    turn("q'_0", starts[0, 0], float(trace.q_angles[1, 0]), q_pairs[1, 0]),
    dot(r"q' \cdot k'", trace.q_rotated[1], trace.k_rotated[1], moved),
)
lab.say(
    f"Moved by {shift}, the score is **{now.moved}** where it was {now.score}: a difference of {now.change}. Had only "
    f"the query moved, it would be {now.alone}."
    if shift
    else f"At offset {offset}, key − query, the score is **{now.score}**. Move both: does it change?"
)
lowered = penalised(without.scaled[7, 1], now.slope, 6, biased.masked[7, 1])
lab.step("ALiBi does not rotate: query 7 and key 1, six places apart", lowered)
said = rope_said(now, shift, n - m, least, (layout, other))
lab.notice(*said, *alibi_said(now, head))
turned_otherwise = lambda: told(
    half_turned=score_with(rotary_dim=2, **turning),
    squeezed=score_with(factor=2, **turning),
    stretched=score_with(base=ntk_base(2, 4, base=base), layout=layout),
)
lab.conventions(lambda: elsewhere(now, turned_otherwise(), (layout, other), head))
first_of_8 = f"exponents start at 1: {told(slope=alibi_slopes(8)[0]).slope}"
lab.slips(("The first of 8 slopes", first_of_8, "starting at 0: 1.000"))
numbers = {"q_rotated": trace.q_rotated[1], "k_rotated": trace.k_rotated[1], "score": moved}
numbers |= {"slopes": slopes, "bias": bias, "weights": biased.weights}
lab.take_away(numbers, q=q, k=k, m=m + shift, n=n + shift, **turning, n_heads=n_heads, head=head, loudness=LOUDNESS)
lab.source(rope, rope_scores, alibi_slopes, alibi_bias)

"""How does a query turn its scores over all keys into one mix of the values?"""

from engine.attention import attention_mask, entropy_limits, scaled_dot_product, value_shares
from engine.softmax import entropy
from ui import charts
from ui.charts import Panel, Series
from ui.page import controls, lab
from ui.page.matrices import matrices
from ui.words import dot, softmax, told

TOKENS, DIMS = ["The", "cat", "sat", "on", "the", "mat"], ["d0", "d1", "d2", "d3"]
Q = [[0.4, 0.1, -0.3, 0.2], [1.2, -0.5, 0.3, 0.6], [0.2, 1.9, -0.4, 1.1],
     [-0.6, 0.3, 1.4, 0.2], [0.5, -0.2, -0.1, 0.3], [0.9, 0.7, 1.8, -0.8]]  # fmt: skip
K = [[0.3, -0.2, 0.1, 0.4], [0.6, 2.0, 0.5, 0.9], [-0.7, 0.4, 1.1, 0.3],
     [0.2, -0.9, 1.5, -0.6], [0.4, -0.1, 0.2, 0.3], [1.1, 0.6, 0.4, -1.0]]  # fmt: skip
V = [[0.1, 0.0, -0.2, 0.3], [1.0, 0.2, 0.0, -0.5], [0.0, 1.0, 0.4, 0.1],
     [-0.3, 0.1, 1.0, 0.2], [0.2, -0.1, -0.1, 0.4], [0.6, -0.4, 0.3, 1.0]]  # fmt: skip

lab.begin(__file__)
with lab.panel():
    row = controls.slider("query", "Query: which row", 0, 5, 2, help="A click on any matrix chooses its row.")
    scaling = controls.toggle("scale", "Divide by √d_k", True)
    causal = controls.toggle("causal", "Causal mask", True, help="No query sees a later key.")
    about = "Keys that only fill up the row: masked for every query."
    n_padding = controls.slider("padding", "Padding tokens at the end", 0, 6, 0, help=about)
    tokens = controls.words("tokens", "Tokens", TOKENS, least=6, most=6)
    edited = {"Q": ("Queries Q", Q), "K": ("Keys K", K), "V": ("Values V", V)}
    q, k, v = matrices("Edit Q, K and V", rows=TOKENS, columns=DIMS, **edited)

mask = attention_mask(6, causal=causal, n_padding=n_padding)
trace = scaled_dot_product(q, k, v, mask=mask, scale=None if scaling else 1.0)
by_model = scaled_dot_product(q, k, v, mask=mask, scale=0.25)
weights, entropies, most = trace.weights[row], entropy(trace.weights), entropy_limits(trace.masked)
key, seen = int(weights.argmax()), int(mask[row].sum())
now = told(
    query=tokens[row],
    key=tokens[key],
    weight=weights[key],
    total=weights.sum(),
    entropy=entropies[row],
    most=most[row],
    largest=abs(trace.scores).max(),
    enters=abs(trace.scaled).max(),
    out=trace.out[row],
    by_model=by_model.weights[row, key],
)

names = {"rows": tokens, "columns": tokens, "mark": (row, None)}
four = [
    Panel(trace.scores, "Scores Q·Kᵀ", limit=4, **names),
    Panel(trace.scaled, "Scaled ÷ √d_k" if scaling else "Not scaled", limit=4, **names),
    Panel(trace.masked, "Masked", limit=4, masked=~mask, **names),
    Panel(trace.weights, "Weights: softmax of each row", kind="probability", **names),
]
gives = f"query {now.query!s} gives {now.key!s} {now.weight}"
alt = f"Scores, scaled scores, masked scores and weights, 6 by 6 each; {gives}."
charts.show("four", charts.matrices(four, per_row=2, cell=31), alt, query="row")
if seen:
    lab.step(
        f"Row {row}, from the score to the weight it gives key {key}",
        dot(rf"q_{row} \cdot k_{key}", q[row], k[key], trace.scores[row, key]),
        softmax(rf"w_{{{row},{key}}}", trace.masked[row], key, weights[key]),
    )
else:
    lab.say(f"Query {row} has no key left: its weights are 0, they sum to 0 instead of 1, and its output is 0.")

mark, of_row, shares = (key, None), [f"row {row}"], value_shares(trace.weights, v)[row]
mix = [
    Panel(weights[:, None], "Weights", tokens, of_row, kind="probability", mark=mark),
    Panel(v, "Values V", tokens, DIMS, limit=1.5, colour="value", mark=mark),
    Panel(shares, "Weight × value", tokens, DIMS, limit=1.5, mark=mark),
    Panel(trace.out[[row]], "Their sum: the output", of_row, DIMS, limit=1.5, colour="today"),
]
alt = f"The weights of query {row} times the value rows, and their sum {now.out}."
charts.show("mix", charts.matrices(mix, per_row=4, cell=31), alt)
lab.step(
    "The output is the weights' mix of the value rows, here in d0",
    dot(rf"o_{{{row},0}}", weights, v[:, 0], trace.out[row, 0]),
)
both = [Series("log n, the most there can be", most, "ghost"), Series("entropy of the row", entropies, "query")]
bars = charts.bars(tokens, both, title="Entropy of each row, nats", y_range=(0, 2.1), height=240)
alt = f"Entropy of each row of weights beside its limit; row {row} has {now.entropy} of {now.most} nats."
charts.show("entropy", bars, alt, query="point")

lab.notice(
    f"Query {row} ({now.query}) gives no key more than key {key} ({now.key}): **{now.weight}**."
    if seen
    else f"Query {row} ({now.query}) has nothing to attend to.",
    f"Its weights sum to **{now.total}**, over {seen} of 6 keys.",
    f"Its entropy is **{now.entropy}** of at most {now.most} nats.",
    f"The largest score is {now.largest} in size; {'divided by √4 = 2' if scaling else 'undivided'} it enters softmax "
    f"as {now.enters}.",
)
lab.try_this(
    ("The first word", "Under the causal mask, what must its row of weights be, whatever the numbers?", {"query": 0}),
    (
        "Without √d_k",
        "Undivided scores are twice as large: do the weights of “mat” get flatter or sharper?",
        {"scale": False, "query": 5},
    ),
    ("All padding", "Six padding tokens: what does a query attend to now?", {"padding": 6}),
    (
        "One loud key",
        "Raise d1 of the key “cat” by 2: which queries give it more weight, and which less?",
        {"cell": "K[1, 1]", "nudge": 2.0},
    ),
)
lab.conventions(
    (
        "Scale",
        f"{'1/√d_k = 0.500' if scaling else 'none today; 1/√d_k is 0.500'}: weight {now.weight}",
        f"the slip 1/√d_model (16) = 0.250: weight {now.by_model}",
    ),
    (
        "A query with no key left",
        "weights 0, output 0, as PyTorch's scaled_dot_product_attention and ONNX",
        "a plain softmax: NaN, which spreads",
    ),
    ("What True means in a mask", "takes part", "PyTorch's nn.MultiheadAttention: True = left out"),
)
lab.take_away(trace, Q=q, K=k, V=v, mask=mask, scale=0.5 if scaling else 1.0)
lab.source(scaled_dot_product)

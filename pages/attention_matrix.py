"""How does a query turn its scores over all keys into one mix of the values?"""

import numpy as np

from engine.attention import causal_mask, entropy_limits, padding_mask, scaled_dot_product, value_shares
from engine.softmax import entropy
from ui import charts
from ui import words as worked
from ui.charts import Panel, Series
from ui.page import controls, lab
from ui.page import matrices as edited
from ui.words import number

TOKENS = ["The", "cat", "sat", "on", "the", "mat"]
Q = np.array([[0.4, 0.1, -0.3, 0.2], [1.2, -0.5, 0.3, 0.6], [0.2, 1.9, -0.4, 1.1],
              [-0.6, 0.3, 1.4, 0.2], [0.5, -0.2, -0.1, 0.3], [0.9, 0.7, 1.8, -0.8]])  # fmt: skip
K = np.array([[0.3, -0.2, 0.1, 0.4], [0.6, 2.0, 0.5, 0.9], [-0.7, 0.4, 1.1, 0.3],
              [0.2, -0.9, 1.5, -0.6], [0.4, -0.1, 0.2, 0.3], [1.1, 0.6, 0.4, -1.0]])  # fmt: skip
V = np.array([[0.1, 0.0, -0.2, 0.3], [1.0, 0.2, 0.0, -0.5], [0.0, 1.0, 0.4, 0.1],
              [-0.3, 0.1, 1.0, 0.2], [0.2, -0.1, -0.1, 0.4], [0.6, -0.4, 0.3, 1.0]])  # fmt: skip
DIMS = [f"d{i}" for i in range(4)]

lab.begin(__file__)
with lab.panel():
    row = controls.slider("query", "Query: which row", 0, 5, 2, help="A click on any matrix chooses its row.")
    scaling = controls.toggle("scale", "Divide by √d_k", True)
    causal = controls.toggle("causal", "Causal mask", True, help="No query sees a later key.")
    n_padding = controls.slider(
        "padding", "Padding tokens at the end", 0, 6, 0, help="Keys that only fill up the row: masked for every query."
    )
    tokens = controls.words("tokens", "Tokens", TOKENS, least=6, most=6)
    with lab.folded("Edit Q, K and V"):
        q = edited.matrix("q", "Queries Q", Q, rows=TOKENS, columns=DIMS)
        k = edited.matrix("k", "Keys K", K, rows=TOKENS, columns=DIMS)
        v = edited.matrix("v", "Values V", V, rows=TOKENS, columns=DIMS)
    q, k, v = edited.nudge(Q=q, K=k, V=v)

mask = padding_mask(6, n_padding) & (causal_mask(6) if causal else np.ones((6, 6), bool))
trace = scaled_dot_product(q, k, v, mask=mask, scale=None if scaling else 1.0)
weights, mark = trace.weights[row], (row, None)
row_entropy, most = entropy(trace.weights), entropy_limits(trace.masked)
favourite = int(weights.argmax())

shared = {"rows": tokens, "columns": tokens, "mark": mark}
panels = [
    Panel(trace.scores, "Scores Q·Kᵀ", limit=4, **shared),
    Panel(trace.scaled, "Scaled ÷ √d_k" if scaling else "Not scaled", limit=4, **shared),
    Panel(trace.masked, "Masked", limit=4, masked=~mask, **shared),
    Panel(trace.weights, "Weights: softmax of each row", kind="probability", **shared),
]
charts.show(
    "four",
    charts.matrices(panels, per_row=2, cell=31),
    f"Scores, scaled scores, masked scores and weights, 6 by 6 each; query {tokens[row]} gives {tokens[favourite]} {number(weights[favourite])}.",
    query="row",
)
if mask[row].any():
    lab.step(
        f"Row {row}, from the score to the weight it gives key {favourite}",
        worked.dot(rf"q_{row} \cdot k_{favourite}", q[row], k[favourite], trace.scores[row, favourite]),
        worked.softmax(rf"w_{{{row},{favourite}}}", trace.masked[row], favourite, weights[favourite]),
    )
else:
    lab.say(f"Query {row} has no key left: its weights are 0, they sum to 0 instead of 1, and its output is 0.")

shares = value_shares(trace.weights, v)[row]
panels = [
    Panel(weights[:, None], "Weights", tokens, [f"row {row}"], kind="probability", mark=(favourite, None)),
    Panel(v, "Values V", tokens, DIMS, limit=1.5, colour="value", mark=(favourite, None)),
    Panel(shares, "Weight × value", tokens, DIMS, limit=1.5, mark=(favourite, None)),
    Panel(trace.out[[row]], "Their sum: the output", [f"row {row}"], DIMS, limit=1.5, colour="today"),
]
charts.show(
    "mix",
    charts.matrices(panels, per_row=4, cell=31),
    f"The weights of query {row} times the value rows, and their sum {', '.join(number(x) for x in trace.out[row])}.",
)
lab.step(
    "The output is the weights' mix of the value rows, here in d0",
    worked.dot(rf"o_{{{row},0}}", weights, v[:, 0], trace.out[row, 0]),
)
charts.show(
    "entropy",
    charts.bars(
        tokens,
        [Series("log n, the most there can be", most, "ghost"), Series("entropy of the row", row_entropy, "query")],
        title="Entropy of each row, nats",
        y_range=(0, 2.1),
        height=240,
    ),
    f"Entropy of each row of weights beside its limit; row {row} has {number(row_entropy[row])} of {number(most[row])} nats.",
    query="point",
)

lab.notice(
    f"Query {row} ({worked.plain(tokens[row])}) gives no key more than key {favourite} ({worked.plain(tokens[favourite])}): **{number(weights[favourite])}**."
    if mask[row].any()
    else f"Query {row} ({worked.plain(tokens[row])}) has nothing to attend to.",
    f"Its weights sum to **{number(weights.sum())}**, over {int(mask[row].sum())} of 6 keys.",
    f"Its entropy is **{number(row_entropy[row])}** of at most {number(most[row])} nats.",
    f"The largest score is {number(abs(trace.scores).max())} in size; {'divided by √4 = 2' if scaling else 'undivided'} it enters softmax as {number(abs(trace.scaled).max())}.",
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
by_model = scaled_dot_product(q, k, v, mask=mask, scale=0.25).weights[row]
lab.conventions(
    ("Scale", f"{'1/√d_k = 0.500' if scaling else 'none today; 1/√d_k is 0.500'}: weight {number(weights[favourite])}", f"the slip 1/√d_model (16) = 0.250: weight {number(by_model[favourite])}"),
    ("A query with no key left", "weights 0, output 0, as PyTorch's scaled_dot_product_attention and ONNX", "a plain softmax: NaN, which spreads"),
    ("What True means in a mask", "takes part", "PyTorch's nn.MultiheadAttention: True = left out"),
)  # fmt: skip
lab.take_away(trace, code="""
scores = Q @ K.T
scaled = scores * scale
masked = np.where(mask, scaled, -np.inf)
top = masked.max(axis=1, keepdims=True)
exps = np.exp(masked - np.where(np.isinf(top), 0, top))
weights = exps / np.maximum(exps.sum(axis=1, keepdims=True), 1e-300)
out = weights @ V
""", Q=q, K=k, V=v, mask=mask, scale=0.5 if scaling else 1.0)  # fmt: skip
lab.source(scaled_dot_product)

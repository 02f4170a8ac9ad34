"""Which matrices make a transformer, where do they sit, and what does each of them do?"""

import numpy as np
import streamlit as st

from engine.accounting import config_of, count_parameters
from engine.weights import dump_weights, load_weights, matrices, replace_matrix
from ui import catalogue, charts, controls, diagram, lab, model, visit, worked
from ui.charts import Panel
from ui.diagram import Box
from ui.worked import number

WHAT = {  # last part of the name: what it does, the labs that use it, its box in the diagram
    "W_E": ("One row per word: what a token id becomes.", ("forward_pass", "dot_product_against_cosine"), 0),
    "W_P": (
        "One row per position, added to the word's row so that order counts.",
        ("sinusoidal_table", "forward_pass"),
        0,
    ),
    "W_Q": (
        "Turns each row into a query: what this token looks for.",
        ("attention_matrix", "heads_split_and_mixed"),
        1,
    ),
    "W_K": (
        "Turns each row into a key: what this token offers to be found by.",
        ("attention_matrix", "heads_split_and_mixed"),
        1,
    ),
    "W_V": (
        "Turns each row into a value: what this token hands on when attended to.",
        ("attention_matrix", "heads_split_and_mixed"),
        1,
    ),
    "W_O": (
        "Mixes the heads' contexts, side by side, back to d_model.",
        ("heads_split_and_mixed", "matrix_multiplication"),
        2,
    ),
    "norm_1.gamma": ("Scales each feature after the first layer norm.", ("layer_normalisation", "rows_normalised"), 3),
    "norm_1.beta": ("Shifts each feature after the first layer norm.", ("layer_normalisation", "rows_normalised"), 3),
    "W_1": ("Widens each row to d_ff features.", ("tokens_expanded",), 4),
    "b_1": ("Moves the threshold of each hidden unit.", ("tokens_expanded", "perceptron"), 4),
    "W_2": ("Narrows the activated features back to d_model.", ("tokens_expanded",), 5),
    "b_2": ("A constant added to every row of the feed-forward's output.", ("tokens_expanded",), 5),
    "norm_2.gamma": ("Scales each feature after the second layer norm.", ("layer_normalisation", "rows_normalised"), 6),
    "norm_2.beta": ("Shifts each feature after the second layer norm.", ("layer_normalisation", "rows_normalised"), 6),
    "W_LM_head": ("Turns the last row into one logit per word.", ("softmax", "one_distribution_one_token"), 7),
}

lab.open(__file__)
save = lambda name, values: dump_weights(replace_matrix(weights, name, values))
with lab.panel():
    top, editing = st.container(), st.container()
    with lab.folded("Load and download"):
        weights = model.control(load_weights)
        model.upload(load_weights, dump_weights)
        st.download_button(
            "Download weights.toml",
            dump_weights(weights),
            "weights.toml",
            "application/toml",
            key=visit.key("download"),
            on_click="ignore",
            icon=":material/download:",
        )
    with top:
        layer = controls.slider("layer", "Layer", 0, len(weights.layers) - 1, 0) if len(weights.layers) > 1 else 0
        every = {
            n: m
            for n, m in matrices(weights).items()
            if not n.startswith("layers[") or n.startswith(f"layers[{layer}]")
        }
        name = controls.choice(
            "matrix", "Matrix", list(every), "W_E", help="A click on any cell chooses its matrix, row and column."
        )
        values = np.atleast_2d(every[name])
        row = min(controls.slider("row", "row", 0, max(len(values) - 1, 1), 0), len(values) - 1)
        column = min(controls.slider("column", "column", 0, max(values.shape[1] - 1, 1), 0), values.shape[1] - 1)
    with editing:
        model.drag(name, every[name], row, column, save)
        model.edit(name, every[name], save)

config = config_of(weights)
total = count_parameters(config)
n_heads, d, d_ff, n_words = config.n_heads, config.d_model, config.d_ff, config.vocab_size
short = name.split("].")[-1]
does, labs, box = WHAT[short]
head = weights.layers[layer].heads[int(name.split("heads[")[1].split("]")[0])] if "heads[" in name else None

st.markdown(
    f"**{total:,} parameters** in {len(matrices(weights))} matrices and vectors; the count agrees with the accounting lab's."
)
joined = n_heads * config.head_dim
boxes = [
    Box("W_E<br>+ W_P", f"n×{d}"), Box(f"{n_heads} heads<br>Q K V", f"n×{joined}", "query"), Box("W_O", f"n×{d}"), Box("norm 1<br>γ β", f"n×{d}"),
    Box("W_1 b_1", f"n×{d_ff}"), Box("W_2 b_2", f"n×{d}"), Box("norm 2<br>γ β", f"n×{d}"), Box("W_LM<br>head", f"n×{n_words}"), Box("softmax", "", "today"),
]  # fmt: skip
charts.show(
    diagram.flow(boxes, [(1, 2), (4, 5)], chosen=box),
    key="diagram",
    alt=f"The block from tokens to probabilities with the shape of every arrow; {name} sits in box {box + 1} of 9, outlined.",
)
st.markdown(
    f"**{worked.plain(name)}**, {values.shape[0]} × {values.shape[1]}. {does}"
    + (f" Part of {worked.plain(head.name)}; source: {worked.plain(head.source)}." if head else "")
)
with st.container(horizontal=True):
    for slug in labs:
        if catalogue.BY_SLUG[slug].file.exists():
            st.page_link(
                catalogue.BY_SLUG[slug].file, label=catalogue.BY_SLUG[slug].title, icon=":material/arrow_forward:"
            )
inside = {f"layers[{layer}].heads[{h}].": f"{one.name} " for h, one in enumerate(weights.layers[layer].heads)} | {
    f"layers[{layer}].": ""
}
titles = {
    n: next((title + n[len(start) :] for start, title in inside.items() if n.startswith(start)), n) for n in every
}
panels = [
    Panel(np.atleast_2d(m), titles[n], limit=2, digits=2,
          colour="today" if n == name else "weight", mark=(row, column) if n == name else None,
          rows=list(weights.vocabulary) if n == "W_E" else None, columns=list(weights.vocabulary) if n == "W_LM_head" else None)
    for n, m in every.items()
]  # fmt: skip
charts.show(
    charts.matrices(panels, per_row=3, cell=26),
    key="all",
    alt=f"All matrices of the model as heatmaps; {name} is chosen, its cell {row}, {column} holds {number(values[row, column])}.",
    picks={"matrix": "panel", "row": "row", "column": "column"},
)

original = matrices(st.session_state["visit.builtin"])
changed = [n for n, m in matrices(weights).items() if n not in original or not np.array_equal(m, original[n])]
ours = sum(
    np.size(m)
    for layer in weights.layers
    for head in layer.heads
    if head.source == "illustrative"
    for m in (head.W_Q, head.W_K, head.W_V)
)
biggest = max(every, key=lambda n: np.size(every[n]))
lab.notice(
    f"The largest matrix shown is **{worked.plain(biggest)}** with {np.size(every[biggest])} of {total} parameters.",
    f"{ours} of them stand in illustrative heads, which are ours: the document gives Head 1 only, yet W_O has {len(weights.layers[0].W_O)} rows.",
    f"{worked.plain(name)}[{row}, {column}] is **{number(values[row, column])}**; the matrix runs from {number(values.min())} to {number(values.max())}.",
    f"Changed against the repository's file: {', '.join(worked.plain(n) for n in changed[:6])}{' and more' if len(changed) > 6 else ''}. The forward pass runs on it."
    if changed
    else "Nothing is changed: this is the repository's weights.toml.",
)
lab.try_this(
    lab.Preset(
        "Two words nearly alike",
        "Two rows of W_E are almost the same: which words, and can the model tell them apart?",
        {"matrix": "W_E", "row": 2},
    ),
    lab.Preset("Rows of W_O", "Which rows of W_O belong to the second head?", {"matrix": "layers[0].W_O", "row": 2}),
    lab.Preset("A norm that does nothing yet", "What do γ = 1 and β = 0 change?", {"matrix": "layers[0].norm_1.gamma"}),
    lab.Preset(
        "The way out",
        "W_LM_head has the shape of W_E turned over: what would tying them save?",
        {"matrix": "W_LM_head"},
    ),
)
lab.conventions(
    lab.Convention(
        "Which way a weight matrix lies",
        f"x·W with W (d_in, d_out): W_1 is {d} × {d_ff}",
        f"PyTorch's nn.Linear keeps (d_out, d_in): {d_ff} × {d}",
    ),
    lab.Convention(
        "Biases",
        f"in the feed-forward only: {d_ff + d} a layer",
        f"GPT-2 has them in attention too: {d_ff + d + 3 * joined + d} a layer",
    ),
    lab.Convention(
        "The head's weights", f"a matrix of their own: {total} parameters", f"tied to W_E: {total - d * n_words}"
    ),
)
lab.take_away(
    {"n_parameters": total} | matrices(weights),
    "n_parameters = sum(np.size(matrix) for matrix in matrices.values())",
    matrices={n: m.tolist() for n, m in matrices(weights).items()},
)
lab.source(load_weights, replace_matrix, count_parameters)

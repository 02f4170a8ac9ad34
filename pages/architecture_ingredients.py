"""Which matrices make a transformer, where do they sit, and what does each of them do?"""

import numpy as np
import streamlit as st

from engine.accounting import config_of, count_parameters
from engine.weights import dump_weights, load_weights, matrices, replace_matrix
from ui import catalogue, charts, run
from ui import words as worked
from ui.charts import Panel, theme
from ui.labs import architecture_ingredients as ingredients
from ui.page import controls, lab, model
from ui.words import number

lab.begin(__file__)
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
            key=run.key("download"),
            on_click="ignore",
            icon=":material/download:",
        )
    with top:
        layer = controls.slider("layer", "Layer", 0, len(weights.layers) - 1, 0) if len(weights.layers) > 1 else 0
        names = ingredients.in_lines(n for n in matrices(weights) if n.startswith(("W_", f"layers[{layer}]")))
        every = {n: matrices(weights)[n] for n in names}
        name = controls.choice(
            "matrix", "Matrix", list(every), "W_E", help="A click on any cell chooses its matrix, row and column."
        )
        values = np.atleast_2d(every[name])
        ends = values.shape[0] - 1, values.shape[1] - 1
        last = (np.max([np.atleast_2d(m).shape for m in every.values()], axis=0).clip(2) - 1).tolist()
        row = min(controls.slider("row", f"Row, 0 to {ends[0]}", 0, last[0], 0), ends[0])
        column = min(controls.slider("column", f"Column, 0 to {ends[1]}", 0, last[1], 0), ends[1])
    with editing:
        model.drag(name, every[name], row, column, save)
        with lab.folded("Edit all its numbers"):
            model.edit(name, every[name], save)

config = config_of(weights)
total = count_parameters(config)
d, d_ff, joined = config.d_model, config.d_ff, config.n_heads * config.head_dim
does, labs, box = ingredients.of(name)
head = weights.layers[layer].heads[int(name.split("heads[")[1].split("]")[0])] if "heads[" in name else None

st.markdown(
    f"**{total:,} parameters**, the accounting lab's count, in {len(matrices(weights))} arrays: W\\_Q, W\\_K, W\\_V once for each head, norms and biases as vectors."
)
charts.show(
    "diagram",
    ingredients.block(config, box),
    f"The block from tokens to probabilities with the shape of every arrow; {name} sits in box {box + 1} of 9, outlined.",
)
st.markdown(
    f"**{worked.plain(name)}**, {values.shape[0]} × {values.shape[1]}. {does}"
    + (f" Part of {worked.plain(head.name)}; source: {worked.plain(head.source)}." if head else "")
    + (f" Row {row} meets the context of **{worked.plain(weights.layers[layer].heads[row // config.head_dim].name)}**." if name.endswith("W_O") else "")
    + (f" Tied to W_E it would save **{values.size}** parameters." if name == "W_LM_head" else "")
)  # fmt: skip
with st.container(horizontal=True):
    for used in (catalogue.BY_SLUG[slug] for slug in labs):
        st.page_link(used.file, label=used.title, icon=":material/arrow_forward:")
inside = {f"heads[{h}]": one.name for h, one in enumerate(weights.layers[layer].heads)}
titles = {n: n.split("].", 1)[-1] for n in every}
titles = {
    n: next((title.replace(f"{start}.", f"{own} ") for start, own in inside.items() if title.startswith(start)), title)
    for n, title in titles.items()
}
bands = tuple((h * config.head_dim, (h + 1) * config.head_dim, theme.HEADS[h % 8]) for h in range(config.n_heads))
panels = [
    Panel(np.atleast_2d(m), titles[n], limit=2, digits=2, width=1, row_bands=bands if n.endswith("W_O") else (),
          colour="today" if n == name else "weight", mark=(row, column) if n == name else None,
          rows=list(weights.vocabulary) if n == "W_E" else None, columns=list(weights.vocabulary) if n == "W_LM_head" else None)
    for n, m in every.items()
]  # fmt: skip
charts.show(
    "all",
    charts.matrices(panels, per_row=3, cell=26),
    f"All matrices of the model as heatmaps; {name} is chosen, its cell {row}, {column} holds {number(values[row, column])}.",
    matrix="panel",
    row="row",
    column="column",
)

original = matrices(model.builtin(load_weights))
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
    (
        "Two words nearly alike",
        "Two rows of W_E are almost the same: which two words does the model hardly tell apart?",
        {"matrix": "W_E", "row": 2},
    ),
    ("Rows of W_O", "Which rows of W_O belong to the second head?", {"matrix": "layers[0].W_O", "row": 2}),
    ("A norm that does nothing yet", "What do γ = 1 and β = 0 change?", {"matrix": "layers[0].norm_1.gamma"}),
    ("The way out", "W_LM_head has the shape of W_E turned over: what would tying them save?", {"matrix": "W_LM_head"}),
)
lab.conventions(
    (
        "Which way a weight matrix lies",
        f"x·W with W (d_in, d_out): W_1 is {d} × {d_ff}",
        f"PyTorch's nn.Linear keeps (d_out, d_in): {d_ff} × {d}",
    ),
    (
        "Biases",
        f"in the feed-forward only: {d_ff + d} a layer",
        f"GPT-2 has them in attention too: {d_ff + d + 3 * joined + d} a layer",
    ),
    (
        "The head's weights",
        f"a matrix of their own: {total} parameters",
        f"tied to W_E: {total - d * config.vocab_size}",
    ),
)
lab.take_away(
    {"n_parameters": total} | matrices(weights),
    code="n_parameters = sum(np.size(matrix) for matrix in matrices.values())",
    matrices={n: m.tolist() for n, m in matrices(weights).items()},
)
lab.source(load_weights, replace_matrix, count_parameters)

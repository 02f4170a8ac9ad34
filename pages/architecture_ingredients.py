"""Which matrices make a transformer, where do they sit, and what does each of them do?"""

import streamlit as st

from engine.accounting import config_of, count_parameters
from engine.weights import (
    as_rows,
    changed_matrices,
    dump_weights,
    largest_shape,
    load_weights,
    matrices,
    numbers_from,
    replace_matrix,
)
from ui import catalogue, charts
from ui.labs import architecture_ingredients as ingredients
from ui.page import controls, lab, model
from ui.words import told

lab.begin(__file__)
save = lambda name, values: dump_weights(replace_matrix(weights, name, values))
with lab.panel():
    top, editing = st.container(), st.container()
    with lab.folded("Load and download"):
        weights = model.control(load_weights)
        model.upload(load_weights, dump_weights)
        model.download(dump_weights(weights))
    arrays = matrices(weights)
    with top:
        deepest = len(weights.layers) - 1
        at_layer = controls.slider("layer", "Layer", 0, deepest, 0) if deepest else 0
        names = ingredients.in_lines(n for n in arrays if n.startswith(("W_", f"layers[{at_layer}]")))
        shown = {n: as_rows(arrays[n]) for n in names}
        about = "A click on any cell chooses its matrix, row and column."
        name = controls.choice("matrix", "Matrix", names, "W_E", help=about)
        values = shown[name]
        (n_rows, n_columns), (most_rows, most_columns) = values.shape, largest_shape(shown.values())
        row = controls.slider("row", f"Row, 0 to {n_rows - 1}", 0, max(most_rows, 2) - 1, 0)
        column = controls.slider("column", f"Column, 0 to {n_columns - 1}", 0, max(most_columns, 2) - 1, 0)
        row, column = min(row, n_rows - 1), min(column, n_columns - 1)
    with editing:
        model.drag(name, arrays[name], row, column, save)
        with lab.folded("Edit all its numbers"):
            model.edit(name, arrays[name], save)

config, layer = config_of(weights), weights.layers[at_layer]
total, ingredient, of_head = count_parameters(config), ingredients.of(name), ingredients.head_of(name)
d, d_ff, joined = config.d_model, config.d_ff, config.n_heads * config.head_dim
changed = changed_matrices(weights, model.builtin(load_weights))
largest = max(names, key=lambda n: shown[n].size)
now = told(
    name=name,
    cell=values[row, column],
    low=values.min(),
    high=values.max(),
    size=values.size,
    largest=largest,
    most=shown[largest].size,
    changed=changed[:6],
    heads=[head.name for head in layer.heads],
    sources=[head.source for head in layer.heads],
)

lab.say(
    f"**{total:,} parameters**, the accounting lab's count, in {len(arrays)} arrays: "
    "W\\_Q, W\\_K, W\\_V once for each head, norms and biases as vectors."
)
sits = f"{name} sits in box {ingredient.box + 1} of 9, outlined."
alt = f"The block from tokens to probabilities with the shape of every arrow; {sits}"
charts.show("diagram", ingredients.block(config, ingredient.box), alt)
about = f"**{now.name}**, {n_rows} × {n_columns}. {ingredient.does}"
if of_head is not None:
    about += f" Part of {now.heads[of_head]}; source: {now.sources[of_head]}."
if name.endswith("W_O"):
    about += f" Row {row} meets the context of **{now.heads[row // config.head_dim]}**."
if name == "W_LM_head":
    about += f" Tied to W_E it would save **{now.size}** parameters."
lab.say(about)
with st.container(horizontal=True):
    for used in (catalogue.BY_SLUG[slug] for slug in ingredient.labs):
        st.page_link(used.file, label=used.title, icon=":material/arrow_forward:")
panels = ingredients.panels(shown, weights, layer.heads, name, (row, column))
alt = f"All matrices of the model as heatmaps; {name} is chosen, its cell {row}, {column} holds {now.cell}."
picks = {"matrix": "panel", "row": "row", "column": "column"}
charts.show("all", charts.matrices(panels, per_row=3, cell=26), alt, **picks)

lab.notice(
    f"The largest matrix shown is **{now.largest}** with {now.most} of {total} parameters.",
    f"{numbers_from(weights, 'illustrative')} of them stand in illustrative heads, which are ours: the document gives "
    f"Head 1 only, yet W_O has {len(weights.layers[0].W_O)} rows.",
    f"{now.name}[{row}, {column}] is **{now.cell}**; the matrix runs from {now.low} to {now.high}.",
    f"Changed against the repository's file: {now.changed}{' and more' if len(changed) > 6 else ''}. "
    "The forward pass runs on it."
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
lab.take_away({"n_parameters": total} | arrays, matrices={n: m.tolist() for n, m in arrays.items()})
lab.source(load_weights, replace_matrix, count_parameters)

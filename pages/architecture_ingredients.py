"""Which matrices make a transformer, where do they sit, and what does each of them do?"""

import streamlit as st

from engine.accounting import config_of, count_parameters
from engine.training import SENTENCES, storyteller
from engine.transformer import forward
from engine.vectors import RowPair, closest_rows, cosine_similarity, furthest_rows, largest_difference
from engine.weights import as_rows, changed_matrices, dump_weights, load_weights, matrices, numbers_from, replace_matrix
from ui import charts
from ui.labs import architecture_ingredients as ingredients
from ui.page import controls, lab, model
from ui.questions.architecture_ingredients import QUESTIONS
from ui.words import counted, told

lab.begin(__file__, QUESTIONS)
save = lambda name, values: dump_weights(replace_matrix(weights, name, values))


def two_words():
    """The two words with the closest rows of W_E, those with the furthest columns of W_LM_head, and how far apart."""
    if vocab == 1:
        return RowPair(0, 0, 0.0), 0.0, 0.0, 0.0, RowPair(0, 0, 0.0)
    alike, furthest = closest_rows(weights.W_E), furthest_rows(weights.W_LM_head.T)
    pair, pair_out = weights.W_E[[alike.first, alike.second]], weights.W_LM_head.T[[alike.first, alike.second]]
    same_words = cosine_similarity(*pair), largest_difference(*pair_out), cosine_similarity(*pair_out)
    return alike, *same_words, furthest


def moved_by_norm():
    """How far γ and β move the rows of the chosen norm, or of the first one, with the first words of the model."""
    block = forward(weights, range(min(3, vocab, len(weights.W_P)))).blocks[at_layer]
    trace = block.norm_2 if "norm_2" in name else block.norm_1
    return largest_difference(trace.out, trace.normalized)


with lab.panel():
    above, top, editing = st.container(), st.container(), st.container()
    with lab.folded("Load and download"):
        weights = model.control(load_weights, above, storyteller=storyteller)
        model.upload(load_weights, dump_weights)
        model.download(lambda: dump_weights(weights))
    arrays = matrices(weights)
    with top:
        at_layer = controls.index("layer", "Layer", len(weights.layers))
        names = ingredients.in_order(n for n in arrays if n.startswith(("W_", f"layers[{at_layer}]")))
        shown = {n: as_rows(arrays[n]) for n in names}
        about = "A click on any cell chooses its matrix, row and column."
        name = controls.choice("matrix", "Matrix", names, "W_E", help=about)
        values = shown[name]
        row = controls.index("row", f"Row, 0 to {len(values) - 1}", len(values))
        column = controls.index("column", f"Column, 0 to {values.shape[1] - 1}", values.shape[1])
    with editing:
        model.drag(name, arrays[name], row, column, save)
        with lab.folded("Edit all its numbers"):
            model.edit(name, arrays[name], save)

config, layer = config_of(weights), weights.layers[at_layer]
total, ours = count_parameters(config), numbers_from(weights, "illustrative")
d, d_ff, joined, vocab = config.d_model, config.d_ff, config.n_heads * config.head_dim, config.vocab_size
origin = model.builtin(load_weights, storyteller=storyteller)
changed = changed_matrices(weights, origin)
file = "the storyteller as it was trained" if origin is storyteller() else "the repository's file, weights.toml"
now = told(name=name, cell=values[row, column], low=values.min(), high=values.max(), changed=changed[:6])
of_all = counted(total, "parameter", "parameters")
heads = f"{counted(config.n_heads, 'head', 'heads')} of d_k = {config.head_dim}"
lab.shape(f"11 kinds of matrices · {of_all} · d_model = {d} · {heads}")

box = ingredients.of(name).box
sits = f"{name} sits in box {box + 1} of 11, outlined."
alt = f"The block from tokens to probabilities with the shape of every arrow; {sits}"
charts.show("diagram", ingredients.block(config, box), alt)
lab.say(ingredients.of_matrix(name, values.shape, row, layer.heads, config.head_dim))
for chart, title, group in ingredients.groups(names, at_layer):
    panels = ingredients.panels({n: shown[n] for n in group}, weights, layer.heads, name, (row, column))
    alt = f"{title} as heatmaps: {', '.join(panel.title for panel in panels)}."
    if name in group:
        alt += f" {name} is chosen, its cell {row}, {column} holds {now.cell}."
    picks = {"matrix": lambda at, group=group: group[at["panel"]], "row": "row", "column": "column"}
    charts.show(chart, charts.matrices(panels, per_row=3, cell=26), alt, **picks)

lab.say(
    f"**{of_all}**, the accounting lab's count, in {len(arrays)} arrays of the eleven kinds that the course's "
    "Architecture Ingredients text numbers. "
    + ingredients.of_model(model.is_own(), len(SENTENCES) if weights is storyteller() else 0)
)
ingredients.elsewhere(name)

norm = layer.norm_2 if "norm_2" in name else layer.norm_1
apart = lab.attempt_or_none(two_words)
moved = lab.attempt_or_none(moved_by_norm) if "norm_" in name else None
lab.notice(
    ingredients.of_largest(shown, total),
    f"{now.name}[{row}, {column}] is **{now.cell}**; the matrix runs from {now.low} to {now.high}.",
    *(ingredients.of_alike(name, weights.vocabulary, *apart) if apart else ()),
    *(ingredients.of_norm(name, norm.gamma, norm.beta, moved) if moved is not None else ()),
    (
        name == "W_LM_head",
        f"Tied to W_E, its transpose, it would save **{counted(values.size, 'number', 'numbers')}**.",
    ),
    (
        ours > 0,
        f"{ours} of the {total} stand in heads that are ours (illustrative): the text gives one head, head 0 here and "
        f"Head 1 there, yet its W_O has {len(layer.W_O)} rows.",
    ),
    (
        len(changed) > 0,
        f"Changed against {file}: {now.changed}{' and more' if len(changed) > 6 else ''}. The forward pass runs on it.",
    ),
    (not changed, f"Nothing is changed: this is {file}."),
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
        f"GPT-2 has them in attention too: {d_ff + d + 3 * joined + d} a layer; Llama has none",
    ),
    ("The head's weights", f"a matrix of their own: {of_all}", f"GPT-2 ties it to W_E: {total - d * vocab}"),
)
taken = {"n_parameters": total, "tied": total - d * vocab} | ingredients.numbers(weights)
if apart and vocab > 1:
    alike = apart[0]
    taken |= {"first": alike.first, "second": alike.second, "closest_difference": alike.difference}
lab.take_away(taken, **model.as_lists(weights))
lab.source(load_weights, replace_matrix, count_parameters)

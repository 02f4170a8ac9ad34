"""What each matrix of the model is for, which labs use it, where it sits in the block, and all of them as heatmaps."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from ui import catalogue, run
from ui.charts import Panel, diagram, theme
from ui.charts.diagram import Box
from ui.page import model
from ui.words import agree, counted, told

Said = tuple[Any, str]


class Ingredient(NamedTuple):
    """What a matrix does, its number in the course text, what rows and columns are, its labs, its box in `block`."""

    does: str
    number: int
    sizes: tuple[str, str]
    labs: tuple[str, ...]
    box: int


_HEADS, _NORMS = ("attention_matrix", "heads_split_and_mixed"), ("layer_normalisation", "rows_normalised")
_WIDE, _ROW = ("tokens_expanded",), ("one row", "d_model")
INGREDIENTS = {  # by the last part of the name
    "W_E": Ingredient(
        "One row per word: what a token id becomes.",
        1,
        ("vocabulary", "d_model"),
        ("forward_pass", "dot_product_against_cosine"),
        0,
    ),
    "W_P": Ingredient(
        "One row per position, added so that order counts.",
        2,
        ("position", "d_model"),
        ("forward_pass", "sinusoidal_table"),
        0,
    ),
    "W_Q": Ingredient("Turns each row into a query: what this token looks for.", 3, ("d_model", "d_k"), _HEADS, 1),
    "W_K": Ingredient(
        "Turns each row into a key: what this token offers to be found by.", 4, ("d_model", "d_k"), _HEADS, 1
    ),
    "W_V": Ingredient(
        "Turns each row into a value: what this token hands on when attended to.", 5, ("d_model", "d_v"), _HEADS, 1
    ),
    "W_O": Ingredient(
        "Mixes the heads' contexts back to d_model.",
        6,
        ("concat", "d_model"),
        ("heads_split_and_mixed", "matrix_multiplication"),
        3,
    ),
    "norm_1.gamma": Ingredient("Scales each feature after the first layer norm.", 7, _ROW, _NORMS, 4),
    "norm_1.beta": Ingredient("Shifts each feature after the first layer norm.", 7, _ROW, _NORMS, 4),
    "W_1": Ingredient("Widens each row to d_ff features.", 8, ("d_model", "d_ff"), _WIDE, 5),
    "b_1": Ingredient(
        "Moves the threshold of each hidden unit.", 8, ("one row", "d_ff"), ("tokens_expanded", "perceptron"), 5
    ),
    "W_2": Ingredient("Narrows the activated features back to d_model.", 9, ("d_ff", "d_model"), _WIDE, 7),
    "b_2": Ingredient("A constant added to every row of the feed-forward's output.", 9, _ROW, _WIDE, 7),
    "norm_2.gamma": Ingredient("Scales each feature after the second layer norm.", 10, _ROW, _NORMS, 8),
    "norm_2.beta": Ingredient("Shifts each feature after the second layer norm.", 10, _ROW, _NORMS, 8),
    "W_LM_head": Ingredient(
        "Turns each row into one logit per word.",
        11,
        ("d_model", "vocabulary"),
        ("softmax", "one_distribution_one_token"),
        9,
    ),
}


def of(name: str) -> Ingredient:
    """The ingredient of a full name.

    >>> of("layers[0].heads[1].W_Q").box
    1
    """
    return INGREDIENTS[name.split("].")[-1]]


def head_of(name: str) -> int | None:
    """Which head of its layer a matrix belongs to, if to one.

    >>> head_of("layers[0].heads[1].W_Q"), head_of("layers[0].W_O")
    (1, None)
    """
    found = re.search(r"heads\[(\d+)\]", name)
    return int(found[1]) if found else None


def in_order(names: Iterable[str]) -> list[str]:
    """The names by their number, 1 to 11, and 3 to 5 head by head.

    >>> in_order(["W_LM_head", "layers[0].W_1", "layers[0].heads[1].W_Q", "layers[0].heads[0].W_V", "W_P"])
    ['W_P', 'layers[0].heads[0].W_V', 'layers[0].heads[1].W_Q', 'layers[0].W_1', 'W_LM_head']
    """
    first_of_head = lambda name: 3 if of(name).number in (4, 5) else of(name).number
    return sorted(names, key=lambda name: (first_of_head(name), head_of(name) or 0, of(name).number))


def groups(names: Sequence[str], at_layer: int) -> list[tuple[str, str, list[str]]]:
    """The three groups of the course text, each its chart's name, its title and its matrices."""
    between = lambda low, high: [name for name in names if low <= of(name).number <= high]
    return [
        ("embeddings", "Embeddings: 1 and 2", between(1, 2)),
        ("layer", f"Layer {at_layer}: 3 to 10", between(3, 10)),
        ("head", "Language-model head: 11", between(11, 11)),
    ]


def title(name: str) -> str:
    """A matrix under its number, its head's if it has one, and its own short name.

    >>> title("layers[0].heads[1].W_Q"), title("layers[0].norm_1.gamma"), title("W_E")
    ('3  head 1 W_Q', '7  norm_1 γ', '1  W_E')
    """
    head, short = head_of(name), name.split("].")[-1].replace(".gamma", " γ").replace(".beta", " β")
    return f"{of(name).number}  {short}" if head is None else f"{of(name).number}  head {head} {short}"


def panels(shown: Mapping[str, Any], weights: Any, heads: Sequence, chosen: str, cell: tuple[int, int]) -> list[Panel]:
    """A heatmap for each matrix of `shown`, the chosen one with its cell outlined."""
    words, width = list(weights.vocabulary), heads[0].W_Q.shape[1]
    bands = tuple((h * width, (h + 1) * width, theme.HEADS[h % 8]) for h in range(len(heads)))
    return [
        Panel(
            values,
            title(name),
            limit=2,
            digits=2,
            width=1,
            row_bands=bands if name.endswith("W_O") else (),
            colour="today" if name == chosen else "weight",
            mark=cell if name == chosen else None,
            held="model" if name == chosen else "",
            rows=words if name == "W_E" else None,
            columns=words if name == "W_LM_head" else None,
            axes=of(name).sizes if len(values) > 1 else None,
        )
        for name, values in shown.items()
    ]


def block(config, chosen: int) -> go.Figure:
    """The block as boxes and arrows with its shapes; `config` has d_model, n_heads, head_dim and so on."""
    d, wide, one = f"n×{config.d_model}", f"n×{config.d_ff}", f"n×{config.head_dim}"
    boxes = [
        Box("1  W_E<br>⊕<br>2  W_P", d),
        Box(f"3 4 5<br>Q K V<br>{counted(config.n_heads, 'head', 'heads')}", one, "query"),
        Box("mask,<br>softmax,<br>times V", f"n×{config.n_heads * config.head_dim}", "query"),
        Box("6<br>W_O", d),
        Box("7  norm<br>γ β", d),
        Box("8  W_1<br>b_1", wide),
        Box("acti-<br>vation", wide, "query"),
        Box("9  W_2<br>b_2", d),
        Box("10  norm<br>γ β", d),
        Box("11<br>W_LM_<br>head", f"n×{config.vocab_size}"),
        Box("soft-<br>max", "", "today"),
    ]
    layers = f"layer, {config.n_layers} times one after the other" if config.n_layers > 1 else "one layer"
    return diagram.flow(boxes, [(1, 3), (5, 7)], chosen=chosen, frame=(1, 8, layers))


def of_model(own: bool, n_sentences: int) -> str:
    """Where the numbers come from: made up, trained on so many sentences, or a visitor's own."""
    if n_sentences:
        return f"They are trained, on {n_sentences} sentences by `python -m engine.training`."
    return "This visit has a model of its own." if own else "They are made up, not trained."


def of_matrix(name: str, shape: tuple[int, int], row: int, heads: Sequence, width: int) -> str:
    """What the chosen matrix is and does."""
    what, head = of(name), head_of(name)
    (rows, columns), (of_rows, of_columns) = shape, what.sizes
    now = told(name=name, does=what.does)
    size = f"{columns} ({of_columns})" if rows == 1 else f"{of_rows} {rows} × {of_columns} {columns}"
    said = f"**{what.number}. {now.name}**, {size}. {what.does}"
    if head is not None:
        own = told(name=heads[head].name, source=heads[head].source)
        called = (
            ", the course text's Head 1" if own.source == "Architecture ingredients" else f", “{own.name}” in the file"
        )
        said += f" Part of head {head}{called}; source: {own.source}."
    if name.endswith("W_O"):
        h = row // width
        said += (
            f" Row {row} meets the context of **head {h}**, as do all rows from {h * width} to {(h + 1) * width - 1}."
        )
    return said


def elsewhere(name: str) -> None:
    """Links to the labs that use a matrix; none while a question is open."""
    if run.current().veiled:
        return
    st.caption("The same step in other labs, which have numbers of their own; the forward pass runs on these:")
    with st.container(horizontal=True):
        for lab in map(catalogue.BY_SLUG.__getitem__, of(name).labs):
            st.page_link(lab.file, label=lab.title, icon=":material/arrow_forward:")


def of_largest(shown: Mapping[str, Any], total: int) -> str:
    """The largest matrix, or all that share the place."""
    most = max(values.size for values in shown.values())
    named = told(names=[name for name, values in shown.items() if values.size == most])
    hold = agree(len(named.names), "is the largest matrix shown, with", "are the largest matrices shown, each with")
    return f"{named.names} {hold} {most} of {counted(total, 'parameter', 'parameters')}."


def of_alike(
    name: str, words: Sequence[str], way_in: Any, cosine_in: float, way_out: float, cosine_out: float, furthest: Any
) -> list[Said]:
    """The two rows of W_E most alike, the same words' columns of W_LM_head, and which of these lie `furthest` apart."""
    now = told(
        first=words[way_in.first],
        second=words[way_in.second],
        apart=way_in.difference,
        cosine=cosine_in,
        out=way_out,
        cosine_out=cosine_out,
        furthest=furthest.difference,
        one=words[furthest.first],
        other=words[furthest.second],
    )
    rows = (
        f"“{now.first}” and “{now.second}” are the two words the model tells apart least on the way in: their rows of "
        f"W_E differ by at most {now.apart}, cosine {now.cosine:5}."
    )
    columns = f"their columns of W_LM_head differ by up to {now.out}, cosine {now.cosine_out}."
    asked = name in ("W_E", "W_LM_head") and way_in.first < way_in.second
    same = (way_in.first, way_in.second) == (furthest.first, furthest.second)
    return [
        (asked and way_out > 2 * way_in.difference, f"{rows} Not so on the way out: {columns}"),
        (asked and way_out <= 2 * way_in.difference, f"{rows} So too on the way out: {columns}"),
        (asked and same, f"No two words lie further apart on the way out: their columns' distance is {now.furthest}."),
        (
            asked and not same and furthest.difference > 0,
            f"Furthest apart on the way out are “{now.one}” and “{now.other}”: their columns' distance is "
            f"{now.furthest}.",
        ),
    ]


def of_norm(name: str, gamma: Any, beta: Any, moved: float) -> list[Said]:
    """What γ and β of the chosen norm change of the centred and scaled rows."""
    now, asked = told(moved=moved), "norm_" in name
    idle = (gamma == 1).all() and (beta == 0).all()
    return [
        (
            asked and idle,
            f"γ = 1 and β = 0 change nothing: what this norm hands on is {now.moved} away from the centred and scaled "
            "rows. The norm itself works all the same: every row leaves it with mean 0 and variance 1.",
        ),
        (
            asked and not idle,
            f"γ and β move the centred and scaled rows of this norm by up to {now.moved}.",
        ),
    ]


def numbers(weights: Any) -> dict[str, Any]:
    """All weights under the names that the program has for them."""
    lists = model.as_lists(weights)
    return lists | {"layers": [{name: np.array(part) for name, part in one.items()} for one in lists["layers"]]}

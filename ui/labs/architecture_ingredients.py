"""What each matrix of the model is for, which labs use it, where it sits in the block, and all of them as heatmaps."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import plotly.graph_objects as go

from ui.charts import Panel, diagram, theme
from ui.charts.diagram import Box


class Ingredient(NamedTuple):
    """What a matrix does, the slugs of the labs that use it, and the number of its box in `block`."""

    does: str
    labs: tuple[str, ...]
    box: int


_HEADS, _NORMS = ("attention_matrix", "heads_split_and_mixed"), ("layer_normalisation", "rows_normalised")
INGREDIENTS = {  # by the last part of the name
    "W_E": Ingredient("One row per word: what a token id becomes.", ("forward_pass", "dot_product_against_cosine"), 0),
    "W_P": Ingredient("One row per position, added so that order counts.", ("sinusoidal_table", "forward_pass"), 0),
    "W_Q": Ingredient("Turns each row into a query: what this token looks for.", _HEADS, 1),
    "W_K": Ingredient("Turns each row into a key: what this token offers to be found by.", _HEADS, 1),
    "W_V": Ingredient("Turns each row into a value: what this token hands on when attended to.", _HEADS, 1),
    "W_O": Ingredient(
        "Mixes the heads' contexts back to d_model.", ("heads_split_and_mixed", "matrix_multiplication"), 2
    ),
    "norm_1.gamma": Ingredient("Scales each feature after the first layer norm.", _NORMS, 3),
    "norm_1.beta": Ingredient("Shifts each feature after the first layer norm.", _NORMS, 3),
    "W_1": Ingredient("Widens each row to d_ff features.", ("tokens_expanded",), 4),
    "b_1": Ingredient("Moves the threshold of each hidden unit.", ("tokens_expanded", "perceptron"), 4),
    "W_2": Ingredient("Narrows the activated features back to d_model.", ("tokens_expanded",), 5),
    "b_2": Ingredient("A constant added to every row of the feed-forward's output.", ("tokens_expanded",), 5),
    "norm_2.gamma": Ingredient("Scales each feature after the second layer norm.", _NORMS, 6),
    "norm_2.beta": Ingredient("Shifts each feature after the second layer norm.", _NORMS, 6),
    "W_LM_head": Ingredient("Turns each row into one logit per word.", ("softmax", "one_distribution_one_token"), 7),
}
_ORDER = (
    ("W_E", "W_P", "W_LM_head", "W_Q", "W_O", "W_1", "W_2")
    + ("norm_1.gamma", "norm_1.beta", "b_1")
    + ("norm_2.gamma", "norm_2.beta", "b_2")
)


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


def in_lines(names: Iterable[str]) -> list[str]:
    """The names for lines of three: the way in and out, each head's W_Q, W_K, W_V, other matrices, norms with biases.

    >>> in_lines(["W_P", "layers[0].W_1", "layers[0].heads[0].W_V", "W_LM_head"])
    ['W_P', 'W_LM_head', 'layers[0].heads[0].W_V', 'layers[0].W_1']
    """
    return sorted(
        names, key=lambda name: _ORDER.index(name.split("].")[-1].replace("W_K", "W_Q").replace("W_V", "W_Q"))
    )


def panels(shown: Mapping[str, Any], weights: Any, heads: Sequence, chosen: str, cell: tuple[int, int]) -> list[Panel]:
    """A heatmap for each matrix of `shown`, the heads by their own names, the chosen one with its cell outlined."""
    words, width = list(weights.vocabulary), heads[0].W_Q.shape[1]
    bands = tuple((h * width, (h + 1) * width, theme.HEADS[h % 8]) for h in range(len(heads)))
    return [
        Panel(
            values,
            _title(name, heads),
            limit=2,
            digits=2,
            width=1,
            row_bands=bands if name.endswith("W_O") else (),
            colour="today" if name == chosen else "weight",
            mark=cell if name == chosen else None,
            rows=words if name == "W_E" else None,
            columns=words if name == "W_LM_head" else None,
        )
        for name, values in shown.items()
    ]


def _title(name: str, heads: Sequence) -> str:
    """A matrix under its own name within the layer; that of a head after the head's name."""
    head, short = head_of(name), name.split("].", 1)[-1]
    return short if head is None else f"{heads[head].name} {short.split('].')[1]}"


def block(config, chosen: int) -> go.Figure:
    """The block as boxes and arrows with today's shapes; `config` has d_model, n_heads, head_dim, d_ff, vocab_size."""
    d, joined = f"n×{config.d_model}", f"n×{config.n_heads * config.head_dim}"
    boxes = [
        Box("W_E<br>+ W_P", d),
        Box(f"{config.n_heads} heads<br>Q K V", joined, "query"),
        Box("W_O", d),
        Box("norm 1<br>γ β", d),
        Box("W_1<br>b_1", f"n×{config.d_ff}"),
        Box("W_2<br>b_2", d),
        Box("norm 2<br>γ β", d),
        Box("W_LM<br>head", f"n×{config.vocab_size}"),
        Box("softmax", "", "today"),
    ]
    return diagram.flow(boxes, [(1, 2), (4, 5)], chosen=chosen)

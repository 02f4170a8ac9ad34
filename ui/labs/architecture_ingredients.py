"""What each matrix of the model is for, which labs use it, and where it sits in the block."""

from typing import NamedTuple

import plotly.graph_objects as go

from ui.charts import diagram
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
_ORDER = [
    "W_E", "W_P", "W_LM_head", "W_Q", "W_O", "W_1", "W_2",
    "norm_1.gamma", "norm_1.beta", "b_1", "norm_2.gamma", "norm_2.beta", "b_2",
]  # fmt: skip


def of(name: str) -> Ingredient:
    """The ingredient of a full name.

    >>> of("layers[0].heads[1].W_Q").box
    1
    """
    return INGREDIENTS[name.split("].")[-1]]


def in_lines(names) -> list[str]:
    """The names for lines of three: the way in and out, each head's W_Q, W_K, W_V, the other matrices, norms with biases.

    >>> in_lines(["W_P", "layers[0].W_1", "layers[0].heads[0].W_V", "W_LM_head"])
    ['W_P', 'W_LM_head', 'layers[0].heads[0].W_V', 'layers[0].W_1']
    """
    return sorted(
        names, key=lambda name: _ORDER.index(name.split("].")[-1].replace("W_K", "W_Q").replace("W_V", "W_Q"))
    )


def block(config, chosen: int) -> go.Figure:
    """The block as boxes and arrows with today's shapes; `config` has d_model, n_heads, head_dim, d_ff and vocab_size."""
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

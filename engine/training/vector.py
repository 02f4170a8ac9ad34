"""All parameters of a model in one vector, for optimizers, and the matrices as views into one."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from engine import checks
from engine.weights import Head, Layer, Norm, Weights, check_weights, matrices


class LayerParts(NamedTuple):
    """One layer as a pass works with it: the projections of all heads stacked, head h owns columns h·d_k …"""

    W_QKV: np.ndarray  # (3, d_model, n_heads·d_k)
    W_O: np.ndarray  # (n_heads·d_k, d_model)
    gamma_1: np.ndarray  # (d_model,), as the other three
    beta_1: np.ndarray
    W_1: np.ndarray  # (d_model, d_ff)
    b_1: np.ndarray  # (d_ff,)
    W_2: np.ndarray  # (d_ff, d_model)
    b_2: np.ndarray  # (d_model,)
    gamma_2: np.ndarray
    beta_2: np.ndarray


class Parts(NamedTuple):
    """A model, or the gradient of one, as views into a vector in working order."""

    W_E: np.ndarray  # (vocabulary, d_model)
    W_P: np.ndarray  # (positions, d_model)
    layers: tuple[LayerParts, ...]
    W_LM_head: np.ndarray  # (d_model, vocabulary)


class Sizes(NamedTuple):
    vocabulary: int
    positions: int
    d_model: int
    n_layers: int
    n_heads: int
    d_k: int
    d_ff: int


def flatten(weights: Weights) -> np.ndarray:
    """All P parameters in a row: matrix by matrix in the order of `weights.matrices`, each row by row.

    Shapes: returns (P,). Raises ValueError as `check_weights`.

    >>> from engine.weights import load_weights
    >>> flatten(load_weights())[:3].tolist()
    [0.43, 0.15, 0.89]
    """
    return np.concatenate([part.ravel() for part in matrices(check_weights(weights)).values()]).astype(float)


def unflatten(numbers, like: Weights) -> Weights:
    """The way back from `flatten`: a model with these numbers, the words and shapes of another.

    Shapes: numbers (P,). Raises ValueError for another length, NaN or ∞, and as `check_weights`.

    >>> from engine.weights import load_weights
    >>> unflatten(np.zeros(174), load_weights()).W_P.sum()
    np.float64(0.0)
    """
    like = check_weights(like)
    numbers = checks.array("numbers", numbers, ndim=1)
    total = sum(part.size for part in matrices(like).values())
    return check_weights(rebuilt(checks.shape("numbers", numbers, (total,), "one per parameter"), like))


def rebuilt(numbers: np.ndarray, like: Weights) -> Weights:
    """`unflatten` without its checks, for numbers of any kind: the bundle's arrays are read-only copies.

    >>> from engine.weights import load_weights
    >>> rebuilt(np.zeros(174, dtype=bool), load_weights()).layers[0].b_2.tolist()
    [False, False, False]
    """
    start = 0

    def cut(model):
        nonlocal start
        part = numbers[start : start + model.size].reshape(model.shape).copy()
        part.setflags(write=False)
        start += model.size
        return part

    def layer(old: Layer) -> Layer:
        heads = tuple(Head(h.name, h.source, cut(h.W_Q), cut(h.W_K), cut(h.W_V)) for h in old.heads)
        W_O, norm_1 = cut(old.W_O), Norm(cut(old.norm_1.gamma), cut(old.norm_1.beta))
        W_1, b_1, W_2, b_2 = cut(old.W_1), cut(old.b_1), cut(old.W_2), cut(old.b_2)
        return Layer(heads, W_O, norm_1, W_1, b_1, W_2, b_2, Norm(cut(old.norm_2.gamma), cut(old.norm_2.beta)))

    W_E, W_P = cut(like.W_E), cut(like.W_P)
    layers = tuple(layer(old) for old in like.layers)
    return Weights(like.vocabulary, W_E, W_P, layers, cut(like.W_LM_head))


def sizes_of(weights: Weights) -> Sizes:
    """How large a checked model is.

    >>> from engine.weights import load_weights
    >>> sizes_of(load_weights())
    Sizes(vocabulary=5, positions=5, d_model=3, n_layers=1, n_heads=3, d_k=2, d_ff=6)
    """
    first = weights.layers[0]
    d_k = first.heads[0].W_Q.shape[1]
    return Sizes(
        *(len(weights.W_E), len(weights.W_P), weights.W_E.shape[1], len(weights.layers)),
        *(len(first.heads), d_k, len(first.b_1)),
    )


def parts_of(vector: np.ndarray, sizes: Sizes) -> Parts:
    """A vector in working order as the matrices of a model: views, so what is written into one is in the other.

    >>> parts_of(np.arange(174), Sizes(5, 5, 3, 1, 3, 2, 6)).layers[0].W_QKV.shape
    (3, 3, 6)
    """
    s, start = sizes, 0

    def cut(*shape):
        nonlocal start
        size = int(np.prod(shape))
        start += size
        return vector[start - size : start].reshape(shape)

    def layer():
        d, wide = s.d_model, s.n_heads * s.d_k
        shapes = ((3, d, wide), (wide, d), (d,), (d,), (d, s.d_ff), (s.d_ff,), (s.d_ff, d), (d,), (d,), (d,))
        return LayerParts(*(cut(*shape) for shape in shapes))

    W_E, W_P = cut(s.vocabulary, s.d_model), cut(s.positions, s.d_model)
    return Parts(W_E, W_P, tuple(layer() for _ in range(s.n_layers)), cut(s.d_model, s.vocabulary))


@lru_cache(maxsize=64)
def working_order(sizes: Sizes) -> np.ndarray:
    """Where each parameter of `flatten` stands in working order: flat = working[order], (P,) whole numbers.

    >>> order = working_order(Sizes(5, 5, 3, 1, 3, 2, 6))
    >>> order[30:38].tolist()
    [30, 31, 36, 37, 42, 43, 48, 49]
    """
    total = sizes.d_model * (2 * sizes.vocabulary + sizes.positions)
    wide = sizes.n_heads * sizes.d_k
    total += sizes.n_layers * (
        4 * sizes.d_model * wide + 2 * sizes.d_model * sizes.d_ff + 5 * sizes.d_model + sizes.d_ff
    )
    parts = parts_of(np.arange(total), sizes)
    found = [parts.W_E, parts.W_P]
    for layer in parts.layers:
        for head in range(sizes.n_heads):
            found += [matrix[:, head * sizes.d_k : (head + 1) * sizes.d_k] for matrix in layer.W_QKV]
        found += layer[1:]
    order = np.concatenate([part.ravel() for part in (*found, parts.W_LM_head)])
    order.setflags(write=False)
    return order


def to_working(flat: np.ndarray, sizes: Sizes) -> np.ndarray:
    """A vector of `flatten` in working order, in an array of its own.

    >>> to_working(np.arange(174.0), Sizes(5, 5, 3, 1, 3, 2, 6))[36]
    np.float64(32.0)
    """
    working = np.empty_like(flat)
    working[working_order(sizes)] = flat
    return working

"""A model to start from, drawn at random."""

import numpy as np

from engine import checks
from engine.weights import Head, Layer, Norm, Weights, check_weights


def init_weights(
    vocabulary,
    *,
    d_model: int,
    n_heads: int,
    d_k: int,
    d_ff: int,
    n_layers: int,
    n_positions: int,
    rng: np.random.Generator,
    scale: float = 1.0,
) -> Weights:
    """A model of random matrices, its biases 0, its norms γ = 1 and β = 0.

    Every matrix, the tables of embeddings included, is normal with standard deviation scale·√(2 / (rows + columns))
    (Glorot & Bengio 2010, §4.2.1, at scale 1; GPT-2 takes 0.02 for all). scale 0: a model of zeros.
    Shapes: vocabulary of 1 to 64 different words; sizes up to those of `weights.load_weights`.
    Raises ValueError for words or sizes that a weights.toml refuses, a scale outside [0, 100], no generator.

    >>> rng = np.random.default_rng(0)
    >>> weights = init_weights(["a", "b"], d_model=4, n_heads=2, d_k=2, d_ff=8, n_layers=1, n_positions=6, rng=rng)
    >>> weights.W_P.shape, weights.layers[0].W_O.shape, weights.layers[0].b_1.sum()
    ((6, 4), (4, 4), np.float64(0.0))
    """
    scale = checks.number("scale", scale, 0, 100)
    checks.generator("rng", rng)
    limits = {"d_model": 64, "n_heads": 12, "d_k": 64, "d_ff": 256, "n_layers": 12, "n_positions": 64}
    sizes = (d_model, n_heads, d_k, d_ff, n_layers, n_positions)
    for (name, most), size in zip(limits.items(), sizes, strict=True):
        checks.integer(name, size, 1, most)
    if not isinstance(vocabulary, list | tuple):
        raise ValueError(f"vocabulary must be a list of words; got {type(vocabulary).__name__}")
    checks.integer("the number of words", len(vocabulary), 1, 64)
    words = tuple(vocabulary)

    def drawn(rows, columns):
        return rng.normal(0.0, 1.0, (rows, columns)) * scale * np.sqrt(2 / (rows + columns))

    def norm():
        return Norm(np.ones(d_model), np.zeros(d_model))

    def layer():
        heads = tuple(
            Head(f"Head {h + 1}", "drawn at random", *(drawn(d_model, d_k) for _ in range(3))) for h in range(n_heads)
        )
        W_O, W_1, W_2 = drawn(n_heads * d_k, d_model), drawn(d_model, d_ff), drawn(d_ff, d_model)
        return Layer(heads, W_O, norm(), W_1, np.zeros(d_ff), W_2, np.zeros(d_model), norm())

    W_E, W_P = drawn(len(words), d_model), drawn(n_positions, d_model)
    layers = tuple(layer() for _ in range(n_layers))
    return check_weights(Weights(words, W_E, W_P, layers, drawn(d_model, len(words))))

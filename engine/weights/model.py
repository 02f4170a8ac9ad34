"""The toy model's parameters: read from weights.toml, checked, changed, written back."""

from collections import Counter
from typing import NamedTuple

import numpy as np

from engine import checks
from engine.weights import file
from engine.weights.layout import render


class Norm(NamedTuple):
    """γ and β of one layer normalisation."""

    gamma: np.ndarray  # (d_model,)
    beta: np.ndarray  # (d_model,)


class Head(NamedTuple):
    """The three projections of one head, and where their numbers come from."""

    name: str
    source: str
    W_Q: np.ndarray  # (d_model, d_k)
    W_K: np.ndarray  # (d_model, d_k)
    W_V: np.ndarray  # (d_model, d_k)


class Layer(NamedTuple):
    """One transformer block."""

    heads: tuple[Head, ...]
    W_O: np.ndarray  # (n_heads·d_k, d_model)
    norm_1: Norm
    W_1: np.ndarray  # (d_model, d_ff)
    b_1: np.ndarray  # (d_ff,)
    W_2: np.ndarray  # (d_ff, d_model)
    b_2: np.ndarray  # (d_model,)
    norm_2: Norm


class Weights(NamedTuple):
    """The whole model, under the names of weights.toml."""

    vocabulary: tuple[str, ...]
    W_E: np.ndarray  # (vocabulary, d_model)
    W_P: np.ndarray  # (positions, d_model)
    layers: tuple[Layer, ...]
    W_LM_head: np.ndarray  # (d_model, vocabulary)


class _Sound(Weights):
    """Weights that have been checked and cannot change: what is derived from them is plain `Weights` again."""

    __slots__ = ()

    @classmethod
    def _make(cls, iterable):  # type: ignore[override]  # what is made out of checked weights is not checked
        return Weights._make(iterable)

    def __reduce__(self):
        return Weights, tuple(self)  # copies have arrays that can be written


BUNDLES = {"layers": Layer, "heads": Head, "norm_1": Norm, "norm_2": Norm}


def load_weights(source=None) -> Weights:
    """Read a model from a weights.toml and check every key, number and shape in it.

    Format: TOML 1.0 with the keys of `Weights`; shapes are checked against each other, so any consistent model loads:
    up to 64 words, 64 positions, d_model and d_k 64, d_ff 256, 12 layers, 12 heads, in at most 8 KiB. All layers
    have the shapes of the first.
    Shapes: source is a path, the file's bytes, or None for the repository's own file; the arrays are read-only.
    Raises ValueError naming the matrix, what was expected and what came; for an unknown key also the one that is
    missing or nearest.

    >>> load_weights().layers[0].heads[0].W_Q.tolist()
    [[0.5, -0.2], [0.1, 0.8], [-0.4, 0.3]]
    """
    return check_weights(_build(Weights, "", file.parse(file.read(source))))


def dump_weights(weights: Weights) -> str:
    """Write a model as TOML, row by row in the layout of the repository's file.

    `load_weights(dump_weights(w).encode())` gives w back to the last digit. A model too big for a file of 8 KiB in
    that layout is written without comments and alignment, and as short as TOML allows where even that is too long: what
    `load_weights` has read can always be written.
    Shapes: as `load_weights`. Raises ValueError for a model `load_weights` would refuse, or too big even so.

    >>> dump_weights(load_weights()).splitlines()[9]
    '  [0.43, 0.15, 0.89],'
    """
    return render(check_weights(weights))


def matrices(weights: Weights) -> dict[str, np.ndarray]:
    """Every matrix and vector of the model under its full name, in the order of the forward pass.

    Shapes: returns name -> array, the names those of the faults, as in "layers[0].heads[1].W_Q".
    Raises ValueError for anything but `Weights`.

    >>> list(matrices(load_weights()))[:3]
    ['W_E', 'W_P', 'layers[0].heads[0].W_Q']
    """
    found: dict[str, np.ndarray] = {}
    _mapped(_bundle(weights), "", lambda name, array: found.setdefault(name, array))
    return found


def replace_matrix(weights: Weights, name: str, value) -> Weights:
    """The same model with one matrix changed; the rest is shared, nothing is edited in place.

    Shapes: value has the shape of the matrix it replaces. Raises ValueError for a name that is not in
    `matrices(weights)`, another shape, and NaN or ∞.

    >>> replace_matrix(load_weights(), "layers[0].b_2", [0, 0, 1]).layers[0].b_2.tolist()
    [0.0, 0.0, 1.0]
    """
    checks.one_of("name", name, tuple(matrices(weights)))
    return check_weights(_mapped(weights, "", lambda other, array: value if other == name else array))


def changed_matrices(weights: Weights, original: Weights) -> tuple[str, ...]:
    """The names of all matrices that `original` has with other numbers, or not at all.

    Raises ValueError for anything but `Weights`.

    >>> weights = load_weights()
    >>> changed_matrices(replace_matrix(weights, "layers[0].b_2", [0, 0, 1]), weights)
    ('layers[0].b_2',)
    """
    known = matrices(original)
    return tuple(n for n, m in matrices(weights).items() if n not in known or not np.array_equal(m, known[n]))


def numbers_from(weights: Weights, source: str) -> int:
    """How many numbers stand in the heads of one source, as in "illustrative".

    Raises ValueError for anything but `Weights`.

    >>> numbers_from(load_weights(), "illustrative")
    36
    """
    checks.instance("source", source, str, "a text, the source of some heads")
    heads = (head for layer in _bundle(weights).layers for head in layer.heads if head.source == source)
    return sum(np.size(m) for head in heads for m in (head.W_Q, head.W_K, head.W_V))


def as_rows(array) -> np.ndarray:
    """A matrix as it is, a vector as a matrix of one row.

    Raises ValueError for what is neither.

    >>> as_rows([1, 2]).shape
    (1, 2)
    """
    array = checks.array("array", array)
    array = array.copy() if array.flags.writeable else array
    return array if array.ndim == 2 else checks.array("array", array, ndim=1)[None, :]


def largest_shape(arrays) -> tuple[int, int]:
    """The most rows and the most columns that any of several matrices has; a vector is one row.

    Raises ValueError for no matrices.

    >>> largest_shape([[[1], [2]], [1, 2, 3]])
    (2, 3)
    """
    shapes = [as_rows(array).shape for array in checks.items("arrays", arrays, "matrices")]
    if not shapes:
        raise ValueError("arrays must hold at least one matrix; got none")
    return max(rows for rows, _ in shapes), max(columns for _, columns in shapes)


def check_weights(weights: Weights) -> Weights:
    """The model itself, its arrays float64 and read-only, if all its shapes agree; once checked, it comes back itself.

    A size that several matrices share (d_model, the vocabulary, d_k, d_ff) is what most of them say, so that the fault
    names the odd one out. Shapes: as `load_weights`. Raises ValueError as `load_weights`.

    >>> check_weights(load_weights()._replace(W_P=np.zeros((5, 4))))
    Traceback (most recent call last):
    ValueError: W_P must have shape (5, 3), positions × d_model; got (5, 4)
    """
    if isinstance(weights, _Sound):
        return weights
    sound = _Sound(*_mapped(_bundle(weights), "", _read_only))
    expected = _expected_shapes(sound)
    for name, array in matrices(sound).items():
        checks.shape(name, array, *expected[name])
    return sound


def _build(kind, path, table):
    """A bundle of the given kind out of a TOML table."""
    file.check_keys(path, table, kind._fields)
    return kind(*(_field(field, f"{path}.{field}".lstrip("."), table[field]) for field in kind._fields))


def _field(field, path, value):
    if field in ("layers", "heads"):
        parts = enumerate(file.tables(path, value, file.CAPS[field]))
        return tuple(_build(BUNDLES[field], f"{path}[{i}]", part) for i, part in parts)
    if field in BUNDLES:
        return _build(BUNDLES[field], path, value)
    if field == "vocabulary":
        return file.words(path, value)
    return file.word(path, value) if field in ("name", "source") else file.numbers(path, value)


def _bundle(weights) -> Weights:
    """The argument itself if it is built of the bundles above, its words checked."""
    if isinstance(weights, _Sound):
        return weights
    if not isinstance(weights, Weights) or not isinstance(weights.layers, tuple):
        raise ValueError(f"weights must be a Weights bundle, as load_weights gives it; got {type(weights).__name__}")
    checks.integer("the number of layers", len(weights.layers), 1, file.CAPS["layers"])
    file.words("vocabulary", weights.vocabulary)
    for i, layer in enumerate(weights.layers):
        whole = isinstance(layer, Layer) and isinstance(layer.norm_1, Norm) and isinstance(layer.norm_2, Norm)
        if not whole or not isinstance(layer.heads, tuple) or not all(isinstance(head, Head) for head in layer.heads):
            raise ValueError(f"layers[{i}] must be a Layer with a tuple of Heads and two Norms; got something else")
        for j, head in enumerate(layer.heads):
            file.word(f"layers[{i}].heads[{j}].name", head.name)
            file.word(f"layers[{i}].heads[{j}].source", head.source)
    return weights


def _expected_shapes(weights) -> dict[str, tuple[tuple[int, ...], str]]:
    """What every matrix should measure, and why."""
    words = _agreed("vocabulary", len(weights.vocabulary), len(weights.W_E), weights.W_LM_head.shape[1])
    if len(weights.vocabulary) != words:
        raise ValueError(f"vocabulary must hold {words} words, one per row of W_E; got {len(weights.vocabulary)}")
    d = _agreed("d_model", weights.W_E.shape[1], weights.W_P.shape[1], len(weights.W_LM_head))
    positions = _agreed("positions", len(weights.W_P))
    shapes: dict[str, tuple[tuple[int, ...], str]] = {
        "W_E": ((words, d), "vocabulary × d_model"),
        "W_P": ((positions, d), "positions × d_model"),
        "W_LM_head": ((d, words), "d_model × vocabulary"),
    }
    n_heads = _agreed("heads", *(len(layer.heads) for layer in weights.layers))
    projections = [m for layer in weights.layers for head in layer.heads for m in (head.W_Q, head.W_K, head.W_V)]
    d_k = _agreed("d_k", *(matrix.shape[1] for matrix in projections))
    d_ff = _agreed("d_ff", *(n for la in weights.layers for n in (la.W_1.shape[1], len(la.b_1), len(la.W_2))))
    for i, layer in enumerate(weights.layers):
        at = f"layers[{i}]"
        if len(layer.heads) != n_heads:
            raise ValueError(f"{at}.heads must hold {n_heads} heads, as the other layers; got {len(layer.heads)}")
        for j in range(n_heads):
            for name in ("W_Q", "W_K", "W_V"):
                shapes[f"{at}.heads[{j}].{name}"] = (d, d_k), "d_model × d_k, as the other heads"
        shapes[f"{at}.W_O"] = (n_heads * d_k, d), f"{n_heads} heads × {d_k} rows, d_model columns"
        shapes[f"{at}.W_1"] = (d, d_ff), "d_model × d_ff"
        shapes[f"{at}.b_1"] = (d_ff,), "one per column of W_1"
        shapes[f"{at}.W_2"] = (d_ff, d), "d_ff × d_model"
        for name in ("b_2", "norm_1.gamma", "norm_1.beta", "norm_2.gamma", "norm_2.beta"):
            shapes[f"{at}.{name}"] = (d,), "d_model numbers"
    return shapes


def _agreed(name, *sizes) -> int:
    """The size most of the matrices have, the first on a tie."""
    return checks.integer(
        f"{name} (the size most matrices have)", Counter(sizes).most_common(1)[0][0], 1, file.CAPS[name]
    )


def _mapped(node, path, change):
    """A copy of the bundle with every array passed through change(name, array)."""
    if hasattr(node, "_fields"):
        parts = zip(node._fields, node, strict=True)
        return node._make(_mapped(part, f"{path}.{field}".lstrip("."), change) for field, part in parts)
    if path.endswith(("layers", "heads")):
        return tuple(_mapped(part, f"{path}[{i}]", change) for i, part in enumerate(node))
    return node if path.endswith(("vocabulary", ".name", ".source")) else change(path, node)


def _read_only(name, value) -> np.ndarray:
    array = checks.array(name, value, ndim=2 if name.split(".")[-1].startswith("W_") else 1)
    if array.size == 0:
        raise ValueError(f"{name} must hold at least one number; got shape {array.shape}")
    if array.flags.writeable or not array.flags.owndata:
        array = array.copy()
        array.setflags(write=False)
    return array

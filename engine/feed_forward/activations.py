"""The activations and their derivatives, entry by entry."""

import math
from collections.abc import Callable
from functools import wraps
from typing import NamedTuple

import numpy as np

from engine import checks

_erfc = np.vectorize(math.erfc, otypes=[float])
TANH_GELU = 0.044715  # the cubic coefficient of Hendrycks & Gimpel's approximation
FLAT = 100.0  # beyond ±100 every curve below is flat or straight to the last digit: nothing is squared further out


class Activation(NamedTuple):
    """An activation and its derivative, both entry by entry."""

    function: Callable[[np.ndarray], np.ndarray]
    derivative: Callable[[np.ndarray], np.ndarray]


def _entrywise(function):
    """The same function for whatever is an array of finite numbers."""

    @wraps(function)
    def checked(x):
        return function(checks.array("x", x))

    return checked


@_entrywise
def relu(x):
    """max(0, x) (Nair & Hinton 2010)."""
    return np.maximum(x, 0.0)


@_entrywise
def relu_derivative(x):
    """1 where x > 0, else 0; at the corner 0, as in PyTorch."""
    return np.where(x > 0, 1.0, 0.0)


@_entrywise
def gelu(x):
    """x·Φ(x) with the normal distribution Φ(x) = erfc(−x/√2) / 2, exact (Hendrycks & Gimpel 2016)."""
    return x * (_erfc(-x / math.sqrt(2)) / 2)


@_entrywise
def gelu_derivative(x):
    """Φ(x) + x·φ(x) with the normal density φ(x) = exp(−x²/2) / √(2π)."""
    near = np.clip(x, -FLAT, FLAT)
    return _erfc(-x / math.sqrt(2)) / 2 + near * np.exp(-near * near / 2) / math.sqrt(2 * math.pi)


@_entrywise
def gelu_tanh(x):
    """x·(1 + tanh(√(2/π)·(x + 0.044715·x³))) / 2, the approximation of GPT-2 (Hendrycks & Gimpel 2016, §2)."""
    return x * ((1 + _gelu_tanh_parts(x)[0]) / 2)


@_entrywise
def gelu_tanh_derivative(x):
    """(1 + t) / 2 + x·(1 − t²)·u′ / 2 with t = tanh u and u′ = √(2/π)·(1 + 3·0.044715·x²)."""
    t, slope = _gelu_tanh_parts(x)
    return (1 + t) / 2 + np.clip(x, -FLAT, FLAT) * (1 - t * t) * slope / 2


@_entrywise
def silu(x):
    """x·σ(x) with σ(x) = 1 / (1 + e^−x) (Elfwing, Uchibe & Doya 2018)."""
    return x * _sigmoid(x)


@_entrywise
def silu_derivative(x):
    """σ(x)·(1 + x·σ(−x))."""
    return _sigmoid(x) * (1 + x * _sigmoid(-x))


@_entrywise
def tanh(x):
    """(e^x − e^−x) / (e^x + e^−x)."""
    return np.tanh(x)


@_entrywise
def tanh_derivative(x):
    """1 − tanh² x."""
    return 1 - np.tanh(x) ** 2


@_entrywise
def identity(x):
    """x itself, in a new array."""
    return np.positive(x)


@_entrywise
def identity_derivative(x):
    """1 everywhere."""
    return np.ones_like(x)


ACTIVATIONS: dict[str, Activation] = {
    "relu": Activation(relu, relu_derivative),
    "gelu": Activation(gelu, gelu_derivative),
    "gelu_tanh": Activation(gelu_tanh, gelu_tanh_derivative),
    "silu": Activation(silu, silu_derivative),
    "tanh": Activation(tanh, tanh_derivative),
    "identity": Activation(identity, identity_derivative),
}


def _sigmoid(x: np.ndarray) -> np.ndarray:
    return np.exp(-np.logaddexp(0.0, -x))


def _gelu_tanh_parts(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """tanh u and du/dx."""
    near = np.clip(x, -FLAT, FLAT)
    root = math.sqrt(2 / math.pi)
    return np.tanh(root * (near + TANH_GELU * near**3)), root * (1 + 3 * TANH_GELU * near**2)

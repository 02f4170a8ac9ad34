"""Single precision goes in wherever doubles do: every example of the engine runs again on float32 numbers."""

import copy
import doctest
import importlib
import inspect
import pkgutil

import numpy as np
import pytest

import engine
from engine.sampling import draw, draw_sequence, expected_counts, explain_draws
from engine.softmax import entropy, softmax

ROOMS = [
    importlib.import_module(f"engine.{found.name}")
    for found in pkgutil.iter_modules(engine.__path__)
    if found.name not in ("__main__", "checks", "exact")  # tools: checks is about types, exact is below the arguments
]
FUNCTIONS = [
    value
    for room in ROOMS
    for value in vars(room).values()
    if inspect.isfunction(value) and value.__module__.startswith(room.__name__) and not value.__name__.startswith("_")
]
# Arguments that are whole numbers, booleans or words by nature; every other number is a quantity.
WHOLE = {"targets", "labels", "token_ids", "sizes", "widths", "contexts", "order", "mask", "active", "neighbours"}
WHOLE |= {"word_counts", "merges", "counts", "words", "sequences"}


def single(value, whole=False):
    """The same value with its real numbers in single precision, as far as it holds any."""
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(single(part, whole) for part in value))
    if isinstance(value, float) and not whole:
        return np.float32(value)
    if isinstance(value, list | tuple | np.ndarray) and not whole:
        try:
            numbers = np.asarray(value)
        except ValueError:
            return type(value)(single(part) for part in value)
        if numbers.dtype.kind in "iuf" and numbers.size and not isinstance(value, tuple):
            return numbers.astype(np.float32)
        if not isinstance(value, np.ndarray):
            return type(value)(single(part) for part in value)
    return value


def alike(a, b):
    if isinstance(a, tuple | list) and not (a and isinstance(a[0], float)):
        return len(a) == len(b) and all(alike(x, y) for x, y in zip(a, b, strict=True))
    if isinstance(a, dict):
        return list(a) == list(b) and all(alike(a[key], b[key]) for key in a)
    if isinstance(a, np.ndarray | float | np.floating):
        return bool(np.allclose(a, b, rtol=1e-4, atol=1e-4, equal_nan=True))
    return True


def twice(function):
    """The function itself, after trying the same call on float32 numbers."""
    names = inspect.signature(function)

    def call(*args, **kwargs):
        bound = names.bind(*args, **kwargs)
        low = names.bind(*args, **kwargs)
        for name, value in low.arguments.items():
            if isinstance(value, np.random.Generator):
                low.arguments[name] = copy.deepcopy(value)
            elif names.parameters[name].kind is inspect.Parameter.VAR_KEYWORD:
                low.arguments[name] = {key: single(each, key in WHOLE) for key, each in value.items()}
            else:
                low.arguments[name] = single(value, name in WHOLE)
        in_single = function(*low.args, **low.kwargs)
        out = function(*bound.args, **bound.kwargs)
        assert alike(out, in_single), (out, in_single)
        return out

    return call


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_every_public_function_takes_single_precision(function):
    names = vars(importlib.import_module(function.__module__)) | {function.__name__: twice(function)}
    for example in doctest.DocTestParser().get_examples(function.__doc__):
        if not example.exc_msg:
            exec(compile(example.source, function.__name__, "exec"), names)


def test_probabilities_of_single_precision_are_drawn_from():  # numpy/numpy#11847, numpy/numpy#16688
    for seed in range(200):
        logits = np.random.default_rng(seed).normal(size=12 if seed % 2 else 5_000).astype(np.float32)
        exps = np.exp(logits - logits.max())
        probs = exps / exps.sum()
        assert probs.dtype == np.float32
        rng = np.random.default_rng(0)
        counts = draw(probs, 1000, rng)
        assert counts.sum() == 1000
        assert np.isclose(expected_counts(probs, 1000).mean.sum(), 1000, rtol=0, atol=1e-9)
        assert explain_draws(probs, 10, rng).counts.sum() == 10
        assert np.isclose(entropy(probs), entropy(softmax(logits)), atol=1e-5)


def test_what_is_no_distribution_is_refused_all_the_same():
    for bad in ([0.5, 0.4], [0.6, 0.5], [0.50001, 0.5], [-1e-9, 1.0], [1.5, -0.5], [0.0], []):
        with pytest.raises(ValueError, match="sum to 1"):
            draw_sequence(bad, 1, np.random.default_rng(0))
    for bad in ([1.00001], [-1e-9]):
        with pytest.raises(ValueError, match=r"lie in \[0, 1\]"):
            entropy(bad)

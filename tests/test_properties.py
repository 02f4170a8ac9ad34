"""Every public function of the engine against every kind of junk: a finite result or a ValueError that says why.

`STORM=20` for twenty times as many drawn calls.
"""

import inspect
import os
import random
import traceback
from pathlib import Path

import calls_a_to_n
import calls_o_to_z
import calls_training
import numpy as np
import pytest
from calls_drawn import Draw, public_functions
from hypothesis import given, settings
from hypothesis import strategies as st
from junk import JUNK, leaves, numeric, other_forms, put, same_numbers

import engine

ENGINE = str(Path(engine.__file__).parent)
STORM = int(os.environ.get("STORM", "1"))
FUNCTIONS = public_functions()
ROOMS = calls_a_to_n.ROOMS | calls_o_to_z.ROOMS | calls_training.ROOMS
CALLS = {f"{room}.{name}": call for room, calls in ROOMS.items() for name, call in calls.items()}

# Where ∞ or NaN is an answer, by room or function: the fields of the result, or the function's own name for all of it.
UNBOUNDED = {
    "accounting": {"crossing"},
    "attention": {"masked"},
    "dropout.swapped_scale": {"swapped_scale"},
    "losses.right_class_curve": {"cross_entropy"},
    "normalization": {"variance", "row_variance", "column_variance", "with_moments"},
    "perceptron.right_biases": {"right_biases"},
    "positions.offset_curve": {"y"},
    "softmax.explain_softmax": {"shifted", "loss"},
    "softmax.log_softmax": {"log_softmax"},
    "softmax.naive_exp": {"naive_exp"},
    "softmax.naive_softmax": {"exps", "total", "out", "error"},
    "training": {"masked", "variance"},
    "transformer": {"masked", "variance"},
}


def arrays(value, name=""):
    """Every array and number inside a value, each with the name of its field."""
    if isinstance(value, np.ndarray | float | complex | np.number):
        yield name, value
    elif isinstance(value, dict):
        for key, part in value.items():
            yield from arrays(part, str(key))
    elif isinstance(value, tuple | list):
        fields = getattr(value, "_fields", [name] * len(value))
        for field, part in zip(fields, value, strict=True):
            yield from arrays(part, field)


def frozen(value):
    """What an argument holds, to see afterwards that it still does."""
    if isinstance(value, np.ndarray):
        return (value.shape, value.dtype, list(value.flat) if value.dtype == object else value.tobytes())
    if isinstance(value, dict):
        return [(key, frozen(part)) for key, part in value.items()]
    return [frozen(part) for part in value] if isinstance(value, list | tuple) else id(value)


def refused_in_own_words(fault):
    """A refusal is a `raise` of the engine with a sentence, not what Python or numpy say of what they were given."""
    last = traceback.extract_tb(fault.__traceback__)[-1]
    assert last.filename.startswith(ENGINE), f"not the engine's own refusal: {fault!r:.200} in {last.filename}"
    assert last.line.startswith("raise "), f"not the engine's own words: {fault!r:.200} at {last.line}"
    assert len(str(fault)) > 15, f"no sentence: {fault!r:.200}"


def attempt(name, arguments):
    """Call a function: a result that is finite and its own, or a ValueError in the engine's words; inputs untouched."""
    before = {key: frozen(value) for key, value in arguments.items()}
    try:
        result = FUNCTIONS[name](**arguments)
    except ValueError as fault:
        refused_in_own_words(fault)
        return None
    finally:
        assert before == {key: frozen(value) for key, value in arguments.items()}, "an argument was changed"
    given_arrays = [part for _, part in arrays(list(arguments.values())) if isinstance(part, np.ndarray)]
    impossible = any(np.isinf(part).any() for part in given_arrays if part.dtype.kind == "f")  # a logit, a loss
    unbounded = UNBOUNDED.get(name, set()) | UNBOUNDED.get(name.split(".")[0], set())
    for field, part in arrays(result, name.split(".")[1]) if name != "weights.matrices" else ():  # hands on what it got
        if field not in unbounded and np.asarray(part).dtype.kind in "fc":
            assert not np.isnan(part).any() if impossible else np.isfinite(part).all(), f"{field} is not finite: {part}"
        if isinstance(part, np.ndarray) and part.flags.writeable:
            shared = any(np.shares_memory(part, one) for one in given_arrays)
            assert not shared, f"{field} shares memory with an argument and can be written"
    return result


def test_every_public_function_has_a_valid_call():
    assert set(CALLS) == set(FUNCTIONS)
    for name, call in CALLS.items():
        taken = inspect.signature(FUNCTIONS[name]).parameters
        named = {key for key, one in taken.items() if one.kind is not inspect.Parameter.VAR_KEYWORD}
        assert named <= set(call(Draw(0))), f"{name} has an argument that its call leaves out"


@pytest.mark.parametrize("name", CALLS)
@settings(max_examples=5 * STORM, derandomize=True, deadline=None, database=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_a_valid_call_has_a_finite_result(name, seed):
    arguments = CALLS[name](Draw(seed))
    arguments |= {key: np.array(value) for key, value in arguments.items() if type(value) is np.ndarray}
    assert attempt(name, arguments) is not None or name in MAY_BE_NONE


MAY_BE_NONE = {"perceptron.right_biases", "perceptron.first_repeat", "surfaces.minimum_at", "optimizers.first_beyond"}
MAY_BE_NONE |= {"surfaces.check_surface", "optimizers.stability_limit", "vectors.least_alike", "vectors.most_popular"}


@pytest.mark.parametrize("name", CALLS)
def test_junk_in_one_argument_is_read_or_refused(name):
    for key, value in CALLS[name](Draw(1)).items():
        for path, leaf in leaves(value):
            kinds = [*JUNK, *other_forms(leaf)]
            for junk in kinds if STORM > 1 else random.Random(f"{name} {key} {path}").sample(kinds, len(kinds) // 2):
                arguments = CALLS[name](Draw(1))
                arguments[key] = put(arguments[key], path, junk)
                try:
                    read = attempt(name, arguments) is not None
                    assert not (read and isinstance(leaf, bool) and not isinstance(junk, bool | np.bool_)), (
                        "read as bool"
                    )
                except Exception as fault:
                    place = "".join(f"[{i}]" for i in path)
                    raise AssertionError(
                        f"{name}({key}{place} = {junk!r:.80}): {type(fault).__name__}: {fault}"
                    ) from fault


@pytest.mark.parametrize("name", CALLS)
def test_the_same_numbers_in_other_clothes_have_the_same_result(name):
    plain = list(arrays(FUNCTIONS[name](**CALLS[name](Draw(1)))))
    for key, value in CALLS[name](Draw(1)).items():
        for form in same_numbers(value):
            result = attempt(name, CALLS[name](Draw(1)) | {key: form})
            for (field, wanted), (_, found) in zip(plain, arrays(result), strict=result is not None):
                alike = np.allclose(np.asarray(wanted, float), np.asarray(found, float), rtol=1e-9, equal_nan=True)
                assert alike, f"{key} as {type(form).__name__}: {field} is {found}, not {wanted}"


SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9) | st.complex_numbers()
NUMBERS = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-9, 9) | st.just(10**400)
ANYTHING = st.recursive(
    SCALARS | st.integers(0, len(JUNK) - 1).map(lambda i: JUNK[i]),
    lambda part: st.lists(part, max_size=4),
    max_leaves=9,
)


@settings(max_examples=400 * STORM, derandomize=True, deadline=None, database=None)
@given(
    data=st.data(),
    name=st.sampled_from(sorted(set(CALLS) - {"training.train_storyteller"})),
    seed=st.integers(0, 2**32 - 1),
)
def test_whatever_is_drawn_is_read_or_refused(data, name, seed):
    arguments = CALLS[name](Draw(seed))
    for key in data.draw(st.lists(st.sampled_from(sorted(arguments)), min_size=1, max_size=2, unique=True)):
        array = numeric(arguments[key])
        if array is not None and data.draw(st.booleans()):
            cells = data.draw(st.lists(NUMBERS, min_size=array.size, max_size=array.size))
            arguments[key] = np.array(cells, object).reshape(array.shape).tolist()
        else:
            path, _ = data.draw(st.sampled_from(list(leaves(arguments[key]))))
            arguments[key] = put(arguments[key], path, data.draw(ANYTHING))
    attempt(name, arguments)

"""What is taken away is all of it: each number of the files is one that the program makes."""

import random

import legal
import numpy as np
import pytest
from test_pages import SLUGS, bend

from ui.page import export, lab
from ui.page.model import pack


def reach(names: dict, path: str):
    """The value of a dotted name among a program's: "steps.0.point" is names["steps"][0]["point"]."""
    value = names
    for part in path.split("."):
        value = value[int(part)] if isinstance(value, list | tuple | np.ndarray) else value[part]
    return value


def rounding(at, name: str) -> float:
    """How far a number may be off: a difference of losses divided by a small h keeps few of its digits."""
    return 2e-14 / float(at.control("h").value) if name.startswith("numeric.") else 1e-9


def same(found, number, off: float) -> bool:
    """Equal words, and numbers within rounding; the files write ∞ as "inf"."""
    try:
        wanted = np.asarray(number).astype(float)
    except ValueError:
        return np.asarray(found).tolist() == number
    return np.shape(found) == wanted.shape and np.allclose(
        np.asarray(found, float), wanted, rtol=1e-9, atol=off, equal_nan=True
    )


@pytest.mark.parametrize("slug", SLUGS)
def test_the_program_makes_every_number_of_the_files(app, slug):
    at, draw = app(slug).unfold("take_away"), random.Random(f"away {slug}")
    for state in [None, *at.presets, *range(3)]:
        at = bend(at, draw) if isinstance(state, int) else at.stand(state) if state else at
        if at.error:  # a refusal has nothing to take away
            continue
        made = at.computed()
        for name, number in at.numbers.items():
            try:
                found = reach(made, name)
            except (KeyError, IndexError, TypeError):
                pytest.fail(f"{name} is in the files, but the program does not make it ({slug}, {state})")
            if (slug, name) == ("model_learns", "losses"):  # far on, a run follows the rounding of the last digit
                found, number = found[:10], number[:10]
            where = f"{name}: the program makes {found}, the files say {number} ({slug}, {state})"
            assert same(found, number, rounding(at, name)), where
    assert at.click("start_over").files["csv"].startswith("name,index,value\r\n")


def test_nothing_is_built_before_it_is_asked_for_and_no_file_without_end(app, monkeypatch):
    built = []
    for name in ("flat", "as_csv", "as_json"):
        made = getattr(export, name)
        monkeypatch.setattr(export, name, lambda *of, made=made, name=name: built.append(name) or made(*of))
    slug, code = "forward_pass", pack(legal.text(2, 64, heads=12))
    at = app(slug, {f"{slug}.model": code, f"{slug}.tokens": " ".join(["w0"] * 64), f"{slug}.layers": "12"})
    assert built == []
    at.unfold("take_away").set(seed=1)
    assert set(built) <= {"flat"}
    assert not at.error
    assert any(box.value.startswith("No files: they would hold 2,4") for box in at.info)
    assert set(at.files) == set()
    at.set(tokens="w0 w1")
    assert np.shape(at.numbers["blocks.0.weights"]) == (12, 2, 2)
    assert built[-1] == "as_json"
    assert sum(np.size(part) for part in at.numbers.values()) < lab.MOST_NUMBERS

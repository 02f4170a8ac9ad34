"""Formulas are true at the digits they show: worked out again from what is written, on every page."""

import random
import re
from itertools import chain

import numpy as np
import pytest
from storming import SEED, rounds
from test_pages import SLUGS, bend

from ui.formulas import RELATION, settled, unit, value


@pytest.mark.parametrize(
    ("written", "right"),
    [
        (r"-(1 \log 0.001) = 7.011", r"-(1 \log 0.001) \approx 7.011"),
        (r"0.776 \cdot 3.289 + 2.898 \cdot 1.197 = 6.021", r"0.776 \cdot 3.289 + 2.898 \cdot 1.197 = 6.021"),
        (
            r"\left[1, 2\right] \cdot 2 = \left[2.0, 4.1\right]",
            r"\left[1, 2\right] \cdot 2 \approx \left[2.0, 4.1\right]",
        ),
        (r"\frac{1}{0} = 2", r"\frac{1}{0} = 2"),
        (r"q \cdot k = 2 = 3", r"q \cdot k = 2 \approx 3"),
    ],
)
def test_a_formula_says_whether_its_terms_give_its_result(written, right):
    assert settled(written) == right


@pytest.mark.parametrize(
    "junk", ["", "{", "}", "[", r"\frac{1}", "e^", "1 +", r"\left[", "1 2 ^", "(((", r"\text{a = b} = 1"]
)
def test_what_is_no_arithmetic_has_no_value(junk):
    assert value(junk) is None
    assert settled(junk) == junk


WITHOUT_NUMBERS = {"architecture_ingredients"}  # its formulas name shapes


def tolerance(side: str) -> float:
    """How far a side may lie from its true value, since its numbers are rounded: each moved by half a digit."""
    whole, off = value(side), 0.0
    for match in re.finditer(r"\d+\.\d+(?: \\cdot 10\^\{-?\d+\})?", side):
        number = value(match.group())
        moved = value(f"{side[: match.start()]}({number + unit(match.group()) / 2:.17f}){side[match.end() :]}")
        off = off + (np.abs(np.subtract(moved, whole)) if moved is not None else 0.0)
    return 1.5 * np.max(off)


@pytest.mark.parametrize("slug", SLUGS)
def test_every_formula_adds_up(app, slug):
    at, draw = app(slug), random.Random(f"formulas {SEED} {slug}")
    seen = 0
    for state in chain([None, *at.presets], rounds(4, parts=2)):
        at = bend(at, draw) if isinstance(state, int) else at.stand(state) if state else at
        for formula in at.texts("latex"):
            parts = RELATION.split(formula.strip("$ \n").replace(r"\nobreak", ""))
            for left, sign, right in zip(parts[::2], parts[1::2], parts[2::2], strict=False):
                worked = value(left), value(right)
                if sign not in ("=", r"\approx") or worked[0] is None or worked[1] is None:
                    continue
                seen += 1
                gap, size = np.max(np.abs(np.subtract(*worked))), np.max(np.abs(worked[1]))
                room = tolerance(left) + tolerance(right) + 1e-9 * size
                assert sign != "=" or gap <= unit(right) * (0.5 + 1e-6) + 1e-9 * size, (left, right)
                assert gap <= room or not np.isfinite(gap), (
                    f"{left} {sign} {right}: off by {gap}, rounding gives {room}"
                )
    assert seen or slug in WITHOUT_NUMBERS

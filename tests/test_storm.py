"""Every page through seeded random states, its visible words read each time: `STORM=200` for many states a page."""

import os
import random
import re

import pytest
from test_pages import SLUGS, bend

STATES = int(os.environ.get("STORM", "8"))
NOUNS = (
    "tokens|columns|rows|terms|entries|pairs|words|kinks|keys|heads|cells|steps|epochs|merges|draws|layers|positions|"
    "neighbours|mistakes|units|numbers|bytes|symbols|candidates|characters|dimensions|masks|weights|parameters|lines|"
    "GPUs|queries|values|features|examples|points|classes|times|seeds|looks|turns|matrices|vectors|experts|groups|"
    "additions|multiplications|errors|bars|slices|pieces|places|options"
)
FAULTS = {  # what no state may say, and what it is
    rf"(?<![\d.,])1 (?:{NOUNS})\b": "a count and its noun disagree",
    r"(?<![\d.])−0(?:\.0+)?(?![\d.])": "minus nought",
    r"(?<![\d.,])1 of (?:them|these|the \d+ \w+) (?:reach|begin|stand|hold|lie|keep|leave|are|have)\b": "one is one",
    r"\b(?:nan|inf|None)\b": "no number",
    r"\btoday\b|\btoday's\b": "now is meant",
    r"\beps\b|\bargmax\b|\bdtype\b": "a word of the code",
    r"[Tt]he document\b": "which document",
}
NOISE = r"(?<!\()\b\d\.\d+e−1\d\b"  # "0 up to rounding (3.55e−15)" says what it is
SMALL = {  # a gradient that vanishes, a class all but ruled out, the error of a difference: no noise
    "gradient_by_depth",
    "cross_entropy_against_mse",
    "forward_and_backward",
}


@pytest.mark.parametrize("slug", SLUGS)
def test_no_state_says_what_is_false_everywhere(app, slug):
    at, draw = app(slug), random.Random(f"storm {slug}")
    states = [None, *at.presets, *range(STATES)]
    for state in states:
        at = bend(at, draw) if isinstance(state, int) else at.click(state) if state else at
        visible = re.sub("“[^”]*”", "“”", at.words())  # a visitor's own words apart
        own = any(
            "e-" in str(control.value) for control in at.controls.values()
        )  # a visitor's own numbers are no noise
        tiny = own or slug in SMALL
        for fault, what in (FAULTS if tiny else FAULTS | {NOISE: "rounding noise as a result"}).items():
            found = re.search(fault, visible)
            around = found and visible[max(0, found.start() - 60) : found.end() + 40]
            assert not found, f"{what}: …{around}…: {found.group()} ({slug}, {state})"

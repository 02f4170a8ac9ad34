"""Every page through seeded storms of steps: after each it stands, says nothing false and comes back from its link.

`make storm` draws another seed and goes on for longer; a fault is told with the steps that led to it.
"""

import logging
import random
import re
import traceback
from functools import partial
from urllib.parse import parse_qs

import nasty
import pytest
import storming
from driven import TEXTS
from storming import FOLDS, SEED, STORM, in_link, rounds, walk
from test_pages import SLUGS, healthy

from ui import run
from ui.app import corner
from ui.page import model, parse
from ui.page.ask import names
from ui.run import Run

NOUNS = (
    "tokens|columns|rows|terms|entries|pairs|words|kinks|keys|heads|cells|steps|epochs|merges|draws|layers|positions|"
    "neighbours|mistakes|units|numbers|bytes|symbols|candidates|characters|dimensions|masks|weights|parameters|lines|"
    "GPUs|queries|values|features|examples|points|classes|times|seeds|looks|turns|matrices|vectors|experts|groups|"
    "additions|multiplications|errors|bars|slices|pieces|places|options"
)
FAULTS = {  # what no state may say, and what it is
    rf"(?<![\d.,+])1 (?:{NOUNS})\b": "a count and its noun disagree",
    r"(?<![\d.])−0(?:\.0+)?(?![\d.])": "minus nought",
    r"(?<![\d.,])1 of (?:them|these|the \d+ \w+) (?:reach|begin|stand|hold|lie|keep|leave|are|have)\b": "one is one",
    r"\b(?:nan|inf|None)\b": "no number",
    r"\btoday\b|\btoday's\b": "now is meant",
    r"\beps\b|\bargmax\b|\bdtype\b": "a word of the code",
    r"[Tt]he document\b": "which document",
}
NOISE = r"(?<!\()\b\d\.\d+e−1\d\b"  # "0 up to rounding (3.55e−15)" says what it is
SMALL = {  # a gradient that vanishes, a class all but ruled out, the error of a difference, a faint row: no noise
    "gradient_by_depth",
    "cross_entropy_against_mse",
    "forward_and_backward",
    "model_learns",
    "rows_normalised",
}
OWN = re.compile("|".join(FAULTS) + r"|nan|inf|None|(?<![\w.])-0(?![\w.])")  # in a visitor's own words it is no fault


ANSWER = "Every lab opened from now on"  # to a click; what it did lasts for the visit and is in no link


@pytest.fixture
def storm(app, monkeypatch):
    """Take the steps of a visit: storm([("open", "softmax"), ("set", {"softmax.temperature": 2.0})])."""
    addresses, logged = [], []
    end = Run.__exit__

    def ended(self, *error):
        addresses.append("&".join(filter(None, (run.query(), corner.query()))))
        return end(self, *error)

    def log(self, record):
        if record.levelno >= logging.WARNING and "missing ScriptRunContext" not in record.getMessage():
            logged.append(f"{record.name}: {record.getMessage()} {traced(record)}"[:600])

    monkeypatch.setattr(Run, "__exit__", ended)
    monkeypatch.setattr(logging.Logger, "handle", log)

    def sound(storm):
        assert not logged, logged.pop()
        says_nothing_false(storm)
        if len(storm.address) % 4 == 1:  # a sample of the states
            comes_back(app, storm)

    return lambda steps: walk(app, addresses, sound, steps)


def traced(record: logging.LogRecord) -> str:
    """The exception of a record and where it was raised."""
    error = record.exc_info[1] if record.exc_info else None
    return f"{error!r} at {traceback.extract_tb(error.__traceback__)[-3:]}" if error else ""


def says_nothing_false(storm):
    """The page of now stands whole, and no sentence on it is one that no state may say."""
    at = storm.at
    assert not at.exception, [one.value for one in at.exception]
    if any(OWN.search(word) for step in storm.steps for word in own_words(step)):
        return
    healthy(at)
    visible = re.sub("“[^”]*”", "“”", at.words())  # a visitor's own words apart
    own = "e-" in str([storm.steps, *(one.value for one in at.controls.values())])  # a visitor's own are no noise
    tiny = own or at.slug in SMALL
    for fault, what in (FAULTS if tiny else FAULTS | {NOISE: "rounding noise as a result"}).items():
        found = re.search(fault, visible)
        around = found and visible[max(0, found.start() - 60) : found.end() + 40]
        assert not found, f"{what}: …{around}…: {found.group()}"


def own_words(step):
    """What a visitor has written in this step, but for numbers."""
    kind, *what = step
    if kind == "upload":
        yield what[0].decode("utf-8", "replace")
    elif kind in ("open", "set"):
        values = what[0] if kind == "set" else {k: v[-1] for k, v in parse_qs("".join(what[1:])).items()}
        for key, value in values.items():
            try:
                parse.matrix(str(value), most=(99, 99))
            except ValueError:
                yield unpacked(value) if key.endswith(".model") else str(value)


def unpacked(code: str) -> str:
    """The model of a code, or the code."""
    try:
        return model.unpack(code).decode()
    except ValueError:
        return code


def comes_back(app, storm):
    """The link of this very state, opened anew, shows the same charts and the same words."""
    state = storm.at.session_state
    kept = "run.pin" in state and (state["run.pin"].slug, state["run.pin"].ask) == (storm.at.slug, "")
    if storm.at.error or kept:  # what a text lacks, or what is kept for this visit: no link has either
        return
    again = app(storm.at.slug, parse_qs(storm.address, keep_blank_values=True))
    assert not again.notices
    for fold in FOLDS:
        if f"{again.slug}.{fold}" in storm.at.session_state and storm.at.session_state[f"{again.slug}.{fold}"]:
            again.unfold(fold)
    told = lambda at: at.texts(*(kind for kind in TEXTS if kind != "warning"))
    words = lambda at: [*(text for text in told(at) if not text.startswith(ANSWER)), *sorted(at.controls)]
    for ours, theirs in zip(words(storm.at), words(again), strict=True):
        assert ours == theirs, f"the link {storm.address} brings another state back: {ours[:200]} / {theirs[:200]}"
    assert again.charts == storm.at.charts


@pytest.mark.parametrize("slug", ["", *(SLUGS if STORM else SLUGS[::3])])
def test_no_storm_breaks_a_page(app, storm, slug):
    at = app(slug)
    asked = [f"{slug}.ask={name}&{slug}.shown={shown}" for name in names(at.questions) for shown in ("false", "true")]
    storm([("open", slug, link) for link in ["", *asked[:: 1 if STORM else 3]]])
    widgets, seen = dict(at.controls), []
    for number in rounds(2, parts=2):
        storm(partial(visit, slug, widgets, seen, random.Random(f"{SEED} {slug} {number}")))


def visit(slug, widgets, seen, draw, storm):
    """The steps of one visit that begins with a link; the addresses it sees are kept for the links of others."""
    good = {name: in_link(widget, draw) for name, widget in widgets.items()}
    yield "open", slug, nasty.link(draw, slug, good, seen) if draw.random() < 0.7 else ""
    for _ in range(7):
        seen.append(storm.address)
        yield storm.next_step(draw)


def test_a_fault_is_told_with_the_steps_it_needs(app, monkeypatch):
    monkeypatch.setattr(storming, "STORM", "1")

    def sound(storm):
        assert storm.at.control("temperature").value < 3, "too hot"

    def steps(storm):
        yield "open", "softmax", "softmax.scale=2"
        yield "press", "softmax.start_over"
        yield "set", {"softmax.temperature": 2.0}
        yield "set", {"softmax.temperature": 4.0}

    with pytest.raises(AssertionError) as told:
        walk(app, [], sound, steps)
    needed = "('open', 'softmax', 'softmax.scale=2'),\n    ('set', {'softmax.temperature': 4.0}),\n]"
    assert str(told.value).startswith("too hot")
    assert f"STORM_SEED={SEED}, page softmax; the steps:\n[\n    {needed}" in str(told.value)

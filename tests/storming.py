"""A storm: seeded steps over the pages, each written down, so that those that led to a fault can be taken again.

STORM says how long: "200" for so many rounds a page, "30m" for so many minutes over all pages; else it is short.
STORM_SEED makes it another one.
"""

import os
import random
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any
from urllib.parse import parse_qs

import nasty
from driven import Driven
from test_pages import SLUGS, somewhere

from ui.page import model

STORM, SEED = os.environ.get("STORM", ""), os.environ.get("STORM_SEED", "0")
FOLDS = ("take_away", "source")
Step = tuple[Any, ...]


def rounds(few: int, parts: int = 1) -> Iterator[int]:
    """0, 1, 2 … as long as STORM says: `few` without it, and of its minutes a share for one page of `parts` tests."""
    end = time.monotonic() + 60 * float(STORM[:-1]) / parts / len(SLUGS) if STORM.endswith("m") else None
    number = 0
    while time.monotonic() < end if end else number < int(STORM or few):
        yield number
        number += 1


def count(few: int) -> int:
    """The same where the number has to be known before: ten times `few` for a storm of minutes."""
    return 10 * few if STORM.endswith("m") else int(STORM or few)


class Storm:
    """One visit: takes steps, remembers them, and knows what the address says, as a browser would."""

    def __init__(self, app: Callable, addresses: list[str]):
        self.app, self.addresses = app, addresses  # what each run's address says comes in at the end
        self.at, self.steps, self.address = Driven, [], ""

    def take(self, kind: str, *what) -> None:
        """Take a step, such as ("set", {"softmax.temperature": 2.0})."""
        self.steps.append((kind, *what))
        getattr(self, f"_{kind}")(*what)
        drawn = not self.at.get("error") or any("start_over" not in (b.key or "") for b in self.at.button)
        before = {} if drawn else parse_qs(self.address, keep_blank_values=True)
        self.address = self.addresses[-1] if self.addresses else ""
        self.at.query_params = before | parse_qs(self.address, keep_blank_values=True)

    def _open(self, slug: str, query: str = "") -> None:
        self.at = self.app(slug, parse_qs(query, keep_blank_values=True))

    def _go(self, slug: str) -> None:
        self.at.query_params = {}
        self.at.go(slug)

    def _set(self, values: dict[str, Any]) -> None:
        for key, value in values.items():
            if key in self.at.controls:
                self.at.controls[key].set_value(value)
        self.at.run()

    def _press(self, key: str) -> None:
        for button in self.at.button:
            if button.key == key and not button.disabled:
                button.click().run()

    def _tap(self, chart: str, place: dict) -> None:
        with suppress(StopIteration):
            self.at.tap(chart, **place)

    def _unfold(self, name: str) -> None:
        self.at.unfold(name)

    def _upload(self, file: bytes) -> None:
        for field in self.at.get("file_uploader"):
            field.set_value(("weights.toml", file, "application/toml"))
        self.at.run()

    def next_step(self, draw: random.Random) -> Step:
        """A step from here."""
        at, slug = self.at, self.at.slug
        pressed = [button.key for button in at.button if button.key and not button.disabled]
        tapped = {name: chart for name, chart in at.charts.items() if chart.clickable}
        kinds = {"set": 10, "go": 1, "unfold": 1} | ({"press": 4} if pressed else {}) | ({"tap": 3} if tapped else {})
        kinds |= {"upload": 2} if at.get("file_uploader") else {}
        kind = draw.choices(list(kinds), list(kinds.values()))[0]
        if kind == "go" or not slug:
            return "go", draw.choice(SLUGS)
        if kind == "press":
            return kind, draw.choice(pressed)
        if kind == "tap":
            name = draw.choice(list(tapped))
            return kind, name, nasty.place(draw, tapped[name].spec)
        if kind == "unfold":
            return kind, draw.choice(FOLDS)
        if kind == "upload":
            return kind, draw.choice([nasty.toml(draw).encode(), b"", b"\xff\x00", b"a = 1"])
        keys = draw.sample(list(at.controls), min(draw.choice([1, 1, 3, 6]), len(at.controls)))
        return kind, {key: anything(at.controls[key], draw) for key in keys}


def anything(widget, draw: random.Random) -> Any:
    """A value of a control: one that suits it, or a nasty text."""
    if widget.key.endswith(".model") and draw.random() < 0.8:
        return model.pack(nasty.toml(draw))
    if widget.type in ("text_area", "text_input") and draw.random() < 0.5:
        return nasty.text(draw, widget.value or "")
    if widget.type == "slider" and isinstance(widget.value, float) and draw.random() < 0.1:
        return draw.uniform(widget.min, widget.max)
    return somewhere(widget, draw)


def in_link(widget, draw: random.Random) -> str:
    """A value of a control as a link may say it."""
    value = anything(widget, draw)
    return str(value).lower() if isinstance(value, bool) else str(value)


def walk(app: Callable, addresses: list[str], sound: Callable, steps) -> None:
    """Take steps, `sound` after each; what is not is told with the steps that led there, as few as will do."""
    storm = Storm(app, addresses)
    try:
        for step in steps(storm) if callable(steps) else steps:
            storm.take(*step)
            sound(storm)
    except Exception as error:
        if not callable(steps):
            raise
        taken = fewest(app, addresses, sound, storm.steps, error) if STORM else storm.steps
        listed = "".join(f"    {step!r},\n" for step in taken)
        raise AssertionError(f"{error}\nSTORM_SEED={SEED}, page {storm.at.slug}; the steps:\n[\n{listed}]") from error


def fewest(app, addresses, sound, steps: list[Step], error: Exception) -> list[Step]:
    """The steps without those that the fault does not need."""
    for left_out in range(len(steps) - 2, 0, -1):
        fewer = steps[:left_out] + steps[left_out + 1 :]
        try:
            walk(app, addresses, sound, fewer)
        except Exception as other:
            if str(other)[:40] == str(error)[:40]:
                steps = fewer
    return steps

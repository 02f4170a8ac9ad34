"""Every page of the catalogue, without a browser: it opens, bends, explains junk and comes back from its link."""

import os
import random
import re
from urllib.parse import parse_qs, urlsplit

import numpy as np
import plotly.graph_objects as go
import pytest

from ui import catalogue
from ui.page import parse
from ui.page.ask import Endless

STORM = os.environ.get("STORM", "")
SLUGS = [lab.slug for lab in catalogue.shown()]
JUNK = [
    "",
    "abc",
    "nan",
    "1e999",
    "<script>alert(1)</script>",
    "9" * 400,
    "[[1,2],[3",
    "漢字 🙂 \x00",
]
pytestmark = pytest.mark.parametrize("slug", SLUGS)


def ends(widget) -> list:
    """The values at the widget's limits, or all of a few."""
    if widget.type in ("slider", "number_input"):
        return [widget.min, widget.max]
    if widget.type == "toggle":
        return [True, False]
    if widget.type in ("select_slider", "selectbox", "button_group"):
        options = list(widget.options)
        return options if len(options) <= (6 if STORM else 3) else [options[0], options[-1]]
    return []


def somewhere(widget, draw: random.Random):
    """A value that the widget can have: at an end, on any step between, or a matrix with awkward numbers."""
    if widget.type in ("slider", "number_input") and draw.random() < 0.7:
        value = widget.min + draw.randint(0, round((widget.max - widget.min) / widget.step)) * widget.step
        return min(round(value, 10), widget.max)
    if widget.type == "button_group" and isinstance(widget.value, list):
        return draw.sample(list(widget.options), draw.randint(0, len(widget.options)))
    if widget.type in ("select_slider", "selectbox", "button_group"):
        return draw.choice(list(widget.options))
    try:
        shape = parse.matrix(widget.value, most=(24, 24)).shape if widget.type == "text_area" else (0, 0)
    except ValueError:
        return widget.value
    numbers = [0, 0, 1, 1, -1, 1.5, -0.37, 1e-12, 5e-324][: draw.randint(1, 9)]
    return (
        parse.rows(np.reshape(draw.choices(numbers, k=shape[0] * shape[1]), shape))
        if shape[0]
        else draw.choice(ends(widget) or [widget.value])
    )


def bend(at, draw: random.Random):
    """Some of the page's controls somewhere else."""
    widgets = list(at.controls.values())
    for widget in draw.sample(widgets, min(draw.choice([1, 3, 6]), len(widgets))):
        widget.set_value(somewhere(widget, draw))
    return healthy(at.run())


def healthy(at):
    """No traceback, charts that Plotly accepts and that say what they show, no NaN in them or in words."""
    assert not at.exception, [e.value for e in at.exception]
    for chart in at.charts.values():
        assert len(chart.alt) > 10
        go.Figure(chart.spec)
        typed = re.search(r"\b(nan|inf|None)\b", chart.alt)  # a visitor's own word
        assert typed or not re.search(r'[">](nan|inf|-inf|None)["<]', chart.text), chart.alt
        assert chart.layout["height"] > 90
    assert all(len(box.value) > 10 for box in [*at.error, *at.warning, *at.info])
    labels = [widget.label for widget in [*at.controls.values(), *at.button]]
    elements = [*at.markdown, *at.error, *at.warning, *at.info, *at.header, *at.get("latex")]
    for words in labels + [element.value for element in elements]:
        assert not re.search(r"\b(nan|inf|None)\b", re.sub("“[^”]*”", "", words)), words
    return at


def test_opens_with_the_whole_anatomy(app, slug):
    at = healthy(app(slug))
    lab = catalogue.BY_SLUG[slug]
    assert at.title[0].value == lab.title
    assert not at.error
    assert not at.warning
    assert at.charts
    assert 3 <= len(at.questions) <= 7
    assert any(isinstance(question, Endless) for question in at.questions)
    assert "Conventions" in {fold.label for fold in at.expander}
    assert all(key.startswith(f"{slug}.") for key in at.controls)


def test_every_control_at_both_ends(app, slug):
    at = app(slug)
    for key in at.controls:
        if not (widget := at.controls.get(key)):
            continue
        before = widget.value
        for value in ends(widget):
            widget = at.controls.get(key)
            if widget is None:
                break
            healthy(widget.set_value(value).run())
        if key in at.controls:
            healthy(at.controls[key].set_value(before).run())


def test_any_combination(app, slug):
    draw = random.Random(slug)
    at = app(slug)
    for _ in range(5 if STORM else 3):
        bend(at, draw)


def test_every_preset(app, slug):
    at = app(slug).unfold("take_away")
    start = at.link
    for preset in at.presets:
        healthy(at.click(preset))
        assert not at.error
        assert at.link != start, f"{preset} changes nothing"
    assert at.click("start_over").link == start


def test_junk_in_every_text_field(app, slug):
    at = app(slug)
    for key, field in at.controls.items():
        if field.type not in ("text_area", "text_input"):
            continue
        good = field.value
        for junk in JUNK if STORM else random.Random(key).sample(JUNK, 4):
            healthy(at.controls[key].set_value(junk).run())
            assert at.charts, f"{junk!r} in {key} took the charts away"
        healthy(at.controls[key].set_value(good).run())


def test_junk_in_every_link(app, slug):
    keys = list(app(slug).controls)
    for junk in ["abc", "-1e999", "🙂" * 50, *(["", "nan", "<b>"] if STORM else [])]:
        at = healthy(app(slug, dict.fromkeys(keys, junk) | {"stranger": junk}))
        assert at.charts
        assert "stranger" in at.notices[-1]


def test_link_brings_everything_back(app, slug):
    at = app(slug).unfold("take_away")
    draw = random.Random(slug)
    for key in at.controls:
        widget = at.controls.get(key)
        if widget is not None:
            before = widget.value
            if widget.set_value(somewhere(widget, draw)).run().error:  # a refusal has no link to give
                at.controls[key].set_value(before).run()
    healthy(at.run())
    assert len(at.link) < 8000
    again = healthy(app(slug, parse_qs(urlsplit(at.link).query, keep_blank_values=True)))
    assert not again.warning, again.warning[0].value
    settings = lambda at: {k: sorted(w.value) if isinstance(w.value, list) else w.value for k, w in at.controls.items()}
    assert settings(again) == settings(at)
    assert again.charts == at.charts

"""Every page of the catalogue, driven without a browser: it opens, bends, explains junk and comes back from its link."""

import json
import random
import re
from urllib.parse import parse_qs, urlsplit

import numpy as np
import plotly.graph_objects as go
import pytest

from ui import catalogue
from ui.page import export, parse

SLUGS = [lab.slug for lab in catalogue.shown()]
JUNK = [
    "",
    "abc",
    "nan",
    "inf -inf",
    "1e999",
    "0,75 1,5",
    "1 2\n3",
    "<script>alert(1)</script>",
    "![x](http://example.com/y.png)",
    "9" * 400,
    "[[1,2],[3",
    "漢字 🙂 \x00",
]
pytestmark = pytest.mark.parametrize("slug", SLUGS)


def controls(at) -> dict:
    """Every bound control on the page by key."""
    kinds = (
        at.slider,
        at.select_slider,
        at.toggle,
        at.selectbox,
        at.get("button_group"),
        at.number_input,
        at.text_area,
        at.text_input,
    )
    return {w.key: w for kind in kinds for w in kind if w.key}


def ends(widget) -> list:
    """The values at the widget's limits, or all of a few."""
    if widget.type in ("slider", "number_input"):
        return [widget.min, widget.max]
    if widget.type == "toggle":
        return [True, False]
    if widget.type in ("select_slider", "selectbox", "button_group"):
        options = list(widget.options)
        return options if len(options) <= 6 else [options[0], options[-1]]
    return []


def somewhere(widget, draw: random.Random):
    """A value that the widget can have: at an end, on any step between, or a matrix of its size with awkward numbers."""
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
    widgets = list(controls(at).values())
    for widget in draw.sample(widgets, min(draw.choice([1, 3, 6]), len(widgets))):
        widget.set_value(somewhere(widget, draw))
    return healthy(at.run())


def charts(at) -> list[dict]:
    """The data of every chart: its spec, its words, whether it takes clicks."""
    return [json.loads(e.proto.json) for e in at.get("bidi_component") if '"spec"' in e.proto.json]


def healthy(at):
    """No traceback, charts that Plotly accepts and that say what they show, no NaN in them or in words, no empty box."""
    assert not at.exception, [e.value for e in at.exception]
    for chart in charts(at):
        assert len(chart["alt"]) > 10
        spec = json.loads(chart["spec"])
        go.Figure(spec)
        typed = re.search(r"\b(nan|inf|None)\b", chart["alt"])  # a visitor's own word
        assert typed or not re.search(r'[">](nan|inf|-inf|None)["<]', chart["spec"]), chart["alt"]
        assert spec["layout"]["height"] > 100
    assert all(len(box.value) > 10 for box in [*at.error, *at.warning, *at.info])
    labels = [widget.label for widget in [*controls(at).values(), *at.button]]
    elements = [*at.markdown, *at.error, *at.warning, *at.info, *at.subheader, *at.get("latex")]
    for words in labels + [element.value for element in elements]:
        assert not re.search(r"\b(nan|inf|None)\b", re.sub("“[^”]*”", "", words)), words
    return at


def test_opens_with_the_whole_anatomy(app, slug):
    at = healthy(app(slug))
    lab = catalogue.BY_SLUG[slug]
    assert at.title[0].value == lab.title
    assert not at.error
    assert not at.warning
    assert charts(at)
    presets = [b for b in at.button if b.key.startswith(f"{slug}.try.")]
    assert 2 <= len(presets) <= 4
    assert {"Try this", "Conventions"} <= {s.value for s in at.subheader}
    questions = [m.value for m in at.markdown if m.value.startswith("**") and "?" in m.value]
    assert len(questions) >= len(presets)
    assert all(key.startswith(f"{slug}.") for key in controls(at))


def test_every_control_at_both_ends(app, slug):
    at = app(slug)
    for key in controls(at):
        if not (widget := controls(at).get(key)):
            continue
        before = widget.value
        for value in ends(widget):
            widget = controls(at).get(key)
            if widget is None:
                break
            healthy(widget.set_value(value).run())
        if key in controls(at):
            healthy(controls(at)[key].set_value(before).run())


def test_any_combination(app, slug):
    draw = random.Random(slug)
    at = app(slug)
    for _ in range(25):
        bend(at, draw)


def test_every_preset(app, slug):
    at = app(slug)
    at.session_state[f"{slug}.take_away"] = True
    start = state(at.run())
    for button in [b.key for b in at.button if b.key.startswith(f"{slug}.try.")]:
        healthy(at.button(key=button).click().run())
        assert not at.error
        assert state(at) != start, f"{button} changes nothing"
    at.button(key=f"{slug}.start_over").click().run()
    assert state(at) == start


def test_junk_in_every_text_field(app, slug):
    at = app(slug)
    for key, field in controls(at).items():
        if field.type not in ("text_area", "text_input"):
            continue
        good = field.value
        for junk in JUNK:
            healthy(controls(at)[key].set_value(junk).run())
            assert charts(at), f"{junk!r} in {key} took the charts away"
        healthy(controls(at)[key].set_value(good).run())


def test_junk_in_every_link(app, slug):
    keys = list(controls(app(slug)))
    for junk in ["abc", "", "nan", "-1e999", "<b>", "🙂" * 50]:
        at = healthy(app(slug, dict.fromkeys(keys, junk) | {"stranger": junk}))
        assert charts(at)
        assert "stranger" in at.warning[0].value


def test_link_brings_everything_back(app, slug):
    at = app(slug)
    at.session_state[f"{slug}.take_away"] = True
    draw = random.Random(slug)
    for key in list(controls(at)):
        widget = controls(at).get(key)
        if widget is not None:
            before = widget.value
            if widget.set_value(somewhere(widget, draw)).run().error:  # a refusal has no link to give
                controls(at)[key].set_value(before).run()
    healthy(at.run())
    link = next(c.value for c in at.code if f"/{slug}" in c.value)
    assert len(link) < 8000
    params = parse_qs(urlsplit(link).query, keep_blank_values=True)
    again = healthy(app(slug, params))
    assert not again.warning, again.warning[0].value
    settings = lambda at: {
        k: sorted(w.value) if isinstance(w.value, list) else w.value for k, w in controls(at).items()
    }
    assert settings(again) == settings(at)
    assert [c["spec"] for c in charts(again)] == [c["spec"] for c in charts(at)]


def test_take_away_computes_this_very_state(app, slug, monkeypatch):
    tables = []
    flat = export.flat
    monkeypatch.setattr(export, "flat", lambda *parts: tables.append(flat(*parts)) or tables[-1])  # the last is whole
    at = app(slug)
    at.session_state[f"{slug}.take_away"] = True
    at.run()
    draw = random.Random(slug)
    presets = [b.key for b in at.button if b.key.startswith(f"{slug}.try.")]
    for button in [None, *presets, *["anywhere"] * 8]:
        if button in presets:
            at.button(key=button).click().run()
        elif button and bend(at, draw).error:  # a refusal has no numbers to take away
            continue
        code = next(c.value for c in at.code if c.value.startswith("import numpy"))
        names: dict = {}
        exec(code, names)
        numbers = {name: part for name, part in tables[-1].items() if name in names}
        assert numbers, f"the snippet assigns none of {sorted(tables[-1])}"
        for name, expected in numbers.items():
            np.testing.assert_allclose(np.asarray(names[name], float), expected, rtol=1e-9, atol=1e-9, err_msg=name)
    assert json.loads(export.as_json(tables[-1])).keys() == tables[-1].keys()
    assert export.as_csv(tables[-1]).startswith("name,index,value\n")


def state(at) -> str:
    """The link of the page as it stands."""
    return next(c.value for c in at.code if "http" in c.value or c.value.startswith("/"))

import tomllib
from pathlib import Path

import numpy as np
import pytest

from ui.charts import theme

CONFIG = tomllib.loads((Path(__file__).parent.parent / ".streamlit/config.toml").read_text("utf-8"))["theme"]
QUIET = theme.GROUNDS  # grounds and rules, which must not shout
PALE = {"key", "head_1", "head_5"}  # as Okabe, Ito and Tol chose them; darker ones look alike to colour-blind eyes
LOUD = [name for name in theme.MEANING if name not in QUIET and not name.startswith("token_")]


def light(colour: str) -> float:
    """Relative luminance, WCAG 2.2."""
    channels = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4) @ [
        0.2126,
        0.7152,
        0.0722,
    ]


def contrast(one: str, other: str) -> float:
    dark, bright = sorted([light(one), light(other)])
    return (bright + 0.05) / (dark + 0.05)


def mixed(one: str, other: str, share: float) -> str:
    parts = [[int(colour[i : i + 2], 16) for i in (1, 3, 5)] for colour in (one, other)]
    return "#" + "".join(f"{round(share * a + (1 - share) * b):02x}" for a, b in zip(*parts, strict=True))


@pytest.mark.parametrize("name", LOUD)
def test_lines_and_dots_stand_out_from_their_paper(name):
    on_light, on_dark = (contrast(*pair) for pair in zip(theme.MEANING[name], theme.MEANING["paper"], strict=True))
    assert on_light >= (1.6 if name in PALE else 3)
    assert on_dark >= 4.5


@pytest.mark.parametrize("name", LOUD)
def test_words_can_be_read(name):
    assert contrast(theme.ink(name), theme.MEANING["paper"][0]) >= 4.5
    assert contrast(theme.DARK[theme.ink(name)], theme.MEANING["paper"][1]) >= 4.5


@pytest.mark.parametrize("name", theme.MEANING)
def test_words_on_a_fill_can_be_read(name):
    words = {"black": "#000000"}.get(theme.on(name), theme.on(name))
    for fill, ink in zip(theme.MEANING[name], (words, theme.DARK.get(words, words)), strict=True):
        assert contrast(fill, ink) >= 4.5


def test_every_colour_means_one_thing_and_has_one_dark_partner():
    lights = [
        *(pair[0] for pair in theme.MEANING.values()),
        *theme.WORDS.values(),
        *theme.SEQUENTIAL[0],
        *theme.DIVERGING[0],
    ]
    assert len(lights) == len(set(lights)) == len(theme.DARK)
    assert not set(theme.DARK) & set(theme.DARK.values())
    assert theme.in_dark(f'"{theme.colour("query")}" {theme.colour("ink")}33') == '"#56b4e9" #e8edf233'
    assert set(theme.WORDS) < set(theme.MEANING)


@pytest.mark.parametrize(("look", "i"), [("light", 0), ("dark", 1)])
def test_the_configuration_holds_the_same_colours(look, i):
    config = CONFIG[look]
    for name, meaning in (
        ("backgroundColor", "paper"),
        ("secondaryBackgroundColor", "panel"),
        ("textColor", "ink"),
        ("borderColor", "line"),
    ):
        assert config[name] == theme.MEANING[meaning][i]
    tint = mixed(config["primaryColor"], config["backgroundColor"], 0.1)  # under a button that is chosen
    assert min(contrast(config["primaryColor"], ground) for ground in (config["backgroundColor"], tint)) >= 4.5
    assert config["chartSequentialColors"] == list(theme.SEQUENTIAL[i])
    assert config["chartDivergingColors"] == list(theme.DIVERGING[i])
    assert len(theme.SEQUENTIAL[i]) == len(theme.DIVERGING[i]) == 10
    assert len(set(config["chartCategoricalColors"])) >= 10
    assert set(config["chartCategoricalColors"]) <= {pair[i] for pair in theme.MEANING.values()}


def test_ramps_run_one_way():
    for i, paper in enumerate(theme.MEANING["paper"]):
        assert contrast(theme.SEQUENTIAL[i][0], paper) < 1.1
        steps = np.diff([light(step) for step in theme.SEQUENTIAL[i]])
        assert (steps < 0).all() or (steps > 0).all()
        arms = [light(step) for step in theme.DIVERGING[i]]
        assert np.argmax(arms) in (4, 5) if i == 0 else np.argmin(arms) in (4, 5)
    stops = theme.ramp(theme.SEQUENTIAL[0])
    assert (stops[0], stops[-1]) == ([0, "#fdfefe"], [1, "#00558b"])


def blended(ramp: list[list], share: float) -> str:
    """The colour of a ramp at a place, between its steps as Plotly has it."""
    places, steps = [place for place, _ in ramp], [[int(step[i : i + 2], 16) for i in (1, 3, 5)] for _, step in ramp]
    i = max(k for k, place in enumerate(places[:-1]) if place <= share and place < places[k + 1])
    way = (share - places[i]) / (places[i + 1] - places[i])
    return "#" + "".join(f"{round(a + way * (b - a)):02x}" for a, b in zip(steps[i], steps[i + 1], strict=True))


def bright(cell: str) -> bool:
    """Whether Plotly writes dark words on a cell; live.css makes those ink."""
    return np.dot([299, 587, 114], [int(cell[i : i + 2], 16) for i in (1, 3, 5)]) / 1000 >= 128


@pytest.mark.parametrize("signed", [False, True])
def test_numbers_in_cells_can_be_read_over_the_whole_ramp(signed):
    light_ramp = theme.cells(signed=signed, numbers=True)
    dark_ramp = [[place, theme.DARK[step]] for place, step in light_ramp]
    for share in np.linspace(0, 1, 2000):
        cell, night = blended(light_ramp, share), blended(dark_ramp, share)
        assert contrast(cell, theme.colour("ink") if bright(cell) else "#ffffff") >= 4.5, share
        assert not bright(night)
        assert contrast(night, "#ffffff") >= 4.5, share
        ink = theme.on_cell(2 * share - 1)
        for ground, words in ((cell, ink), (night, theme.DARK.get(ink, ink))) if signed else ():
            assert contrast(ground, {"white": "#ffffff"}.get(words, words)) >= 4.5, share


def test_a_matrix_without_numbers_leaps_nowhere():
    for signed in (False, True):
        places = [place for place, _ in theme.cells(signed=signed, numbers=False)]
        assert places[0] == 0
        assert places[-1] == 1
        assert min(np.diff(places)) >= 0.05


def test_the_template_uses_no_colour_without_a_partner():
    found = {text for text in _strings(theme.TEMPLATE) if text.startswith("#")}
    assert found <= set(theme.DARK)


def _strings(part):
    if isinstance(part, dict):
        part = list(part.values())
    if isinstance(part, list):
        return [text for one in part for text in _strings(one)]
    return [part] if isinstance(part, str) else []

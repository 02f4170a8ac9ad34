"""No two lines of a picture are told apart by colours alone that a colour-blind eye takes for one."""

from itertools import combinations

import numpy as np
import pytest

from ui import catalogue
from ui.charts import theme

NEAR = 10  # of CIEDE2000: apart for sure, side by side and at a distance
EYES = {  # what is left of linear red, green and blue; Machado, Oliveira and Fernandes 2009, severity 1
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
}
XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


def lab(colour: str, eye: str) -> np.ndarray:
    """L*, a*, b* of a colour as an eye sees it."""
    channels = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    xyz = XYZ @ np.clip(np.array(EYES[eye]) @ linear, 0, 1) / XYZ.sum(axis=1)
    f = np.where(xyz > (6 / 29) ** 3, np.cbrt(xyz), xyz / 3 * (29 / 6) ** 2 + 4 / 29)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def apart(one: np.ndarray, other: np.ndarray) -> float:
    """CIEDE2000 between two colours in L*, a*, b*."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    chroma = (np.hypot(a1, b1) + np.hypot(a2, b2)) / 2
    g = 1.5 - 0.5 * np.sqrt(chroma**7 / (chroma**7 + 25.0**7))
    c1, c2 = np.hypot(a1 * g, b1), np.hypot(a2 * g, b2)
    h1, h2 = np.degrees(np.arctan2([b1, b2], [a1 * g, a2 * g])) % 360
    turn = ((h2 - h1 + 180) % 360 - 180) if c1 * c2 else 0
    light, chroma, hue = (l1 + l2) / 2, (c1 + c2) / 2, (h1 + turn / 2) % 360 if c1 * c2 else h1 + h2
    by_light = (l2 - l1) / (1 + 0.015 * (light - 50) ** 2 / np.sqrt(20 + (light - 50) ** 2))
    by_chroma = (c2 - c1) / (1 + 0.045 * chroma)
    wave = lambda factor, shift: np.cos(np.radians(factor * hue + shift))
    t = 1 - 0.17 * wave(1, -30) + 0.24 * wave(2, 0) + 0.32 * wave(3, 6) - 0.2 * wave(4, -63)
    by_hue = 2 * np.sqrt(c1 * c2) * np.sin(np.radians(turn / 2)) / (1 + 0.015 * chroma * t)
    swing = np.sin(np.radians(60 * np.exp(-(((hue - 275) / 25) ** 2))))
    mixed = -2 * np.sqrt(chroma**7 / (chroma**7 + 25.0**7)) * swing * by_chroma * by_hue
    return float(np.sqrt(by_light**2 + by_chroma**2 + by_hue**2 + mixed))


def nearest(one: str, other: str) -> float:
    """How far apart two light colours and their dark partners are for the eye that tells them apart least."""
    pairs = [(one, other), (theme.DARK.get(one, one), theme.DARK.get(other, other))]
    return min(apart(lab(a, eye), lab(b, eye)) for eye in EYES for a, b in pairs)


def test_the_measure_is_the_one_of_its_paper():  # Sharma, Wu and Dalal 2005, table 1: pairs 1, 7, 19 and 25
    pairs = [
        ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425),
        ((50, 0, 0), (50, -1, 2), 2.3669),
        ((50, 2.5, 0), (58, 24, 15), 19.4535),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
    ]
    for one, other, wanted in pairs:
        assert apart(np.array(one, float), np.array(other, float)) == pytest.approx(wanted, abs=1e-4)


@pytest.mark.parametrize("slug", [one.slug for one in catalogue.shown()])
def test_lines_of_near_colours_have_dashes_of_their_own(app, slug):
    legends = {name: chart for name, chart in app(slug).charts.items() if chart.layout.get("showlegend", True)}
    for name, chart in legends.items():
        drawn = [t for t in chart.data if "lines" in t.get("mode", "") and t.get("showlegend", True) and t.get("name")]
        looks = {(t.get("xaxis"), t["line"]["color"], t["line"].get("dash", "solid"), t["name"]) for t in drawn}
        for (x, one, dash, first), (x2, other, dash2, second) in combinations(sorted(looks, key=str), 2):
            far = x != x2 or dash != dash2 or nearest(one, other) >= NEAR
            assert far, f"{name}: {first} and {second}, {nearest(one, other):.1f}"

"""An offset makes every cosine high, the mean takes it out again, and a long vector becomes everyone's neighbour."""

import json

import numpy as np

SLUG = "dot_product_against_cosine"


def figures(at) -> list[dict]:
    charts = [json.loads(e.proto.json) for e in at.get("bidi_component") if '"spec"' in e.proto.json]
    return [json.loads(chart["spec"]) for chart in charts]


def press(at, preset: str):
    return at.button(key=f"{SLUG}.try.{preset}").click().run()


def test_a_large_offset_and_its_cure(app):
    at = press(app(SLUG), "A large offset")
    assert np.min(figures(at)[0]["data"][1]["z"]) > 0.7
    at = press(at, "The mean subtracted")
    assert np.min(figures(at)[0]["data"][1]["z"]) < -0.9
    for line in figures(at)[2]["data"][:2]:
        assert np.ptp(line["y"]) < 1e-12


def test_a_long_vector_is_nearest_by_dot_product_only(app):
    before = figures(press(app(SLUG), "No offset"))[1]["data"][0]["text"]
    after = figures(press(app(SLUG), "One long vector"))[1]["data"][0]["text"]
    assert after[0].count("v1") > before[0].count("v1")
    assert after[1] == before[1]


def test_flags_agree_with_the_two_rows(app):
    for offset in ("0", "1", "5"):
        by_dot, by_cosine, flags = figures(app(SLUG, {f"{SLUG}.offset": offset}))[1]["data"][0]["text"]
        assert flags == ["≠" if a != b else "=" for a, b in zip(by_dot, by_cosine, strict=True)]


def test_vectors_without_direction_in_words(app):
    at = app(SLUG, {f"{SLUG}.vectors": "\n".join(["0 0 0 0"] * 8), f"{SLUG}.offset": "0"})
    assert not at.exception
    assert "a zero vector has no direction" in " ".join(m.value for m in at.markdown)
    at = app(SLUG, {f"{SLUG}.vectors": "\n".join(["1 2 3 4"] * 8), f"{SLUG}.centre": "true"})
    assert not at.exception

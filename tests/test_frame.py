"""The menu and the frame around a page; the cold server's deep link is tested in a real browser."""

from pathlib import Path

from engine import weights_file
from ui import catalogue, frame


def test_the_menu_has_home_first_and_every_section(monkeypatch):
    asked = {}
    monkeypatch.setattr(frame.st, "Page", lambda page, **settings: settings["title"])
    monkeypatch.setattr(frame.st, "navigation", lambda pages, position: asked.update(pages))
    monkeypatch.setattr(frame.st, "rerun", lambda: None)
    frame.guard()
    assert list(asked) == list(dict.fromkeys(["Start", *catalogue.sections(catalogue.shown())]))
    assert asked["Start"][0] == "Home"
    assert [t for titles in asked.values() for t in titles][1:] == [lab.title for lab in catalogue.shown()]


def test_a_page_outside_the_frame_starts_again_inside_it(monkeypatch):
    calls = []
    monkeypatch.setattr(frame.st, "navigation", lambda pages, position: calls.append(position))
    monkeypatch.setattr(frame.st, "rerun", lambda: calls.append("rerun"))
    monkeypatch.setattr(frame.st, "Page", lambda page, **settings: settings["title"])
    frame.guard()
    assert calls == ["hidden", "rerun"]


def test_the_frame_is_left_even_when_a_page_stops(app, monkeypatch):
    monkeypatch.setattr(weights_file, "PATH", Path("missing.toml"))
    at = app("forward_pass")
    assert "cannot be used" in at.error[0].value
    monkeypatch.undo()
    assert at.run().charts

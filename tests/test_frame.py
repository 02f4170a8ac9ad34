"""The menu and the frame around a page; the cold server's deep link is tested in a real browser."""

from pathlib import Path

import pytest
import streamlit as st

from engine.weights import file as weights_file
from ui import catalogue, run
from ui.page import lab


def test_the_menu_has_home_first_and_every_section(monkeypatch):
    monkeypatch.setattr(st, "Page", lambda page, **settings: settings["title"])
    asked = catalogue.menu(lambda: None)
    assert list(asked) == list(dict.fromkeys(["Start", *catalogue.sections(catalogue.shown())]))
    assert asked["Start"][:2] == ["Home", "Home"], "as Streamlit has it, and by its name"
    assert [t for titles in asked.values() for t in titles][2:] == [one.title for one in catalogue.shown()]


def test_home_has_one_place_in_the_menu_and_two_addresses(monkeypatch):
    monkeypatch.setattr(st, "Page", lambda page, **settings: settings)
    first, second, *_ = catalogue.menu(lambda: None)["Start"]
    assert first == {"title": "Home", "default": True}
    assert second == {"title": "Home", "url_path": "home", "visibility": "hidden"}


def test_a_page_outside_the_frame_starts_again_inside_it(monkeypatch):
    class AgainError(Exception):
        pass

    def rerun():
        raise AgainError

    calls = []
    monkeypatch.setattr(st, "navigation", lambda pages, position: calls.append(position))
    monkeypatch.setattr(st, "rerun", rerun)
    monkeypatch.setattr(st, "Page", lambda page, **settings: settings["title"])
    with pytest.raises(AgainError):
        lab.begin("softmax.py")
    assert calls == ["hidden"]


def test_the_frame_is_left_even_when_a_page_stops(app, monkeypatch):
    monkeypatch.setattr(weights_file, "PATH", Path("missing.toml"))
    at = app("forward_pass")
    assert "cannot be used" in at.error[0].value
    assert not run.is_open()
    monkeypatch.undo()
    assert at.run().charts

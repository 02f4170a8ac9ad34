"""What all tests share: the frozen reference values, a driven page, a browser."""

import json
from pathlib import Path

import numpy as np
import pytest
from chromium import chromium, cold, looks, visit  # noqa: F401
from driven import Driven
from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.pages_manager import PagesManager

REFERENCE = Path(__file__).parent / "reference"


@pytest.fixture
def rng():
    return np.random.default_rng(0)


@pytest.fixture
def reference():
    """Frozen values of another library: reference("softmax") reads tests/reference/softmax.json."""
    return lambda room: json.loads((REFERENCE / f"{room}.json").read_text())


@pytest.fixture
def app(monkeypatch):
    """Follow a link to a lab, or to Home: app("softmax", {"softmax.temperature": "2"}) gives a Driven that has run."""
    start, hand_over, hand_over_later = PagesManager.__init__, MediaFileManager.add, MediaFileManager.add_deferred
    downloads = {}

    def without_discovery(self, *args, **kwargs):
        start(self, *args, **kwargs)
        self.uses_pages_directory = False

    def handed_over(self, data, mimetype, coordinates, file_name=None, **kwargs):
        url = hand_over(self, data, mimetype, coordinates, file_name, **kwargs)
        downloads[url] = (file_name, data)
        return url

    def handed_over_later(self, make, mimetype, coordinates, file_name=None, **kwargs):
        name = hand_over_later(self, make, mimetype, coordinates, file_name, **kwargs)
        downloads[name] = (file_name, make)
        return name

    monkeypatch.setattr(PagesManager, "__init__", without_discovery)
    monkeypatch.setattr(MediaFileManager, "add", handed_over)
    monkeypatch.setattr(MediaFileManager, "add_deferred", handed_over_later)
    return lambda slug="", link=None: Driven.open(slug, link, downloads)

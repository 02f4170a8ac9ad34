"""What all tests share: the frozen reference values."""

import json
from pathlib import Path

import numpy as np
import pytest
from chromium import chromium, cold, looks, visit  # noqa: F401

from ui.charts import live

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
    """A driven app on any page and link: app("softmax", {"softmax.temperature": "2"}) returns an AppTest that has run."""
    from streamlit.runtime.pages_manager import PagesManager
    from streamlit.testing.v1 import AppTest

    start = PagesManager.__init__

    def without_discovery(self, *args, **kwargs):
        start(self, *args, **kwargs)
        self.uses_pages_directory = False

    monkeypatch.setattr(live, "PACK_FROM", float("inf"))  # tests read the figures
    monkeypatch.setattr(PagesManager, "__init__", without_discovery)

    def open_page(slug: str = "", params: dict | None = None):
        at = AppTest.from_file(REFERENCE.parent.parent / "Home.py", default_timeout=30)
        if slug:
            at.switch_page(f"pages/{slug}.py")
        for name, value in (params or {}).items():
            at.query_params[name] = value
        return at.run()

    return open_page

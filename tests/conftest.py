"""What all tests share: the frozen reference values, a driven page, a browser.

pytest-playwright starts the browser and says what is to be kept of a failed test, and where; the tabs are our own, as
one for each look is quicker than one for each test.
"""

import json
import logging
import os
import threading
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from chromium import Visit, launch_options, serve
from driven import Driven
from playwright.sync_api import Error
from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.pages_manager import PagesManager

FAILED = pytest.StashKey[bool]()
REFERENCE = Path(__file__).parent / "reference"


@pytest.fixture
def rng():
    return np.random.default_rng(0)


@pytest.fixture
def reference():
    """Frozen values of another library: reference("softmax") reads tests/reference/softmax.json."""
    return lambda room: json.loads((REFERENCE / f"{room}.json").read_text())


@pytest.fixture
def quiet(monkeypatch):
    """Fails a test in which a page makes Streamlit log something: a server would write it at every move."""
    hand_on, tests, logged = logging.Logger.callHandlers, threading.get_ident(), []

    def remembered(self, record):
        if record.name.startswith("streamlit") and record.levelno >= logging.WARNING and record.thread != tests:
            logged.append(record.getMessage())
        hand_on(self, record)

    monkeypatch.setattr(logging.Logger, "callHandlers", remembered)
    yield
    assert not logged


@pytest.fixture
def app(monkeypatch, quiet):
    """Follow a link to a lab, or to Home: app("softmax", {"softmax.temperature": "2"}) gives a Driven that has run."""
    start, hand_over, hand_over_later = PagesManager.__init__, MediaFileManager.add, MediaFileManager.add_deferred
    downloads = {}

    def without_discovery(self, *args, **kwargs):
        start(self, *args, **kwargs)
        PagesManager.uses_pages_directory = False

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


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    """What pytest-playwright's own options say (--headed, --slowmo), on the Chromium at hand."""
    return launch_options() | browser_type_launch_args


@pytest.fixture(scope="session")
def browser(launch_browser):
    """The browser of all browser tests; none at hand skips them, and fails them where CI says that there is one."""
    running = None
    for channel in (None, "chrome", "msedge"):
        with suppress(Error):
            running = running or launch_browser(channel=channel)
    if running is None:
        sentence = "No Chromium found: playwright install chromium, or set CHROMIUM to its path"
        (pytest.fail if os.environ.get("CI") else pytest.skip)(sentence)
    yield running
    running.close()


@pytest.fixture(scope="session")
def new_tab(browser, pytestconfig):
    """A tab of its own look: new_tab(color_scheme="dark").

    A trace says what was done, what the console said and what was asked of the server. A picture and a snapshot of the
    page at every step, which make every test twice as slow, come with --tracing=on.
    """
    tracing = pytestconfig.getoption("--tracing")

    def new(**look):
        context = browser.new_context(**look)
        if tracing != "off":
            context.tracing.start(screenshots=tracing == "on", snapshots=tracing == "on", sources=True)
        return context.new_page()

    yield new
    for context in browser.contexts:
        context.close()


@pytest.fixture(scope="session")
def cold(new_tab):
    """A server that nobody has visited, and its first visitor, who follows a link to a lab: (address, visit)."""
    with serve() as (address, _):
        first = Visit(new_tab(viewport={"width": 1280, "height": 720}), address)
        first.page.goto(f"{address}/softmax?softmax.temperature=2.5&softmax.target=z3")
        yield address, first


@pytest.fixture(scope="session")
def looks(new_tab, cold):
    """One tab for each look: only its first page loads the framework, and each link starts a session of its own."""
    made = {}

    def look(**options):
        name = str(sorted(options.items()))
        if name not in made:
            made[name] = Visit(new_tab(**options), cold[0])
        return made[name]

    return look


@pytest.fixture
def watched(request, pytestconfig, output_path):
    """Watch a tab during this test: a complaint fails it, and of a failed test a trace and a picture are kept."""
    tabs = []
    tracing, screenshot = (pytestconfig.getoption(name) for name in ("--tracing", "--screenshot"))

    def watch(tab: Visit) -> Visit:
        if tab not in tabs:
            tabs.append(tab)
            if tracing != "off":
                tab.page.context.tracing.start_chunk(title=request.node.name)
        return tab

    yield watch
    failed = request.node.stash.get(FAILED, False) or any(tab.complaints for tab in tabs)
    for n, tab in enumerate(tabs):
        if screenshot == "on" or (failed and screenshot != "off"):
            tab.page.screenshot(path=Path(output_path, f"page-{n}.png"))
        if tracing == "on" or (failed and tracing != "off"):
            tab.page.context.tracing.stop_chunk(path=Path(output_path, f"trace-{n}.zip"))
        elif tracing != "off":
            tab.page.context.tracing.stop_chunk()
    for tab in tabs:
        tab.healthy()


@pytest.fixture
def visit(looks, watched):
    """Follow a link: visit("softmax", color_scheme="dark") gives a Visit with its charts; complaints fail the test."""

    def follow(link: str, width: int = 1280, height: int = 720, **options) -> Visit:
        tab = looks(viewport={"width": width, "height": height}, **options)
        tab.complaints.clear()
        return watched(tab).open(link)

    return follow


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item):
    """Remember whether a test has failed, for what is kept of it."""
    report = yield
    item.stash[FAILED] = item.stash.get(FAILED, False) or report.failed
    return report


def pytest_collection_modifyitems(items):
    """Mark what opens a page, driven in memory or in a browser, and what needs the machine for itself.

    `make quick` leaves pages out; `make test` asks the browser after all others, which two processes share.
    """
    for item in items:
        fixtures = set(getattr(item, "fixturenames", ()))
        if {"app", "browser"} & fixtures:
            item.add_marker("page")
        if "browser" in fixtures or item.path.stem in ("test_bench", "test_deploy"):
            item.add_marker("browser")

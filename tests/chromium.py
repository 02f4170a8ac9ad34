"""A served app, the Chromium at hand, and a tab that remembers every complaint."""

import os
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit
from urllib.request import urlopen

from playwright.sync_api import TimeoutError

from ui import catalogue

ROOT = Path(__file__).parent.parent

# What a page must be before a test looks at it: the script has ended and every chart shows its newest figure.
SETTLED = """() => {
  const figures = [...document.querySelectorAll("figure")];
  return document.querySelector("[data-testid=stApp]")?.dataset.testScriptState === "notRunning"
    && !document.querySelector("[data-testid=stSkeleton]")
    && figures.length > 0 && figures.every((f) => f.chart?.drawn && !f.chart.busy);
}"""
QUIET = SETTLED.replace(
    "figures.length > 0", "document.querySelector('h1')"
)  # the same, where a page may have no chart


SCENE = """() => {
  const all = (what, of) => [...document.querySelectorAll(what)].map(of);
  return {
    address: location.pathname + location.search,
    headings: all("h1, h2, h3", (h) => h.textContent),
    charts: all("figure", (f) => f.data && f.querySelector(".main-svg").getAttribute("aria-label")),
    controls: all("[data-testid=stMain] :is(input, textarea):not(.lab-player *)", (i) =>
      [i.checkVisibility() ? i.type : "out of sight", i.ariaLabel ?? "", i.value, i.checked]),
    buttons: all("[data-testid=stMain] [data-testid^=stBaseButton]", (b) => b.textContent),
    alerts: all("[data-testid=stAlert]", (a) => a.textContent),
    errors: all("[data-testid=stException], [role=dialog]", (e) => e.textContent),
  };
}"""


# Opens a section of the menu and takes a link in it; opens it again where a slider held meanwhile has closed it, as its
# drag goes on with a press outside the menu.
GO = """([section, slug]) => {
  const link = document.querySelector(`[data-testid=stTopNavPopover] a[href$='/${slug}']`);
  const heads = [...document.querySelectorAll("[data-testid=stTopNavSection]")];
  const head = heads.find(({ textContent }) => textContent.includes(section));
  if (link) link.click();
  else if (head?.ariaExpanded !== "true") head?.click();
  return Boolean(link);
}"""


@contextmanager
def serve(folder: Path = ROOT, main: str = "Home.py", port: int | None = None):
    """A Streamlit server of its own, on a free port where none is named; gives (address, process id)."""
    port = port or free_port()
    command = [sys.executable, "-m", "streamlit", "run", main, "--server.headless=true", f"--server.port={port}"]
    command += ["--server.address=127.0.0.1"]
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        address = f"http://127.0.0.1:{port}"
        until_up(f"{address}/_stcore/health", process)
        yield address, process.pid
    finally:
        process.terminate()
        process.wait(20)


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def until_up(address: str, process) -> None:
    """Wait until a server answers."""
    end = time.monotonic() + 60
    while time.monotonic() < end and process.poll() is None:
        try:
            with urlopen(address, timeout=2):
                return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError("the server did not start")


def launch_options() -> dict:
    """How Chromium starts, and which: $CHROMIUM, the system's, or else (None) what Playwright knows of."""
    places = [os.environ.get("CHROMIUM"), "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
    quiet = ["background-networking", "component-update", "sync"]
    return {
        "executable_path": next((place for place in places if place and Path(place).exists()), None),
        "args": ["--no-sandbox", "--disable-gpu", *(f"--disable-{name}" for name in quiet)],
    }


class Visit:
    """One browser tab on the app that remembers every complaint and every request to another host."""

    def __init__(self, page, address: str):
        self.page, self.address, self.complaints = page, address, []
        page.set_default_timeout(60_000)
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.complaints.append(f"uncaught: {error}"))
        page.on("request", self._request)

    def open(self, link: str):
        """Follow a link such as "softmax?softmax.scale=2" and wait until its charts stand."""
        self.page.goto(f"{self.address}/{link}")
        return self.settle()

    def settle(self):
        self.page.wait_for_function(SETTLED)
        return self

    def go(self, slug: str):
        """To another page by the menu, as a visitor goes: the tab stays, the script does not."""
        self.page.wait_for_function(GO, arg=[catalogue.BY_SLUG[slug].section, slug])
        self.page.wait_for_url(f"{self.address}/{slug}*")
        return self.arrive()

    def arrive(self):
        """Wait until the lab of the address stands here: after Back the one that was left still does for a moment."""
        here = "(titles) => document.querySelector('h1')?.textContent === titles[location.pathname.split('/').pop()]"
        self.page.wait_for_function(here, arg={slug: lab.title for slug, lab in catalogue.BY_SLUG.items()})
        return self.settle()

    def slider(self, label: str):
        """The input of the slider with this label."""
        return self.page.locator(f'[data-testid=stSlider] input[aria-label="{label}"]')

    def thumb(self, label: str) -> tuple[float, float, float]:
        """Where a slider's thumb is, and its track's width: x, y, width."""
        self.slider(label).scroll_into_view_if_needed()
        box = (
            self.page.get_by_test_id("stSlider")
            .filter(has=self.page.locator(f'input[aria-label="{label}"]'))
            .bounding_box()
        )
        dot = self.slider(label).locator("xpath=ancestor::*[contains(@style, 'touch-action')][1]").bounding_box()
        return dot["x"] + dot["width"] / 2, dot["y"] + dot["height"] / 2, box["width"]

    def link(self) -> dict[str, str]:
        """What the address says now."""
        return {k: v[-1] for k, v in parse_qs(urlsplit(self.page.url).query).items()}

    def link_says(self, **wanted: str):
        """Wait until the address says so; a dot in a name is written as two underscores."""
        pairs = {name.replace("__", "."): value for name, value in wanted.items()}
        self.page.wait_for_function(
            "(pairs) => Object.entries(pairs).every(([k, v]) => new URLSearchParams(location.search).get(k) === v)",
            arg=pairs,
        )

    def count(self, act) -> list[str]:
        """Do `act` and give the pictures that the first chart showed meanwhile, one after the other."""
        self.page.evaluate("""() => {
          const chart = document.querySelector("figure"), seen = (window.seen = []);
          const look = () => {
            const text = [...chart.querySelectorAll(".main-svg text")].map((t) => t.textContent).join(" ");
            if (text !== seen.at(-1)) seen.push(text);
            if (window.seen === seen) requestAnimationFrame(look);
          };
          look();
        }""")
        act()
        seen = self.page.evaluate("window.seen")
        self.page.evaluate("window.seen = null")
        return seen[1:]

    def scene(self) -> dict:
        """What stands on the page, as often as it does: the address, headings, charts, controls with values, boxes."""
        return self.page.evaluate(SCENE)

    def once(self) -> dict:
        """The scene when the script has ended: nothing stands there twice, and no box says that something broke."""
        quiet = f"() => ({QUIET})() && ({SCENE})()"  # in one look: the next run may begin at once
        scene, before = self.page.wait_for_function(quiet).json_value(), None
        while scene != before:  # the last messages of a run reach the charts a moment after its end
            self.page.wait_for_timeout(150)
            scene, before = self.page.wait_for_function(quiet).json_value(), scene
        named = [name for kind, name, *_ in scene["controls"] if name and kind == "range"]
        for things in (scene["headings"], scene["charts"], named):
            assert len(things) == len(set(things)), things
        assert scene["headings"]
        assert not scene["errors"], scene["errors"]
        return scene

    def shows(self, wanted: dict, **options):
        """Wait until the tab is connected and its scene is this one, or has these parts; say what else it shows."""
        test = f"""(wanted) => {{
          const app = document.querySelector("[data-testid=stApp]"), now = ({SCENE})();
          const same = (name) => JSON.stringify(now[name]) === JSON.stringify(wanted[name]);
          return app?.dataset.testConnectionState === "CONNECTED" && Object.keys(wanted).every(same);
        }}"""
        try:
            self.page.wait_for_function(test, arg=wanted, **options)
        except TimeoutError:
            now = self.scene()
            other = {name: (now[name], value) for name, value in wanted.items() if now[name] != value}
            raise AssertionError(f"{self.page.url} shows, in place of what it should: {other}") from None
        self.page.wait_for_function(QUIET)

    def says(self, text: str, **options):
        """Wait until the first chart says so."""
        test = "(text) => document.querySelector('figure')?.textContent.includes(text)"
        self.page.wait_for_function(test, arg=text, **options)

    def healthy(self):
        """No complaint and no request to another host so far."""
        assert not self.complaints, self.complaints
        assert self.page.locator("figure[data-error]").count() == 0

    def _console(self, message) -> None:
        if message.type not in ("error", "warning"):
            return
        path = urlsplit(message.location["url"]).path.split("/", 2)
        probe = len(path) == 3 and path[2] in (
            "_stcore/health",
            "_stcore/host-config",
        )  # the framework's, on deep links
        if probe and message.text == "Failed to load resource: the server responded with a status of 404 (Not Found)":
            return
        self.complaints.append(f"{message.type}: {message.text}")

    def _request(self, request) -> None:
        if not request.url.startswith((self.address + "/", "data:", "blob:")):
            self.complaints.append(f"another host: {request.url}")

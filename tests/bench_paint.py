"""From a key to the new picture, in Chromium: our charts against `st.plotly_chart`, and Dash's where it is installed.

Three charts on a page: a 6 × 6 heatmap with numbers, 8 bars, a line of 200 points. All pages are measured in one run,
step by step in turn. Fails where ours takes more than half of stock's time, or comes more than 10 % later on a cold
visit.
"""

import importlib.util
import os
import subprocess
import sys
import tempfile
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median

from chromium import ROOT, free_port, launch_options, serve, until_up
from playwright.sync_api import sync_playwright

MOST_PAINT, MOST_COLD = 0.5, 1.1

FIGURES = """
import sys
sys.path.insert(0, {root!r})
import numpy as np
from ui import charts
from ui.charts import theme
from ui.charts import Panel, Series

def figures(step):
    draw = np.random.default_rng(step)
    names, x = [str(i) for i in range(8)], np.linspace(0, 10, 200)
    return [
        charts.matrix(draw.uniform(-1, 1, (6, 6)), f"step {{step}}", cell=30),
        charts.bars(names, [Series("p", draw.uniform(0, 1, 8))], title=f"step {{step}}", y_range=(0, 1.1), height=240),
        charts.lines(x, [Series("y", np.sin(x + step / 10))], title=f"step {{step}}", x_range=(0, 10),
                     y_range=(-1.1, 1.1), height=240),
    ]
"""
OURS = """
import streamlit as st
from figures import charts, figures
from ui import run
from ui.charts import live
st.set_page_config(layout="wide")
live.start({"css": "", "labs": {}})
with run.Run("paint"):
    drawn = figures(st.slider("step", 0, 100, 0))
    for i, (column, figure) in enumerate(zip(st.columns(3), drawn)):
        with column:
            charts.show(str(i), figure, "A chart for the bench.")
"""
STOCK = """
import streamlit as st
from figures import figures, theme
st.set_page_config(layout="wide")
drawn = figures(st.slider("step", 0, 100, 0))
for i, (column, figure) in enumerate(zip(st.columns(3), drawn)):
    with column:
        st.plotly_chart(figure.update_layout(template=theme.TEMPLATE), key=str(i), theme=None)
"""
DASH = """
import sys
from dash import Dash, Input, Output, dcc, html
from figures import figures, theme
app = Dash()
app.layout = html.Div([dcc.Slider(0, 100, 1, value=0, id="s", updatemode="drag"),
  html.Div([dcc.Graph(id=f"g{i}", style={"width": "33%"}) for i in range(3)], style={"display": "flex"})])
app.callback([Output(f"g{i}", "figure") for i in range(3)], Input("s", "value"))(
  lambda step: [figure.update_layout(template=theme.TEMPLATE) for figure in figures(step)])
app.run(port=int(sys.argv[1]))
"""

# Looks at every frame from a key to the frame after the one in which all three charts show the step.
WATCH = """
const head = (chart) => chart.querySelector(".main-svg")?.parentNode.textContent ?? "";
const heads = () => [...document.querySelectorAll(".js-plotly-plot")].map(head);
const shows = (step) => heads().length === 3 && heads().every((text) => text.includes("step " + step));
addEventListener("keydown", ({ timeStamp }) => {
  let frames = 0, blank = 0;
  const look = () => {
    frames++;
    if (heads().length < 3 || heads().some((text) => !text)) blank++;
    if (!shows(window.step)) return requestAnimationFrame(look);
    requestAnimationFrame(() => {
      const ms = performance.now() - timeStamp;
      setTimeout(() => (window.result = { ms, frames, blank, task: window.task }), 100);    // long tasks are told late
    });
  };
  requestAnimationFrame(look);
}, true);
window.task = 0;
const longest = ({ duration }) => (window.task = Math.max(window.task, duration));
new PerformanceObserver((all) => all.getEntries().forEach(longest))
  .observe({ type: "longtask" });
const now = () => (window.first = performance.now());
const first = () => requestAnimationFrame(shows(0) ? now : first);
first();
"""


def step_on(page, step: int) -> dict:
    """One key on the slider; what it took until the charts showed it."""
    page.bring_to_front()
    page.evaluate("(step) => { window.result = null; window.step = step; window.task = 0; }", step)
    page.locator("[role=slider], input[type=range]:visible").first.press("ArrowRight")
    return page.wait_for_function("window.result").json_value()


def visit_cold(chromium, address: str):
    """A page in a browser that has nothing of it yet, and the milliseconds until the charts stood."""
    page = chromium.new_context(viewport={"width": 1280, "height": 720}).new_page()
    page.add_init_script(WATCH)
    page.goto(address)
    return page, page.wait_for_function("window.first").json_value()


@contextmanager
def serve_dash(folder: Path):
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "dash_app.py", str(port)], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        until_up(f"http://127.0.0.1:{port}/", process)
        yield f"http://127.0.0.1:{port}/"
    finally:
        process.terminate()
        process.wait(20)


def main(moves: int, visits: int = 5) -> int:
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        (folder / ".streamlit").symlink_to(ROOT / ".streamlit")
        (folder / "figures.py").write_text(FIGURES.format(root=str(ROOT)))
        apps = {"ours": OURS, "stock": STOCK} | ({"dash": DASH} if importlib.util.find_spec("dash") else {})
        addresses = {}
        for app, code in apps.items():
            (folder / f"{app}_app.py").write_text(code)
            server = serve_dash(folder) if app == "dash" else serve(folder, f"{app}_app.py")
            address = stack.enter_context(server)
            addresses[app] = address if app == "dash" else address[0]
        chromium = stack.enter_context(sync_playwright()).chromium.launch(**launch_options())
        cold, steps, pages = {app: [] for app in apps}, {app: [] for app in apps}, {}
        for _ in range(visits):
            for app, address in addresses.items():
                if app in pages:
                    pages[app].context.close()
                pages[app], ms = visit_cold(chromium, address)
                cold[app].append(ms)
        for step in range(1, moves + 1):
            for app, page in pages.items():
                steps[app].append(step_on(page, step))
    print(f"{'':8}{'paint p50':>10}{'p95':>7}{'blank frames':>14}{'longest task':>14}{'cold first charts':>19}")
    for app in apps:
        ms = sorted(step["ms"] for step in steps[app])
        blank = sum(s["blank"] for s in steps[app]) / sum(s["frames"] for s in steps[app])
        task = max(step["task"] for step in steps[app])
        print(
            f"{app:8}{median(ms):7.0f} ms{ms[int(0.95 * len(ms))]:4.0f} ms{blank:14.0%}{task:11.0f} ms"
            f"{median(cold[app]):16.0f} ms"
        )
    paint = median(s["ms"] for s in steps["ours"]) / median(s["ms"] for s in steps["stock"])
    first = median(cold["ours"]) / median(cold["stock"])
    print(
        f"ours / stock: paint {paint:.2f} (at most {MOST_PAINT}), cold {first:.2f} (at most {MOST_COLD}); "
        f"{os.cpu_count()} processors"
    )
    return int(paint > MOST_PAINT or first > MOST_COLD)

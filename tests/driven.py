"""A page under test, driven without a browser: an AppTest that speaks of charts, controls and words."""

import importlib
import json
import re
import zlib
from base64 import b64decode
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from streamlit.components.v2.bidi_component.main import _make_trigger_id
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.testing.v1 import AppTest

from ui.page.ask import Endless
from ui.page.controls import as_text

HOME = Path(__file__).parent.parent / "Home.py"
CONTROLS = ("slider", "select_slider", "toggle", "selectbox", "button_group", "number_input", "text_area", "text_input")
TEXTS = ("title", "header", "subheader", "markdown", "caption", "error", "warning", "info", "success", "latex")


class Chart(NamedTuple):
    """A chart as the browser gets it: its figure as JSON and parsed, its words, whether it takes clicks."""

    text: str
    spec: dict
    alt: str
    clickable: bool

    @property
    def data(self) -> list[dict]:
        return self.spec["data"]

    @property
    def layout(self) -> dict:
        return self.spec["layout"]

    @property
    def heatmaps(self) -> list[np.ndarray]:
        """The numbers of its heatmaps, in order; NaN where a cell is empty."""
        return [numbers(trace["z"]) for trace in self.data if trace["type"] == "heatmap"]

    @property
    def matrices(self) -> dict[str, np.ndarray]:
        """The same by the title over each."""
        titles = [note["text"].split("</b>")[0].split(">")[-1] for note in self.layout.get("annotations", ())]
        return dict(zip(titles, self.heatmaps, strict=False))

    def named(self, name: str) -> dict:
        """The trace of this name."""
        return next(trace for trace in self.data if trace.get("name") == name)

    def boxes(self) -> list[dict]:
        """The rectangles drawn round its cells."""
        return [shape for shape in self.layout["shapes"] if shape["type"] == "rect"]


class Driven(AppTest):
    """A page that has run. Controls and buttons go by their short names: `temperature` for `softmax.temperature`."""

    slug = ""
    downloads: dict[str, Any] = {}  # what `app` saw handed over, by address

    @classmethod
    def open(cls, slug: str = "", link: dict | None = None, downloads: dict | None = None) -> "Driven":
        """Follow a link to a lab (or Home): Driven.open("softmax", {"softmax.temperature": "2"})."""
        at = cls(HOME, default_timeout=30)
        at.downloads = {} if downloads is None else downloads
        at.query_params |= link or {}
        return at.go(slug) if slug else at.run()

    def run(self, **options) -> "Driven":
        """With both tables unfolded: closed they hold nothing."""
        for title in ("Conventions", "Common slips"):
            self.session_state[f"{self.slug}.{title}"] = True
        return super().run(**options)

    def go(self, slug: str) -> "Driven":
        """To another lab in the same visit."""
        self.slug = slug
        return self.switch_page(f"pages/{slug}.py").run()

    @property
    def charts(self) -> dict[str, Chart]:
        """Every chart by its short name, in the order of the page."""
        found = {}
        for element in self.get("bidi_component"):
            sent = json.loads(element.proto.json or "{}")
            if "alt" in sent:
                text = figure(sent)
                name = element.proto.id.split(f"-{self.slug}.chart.")[-1]
                found[name] = Chart(text, json.loads(text), sent["alt"], sent["clickable"])
        return found

    @property
    def matrices(self) -> dict[str, np.ndarray]:
        """The numbers of every heatmap by the title over it."""
        return {title: cells for chart in self.charts.values() for title, cells in chart.matrices.items()}

    @property
    def controls(self) -> dict[str, Any]:
        """Every control of the page by its full key, those of its questions and of the frame apart."""
        found = {widget.key: widget for kind in CONTROLS for widget in self.get(kind) if widget.key}
        own = re.compile(rf"{self.slug}\.(ask|shown|round|given\..*)|view|plan")
        return {key: widget for key, widget in found.items() if not own.fullmatch(key)}

    def control(self, name: str):
        """The control of this short name, whatever its kind."""
        return self.controls[f"{self.slug}.{name}"]

    def set(self, **values) -> "Driven":
        """Move controls and run once: set(temperature=2.0, masked=["z1"])."""
        for name, value in values.items():
            self.control(name).set_value(value)
        return self.run()

    def click(self, name: str) -> "Driven":
        """Press a button by its short name; or show a question by its title, and explore what is there then."""
        if name in self.presets:
            open_before = any("/" + self.slug in code.value for code in self.code)  # a question shuts the folds
            self.ask(name).press("ask_show").ask(None)
            return self.unfold("take_away") if open_before else self
        return self.press(f"{self.slug}.{name}")

    def stand(self, title: str) -> "Driven":
        """As `click` leaves it, in one run: how the lab opens, and what the question of this title sets."""
        question = next(question for question in self.questions if question.title == title)
        opened = self.session_state["run.opened"]
        known = {key: value for key, (value, kept) in opened.items() if key.startswith(f"{self.slug}.") and not kept}
        wanted = {f"{self.slug}.{name}": value for name, value in (question.before | question.after).items()}
        for key, value in (known | wanted).items():
            self.session_state[key] = as_text(value)
        return self.run()

    def press(self, key: str) -> "Driven":
        """Press a button by its whole key."""
        return next(button for button in self.button if button.key == key).click().run()

    def ask(self, title: str | None) -> "Driven":
        """Open a question by its title; None goes back to exploring."""
        bar = next(bar for bar in self.get("button_group") if bar.key == f"{self.slug}.ask")
        names = [*(str(i + 1) for i in range(len(self.presets))), "more"]
        titles = [*self.presets, *(q.title for q in self.questions if isinstance(q, Endless))]
        bar.set_value(names[titles.index(title)] if title else "Explore")
        return self.run()

    @property
    def questions(self) -> tuple:
        """The questions of the lab."""
        return importlib.import_module(f"ui.questions.{self.slug}").QUESTIONS if self.slug else ()

    def predict(self, value) -> "Driven":
        """Answer the question on screen, a choice or a number."""
        kinds = [*self.get("radio"), *self.get("number_input")]
        next(field for field in kinds if ".given." in (field.key or "")).set_value(value)
        return self.run()

    def tap(self, chart: str, **place) -> "Driven":
        """Click in a chart, where the browser says row, column, x, y, point, curve or panel."""
        return self._sends(chart, "clicked", place)

    def hold(self, chart: str, *said) -> "Driven":
        """Move what a hand holds in a chart: {"control", "row", "column", "value"} or {"handle", "x", "y"} each."""
        return self._sends(chart, "held", list(said))

    def _sends(self, chart: str, event: str, value: Any) -> "Driven":
        drawn = next(one for one in self.get("bidi_component") if one.proto.id.endswith(f"-{self.slug}.chart.{chart}"))
        states = self._tree.get_widget_states()
        clicked = json.dumps([{"event": event, "value": value}])
        states.widgets.append(WidgetState(id=_make_trigger_id(drawn.proto.id, "events"), json_trigger_value=clicked))
        self._run(states)
        return self

    @property
    def presets(self) -> list[str]:
        """The titles of the questions but for an endless one."""
        return [question.title for question in self.questions if not isinstance(question, Endless)]

    def texts(self, *kinds: str) -> list[str]:
        """What stands on the page in these kinds of elements, each as people read it."""
        return [
            element.value if kind == "latex" else read(element.value) for kind in kinds for element in self.get(kind)
        ]

    def words(self) -> str:
        """All visible text: sentences, formulas, labels and what the charts say."""
        labels = [widget.label for widget in [*self.controls.values(), *self.button]]
        return "\n".join([*self.texts(*TEXTS), *labels, *(chart.alt for chart in self.charts.values())])

    @property
    def notices(self) -> list[str]:
        """What was wrong with the link."""
        boxes = [box.value for box in self.warning if box.icon == ":material/link_off:"]
        return [read(sentence) for box in boxes for sentence in box.split("  \n")]

    def unfold(self, name: str) -> "Driven":
        """Open a fold that is only filled when it is open: what can be taken away, the code, a solution."""
        self.session_state[f"{self.slug}.{name}"] = True
        return self.run()

    @property
    def link(self) -> str:
        """The address of this very state; like what follows, it stands in the fold `take_away`."""
        return next(code.value for code in self.code if f"/{self.slug}" in code.value)

    @property
    def program(self) -> str:
        """The NumPy program of this very state."""
        return next(code.value for code in self.code if code.value.startswith(("import ", "from ")))

    def computed(self) -> dict[str, Any]:
        """What the program computes, by name."""
        names: dict[str, Any] = {}
        exec(self.program, names)
        return names

    @property
    def files(self) -> dict[str, str]:
        """The files to take away by the end of their names: "csv" and "json"."""
        offered = [
            self.downloads[button.proto.url or button.proto.deferred_file_id] for button in self.get("download_button")
        ]
        made = {name.rsplit(".", 1)[1]: data() if callable(data) else data for name, data in offered}
        return {kind: data.decode() if isinstance(data, bytes) else data for kind, data in made.items()}

    @property
    def numbers(self) -> dict[str, Any]:
        """The numbers to take away by name."""
        return json.loads(self.files["json"])


def figure(sent: dict) -> str:
    """The JSON of the figure in a component's data, however it travels; "" where there is none."""
    return zlib.decompress(b64decode(sent["packed"])).decode() if "packed" in sent else sent.get("spec", "")


def numbers(array) -> np.ndarray:
    """An array of a figure: written out, or Plotly's bytes."""
    if not isinstance(array, dict):
        return np.array(array, float)
    flat = np.frombuffer(b64decode(array["bdata"]), array["dtype"])
    return flat.reshape([int(n) for n in array["shape"].split(",")]) if "shape" in array else flat


def read(markdown: str) -> str:
    """Markdown with its escapes taken out, as people read it; bold and tables keep their signs."""
    return re.sub(r"\\([^A-Za-z0-9\s])", r"\1", markdown).replace("\u2060", "")

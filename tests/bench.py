"""How quick and how small a slider move is: `python tests/bench.py [--page SLUG] [--moves N]`; see also `--help`.

For every page with a slider, the time from a slider's message to the end of the script, and the bytes that come back,
against a generated bare page: the same widgets with the same links, and `st.plotly_chart` of the same figures, built
once at import. The servers are asked in turn, move by move. Fails where ours takes more than twice as long or sends
over 60 kB; a page in `TRAINING` has a limit of its own, and its ratio counts in that proportion.

"bare" is Streamlit as it comes, whose messages wait up to 40 ms for the network; "lean" is the same page with our
socket option (ui/server.py), so that only what the pages compute and draw differs.
"""

import argparse
import asyncio
import json
import random
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import AsyncExitStack
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode

sys.path.insert(0, str(Path(__file__).parent.parent))

import websockets
from chromium import ROOT, serve
from driven import figure
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from ui import catalogue

MOST_RATIO, MOST_BYTES, MOST_MEGABYTES = 2.0, 60_000, 200
TRAINING = {"model_learns": 6.0}  # the most for a page whose every move holds a whole training run
HAND = 0.06  # seconds between the moves of a hand; who asks much faster waits (ui/pace.py)

WIRE = f"import sys\nsys.path.append({str(ROOT)!r})\nfrom ui import server\nserver.send_at_once()\n"


class Move(NamedTuple):
    ms: float
    bytes: int


class Session:
    """One visitor of one page over a websocket, who moves sliders as a browser does, and keeps a proxy's cookie."""

    def __init__(self, address: str, page: str, query: str = ""):
        self.address, self.page, self.query, self.cookie = address, page, query, ""
        self.script = ""  # what the server calls the page: named again, it would be a new visit to it
        self.places: dict[tuple, Any] = {}  # what stands on the page, in order
        self.moved: dict[str, list[float]] = {}

    async def __aenter__(self):
        stream = self.address.replace("http", "ws", 1) + "/_stcore/stream"
        self.socket = await websockets.connect(
            stream,
            subprotocols=["streamlit"],
            max_size=None,
            compression=None,
            additional_headers={"Cookie": self.cookie} if self.cookie else None,
        )
        self.cookie = self.socket.response.headers.get("Set-Cookie", self.cookie).split(";")[0]
        await self.run()
        return self

    async def __aexit__(self, *_):
        await self.socket.close()

    async def run(self) -> Move:
        """Ask for a run and wait until it has ended."""
        message = BackMsg()
        message.rerun_script.page_name = "" if self.script else self.page
        message.rerun_script.page_script_hash = self.script
        message.rerun_script.query_string = self.query
        message.rerun_script.context_info.url = f"{self.address}/{self.page}"
        for slider, value in self.moved.items():
            state = message.rerun_script.widget_states.widgets.add()
            state.id = slider
            state.double_array_value.data.extend(value)
        start, size = time.perf_counter(), 0
        await self.socket.send(message.SerializeToString())
        while True:
            raw = await asyncio.wait_for(self.socket.recv(), 60)
            size += len(raw)
            answer = ForwardMsg.FromString(raw)
            kind = answer.WhichOneof("type")
            if kind == "new_session" and not answer.metadata.run.fragment_ids:
                self.places = {}
            elif kind == "navigation":
                self.script = answer.navigation.page_script_hash
            elif kind == "page_info_changed":
                self.query = answer.page_info_changed.query_string
            elif kind == "delta" and answer.delta.WhichOneof("type") == "new_element":
                element = self.places[tuple(answer.metadata.delta_path)] = answer.delta.new_element
                if element.WhichOneof("type") == "exception":
                    raise RuntimeError(f"{self.page}: {element.exception.message}")
            elif kind == "script_finished" and answer.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                return Move((time.perf_counter() - start) * 1e3, size)

    @property
    def elements(self) -> list:
        return list(self.places.values())

    def sliders(self) -> dict:
        """The sliders of numbers by label."""
        found = (e.slider for e in self.elements if e.WhichOneof("type") == "slider")
        return {slider.label: slider for slider in found if not slider.options}

    async def move(self, label: str, share: float) -> Move:
        """Put a slider to a share of its range; its link follows."""
        slider = self.sliders()[label]
        steps = round((slider.max - slider.min) / slider.step)
        value = f"{slider.min + round(share * steps) * slider.step:g}"  # without the last digits of the sum
        self.moved[slider.id] = [float(value)]
        pairs = [(k, v) for k, v in parse_qsl(self.query) if k != slider.query_param_key]
        self.query = urlencode([*pairs, (slider.query_param_key, value)])
        return await self.run()


def bare(elements: list, name: str) -> tuple[str, list[dict]]:
    """A page of nothing but these elements' widgets and figures: its code and the figures' specs."""
    lines, specs = ["import streamlit as st", f"from figures_{name} import FIGURES"], []
    for element in elements:
        kind = element.WhichOneof("type")
        widget = getattr(element, kind)
        key = getattr(widget, "query_param_key", "")
        bound = f', key={key!r}, help={widget.help!r}, bind="query-params")' if key else f", key='{name}.{len(lines)}')"
        if kind == "bidi_component" and (spec := figure(json.loads(widget.json or "{}"))):
            lines.append(f"st.plotly_chart(FIGURES[{len(specs)}], key='chart{len(specs)}')")
            specs.append(json.loads(spec))
        elif kind == "slider" and widget.options:
            start = widget.options[int(widget.default[0])]
            lines.append(f"st.select_slider({widget.label!r}, {list(widget.options)}, {start!r}{bound}")
        elif kind == "slider":
            number = int if widget.data_type == widget.INT else float
            sizes = [number(v) for v in (widget.min, widget.max, widget.default[0], widget.step)]
            lines.append(f"st.slider({widget.label!r}, {', '.join(map(repr, sizes))}, {widget.format!r}{bound}")
        elif kind == "checkbox":
            lines.append(f"st.toggle({widget.label!r}, {widget.default}{bound}")
        elif kind == "selectbox":
            lines.append(f"st.selectbox({widget.label!r}, {list(widget.options)}, {widget.default}{bound}")
        elif kind == "button_group":
            mode = "multi" if widget.click_mode == widget.MULTI_SELECT else "single"
            options = [option.content for option in widget.options]
            lines.append(f"st.pills({widget.label!r}, {options}, selection_mode={mode!r}{bound}")
        elif kind in ("text_area", "text_input"):
            lines.append(f"st.{kind}({widget.label!r}, {widget.default!r}{bound}")
        elif kind == "number_input":
            lines.append(
                f"st.number_input({widget.label!r}, {widget.min}, {widget.max}, {widget.default}, {widget.step}{bound}"
            )
        elif kind in ("button", "download_button"):
            lines.append(f"st.button({widget.label!r}{bound}")
    return "\n".join(lines), specs


def write_bare(folder: Path, pages: dict[str, list], first: str = "") -> None:
    """A bare app of these pages; `first` is code that each runs before its figures are built."""
    shutil.copytree(ROOT / ".streamlit", folder / ".streamlit")
    (folder / "pages").mkdir()
    (folder / "Home.py").write_text("")
    for slug, elements in pages.items():
        code, specs = bare(elements, slug)
        (folder / f"pages/{slug}.py").write_text(code)
        figures = f"{first}import json\nimport plotly.graph_objects as go\n"
        figures += f"FIGURES = [go.Figure(f) for f in json.loads({json.dumps(specs)!r})]"
        (folder / f"figures_{slug}.py").write_text(figures)


async def compare(addresses: list[str], slug: str, moves: int) -> list[list[Move]]:
    """The same moves on every server, in turn."""
    draw, took = random.Random(slug), [[] for _ in addresses]
    async with AsyncExitStack() as stack:
        sessions = [await stack.enter_async_context(Session(address, slug)) for address in addresses]
        for turn in range(-4, moves):  # the first four warm up
            label = draw.choice(sorted(set.intersection(*(set(session.sliders()) for session in sessions))))
            share = draw.random()
            for i in sorted(range(len(sessions)), reverse=bool(turn % 2)):
                move = await sessions[i].move(label, share)
                if turn >= 0:
                    took[i].append(move)
            await asyncio.sleep(HAND)
    return took


async def elements_of(address: str, slug: str) -> list:
    async with Session(address, slug) as session:
        return session.elements if session.sliders() else []


def megabytes(process: int) -> float:
    """What a process holds in memory."""
    return int(subprocess.run(["ps", "-o", "rss=", "-p", str(process)], capture_output=True, text=True).stdout) / 1024


def measure(slugs: list[str], moves: int) -> tuple[dict[str, tuple[float, float, float, int]], float]:
    """By page: ms of ours, of the bare and of the lean page, our bytes; and our server's memory with one open page."""
    figures = {}
    with serve() as (ours, process), tempfile.TemporaryDirectory() as folder:
        pages = {slugs[0]: asyncio.run(elements_of(ours, slugs[0]))}
        memory = megabytes(process)
        pages |= {slug: asyncio.run(elements_of(ours, slug)) for slug in slugs[1:]}
        pages = {slug: elements for slug, elements in pages.items() if elements}
        for name, first in (("bare", ""), ("lean", WIRE)):
            (Path(folder) / name).mkdir()
            write_bare(Path(folder) / name, pages, first)
        with serve(Path(folder) / "bare") as (bare, _), serve(Path(folder) / "lean") as (lean, _):
            for slug in pages:
                took = asyncio.run(compare([ours, bare, lean], slug, moves))
                figures[slug] = *(median(move.ms for move in one) for one in took), max(move.bytes for move in took[0])
    return figures, memory


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--page", help="only this one")
    options.add_argument("--moves", type=int, default=40)
    options.add_argument("--paint", action="store_true", help="in a browser: from a key to the new picture")
    options.add_argument("--limits", action="store_true", help="what one visitor can cost the others")
    options.add_argument(
        "--hall", action="store_true", help="many visitors at once, also on two processes behind nginx"
    )
    options.add_argument("--visitors", type=int, default=100, help="in the hall")
    chosen = options.parse_args()
    slugs = [chosen.page] if chosen.page else [lab.slug for lab in catalogue.shown()]
    if chosen.limits:
        import bench_limits

        return bench_limits.main(slugs)
    if chosen.hall:
        import bench_hall

        return bench_hall.main(slugs, chosen.visitors, chosen.moves)
    if chosen.paint:
        import bench_paint

        return bench_paint.main(chosen.moves)
    figures, memory = measure(slugs, chosen.moves)
    print(f"{'page':32}{'ms ours':>9}{'bare':>7}{'ratio':>7}{'lean':>7}{'ratio':>7}{'bytes a move':>14}")
    for slug, (ours, bare, lean, size) in figures.items():
        print(f"{slug:32}{ours:9.1f}{bare:7.1f}{ours / bare:7.2f}{lean:7.1f}{ours / lean:7.2f}{size:14,}")
    ratio = max(ours / bare / TRAINING.get(slug, MOST_RATIO) for slug, (ours, bare, *_) in figures.items()) * MOST_RATIO
    lean = max(ours / lean for ours, _, lean, _ in figures.values())
    size = max(size for *_, size in figures.values())
    print(
        f"worst: ratio {ratio:.2f} (at most {MOST_RATIO}), {lean:.2f} to the lean page, "
        f"{size:,} bytes (at most {MOST_BYTES:,})"
    )
    print(f"memory of the server with one open page: {memory:.0f} MB (under {MOST_MEGABYTES})")
    return int(ratio > MOST_RATIO or size > MOST_BYTES or memory >= MOST_MEGABYTES)


if __name__ == "__main__":
    sys.exit(main())

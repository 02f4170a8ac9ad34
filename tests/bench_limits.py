"""What one visitor can cost the others: `python tests/bench.py --limits`.

For each page the milliseconds of CPU of one run as it opens beside its costliest state (`costliest.py`), and for one
page how long another visitor's slider move takes while a neighbour asks for 50 runs a second and waits for none.
"""

import asyncio
import logging
import random
import time

from bench import HAND, Session
from chromium import serve
from costliest import COSTLIEST, opened
from driven import Driven
from streamlit.proto.BackMsg_pb2 import BackMsg

from ui import formulas
from ui.app import frame

MOST_MS, MOST_SLOWER = 250, 2.0
ASKED, BLOCK, BLOCKS, WARM = 50, 20, 6, 1.5  # runs a second; moves in a row with and without it; s until it is at work


def cpu(at: Driven, repeats: int = 5) -> float:
    """Milliseconds of the script's thread for a run of a page as it stands, no formula remembered: the best of some."""
    took, show = [], frame.show

    def timed(*given) -> None:
        start = time.thread_time()
        try:
            show(*given)
        finally:
            took.append((time.thread_time() - start) * 1e3)

    frame.show = timed
    try:
        for _ in range(repeats):
            formulas.settled.cache_clear()
            at.run()
    finally:
        frame.show = show
    return min(took)


async def hasten(session: Session, until: asyncio.Event) -> None:
    """Ask for ASKED runs a second with a slider somewhere else each time, and look at no answer."""

    async def look_away() -> None:
        while True:
            await session.socket.recv()

    away, draw = asyncio.create_task(look_away()), random.Random(1)
    slider = session.sliders()[min(session.sliders())]
    while not until.is_set():
        message = BackMsg()
        message.rerun_script.page_name = session.page
        message.rerun_script.context_info.url = f"{session.address}/{session.page}"
        state = message.rerun_script.widget_states.widgets.add()
        state.id = slider.id
        state.double_array_value.data.append(draw.choice([slider.min, slider.max]))
        await session.socket.send(message.SerializeToString())
        await asyncio.sleep(1 / ASKED)
    away.cancel()


async def beside(address: str, slug: str) -> tuple[float, float]:
    """The 95th percentile of a move in ms, alone and beside a hasty neighbour, taken in turn."""
    draw, took = random.Random(slug), {False: [], True: []}
    async with Session(address, slug) as session:
        label = min(session.sliders())
        for block in range(BLOCKS):
            async with Session(address, slug) as neighbour:
                until, hasty = asyncio.Event(), bool(block % 2)
                task = asyncio.create_task(hasten(neighbour, until)) if hasty else None
                await asyncio.sleep(WARM)
                for _ in range(BLOCK):
                    took[hasty].append((await session.move(label, draw.random())).ms)
                    await asyncio.sleep(HAND * (1 + draw.random()))
                until.set()
                if task:
                    await task
    alone, together = (sorted(moves)[int(len(moves) * 0.95)] for moves in took.values())
    return alone, together


def main(slugs: list[str]) -> int:
    logging.disable(logging.CRITICAL)  # an AppTest has no server
    print(f"{'page':32}{'ms as it opens':>16}{'costliest':>12}")
    dear = {slug: (cpu(Driven.open(slug)), cpu(opened(slug, COSTLIEST[slug]))) for slug in slugs}
    for slug, (plain, costliest) in dear.items():
        print(f"{slug:32}{plain:16.1f}{costliest:12.1f}")
    most = max(costliest for _, costliest in dear.values())
    print(f"costliest: {most:.0f} ms of CPU (at most {MOST_MS})")
    with serve() as (address, _):
        alone, together = asyncio.run(beside(address, slugs[0]))
    print(
        f"a move's p95 alone {alone:.1f} ms, beside {ASKED} asked for a second {together:.1f}: "
        f"ratio {together / alone:.2f} (at most {MOST_SLOWER})"
    )
    return int(most > MOST_MS or together > MOST_SLOWER * alone)

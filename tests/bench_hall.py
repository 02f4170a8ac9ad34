"""A full lecture hall: `python tests/bench.py --hall [--page SLUG] [--visitors 100] [--moves 8]`.

Visitors of all labs, who think for two seconds before each move: on one process, on two behind nginx (`.deploy/`), on a
bare app of the same widgets and figures; then again, as other work on the machine disturbs. Last a thousand visits that
come and go: what they leave in memory.
"""

import asyncio
import tempfile
import time
from contextlib import AsyncExitStack
from itertools import cycle, islice
from pathlib import Path

from bench import Session, elements_of, megabytes, write_bare
from chromium import serve
from hall import Visitor, hall

THINK, ROUNDS, VISITS, AT_ONCE = 2.0, 2, 1_000, 10


class For:
    """Is set once so much time is over."""

    def __init__(self, seconds: float):
        self.end = time.monotonic() + seconds

    def is_set(self) -> bool:
        return time.monotonic() > self.end


async def crowd(address: str, slugs: list[str], number: int, seconds: float) -> tuple[list[float], int]:
    """The ms of every move of so many visitors, and how often one of them lost the server."""
    async with AsyncExitStack() as stack:
        visitors = [Visitor(address, slug) for slug in islice(cycle(slugs), number)]
        for visitor in visitors:
            await stack.enter_async_context(visitor)
        end = For(seconds)
        await asyncio.gather(*(visitor.stay(end, THINK) for visitor in visitors))
    return sorted(ms for visitor in visitors for ms in visitor.took), sum(len(visitor.away) for visitor in visitors)


async def come_and_go(address: str, slugs: list[str], number: int) -> None:
    """So many visits, a few at a time: a page is opened, then the tab is closed."""
    left = iter(islice(cycle(slugs), number))

    async def one_after_the_other() -> None:
        for slug in left:
            async with Session(address, slug):
                pass

    await asyncio.gather(*(one_after_the_other() for _ in range(AT_ONCE)))


def main(slugs: list[str], visitors: int, moves: int) -> int:
    print(f"{visitors} visitors, {THINK:g} s before each move")
    print(f"{'':20}{'ms p50':>8}{'p95':>7}{'most':>7}{'moves':>7}{'lost':>7}")
    with tempfile.TemporaryDirectory() as folder, serve() as (ours, process), hall(2) as two:
        pages = {slug: asyncio.run(elements_of(ours, slug)) for slug in slugs}
        pages = {slug: elements for slug, elements in pages.items() if elements}
        write_bare(Path(folder), pages)
        with serve(Path(folder)) as (bare, _):
            servers = {"one process": ours, "two behind nginx": two.address, "bare, one process": bare}
            for name, address in [*servers.items()] * ROUNDS:
                took, lost = asyncio.run(crowd(address, list(pages), visitors, moves * THINK))
                p50, p95 = (took[int(len(took) * share)] for share in (0.5, 0.95))
                print(f"{name:20}{p50:8.0f}{p95:7.0f}{took[-1]:7.0f}{len(took):7}{lost:7}", flush=True)
        before = megabytes(process)
        asyncio.run(come_and_go(ours, list(pages), VISITS))
        after = megabytes(process)
        each = (after - before) / VISITS
        print(f"{VISITS:,} visits that came and went: {before:.0f} to {after:.0f} MB, {each:.3f} MB a visit")
    return 0

"""Processes behind a real nginx, as `.deploy/` starts them: one is killed, and its visitors go on where they were."""

import asyncio
import os
import shutil
import signal
import threading
from contextlib import AsyncExitStack
from itertools import cycle, islice
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from chromium import ROOT, SCENE, Visit
from hall import Visitor, hall

pytestmark = pytest.mark.page
BACK = 20  # seconds: 5 are promised, on a machine that does nothing else
HOLDS = f"(value) => ({SCENE})().charts.some((alt) => alt?.includes(`cell 0, 0 holds ${{value}}.`))"


@pytest.fixture(scope="module")
def served():
    """Two processes; without nginx a skip, and a failure where CI says that there is one."""
    if not shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin"):
        (pytest.fail if os.environ.get("CI") else pytest.skip)("No nginx found: apt install nginx-light")
    with hall() as made:
        yield made


LABS = ["forward_pass", "softmax", "attention_matrix", "dropout", "rope_and_alibi", "pooling", "perceptron"]


async def crowd(address: str, number: int, here, until) -> list[Visitor]:
    """So many visitors, from when `here` is set."""
    async with AsyncExitStack() as stack:
        visitors = [await stack.enter_async_context(Visitor(address, slug)) for slug in islice(cycle(LABS), number)]
        here.set()
        await asyncio.gather(*(visitor.stay(until, 1) for visitor in visitors))
    return visitors


def refused(address: str) -> list[int]:
    """How the proxy answers to what is not for visitors: counts of sessions, websockets of another site."""

    def status(path: str, **headers: str) -> int:
        try:
            with urlopen(Request(address + path, headers=headers), timeout=20) as answer:
                return answer.status
        except HTTPError as error:
            return error.code

    foreign = ["http://evil.example", "http://localhost:8501"]
    return [status("/_stcore/metrics"), status("//_stcore/%6Detrics")] + [
        status("/_stcore/stream", Origin=origin, Upgrade="websocket") for origin in foreign
    ]


def test_a_killed_process_loses_no_state(served, new_tab, watched):
    assert refused(served.address) == [404, 404, 403, 403]
    tab = watched(Visit(new_tab(viewport={"width": 1280, "height": 720}), served.address))
    tab.open("architecture_ingredients").slider("W_E[0, 0]").press("ArrowRight")
    tab.page.wait_for_function(HOLDS, arg="0.440")
    before = tab.once()
    here, until, came = threading.Event(), threading.Event(), []
    many = threading.Thread(target=lambda: came.extend(asyncio.run(crowd(served.address, 9, here, until))))
    many.start()
    try:
        assert here.wait(60)
        tab.healthy()
        (number,) = (one["value"] for one in tab.page.context.cookies() if one["name"] == "lab")
        killed = served.processes[number]
        os.kill(killed, signal.SIGKILL)
        tab.page.wait_for_selector("[data-testid=stApp]:not([data-test-connection-state=CONNECTED])", state="attached")
        tab.shows(before, timeout=BACK * 1000)
        tab.complaints.clear()  # of the time without a server
    finally:
        until.set()
        many.join()
    away = [one for visitor in came for one in visitor.away]
    assert 0 < len(away) < 9
    assert max(away) < BACK
    assert all(kept for visitor in came for kept in visitor.kept)

    served.wait(number, killed)  # it is there again, and yet all requests of the tab follow the session
    tab.page.locator("input[type=file]").set_input_files(ROOT / "weights.toml")
    tab.page.wait_for_function(HOLDS, arg="0.430")
    tab.healthy()
    tab.page.goto("about:blank")

"""A full hall: the labs as `.deploy/` serves them, and visitors without a browser who come back as a tab does."""

import asyncio
import json
import random
import re
import subprocess
import sys
import threading
import time
from contextlib import contextmanager, suppress

from bench import Session
from chromium import ROOT, free_port
from driven import figure
from websockets import ConnectionClosed, InvalidHandshake

AGAIN = 0.5  # seconds until a tab whose server is gone asks for it again


class Hall:
    """The labs behind nginx: their address, and each process's id by its number; one started again has a new id."""

    def __init__(self, processes: int):
        port = free_port()
        self.address, self.processes, self.number = f"http://127.0.0.1:{port}", {}, processes
        command = [sys.executable, ".deploy/serve.py", f"--port={port}", f"--processes={processes}"]
        quiet = {"stderr": subprocess.DEVNULL, "stdout": subprocess.PIPE}
        self.starter = subprocess.Popen(command, cwd=ROOT, text=True, **quiet)
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        for line in self.starter.stdout:
            if said := re.fullmatch(r"process (\d+) is there: (\d+)\n", line):
                self.processes[said[1]] = int(said[2])

    def wait(self, number: str, before: int | None = None) -> int:
        """Wait for a process that is not the one `before`."""
        end = time.monotonic() + 60
        while time.monotonic() < end and self.starter.poll() is None:
            if self.processes.get(number, before) != before:
                return self.processes[number]
            time.sleep(0.05)
        raise RuntimeError(f"process {number} did not start")


@contextmanager
def hall(processes: int = 2):
    """The labs as `.deploy/serve.py` serves them, once every process is there."""
    made = Hall(processes)
    try:
        for number in range(1, processes + 1):
            made.wait(str(number))
        yield made
    finally:
        made.starter.terminate()
        made.starter.wait(60)
        made.starter.stdout.close()


class Visitor(Session):
    """Moves one slider after the other, and comes back where the server was lost."""

    def __init__(self, address: str, page: str):
        super().__init__(address, page)
        self.took: list[float] = []  # ms of each move
        self.away: list[float] = []  # seconds without a page, each time the server was lost
        self.kept: list[bool] = []  # whether it then was the page of the link

    def pictures(self) -> list[str]:
        sent = (e.bidi_component.json for e in self.elements if e.WhichOneof("type") == "bidi_component")
        return [spec for one in sent if (spec := figure(json.loads(one or "{}")))]

    async def stay(self, until, think: float) -> None:
        """Move until `until` is set, after `think` seconds each time, half as long to half as long again."""
        draw = random.Random(f"{self.page}{id(self)}")
        while not until.is_set():
            await asyncio.sleep(think * (0.5 + draw.random()))
            try:
                move = await self.move(draw.choice(sorted(self.sliders())), draw.random())
                self.took.append(move.ms)
            except ConnectionClosed:
                await self.come_back()

    async def come_back(self) -> None:
        link, start, back = self.query, time.monotonic(), False
        while not back:
            await asyncio.sleep(AGAIN)
            with suppress(OSError, InvalidHandshake, ConnectionClosed):
                await self.__aenter__()
                back = True
        self.away.append(time.monotonic() - start)
        async with Session(self.address, self.page, link) as fresh:
            self.kept.append(self.pictures() == Visitor.pictures(fresh) != [])

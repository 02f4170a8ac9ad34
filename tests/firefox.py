"""Stock Firefox by WebDriver BiDi, which it speaks itself: as much of Playwright's page as the tests need.

Playwright's own way to a stock Firefox (the channel moz-firefox) asks of it what the one for a whole year cannot.
"""

import json
import os
import subprocess
import time
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from socket import create_connection

from chromium import free_port
from websockets.sync.client import connect

PLACES = [os.environ.get("FIREFOX"), "/usr/bin/firefox-esr", "/usr/bin/firefox"]
PLACES += ["/Applications/Firefox.app/Contents/MacOS/firefox", r"C:\Program Files\Mozilla Firefox\firefox.exe"]
PLACE = next((place for place in PLACES if place and Path(place).exists()), None)
KEYS = {"Shift": "\ue008", "Control": "\ue009", "Alt": "\ue00a", "Tab": "\ue004", "Enter": "\ue007", "Escape": "\ue00c"}
KEYS |= {"ArrowLeft": "\ue012", "ArrowUp": "\ue013", "ArrowRight": "\ue014", "ArrowDown": "\ue015", "Space": " "}


@contextmanager
def opened(profile: Path):
    """A tab of a Firefox of its own; both close in the end."""
    port = free_port()
    command = [PLACE, "--headless", "--no-remote", f"--remote-debugging-port={port}", "--profile", str(profile)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _listens(port)
        with connect(f"ws://127.0.0.1:{port}/session", max_size=None) as socket:
            yield Page(socket)
    finally:
        process.terminate()
        process.wait(20)


def _listens(port: int) -> None:
    """Wait until somebody does."""
    for _ in range(600):
        with suppress(OSError), create_connection(("127.0.0.1", port)):
            return
        time.sleep(0.1)
    raise RuntimeError("Firefox did not start")


class Page:
    """One tab: `url`, `goto`, `evaluate`, `wait_for_function`, and itself as `mouse` and `keyboard`."""

    def __init__(self, socket):
        self.socket, self.number, self.heard = socket, count(1), lambda event: None
        self.mouse = self.keyboard = self
        self.viewport_size = {"width": 1280, "height": 720}
        self.send("session.new", capabilities={})
        self.send("session.subscribe", events=["log.entryAdded", "network.beforeRequestSent"])
        self.context = self.send("browsingContext.getTree")["contexts"][0]["context"]
        self.send("browsingContext.setViewport", context=self.context, viewport=self.viewport_size)

    def send(self, method: str, **params):
        """Ask Firefox for something, and hear meanwhile what happens in the tab."""
        number = next(self.number)
        self.socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while True:
            said = json.loads(self.socket.recv(60))
            if said["type"] == "event":
                self.heard(said)
            elif said["id"] == number:
                if said["type"] == "error":
                    raise RuntimeError(f"{method}: {said['message']}")
                return said["result"]

    @property
    def url(self) -> str:
        return self.evaluate("location.href")

    def goto(self, address: str) -> None:
        self.send("browsingContext.navigate", context=self.context, url=address, wait="complete")

    def evaluate(self, script: str, arg=None):
        """The value of an expression, or of a function called with `arg`, as JSON has it."""
        given = [{"type": "string", "value": json.dumps(arg)}]
        function = f"""async (arg) => {{
          const value = ({script});
          return JSON.stringify(await (typeof value === "function" ? value(JSON.parse(arg)) : value)) ?? "null";
        }}"""
        target = {"context": self.context}
        said = self.send(
            "script.callFunction", functionDeclaration=function, arguments=given, target=target, awaitPromise=True
        )
        assert said["type"] == "success", said["exceptionDetails"]["text"]
        return json.loads(said["result"]["value"])

    def wait_for_function(self, script: str, arg=None, timeout: float = 60_000) -> None:
        end = time.monotonic() + timeout / 1000
        while not self.evaluate(script, arg):
            assert time.monotonic() < end, f"{self.url} never came to: {script}, {arg}"
            time.sleep(0.05)

    def wait_for_timeout(self, ms: float) -> None:
        time.sleep(ms / 1000)

    def _act(self, kind: str, *actions: dict) -> None:
        pointer = {"parameters": {"pointerType": "mouse"}} if kind == "pointer" else {}
        source = {"type": kind, "id": kind, "actions": list(actions)} | pointer
        self.send("input.performActions", context=self.context, actions=[source])

    def move(self, x: float, y: float) -> None:
        self._act("pointer", {"type": "pointerMove", "x": round(x), "y": round(y)})

    def down(self) -> None:
        self._act("pointer", {"type": "pointerDown", "button": 0})

    def up(self) -> None:
        self._act("pointer", {"type": "pointerUp", "button": 0})

    def click(self, x: float, y: float) -> None:
        self.move(x, y)
        self.down()
        self.up()

    def press(self, keys: str) -> None:
        """A key, or several at once: "Control+z"."""
        names = [keys] if keys == "+" else keys.split("+")
        values = [KEYS.get(name, name) for name in names]
        downs = [{"type": "keyDown", "value": value} for value in values]
        self._act("key", *downs, *({"type": "keyUp", "value": value} for value in reversed(values)))

    def type(self, text: str) -> None:
        for letter in text:
            self.press(letter)

"""A crowd shares one process: who asks faster than any hand gets fewer runs, and nobody waits long for the interpreter.

Streamlit 1.67 starts a run at once for every message, so a tab that sends fifty a second keeps the process busy. And
whoever has just sent something waits for Python's interpreter again, by default up to 5 ms while another run computes:
forty messages of a run are then 0.2 s.
"""

import asyncio
import sys
import time
from collections import deque
from weakref import WeakKeyDictionary

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.runtime.app_session import AppSession

MANY, WITHIN = 30, 1.0  # asked for in so many seconds: a slider dragged or a key held asks for at most 17 in one
HOLD = 0.25  # seconds that a hasty visitor's messages wait for each other; what they set is one run then
MOST_HELD = 50
SWITCH = 0.0005  # seconds until the interpreter goes on to another thread that wants it


class _Asked:
    """When a visitor asked for the last runs, and the messages that wait."""

    def __init__(self) -> None:
        self.times: deque[float] = deque(maxlen=MANY)
        self.held: list[BackMsg] = []


_asked: WeakKeyDictionary[AppSession, _Asked] = WeakKeyDictionary()
_hand_over = AppSession.handle_backmsg


def keep() -> None:
    """All of it, for all sessions of this process."""
    sys.setswitchinterval(SWITCH)
    AppSession.handle_backmsg = _in_turn  # type: ignore[method-assign]


def _in_turn(self: AppSession, msg: BackMsg) -> None:
    """Hand a message over, or keep it until those that follow within HOLD have come as well."""
    if msg.WhichOneof("type") != "rerun_script":
        return _hand_over(self, msg)
    asked = _asked.setdefault(self, _Asked())
    asked.times.append(time.monotonic())
    if not asked.held and (len(asked.times) < MANY or asked.times[-1] - asked.times[0] >= WITHIN):
        return _hand_over(self, msg)
    if not asked.held:
        asyncio.get_running_loop().call_later(HOLD, _let_go, self)
    if len(asked.held) == MOST_HELD:
        asked.held.pop()
    asked.held.append(msg)
    return None


def _let_go(session: AppSession) -> None:
    """All that waits: Streamlit makes one run of it, clicks included."""
    asked = _asked[session]
    held, asked.held = asked.held, []
    for message in held:
        _hand_over(session, message)

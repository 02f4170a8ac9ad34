"""What one run of a page costs, counted: the same on every machine, however busy."""

import threading
from collections.abc import Callable
from types import FrameType
from typing import NamedTuple

import numpy as np
from chromium import ROOT
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue

from ui import formulas

ENGINE = str(ROOT / "engine")


class Work(NamedTuple):
    """Calls of Python functions, those of the engine, the numbers handed to these, and the bytes sent."""

    calls: int
    engine: int
    numbers: int
    bytes: int


def work(act: Callable[[], object]) -> Work:
    """What an act costs, such as `at.run`, one more run of a page as it stands: no formula is remembered."""
    counted = dict.fromkeys(Work._fields, 0)

    def look(frame: FrameType, event: str, _) -> None:
        if event == "call":
            counted["calls"] += 1
            code = frame.f_code
            if code.co_filename.startswith(ENGINE):
                counted["engine"] += 1
                given = [
                    frame.f_locals[name] for name in code.co_varnames[: code.co_argcount] if name in frame.f_locals
                ]
                counted["numbers"] += sum(one.size for one in given if isinstance(one, np.ndarray))

    enqueue = ForwardMsgQueue.enqueue

    def sent(queue, message):
        counted["bytes"] += message.ByteSize()
        return enqueue(queue, message)

    formulas.settled.cache_clear()
    ForwardMsgQueue.enqueue = sent
    threading.setprofile(look)
    try:
        act()
    finally:
        threading.setprofile(None)
        ForwardMsgQueue.enqueue = enqueue
    return Work(**counted)

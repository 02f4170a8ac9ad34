"""What a run sends: all of it together, and only what the browser does not show yet.

Streamlit 1.67 sends what there is every 10 ms, and the browser lays the whole page out anew for each lot, ten times for
a run of a tenth of a second. And every run sends the whole page: a slider move that changes ten of sixty elements makes
the browser render all sixty. Here a run that fills the same places as the one before sends what changed in them alone,
as the run of a fragment (`st.fragment`) does, whose end leaves all that it did not send on the page.
"""

import time
from collections import deque
from functools import partial
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from streamlit import runtime
from streamlit.proto.Delta_pb2 import Delta
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.app_session import AppSession, AppSessionState
from streamlit.runtime.scriptrunner import ScriptRunnerEvent

TOGETHER = 1.5  # seconds that the messages of a run wait for its end
LOT = 0.03  # seconds that what a run draws gathers before it is handed to the loop
FRAGMENT = "what changed"  # no element is in this fragment
AROUND = {"navigation", "page_config_changed"}  # what stands around a page, once in each run
DELTAS = {"delta", "ref_hash"}  # what stands in a page; the latter is one that the browser has kept
STILL = {None, "vertical", "horizontal", "column", "flex_container"}  # containers that nobody opens or closes


class Thing(NamedTuple):
    """What stands in a place of the page."""

    hash: str
    holds: bool  # a container: other things stand in it


class Page:
    """What a browser shows, as far as it was sent: by place, what stands there."""

    def __init__(self, client: Any, script: str, first: bool):
        self.to, self.first = (client, script), first
        self.places: dict[Any, Thing] = {}
        self.sound, self.whole = True, False  # no container came twice; the run has ended well

    def put(self, place: Any, thing: Thing) -> None:
        before = self.places.get(place)
        self.sound &= not before or not (before.holds or thing.holds)
        self.places[place] = thing

    def fits(self, other: "Page | None") -> bool:
        """Whether the same places of the same page were filled, in a browser that has not been away since."""
        if other is None or not (self.whole and self.sound and other.whole and other.sound) or self.to != other.to:
            return False
        shape = [{place: thing.holds for place, thing in page.places.items()} for page in (self, other)]
        return shape[0] == shape[1]


_waits: WeakKeyDictionary[AppSession, float] = WeakKeyDictionary()  # since when something of a run waits to be sent
_lots: WeakKeyDictionary[AppSession, deque[partial]] = WeakKeyDictionary()
_pages: WeakKeyDictionary[AppSession, Page] = WeakKeyDictionary()
_flush = AppSession.flush_browser_queue
_told = AppSession._on_scriptrunner_event  # the run that is under way holds it weakly: nobody would hear of its end


def keep() -> None:
    """All of it, for all sessions of this process."""
    ForwardMsg().metadata.run.fragment_ids.append(FRAGMENT)  # in another version elsewhere: all stays as it was
    AppSession.flush_browser_queue = _together  # type: ignore[method-assign]
    AppSession._on_scriptrunner_event = _gather  # type: ignore[method-assign]


def _gather(self: AppSession, sender: Any, event: ScriptRunnerEvent, *said: Any, **more: Any) -> None:
    """Hand over what a run draws in lots: each by itself would wake the loop, which then takes the interpreter."""
    lot = _lots.setdefault(self, deque())
    lot.append(partial(self._handle_scriptrunner_event_on_event_loop, sender, event, *said, **more))
    if event is not ScriptRunnerEvent.ENQUEUE_FORWARD_MSG:
        self._call_soon_on_event_loop(partial(_hand_over, lot))
    elif len(lot) == 1:
        self._call_soon_on_event_loop(partial(_hand_over_later, self, lot))


def _hand_over_later(session: AppSession, lot: deque[partial]) -> None:
    session._event_loop.call_later(LOT, _hand_over, lot)


def _hand_over(lot: deque[partial]) -> None:
    while lot:
        lot.popleft()()


def _together(self: AppSession) -> list[ForwardMsg]:
    """What has to be sent, but nothing of a run that has just begun: its end asks again. A first page never waits."""
    page, runs = _pages.get(self), getattr(self, "_state", None) is AppSessionState.APP_IS_RUNNING
    waits = runs and page is not None and (page.whole or not page.first)
    if waits and time.monotonic() < _waits.setdefault(self, time.monotonic()) + TOGETHER:
        return []
    _waits.pop(self, None)
    messages = _flush(self)
    try:
        return _news(self, messages)
    except (AttributeError, LookupError, TypeError, ValueError):  # another version of the framework
        _pages.pop(self, None)
        return messages


def _news(session: AppSession, messages: list[ForwardMsg]) -> list[ForwardMsg]:
    """Of a whole run that fills the same places as the one before, what changed; all other messages as they are."""
    kinds = [message.WhichOneof("type") for message in messages]
    before = page = _pages.get(session)
    for kind, message in zip(kinds, messages, strict=True):
        if kind == "new_session":
            info = runtime.get_instance()._session_mgr.get_active_session_info(session.id)
            first = page is None or (page.first and not page.whole)
            page = Page(info and info.client, message.new_session.page_script_hash, first)
        elif kind == "session_event" or page is None:
            page = None
        elif kind in DELTAS:
            page.put(tuple(message.metadata.delta_path), _thing(kind, message))
        elif kind in AROUND:
            page.put(kind, _thing(kind, message))
        elif kind == "script_finished":
            page.whole = message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY
    if page is None:
        _pages.pop(session, None)
        return messages
    _pages[session] = page
    alone = kinds.count("new_session") == kinds.count("script_finished") == 1
    if before is None or before is page or not alone or not page.fits(before):
        return messages
    kept = dict(before.places.items() & page.places.items())
    news = [message for message in messages if _is_news(message, page, kept)]
    for message in news:
        if message.WhichOneof("type") in ("new_session", "script_finished"):
            message.metadata.run.fragment_ids.append(FRAGMENT)
        if message.WhichOneof("type") == "script_finished":
            message.script_finished = ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY
    return news


def _thing(kind: str | None, message: ForwardMsg) -> Thing:
    holds = kind == "delta" and message.delta.WhichOneof("type") != "new_element"
    return Thing(message.ref_hash if kind == "ref_hash" else message.hash, holds)


def _is_news(message: ForwardMsg, page: Page, kept: dict[Any, Thing]) -> bool:
    """Whether the browser needs it: it stands there already, or something else took its place in the same run."""
    kind = message.WhichOneof("type")
    if kind in AROUND:
        return kind not in kept
    if kind not in DELTAS:
        return True
    place = tuple(message.metadata.delta_path)
    if page.places[place] != _thing(kind, message):
        return False
    return place not in kept or kind == "ref_hash" or _acts(message.delta)


def _acts(delta: Delta) -> bool:
    """Whether it does something in the browser each time it comes: sets a control, opens a part, or says it once."""
    if delta.HasField("add_block"):
        return delta.add_block.WhichOneof("type") not in STILL
    kind = delta.new_element.WhichOneof("type")
    return kind in (None, "toast") or getattr(getattr(delta.new_element, kind), "set_value", False)

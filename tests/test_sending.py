"""What a run sends leaves together, and of a page that stands already only what changed."""

import asyncio
from types import SimpleNamespace

import pytest
from bench import Session
from chromium import serve
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.app_session import AppSession, AppSessionState
from streamlit.runtime.scriptrunner import ScriptRunnerEvent

from ui import sending, server

DONE, EARLY = ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_EARLY_FOR_RERUN
PART = ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY


class Visitor:
    """As much of a session as its messages need."""

    id, client = "one", "a browser"


@pytest.fixture
def session(monkeypatch):
    one = Visitor()
    manager = SimpleNamespace(get_active_session_info=lambda of: SimpleNamespace(client=one.client))
    monkeypatch.setattr(sending.runtime, "get_instance", lambda: SimpleNamespace(_session_mgr=manager))
    return one


def element(place: int, text: str, kind: str = "markdown", **fields) -> ForwardMsg:
    message = ForwardMsg(hash=f"{kind} {text} {fields}")
    message.metadata.delta_path.extend([0, place])
    drawn = getattr(message.delta.new_element, kind)
    drawn.SetInParent()
    for name, value in fields.items():
        setattr(drawn, name, value)
    return message


def container(place: int, kind: str = "vertical") -> ForwardMsg:
    message = ForwardMsg(hash=kind)
    message.metadata.delta_path.extend([0, place])
    getattr(message.delta.add_block, kind).SetInParent()
    return message


def whole(*drawn: ForwardMsg, page: str = "softmax", end: int = DONE) -> list[ForwardMsg]:
    """The messages of a run, as fresh as the framework makes them."""
    first, menu, last = ForwardMsg(), ForwardMsg(hash="menu"), ForwardMsg()
    first.new_session.page_script_hash = page
    menu.navigation.SetInParent()
    last.script_finished = end
    return [first, menu, *(ForwardMsg.FromString(one.SerializeToString()) for one in drawn), last]


def sent(session, *messages: ForwardMsg) -> list[str]:
    """What of these messages goes to the browser: the hash, or the kind."""
    return [one.hash or one.ref_hash or one.WhichOneof("type") for one in sending._news(session, list(messages))]


A, B, C = element(0, "a"), element(1, "b"), element(1, "c")
ALL = ["new_session", "menu", A.hash, B.hash, "script_finished"]
CHANGED = ["new_session", C.hash, "script_finished"]


def test_a_first_run_is_sent_whole_and_the_next_what_changed(session):
    assert sent(session, *whole(A, B)) == ALL
    run = whole(A, C)
    assert sent(session, *run) == CHANGED
    assert run[-1].script_finished == PART, "the browser would clear what was not sent"
    assert list(run[0].metadata.run.fragment_ids) == list(run[-1].metadata.run.fragment_ids) == [sending.FRAGMENT]
    assert sent(session, *whole(A, C)) == ["new_session", "script_finished"]
    assert sent(session, *whole(A, B)) == ["new_session", B.hash, "script_finished"]


@pytest.mark.parametrize(
    "second",
    [
        whole(A, C, page="dropout"),  # another page has the same places
        whole(A),
        whole(A, C, element(2, "more")),
        whole(A, container(1)),
    ],
)
def test_what_does_not_fill_the_same_places_is_sent_whole(session, second):
    sent(session, *whole(A, B))
    assert sent(session, *second) == [one.hash or one.WhichOneof("type") for one in second]
    assert second[-1].script_finished == DONE
    assert len(sent(session, *whole(A, C))) == 5, "and so is the way back"


def test_a_browser_that_was_away_gets_the_whole_page(session):
    sent(session, *whole(A, B))
    session.client = "the same tab, connected again"
    assert sent(session, *whole(A, B)) == ALL
    assert len(sent(session, *whole(A, B))) == 2


@pytest.mark.parametrize(
    "between",
    [
        whole(A, end=EARLY),
        [*whole(A, end=EARLY), *whole(A, B)],  # a run that began anew, sent with its second half
        whole(A, B)[:-1],  # the first half of a run
        whole(A, B, end=ForwardMsg.FINISHED_WITH_COMPILE_ERROR),
    ],
)
def test_a_run_that_was_cut_short_is_sent_as_it_is(session, between):
    sent(session, *whole(A, B))
    assert len(sent(session, *between)) == len(between)


def test_after_one_that_was_cut_short_the_next_is_whole(session):
    sent(session, *whole(A, B))
    sent(session, *whole(C, end=EARLY))
    assert sent(session, *whole(A, B)) == ALL
    halves = whole(A, C)
    assert sent(session, *halves[:3]) + sent(session, *halves[3:]) == ["new_session", "menu", A.hash, C.hash, ALL[-1]]
    assert len(sent(session, *whole(A, C))) == 2, "two halves are a whole"


@pytest.mark.parametrize(
    "acts",
    [
        element(1, "back to 2", "slider", set_value=True),  # the hand has moved it since
        element(1, "words", "text_area", set_value=True),
        element(1, "chosen", "button_group", set_value=True),
        element(1, "said", "toast"),
        container(1, "expandable"),
        container(1, "popover"),
    ],
)
def test_what_acts_in_the_browser_is_sent_each_time(session, acts):
    for _ in range(3):
        assert acts.hash in sent(session, *whole(A, acts))
    assert A.hash not in sent(session, *whole(A, acts))


def test_of_two_in_one_place_the_last_is_sent(session):
    sent(session, *whole(A, B, C))
    assert sent(session, *whole(A, B, C)) == ["new_session", "script_finished"]
    assert sent(session, *whole(A, C, B)) == ["new_session", B.hash, "script_finished"]
    assert len(sent(session, *whole(A, container(1), B))) == 6
    assert len(sent(session, *whole(A, container(1), B))) == 6, "what stood in the container is gone with it"


def test_what_the_browser_has_kept_is_named_again(session):
    kept = ForwardMsg(ref_hash=B.hash)
    kept.metadata.delta_path.extend([0, 1])
    sent(session, *whole(A, B))
    assert sent(session, *whole(A, kept)) == ["new_session", B.hash, "script_finished"]


def test_another_version_of_the_framework_sends_what_it_did(session, monkeypatch):
    run = whole(A, B)
    monkeypatch.setattr(sending, "_flush", lambda session: list(run))
    monkeypatch.setattr(sending.runtime, "get_instance", lambda: SimpleNamespace())
    assert sending._together(session) == run
    assert sending._together(session) == run


def test_the_server_sends_so():
    server.prepare()
    assert AppSession.flush_browser_queue is sending._together
    assert AppSession._on_scriptrunner_event is sending._gather


def test_a_run_leaves_together_but_never_late_and_a_first_page_as_it_comes(session, monkeypatch):
    now, told = [0.0], whole(A, B)
    says = lambda: len(sending._together(session))
    monkeypatch.setattr(sending, "time", SimpleNamespace(monotonic=lambda: now[0]))
    monkeypatch.setattr(sending, "_flush", lambda session: told)
    session._state = AppSessionState.APP_IS_RUNNING
    told = whole(A, B)[:3]
    assert says() == says() == 3, "a first visit sees the page as it comes"
    told = whole(A, B)[3:]
    assert says() == 2
    told = whole(A, C)[:3]
    for now[0], said in [(9.0, 0), (10.4, 0), (10.51, 3), (10.52, 0), (12.0, 0)]:
        assert says() == said
    session._state = AppSessionState.APP_NOT_RUNNING
    assert says() == 3
    del session._state  # another version of the framework
    assert says() == 3


def test_what_a_run_draws_is_handed_over_in_lots_and_in_its_order():
    async def go() -> tuple[list, int]:
        loop, handled, woken = asyncio.get_running_loop(), [], []
        session = Visitor()
        session._event_loop = loop
        session._handle_scriptrunner_event_on_event_loop = lambda sender, event, *said: handled.append(said or event)
        session._call_soon_on_event_loop = lambda act: (woken.append(act), loop.call_soon_threadsafe(act))
        draw = lambda what: sending._gather(session, None, ScriptRunnerEvent.ENQUEUE_FORWARD_MSG, what)
        sending._gather(session, None, ScriptRunnerEvent.SCRIPT_STARTED)
        for i in range(40):
            await asyncio.to_thread(draw, i)
        sending._gather(session, None, ScriptRunnerEvent.SCRIPT_STOPPED_WITH_SUCCESS)
        await asyncio.sleep(0)
        early = list(handled)
        draw("later")
        while "later" not in str(handled):
            await asyncio.sleep(sending.LOT)
        return early, len(handled)

    handled, all_of_it = asyncio.run(go())
    started, *drawn, stopped = handled
    assert (started, stopped) == (ScriptRunnerEvent.SCRIPT_STARTED, ScriptRunnerEvent.SCRIPT_STOPPED_WITH_SUCCESS)
    assert drawn == [(i,) for i in range(40)]
    assert all_of_it == 43


def test_the_framework_still_sends_all_of_a_page(tmp_path):
    """Once it does not, ours is needless."""

    async def sizes(address: str) -> list[int]:
        async with Session(address, "") as session:
            return [(await session.run()).bytes for _ in range(3)]

    (tmp_path / "app.py").write_text("import streamlit as st\nfor i in range(50): st.text('always the same')")
    with serve(tmp_path, "app.py") as (address, _):
        _, second, third = asyncio.run(sizes(address))
    assert third > 0.9 * second > 50 * len("always the same")

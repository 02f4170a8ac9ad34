"""Who asks for runs faster than any hand gets one for many; all others are handed over at once."""

import sys
from types import SimpleNamespace

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg

from ui import pace, server


class Session:
    """As much of a session as can be asked for a run."""


@pytest.fixture
def asked(monkeypatch):
    """asked(how often a second, how many) gives what was handed over, each with its time on a clock of its own."""
    now, got = [0.0], []
    monkeypatch.setattr(pace, "_hand_over", lambda session, message: got.append((round(now[0], 3), message)))
    monkeypatch.setattr(pace, "time", SimpleNamespace(monotonic=lambda: now[0]))

    def ask(per_second, n, session=None, kind="rerun_script"):
        session, later = session or Session(), []
        loop = SimpleNamespace(call_later=lambda wait, act, *args: later.append((now[0] + wait, act, args)))
        monkeypatch.setattr(pace, "asyncio", SimpleNamespace(get_running_loop=lambda: loop))
        start = now[0]
        for i in range(n):
            now[0] = start + i / per_second
            while later and later[0][0] <= now[0]:
                _, act, args = later.pop(0)
                act(*args)
            message = BackMsg()
            if kind == "rerun_script":
                message.rerun_script.query_string = str(i)
            else:
                message.stop_script = True
            pace._in_turn(session, message)
        for at, act, args in later:
            now[0] = at
            act(*args)
        return got

    return ask


def runs(got) -> int:
    """How many runs come of it: those of one moment are one."""
    return len({at for at, _ in got})


@pytest.mark.parametrize("per_second", [1, 4, 17, 28])
def test_a_hand_is_never_kept_waiting(asked, per_second):
    got = asked(per_second, 200)
    assert [at for at, _ in got] == [round(i / per_second, 3) for i in range(200)]


def test_fifty_a_second_become_a_few_runs_and_nothing_is_lost(asked):
    got = asked(50, 500)  # ten seconds
    assert runs(got) <= 75  # of 500
    assert [message.rerun_script.query_string for _, message in got] == [str(i) for i in range(500)]


def test_a_flood_takes_no_memory_and_ends_on_its_newest(asked):
    got = asked(10_000, 5_000)
    assert len(got) <= 200
    assert got[-1][1].rerun_script.query_string == "4999"


def test_a_neighbour_is_handed_over_at_once(asked):
    hasty, other = Session(), Session()
    asked(50, 100, hasty)
    before = len(asked(50, 0))
    assert len(asked(1, 3, other)) == before + 3


def test_a_stop_does_not_wait(asked):
    assert runs(asked(100, 100, kind="stop_script")) == 100


def test_after_a_second_of_quiet_all_is_as_before(asked, monkeypatch):
    session = Session()
    got = asked(50, 100, session)
    before = len(got)
    monkeypatch.setattr(pace, "time", SimpleNamespace(monotonic=lambda: 100.0))
    message = BackMsg()
    message.rerun_script.query_string = "later"
    pace._in_turn(session, message)
    assert got[before:][0][1].rerun_script.query_string == "later"


def test_the_server_keeps_the_pace():
    server.prepare()
    assert pace.AppSession.handle_backmsg is pace._in_turn
    assert sys.getswitchinterval() == pytest.approx(pace.SWITCH)

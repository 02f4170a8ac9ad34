"""What the process needs once: small messages are sent at once, and the limit of open files rises."""

import gc
import socket
import subprocess
import sys

import pytest
import streamlit
from streamlit import net_util
from streamlit.web import bootstrap
from streamlit.web.server import server_util
from streamlit.web.server.starlette import starlette_server

import ui
from ui import server


def test_open_and_later_sockets_send_at_once():
    with socket.create_server(("127.0.0.1", 0)) as listening:
        early = socket.create_connection(listening.getsockname())
        accepted, _ = listening.accept()
        assert not no_delay(accepted)
        server.send_at_once()
        late = socket.create_connection(listening.getsockname())
        accepted_late, _ = listening.accept()
        for one in (early, accepted, accepted_late):
            assert no_delay(one)
        for one in (early, late, accepted, accepted_late):
            one.close()


def test_a_socket_that_ends_meanwhile_stops_nobody(monkeypatch):
    asked = []

    def reset(self, *option):
        asked.append(self)
        raise OSError(22, "Invalid argument")

    with socket.create_server(("127.0.0.1", 0)) as listening:
        monkeypatch.setattr(socket.socket, "setsockopt", reset, raising=False)
        server.send_at_once()
    assert listening in asked


def test_nobody_outside_is_asked_for_the_address_of_this_machine(monkeypatch):
    monkeypatch.setattr(net_util, "_external_ip", None)
    monkeypatch.setattr(net_util, "_make_blocking_http_get", lambda url, timeout: pytest.fail(f"asks {url}"))
    server.ask_nobody()
    assert not server_util.is_url_from_allowed_origins("http://evil.example")
    assert server_util.is_url_from_allowed_origins("http://localhost")


def test_a_start_asks_nobody_for_the_address_of_this_machine(monkeypatch, capsys):
    for lookup in ("get_internal_ip", "get_external_ip"):
        monkeypatch.setattr(net_util, lookup, lambda: pytest.fail("looks an address up"))
    bootstrap._print_url(False)
    assert "http://localhost:" in capsys.readouterr().out


def test_a_framework_without_what_is_held_still_starts(monkeypatch):
    monkeypatch.delitem(sys.modules, "ui.pace", raising=False)
    monkeypatch.delattr(ui, "pace", raising=False)
    monkeypatch.delattr(streamlit, "net_util")
    for gone in ("streamlit.net_util", "streamlit.runtime.app_session"):
        monkeypatch.setitem(sys.modules, gone, None)
    server.prepare.__wrapped__()


def test_the_framework_still_keeps_small_messages_back():
    """Once it does not, `send_at_once` is needless."""
    bound = starlette_server._bind_socket("127.0.0.1", 0, 10)
    bound.listen()
    with socket.create_connection(bound.getsockname()) as one:
        accepted, _ = bound.accept()
        assert not no_delay(accepted)
        for end in (accepted, bound, one):
            end.close()


def no_delay(one: socket.socket) -> bool:
    return one.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) != 0


CODE = """
import resource
from ui import server
most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (256, most))
server.make_room({wanted})
print(resource.getrlimit(resource.RLIMIT_NOFILE)[0])
"""


@pytest.mark.parametrize(("wanted", "got"), [(1_000, 1_000), (100, 256)])
def test_the_limit_of_open_files_rises_and_never_falls(wanted, got):
    pytest.importorskip("resource")
    command = [sys.executable, "-c", CODE.format(wanted=wanted)]
    assert int(subprocess.run(command, capture_output=True, text=True, check=True).stdout) == got


def test_the_frame_makes_room(app):
    resource = pytest.importorskip("resource")
    app("softmax")
    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    assert now == resource.RLIM_INFINITY or now >= min(server.ENOUGH, most)


def test_what_every_visitor_needs_is_never_looked_through_again():
    kept, before, thing = gc.get_freeze_count(), gc.get_threshold(), [[]]
    assert any(one is thing for one in gc.get_objects())
    try:
        gc.set_threshold(700, 10, 10)
        server.collect_less()
        assert gc.get_freeze_count() > kept
        assert not any(one is thing for one in gc.get_objects())
        assert gc.get_threshold() > (700, 10, 10)
    finally:
        gc.set_threshold(*before)

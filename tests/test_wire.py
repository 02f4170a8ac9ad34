"""The option that lets small messages leave at once reaches open sockets and those accepted later."""

import socket

from ui import wire


def test_open_and_later_sockets_send_at_once():
    with socket.create_server(("127.0.0.1", 0)) as server:
        early = socket.create_connection(server.getsockname())
        accepted, _ = server.accept()
        assert not no_delay(accepted)
        wire.send_at_once()
        late = socket.create_connection(server.getsockname())
        accepted_late, _ = server.accept()
        for one in (early, accepted, accepted_late):
            assert no_delay(one)
        for one in (early, late, accepted, accepted_late):
            one.close()


def no_delay(one: socket.socket) -> bool:
    return one.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) != 0

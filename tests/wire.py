"""The wire between a browser and a server, which can fall silent: what is sent meanwhile comes late, or is lost."""

import socket
import threading
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit


class Wire:
    """Relays TCP to a server; `address` is the end that a browser takes."""

    def __init__(self, server: str):
        self.server = urlsplit(server)
        self.speaks, self.open = threading.Event(), True
        self.speaks.set()
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self.listening.getsockname()[1]}"
        self.ends = [self.listening]
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        with suppress(OSError):
            while self.open:
                near, _ = self.listening.accept()
                far = socket.create_connection((self.server.hostname, self.server.port))
                self.ends += [near, far]
                for ends in ((near, far), (far, near)):
                    threading.Thread(target=self._carry, args=ends, daemon=True).start()

    def _carry(self, source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError):
            while sent := source.recv(1 << 16):
                self.speaks.wait()
                sink.sendall(sent)
        self.speaks.wait()
        for end in (source, sink):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def lose(self) -> None:
        """End every connection, as both sides do after a long silence: what was sent meanwhile is lost."""
        listening, *ends = self.ends
        self.ends = [listening]
        _end(ends)
        self.speaks.set()

    def close(self) -> None:
        self.open = False
        self.speaks.set()
        _end(self.ends)


def _end(ends: list[socket.socket]) -> None:
    for end in ends:
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)
        end.close()


@contextmanager
def wire(server: str):
    """A wire to a server for as long as it is needed."""
    line = Wire(server)
    try:
        yield line
    finally:
        line.close()

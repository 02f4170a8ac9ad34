"""Small messages leave the server at once.

Streamlit 1.67 makes its socket without TCP_NODELAY, so the kernel keeps the rest of a run's messages back until the
browser has acknowledged the first, which it does up to 40 ms later: most of the time a slider move takes.
"""

import gc
import socket


def send_at_once() -> None:
    """Set TCP_NODELAY on every TCP socket of this process; those accepted later inherit it from the one that listens."""
    for thing in gc.get_objects():
        if type(thing) is not socket.socket or thing.fileno() < 0:
            continue
        if thing.type == socket.SOCK_STREAM and thing.family in (socket.AF_INET, socket.AF_INET6):
            thing.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

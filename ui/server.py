"""What the process that serves the app needs once: small messages sent at once, room for a full hall, a pace.

Streamlit 1.67 makes its socket without TCP_NODELAY, so the kernel keeps the rest of a run's messages back until the
browser has acknowledged the first, which it does up to 40 ms later: most of the time a slider move takes. And each
visitor holds four open files, where many systems allow 256 or 1,024.
"""

import contextlib
import gc
import socket
from functools import cache

from ui import pace

with contextlib.suppress(ImportError):  # Windows has neither the module nor the limit
    import resource

ENOUGH = 10_240  # the most that every macOS grants: 2,500 visitors


@cache
def prepare() -> None:
    """All three, the first time anybody asks in this process."""
    send_at_once()
    make_room()
    pace.keep()


def send_at_once() -> None:
    """Set TCP_NODELAY on every TCP socket of this process; those accepted later inherit it from the listening one."""
    for thing in gc.get_objects():
        if type(thing) is not socket.socket or thing.fileno() < 0:
            continue
        if thing.type == socket.SOCK_STREAM and thing.family in (socket.AF_INET, socket.AF_INET6):
            thing.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def make_room(wanted: int = ENOUGH) -> None:
    """Raise this process's limit of open files to `wanted`, or as far as the system lets it."""
    if "resource" not in globals():
        return
    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    endless = resource.RLIM_INFINITY
    wanted = wanted if most == endless else min(wanted, most)
    if now != endless and now < wanted:
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))

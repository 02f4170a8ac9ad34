"""What the process that serves the app needs once: small messages sent at once, room for a full hall, no look-ups.

Streamlit 1.67 makes its socket without TCP_NODELAY, so the kernel keeps the rest of a run's messages back until the
browser has acknowledged the first, which it does up to 40 ms later: most of the time a slider move takes. And each
visitor holds four open files, where many systems allow 256 or 1,024. And for each websocket that a page of another
site tries to open, it asks an outside service which address this machine has, while everybody waits: up to 2 s where
that cannot be reached. At its start it does not, as `.streamlit/config.toml` says an address.
"""

import contextlib
import gc
import socket
from functools import cache

with contextlib.suppress(ImportError):  # Windows has neither the module nor the limit
    import resource

ENOUGH = 10_240  # the most that every macOS grants: 2,500 visitors


@cache
def prepare() -> None:
    """All of it, the first time anybody asks in this process."""
    for one in (send_at_once, make_room, ask_nobody, keep_pace, send_less, collect_less):
        with contextlib.suppress(ImportError, AttributeError):
            one()


def send_at_once() -> None:
    """Set TCP_NODELAY on every TCP socket of this process; those accepted later inherit it from the listening one."""
    for thing in gc.get_objects():
        if type(thing) is not socket.socket or thing.fileno() < 0:
            continue
        if thing.type == socket.SOCK_STREAM and thing.family in (socket.AF_INET, socket.AF_INET6):
            with contextlib.suppress(OSError):  # one that its other end has just reset
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


def ask_nobody() -> None:
    """Let Streamlit take localhost, which may always connect, for the address that it would look up outside."""
    from streamlit import net_util

    net_util._external_ip = "localhost"


def collect_less() -> None:
    """What every visitor needs is never garbage: looking through all of it took a tenth of a run's time.

    A full look stops everybody for the twentieth of a second; it comes with every thousand rings of objects now.
    """
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


def send_less() -> None:
    """A run sends what changed, all of it together."""
    from ui import sending

    sending.keep()


def keep_pace() -> None:
    """Nobody is kept waiting by who asks faster than a hand."""
    from ui import pace

    pace.keep()

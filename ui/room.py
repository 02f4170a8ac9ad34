"""Room for a full hall: each visitor of Streamlit 1.67 holds four open files, and many systems allow 256 or 1,024."""

import contextlib

with contextlib.suppress(ImportError):  # Windows has neither the module nor the limit
    import resource

ENOUGH = 10_240  # the most that every macOS grants: 2,500 visitors


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

import subprocess
import sys

import pytest

resource = pytest.importorskip("resource")
CODE = """
import resource
from ui import room
most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (256, most))
room.make_room({wanted})
print(resource.getrlimit(resource.RLIMIT_NOFILE)[0])
"""


@pytest.mark.parametrize(("wanted", "got"), [(1_000, 1_000), (100, 256)])
def test_the_limit_of_open_files_rises_and_never_falls(wanted, got):
    command = [sys.executable, "-c", CODE.format(wanted=wanted)]
    assert int(subprocess.run(command, capture_output=True, text=True, check=True).stdout) == got


def test_the_frame_makes_room(app):
    from ui.room import ENOUGH

    app("softmax")
    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    assert now == resource.RLIM_INFINITY or now >= min(ENOUGH, most)

"""A slider move costs at most twice a bare page's, and stays small."""

import json
import subprocess
import sys

import pytest
from chromium import ROOT

pytestmark = pytest.mark.page
PROGRAM = """
import json
import sys
sys.path.insert(0, "tests")
import bench
print(json.dumps(bench.measure(["softmax"], 25)))
"""


@pytest.fixture(scope="module")
def figures():
    """Measured in a process of its own: best of three, as other work on the machine can only make it worse."""
    best = None
    for _ in range(3):
        answer = subprocess.run([sys.executable, "-c", PROGRAM], cwd=ROOT, capture_output=True, text=True, check=True)
        pages, memory = json.loads(answer.stdout)
        ours, _, lean, size = pages["softmax"]
        best = min(best or (9, 0, 0), (ours / lean, size, memory))
        if best[0] <= 2.0:
            break
    return best


def test_a_move_takes_at_most_twice_a_bare_page(figures):
    assert figures[0] <= 2.0


def test_a_move_sends_little(figures):
    assert 5_000 < figures[1] <= 60_000


def test_the_server_with_one_open_page_is_small(figures):
    assert 20 < figures[2] < 200

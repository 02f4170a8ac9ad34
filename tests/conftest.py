"""What all tests share: the frozen reference values."""

import json
from pathlib import Path

import numpy as np
import pytest

REFERENCE = Path(__file__).parent / "reference"


@pytest.fixture
def rng():
    return np.random.default_rng(0)


@pytest.fixture
def reference():
    """Frozen values of another library: reference("softmax") reads tests/reference/softmax.json."""
    return lambda room: json.loads((REFERENCE / f"{room}.json").read_text())

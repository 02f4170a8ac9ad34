"""What the deep dive asks: its parts and steps, its objectives with the questions that show them, and what is typed."""

import numpy as np

from ui.page import parse

WORDS = ["word 0", "word 1"]
PARTS = ["Attention", "Heads", "Positions", "Masking", "Practice"]
STEPS = ("scores", "scaled", "weights")  # what can be overwritten
TEXT = "the course's Architecture Deep Dive text"
MIXED = "Mixed: any kind"
YOUR_TURN = "# What is asked for comes here: the page adds its own way once you have answered."
OBJECTIVES = {  # and the kinds of question that show it
    "Compute attention scores step-by-step": ("document", "scores", "scaled", "softmax", "weights", "output"),
    "Implement multi-head attention": ("heads",),
    "Explain masking in decoder": ("masked",),
    "Describe positional encoding formula": ("position",),
}
LINES = {  # of the program, left out where their step is overwritten
    "scores": "scores = Q @ K.T\n",
    "scaled": "scaled = scores / np.sqrt(3)\n",
    "weights": "exps = np.exp(scaled - scaled.max(axis=1, keepdims=True))\n"
    "weights = exps / exps.sum(axis=1, keepdims=True)\n",
}


def own_step(text: str) -> np.ndarray | None:
    """A step as a visitor wrote it, two rows of two numbers; None where nothing is written.

    >>> own_step("0 1; 1 0").tolist(), own_step(" ")
    ([[0.0, 1.0], [1.0, 0.0]], None)
    """
    return parse.matrix(text, shape=(2, 2), limit=1000, rows=WORDS) if text.strip() else None


def question_number(text: str) -> int:
    """The number of a practice question, 0 where nothing is written.

    >>> question_number("12"), question_number("")
    (12, 0)
    """
    return int(parse.number(text.strip() or "0", 0, 999_999, whole=True))


def objective(kind: str) -> str | None:
    """The objective that a kind of question shows, if any.

    >>> objective("masked")
    'Explain masking in decoder'
    """
    return next((name for name, kinds in OBJECTIVES.items() if kind in kinds), None)

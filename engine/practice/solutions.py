"""What a practice question holds, and how its worked solution is written: lines of text with the numbers in them."""

from typing import NamedTuple

import numpy as np

from engine.attention import AttentionTrace


class Slip(NamedTuple):
    """A known wrong answer, and the sentence for whoever gives it."""

    answer: np.ndarray | float
    message: str


class Question(NamedTuple):
    """What is asked, with which numbers, and what a page reveals on demand; the answer is read row by row."""

    kind: str
    prompt: str
    given: dict[str, np.ndarray | float]
    answer: np.ndarray | float
    hint: str
    solution: tuple[str, ...]
    slips: tuple[Slip, ...]


def figure(x: float) -> str:
    """A number as the solutions write it: whole numbers bare, others to four decimals.

    >>> figure(2.0), figure(-0.66976)
    ('2', '−0.6698')
    """
    text = f"{x:.0f}" if abs(x - round(x)) < 1e-9 else f"{x:.4f}"
    return text.replace("-", "−")


def small_numbers(rng: np.random.Generator, shape, low: int = -2) -> np.ndarray:
    """Whole numbers from `low` to 3, small enough to multiply in the head.

    >>> small_numbers(np.random.default_rng(0), 3).tolist()
    [3.0, 1.0, 1.0]
    """
    return rng.integers(low, 4, shape).astype(float)


def row(values) -> str:
    """Several numbers on one line.

    >>> row([1, -0.5])
    '1, −0.5000'
    """
    return ", ".join(map(figure, values))


def total(values) -> str:
    """Several numbers as a sum, the negative ones in brackets.

    >>> total([1, -2])
    '1 + (−2)'
    """
    return " + ".join(map(_term, values))


def score_lines(q: np.ndarray, K: np.ndarray, scores: np.ndarray) -> tuple[str, ...]:
    """One dot product a line.

    >>> score_lines(np.array([1, 2]), np.array([[3, -1]]), np.array([1]))
    ('k_0 = 1·3 + 2·(−1) = 1',)
    """
    return tuple(
        f"k_{j} = {' + '.join(f'{_term(a)}·{_term(b)}' for a, b in zip(q, k, strict=True))} = {figure(score)}"
        for j, (k, score) in enumerate(zip(K, scores, strict=True))
    )


def softmax_lines(z: np.ndarray, probs: np.ndarray) -> tuple[str, ...]:
    """The exponentials and their sum, then one division a line.

    >>> softmax_lines(np.array([0.0, 0.0]), np.array([0.5, 0.5]))
    ('exp: 1, 1; their sum is 2', '1 / 2 = 0.5000', '1 / 2 = 0.5000')
    """
    exps = np.exp(z)
    whole = figure(exps.sum())
    divisions = (f"{figure(e)} / {whole} = {figure(p)}" for e, p in zip(exps, probs, strict=True))
    return f"exp: {row(exps)}; their sum is {whole}", *divisions


def scaled_lines(q: np.ndarray, K: np.ndarray, trace: AttentionTrace) -> tuple[str, ...]:
    """From one query and its keys to the scaled scores."""
    scores = (f"q · {line}" for line in score_lines(q, K, trace.scores[0]))
    return *scores, f"divided by √{len(q)} = {figure(np.sqrt(len(q)))}: {row(trace.scaled[0])}"


def weight_lines(q: np.ndarray, K: np.ndarray, trace: AttentionTrace) -> tuple[str, ...]:
    """From one query and its keys to the attention weights."""
    return *scaled_lines(q, K, trace), *softmax_lines(trace.scaled[0], trace.weights[0])


def _term(x: float) -> str:
    return f"({figure(x)})" if x < 0 else figure(x)

"""ALiBi: a penalty on distance is added to the scores, steeper in one head than in the next."""

import numpy as np

from engine import checks
from engine.positions.rotary import checked_content
from engine.positions.sinusoidal import LARGEST_BASE

MAX_SLOPES = 10_000  # heads


def alibi_slopes_geometric(n_heads) -> np.ndarray:
    """The slopes as the ALiBi paper words them, for any number of heads: 2^(−8h/n), h = 1 … n (Press et al. 2022, §3).

    Shapes: returns (n_heads,), falling. `alibi_slopes` agrees for a power of two only. Raises ValueError below 1 head
    and beyond 20,000.

    >>> alibi_slopes_geometric(4).tolist()
    [0.25, 0.0625, 0.015625, 0.00390625]
    """
    n_heads = checks.integer("n_heads", n_heads, 1, 2 * MAX_SLOPES)
    return 2.0 ** (-8.0 * np.arange(1, n_heads + 1) / n_heads)


def alibi_slopes(n_heads) -> np.ndarray:
    """How steeply each head's penalty grows with distance, by the rule of the released ALiBi code.

    With p the largest power of two up to n_heads: the slopes 2^(−8h/p) of p heads, then every other slope of 2p heads
    until there are enough (Press et al. 2022, their code; BLOOM does the same). Where n_heads is no power of two the
    paper's one-line rule gives other numbers: `alibi_slopes_geometric`.

    Shapes: returns (n_heads,), 1 … 10,000, else ValueError.

    >>> alibi_slopes(3).tolist()
    [0.0625, 0.00390625, 0.25]
    """
    n_heads = checks.integer("n_heads", n_heads, 1, MAX_SLOPES)
    power = 2 ** (n_heads.bit_length() - 1)
    between = alibi_slopes_geometric(2 * power)[::2]
    return np.concatenate([alibi_slopes_geometric(power), between[: n_heads - power]])


def alibi_bias(n_q, n_k, slope) -> np.ndarray:
    """What ALiBi adds to the scores: −slope·|i − j|, so 0 for a key at the query's own place (Press et al. 2022, §3).

    Queries are aligned to the last keys: query i stands at i + n_k − n_q. Shapes: returns (n_q, n_k).
    Raises ValueError for a size below 1, more than 2²² cells, or a slope below 0.

    >>> alibi_bias(2, 3, 0.5).tolist()
    [[-0.5, 0.0, -0.5], [-1.0, -0.5, 0.0]]
    """
    n_q, n_k = checks.integer("n_q", n_q, 1), checks.integer("n_k", n_k, 1)
    checks.within("the bias", checks.MAX_NUMBERS, n_q=n_q, n_k=n_k)
    slope = checks.number("slope", slope, 0, LARGEST_BASE)
    places = np.arange(n_k - n_q, n_k)[:, None]  # (n_q, 1)
    with np.errstate(over="ignore"):
        return checks.in_range("the bias", 0.0 - slope * np.abs(places - np.arange(n_k)))  # (n_q, n_k)


def alibi_scores(q, k, n_positions, slope, *, scale: float | None = None) -> np.ndarray:
    """What the same query scores with the same key at every pair of positions under ALiBi: scale·q·k − slope·|i − j|.

    Shapes: q, k (d,), returns (n_positions, n_positions); scale=None means 1/√d. Raises ValueError as `alibi_bias`.

    >>> alibi_scores([1, 1], [1, 2], 2, 0.5, scale=1).tolist()
    [[3.0, 2.5], [2.5, 3.0]]
    """
    q, k, scale = checked_content(q, k, scale)
    bias = alibi_bias(n_positions, n_positions, slope)
    with np.errstate(over="ignore", invalid="ignore"):
        return checks.in_range("scores", scale * (q @ k) + bias)

"""From one row of logits to one token: temperature, top-k, top-p, min-p, and the draw."""

from typing import NamedTuple

import numpy as np

from engine import checks
from engine.softmax import entropy, softmax

FILTERS = ("temperature", "top_k", "top_p", "min_p")
MAX_DRAWS = 1_000_000
MAX_CHOICES = 1_000_000  # logits that are ranked and cut
MASS_TOLERANCE = 1e-12  # a mass that misses a threshold by rounding alone counts as reaching it


class Stage(NamedTuple):
    """What one filter saw and what it left."""

    name: str
    setting: float | int | None  # None: switched off
    before: np.ndarray  # (n,) probabilities of the survivors so far, renormalised
    order: np.ndarray  # the survivors so far, most likely first, lowest index first on a tie
    cumulative: np.ndarray  # their running mass in that order, each token's own included
    kept: np.ndarray  # (n,) bool, who is left
    after: np.ndarray  # (n,) probabilities of those, renormalised


class SamplingTrace(NamedTuple):
    """Everything between logits and the distribution a token is drawn from."""

    stages: tuple[Stage, ...]
    probs: np.ndarray  # (n,) softmax at the temperature, nothing cut
    kept: np.ndarray  # (n,) bool, who survives every filter
    out: np.ndarray  # (n,) probs of the survivors, renormalised; 0 elsewhere

    @property
    def entropy(self) -> float:
        """Entropy of `out` in nats."""
        return float(entropy(self.out))

    @property
    def survivors(self) -> np.ndarray:
        """The indices of who is left, rising."""
        return np.flatnonzero(self.kept)

    def stage(self, name: str) -> Stage:
        """The filter of that name."""
        return next(stage for stage in self.stages if stage.name == checks.one_of("name", name, FILTERS))

    @property
    def kept_mass(self) -> float:
        """How much of the model's own distribution the survivors hold, 0 … 1."""
        model = self.stages[0].before if self.stages else self.probs
        return float(model[self.kept].sum())


class DrawsTrace(NamedTuple):
    """Counts of n draws beside what they should be, (n_tokens,) each."""

    counts: np.ndarray
    mean: np.ndarray
    low: np.ndarray  # mean − 2·deviation
    high: np.ndarray  # mean + 2·deviation
    outside: np.ndarray  # bool, not between the two


class Expectation(NamedTuple):
    """Mean and standard deviation of the counts of n draws."""

    mean: np.ndarray  # (n_tokens,)
    deviation: np.ndarray  # (n_tokens,)


def next_token(
    logits, *, temperature=1.0, top_k=None, top_p=None, min_p=None, order=("temperature", "top_k", "top_p", "min_p")
) -> SamplingTrace:
    """Reshape and cut one next-token distribution, filter by filter; each sees what the one before it left.

    temperature: z / T, 0 = greedy. top_k: exactly k tokens (Fan et al. 2018, not opened). top_p: a token stays while
    the mass before it is < p, so the one that crosses p stays (Holtzman et al. 2020, §3.1). min_p: tokens with at least
    min_p times the largest probability (Nguyen et al. 2024). On a tie the lowest index comes first.
    Shapes: logits (n,), at most a million, −∞ = impossible; temperature ≥ 0, top_k ≥ 1, top_p and min_p in [0, 1], None
    = off; order names each filter in use once. At least one token always stays; top_p = 1 and top_k ≥ n cut nothing.
    Raises ValueError for settings outside these, NaN or +∞, and logits that are all −∞.

    >>> next_token([2, 1, 0], top_k=2).out.round(3).tolist()
    [0.731, 0.269, 0.0]
    """
    z = checks.array("logits", logits, ndim=1, allow_neg_inf=True)
    checks.integer("the number of logits", z.size, 0, MAX_CHOICES)
    kept = ~np.isneginf(z)
    if not kept.any():
        raise ValueError(f"logits must leave at least one token possible; got {z.size} of them, none finite")
    settings = _settings(temperature, top_k, top_p, min_p)
    heat, stages = 1.0, []
    out = softmax(z, mask=kept)
    for name in _order(order, settings):
        setting, before = settings[name], out
        ranked = _ranked(z, kept)
        if name == "temperature":
            heat = setting or 1.0
        left = np.zeros(z.size, bool)
        left[ranked if setting is None else _survivors(name, setting, ranked, before[ranked])] = True
        if name == "temperature" or (kept != left).any():
            out = softmax(z, temperature=heat, mask=left)
        kept = left
        stages.append(Stage(name, setting, before, ranked, np.cumsum(before[ranked]), kept, out))
    greedy = np.isin(np.arange(z.size), z.argmax()) if temperature == 0 else None
    return SamplingTrace(tuple(stages), softmax(z, temperature=heat, mask=greedy), kept, out)


def tied_top_k(logits, k: int) -> np.ndarray:
    """The other convention for top-k: keep every token that ties with the k-th, so more than k may stay.

    z_i ≥ the k-th largest z, as the transformers library cuts; `next_token` keeps exactly k. With k = 1: who shares
    the first place. Shapes: logits (n,), k ≥ 1, returns (n,) bool. Raises ValueError as `next_token`.

    >>> tied_top_k([1, 2, 2, 2, 3], 3).tolist()
    [False, True, True, True, True]
    """
    z = checks.array("logits", logits, ndim=1, allow_neg_inf=True)
    k = checks.integer("k", k, 1)
    possible = np.sort(z[~np.isneginf(z)])
    if possible.size == 0:
        raise ValueError(f"logits must leave at least one token possible; got {z.size} of them, none finite")
    return z >= possible[-min(k, possible.size)]


def short_top_p(logits, p: float) -> np.ndarray:
    """The other convention for top-p: the token that crosses p is dropped too, so the mass kept stays within p.

    A token stays while the mass up to and including its own is ≤ p; the most likely one always stays. A common slip
    rather than a choice: Holtzman et al. 2020, §3.1, ask for the smallest set that reaches p.
    Shapes: logits (n,), p in [0, 1], returns (n,) bool. Raises ValueError as `next_token`.

    >>> import numpy as np
    >>> short_top_p(np.log([0.5, 0.3, 0.2]), 0.7).tolist()
    [True, False, False]
    """
    p = checks.number("p", p, 0, 1)
    stage = next_token(logits, top_p=p).stage("top_p")
    kept = np.zeros(stage.kept.size, bool)
    kept[stage.order[: max(1, np.count_nonzero(stage.cumulative <= p + MASS_TOLERANCE))]] = True
    return kept


def last_of_tied_top_p(logits, p: float) -> np.ndarray:
    """The other order for top-p: where tokens tie at the edge, the later ones stay, as in the transformers library.

    It sorts from the least likely upwards and drops what fits into 1 − p, so of equal tokens the first ones go first;
    `next_token` ranks from the top and keeps the first. Without ties at the edge the two agree.
    Shapes: logits (n,), p in [0, 1], returns (n,) bool. Raises ValueError as `next_token`.

    >>> last_of_tied_top_p([0, 0, 0, 0], 0.5).tolist(), next_token([0, 0, 0, 0], top_p=0.5).kept.tolist()
    ([False, False, True, True], [True, True, False, False])
    """
    p = checks.number("p", p, 0, 1)
    stage = next_token(logits, top_p=p).stage("top_p")
    upwards = stage.before.argsort(kind="stable")
    kept = np.zeros(stage.kept.size, bool)
    kept[upwards] = np.cumsum(stage.before[upwards]) > 1 - p + MASS_TOLERANCE
    kept[upwards[-1]] = True
    return kept & (stage.before > 0)


def penalised(logits, said: int, *, factor: float = 1.0, discount: float = 0.0) -> np.ndarray:
    """The logits when one token was said before: its own moved so that it is less likely to come again.

    factor, as the transformers library does after Keskar et al. 2019 (CTRL), §4.1: z / factor, or z·factor where z is
    negative, which sends both down. discount: z − discount, as the presence penalty of OpenAI's interface.
    Shapes: logits (n,), said an index; factor ≥ 1, discount ≥ 0. Raises ValueError for anything else.

    >>> penalised([2.0, 1.0], 0, factor=1.25).tolist(), penalised([-2.0, 1.0], 0, factor=1.25).tolist()
    ([1.6, 1.0], [-2.5, 1.0])
    """
    z = checks.array("logits", logits, ndim=1, allow_neg_inf=True).copy()
    said = checks.integer("said", said, 0, z.size - 1)
    factor, possible = checks.number("factor", factor, 1), bool(np.isfinite(z[said]))
    with np.errstate(over="ignore"):
        z[said] = (z[said] * factor if z[said] < 0 else z[said] / factor) - checks.number("discount", discount, 0)
    if possible:
        checks.in_range("the penalised logit", z[[said]])
    return z


def draw_sequence(probs, n: int, rng: np.random.Generator) -> np.ndarray:
    """Draw n tokens one after the other by inverting the cumulative distribution.

    The token is the first whose running mass exceeds u, u uniform in [0, 1) (Devroye 1986, not opened), so a token of
    probability 0 never comes, nor one past the end. The same seed gives the same tokens on every platform.
    Shapes: probs (n_tokens,) summing to 1 within the rounding of single precision, returns (n,) indices.
    Raises ValueError for anything but probabilities, a count outside 0 … 1 million, and an rng that is no Generator.

    >>> draw_sequence([0.0, 1.0, 0.0], 3, np.random.default_rng(0)).tolist()
    [1, 1, 1]
    """
    p = checks.distribution("probs", probs)
    n = checks.integer("n", n, 0, MAX_DRAWS)
    checks.generator("rng", rng)
    mass = np.cumsum(p)
    return np.searchsorted(mass / mass[-1], rng.random(n), side="right")


def draw(probs, n: int, rng: np.random.Generator) -> np.ndarray:
    """How often each token comes in n draws. Shapes: probs (n_tokens,), returns (n_tokens,) counts that sum to n.

    Counts `draw_sequence`, and raises as it does.

    >>> draw([0.0, 1.0, 0.0], 3, np.random.default_rng(0)).tolist()
    [0, 3, 0]
    """
    probs = checks.distribution("probs", probs)
    return np.bincount(draw_sequence(probs, n, rng), minlength=probs.size)


def expected_counts(probs, n: int) -> Expectation:
    """What n draws should give: n·p on average, give or take √(n·p·(1 − p)) (the binomial distribution).

    Shapes: probs (n_tokens,), both fields (n_tokens,). Raises ValueError as `draw`.

    >>> [values.round(1).tolist() for values in expected_counts([0.5, 0.3, 0.2], 1000)]
    [[500.0, 300.0, 200.0], [15.8, 14.5, 12.6]]
    """
    p, n = checks.distribution("probs", probs), checks.integer("n", n, 0, MAX_DRAWS)
    return Expectation(n * p, np.sqrt(n * p * (1 - p)))


def explain_draws(probs, n: int, rng: np.random.Generator) -> DrawsTrace:
    """n draws against their expectation and the band of ±2 standard deviations around it.

    For a token that is neither rare nor all but certain about 95 in 100 counts fall inside (the normal limit of the
    binomial); one of probability 0 or 1 has no spread. Shapes and errors as `draw`.

    >>> explain_draws([0.5, 0.5], 100, np.random.default_rng(0)).low.tolist()
    [40.0, 40.0]
    """
    counts, (mean, deviation) = draw(probs, n, rng), expected_counts(probs, n)
    low, high = mean - 2 * deviation, mean + 2 * deviation
    slack = MASS_TOLERANCE * max(n, 1)
    return DrawsTrace(counts, mean, low, high, (counts < low - slack) | (counts > high + slack))


def _settings(temperature, top_k, top_p, min_p) -> dict:
    """The four settings checked, under their names."""
    return {
        "temperature": checks.number("temperature", temperature, 0),
        "top_k": None if top_k is None else checks.integer("top_k", top_k, 1),
        "top_p": None if top_p is None else checks.number("top_p", top_p, 0, 1),
        "min_p": None if min_p is None else checks.number("min_p", min_p, 0, 1),
    }


def _order(order, settings) -> tuple[str, ...]:
    names = tuple(order) if isinstance(order, tuple | list) else ()
    known = bool(names) and all(isinstance(name, str) and name in FILTERS for name in names)
    if not known or len(set(names)) < len(names):
        raise ValueError(f"order must list {', '.join(FILTERS)}, each at most once; got {checks.shown(order)}")
    for name, setting in settings.items():
        if name not in names and setting != (1.0 if name == "temperature" else None):
            raise ValueError(f"order must list {name} too, since it is set to {setting:g}; got {order!r}")
    return names


def _ranked(z, kept) -> np.ndarray:
    """The surviving indices by logit, not by probability: these may underflow to one and the same 0."""
    survivors = np.flatnonzero(kept)
    return survivors[np.argsort(-z[survivors], kind="stable")]


def _survivors(name, setting, ranked, probs) -> np.ndarray:
    """The part of `ranked` that a filter leaves; `probs` are theirs, in that order."""
    if name == "temperature":
        return ranked if setting > 0 else ranked[:1]
    if name == "top_k":
        return ranked[:setting]
    if name == "min_p":
        return ranked[probs >= setting * probs[0] * (1 - MASS_TOLERANCE)]
    mass_before = np.concatenate([[0.0], np.cumsum(probs)[:-1]])
    return ranked if setting == 1 else ranked[: max(1, np.count_nonzero(mass_before < setting - MASS_TOLERANCE))]

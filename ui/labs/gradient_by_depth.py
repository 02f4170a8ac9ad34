"""Sentences about how a gradient comes down a stack of layers, by the traces of its arrangements."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ui.words import agree, told

ROUNDING = 1e-9  # a norm nearer to 1 than this is 1 up to rounding


def unchanged(bands: Mapping[str, Any]) -> list[tuple[Any, str]]:
    """Which arrangements pass the gradient on unchanged at every layer, exactly or up to rounding."""
    exactly = [name for name, band in bands.items() if band.strayed == 0]
    nearly = [name for name, band in bands.items() if 0 < band.strayed < ROUNDING]
    return [
        (exactly, f"Exactly 1 at every layer and for every seed: **{', '.join(exactly)}**."),
        (nearly, f"1 at every layer and for every seed, up to rounding: **{', '.join(nearly)}**."),
        (not exactly and not nearly, "No arrangement here passes the gradient on unchanged."),
    ]


def within_ten(bands: Mapping[str, Any]) -> str:
    """Where the gradient at the input lies between a tenth and ten times that at the top."""
    now = {name: told(ratio=band.ratio).ratio for name, band in bands.items()}
    near = [f"{name} {ratio}" for name, ratio in now.items() if 0.1 <= ratio <= 10]
    far = [f"{name} {ratio}" for name, ratio in now.items() if not 0.1 <= ratio <= 10]
    if not near:
        return "No gradient arrives within ten times the top's, either way."
    others = f", not with {', '.join(far)}" if far else ""
    return f"Within ten times the top's, either way, the gradient arrives with **{', '.join(near)}**{others}."


def explodes(residual: Any) -> tuple[Any, str]:
    """What goes wrong on the residual path alone, by its ratio and the norms at the start and at the top."""
    return (
        residual.ratio > 10,
        "Nothing vanishes on the residual path alone, but it **explodes**: the gradient grows by a factor of "
        f"{residual.ratio} on its way down, what flows up from {residual.start} to {residual.top}.",
    )


def warm_up(pre_norm: Any, post_norm: Any) -> tuple[Any, str]:
    """Why an even gradient is not all, by what the weights of the top layer get here and in a stack of one layer."""
    return (
        post_norm.by_weights > pre_norm.by_weights,
        "An even gradient is not all that training needs: the weights of the top layer get a gradient of "
        f"**{post_norm.by_weights}** with post-norm and **{pre_norm.by_weights}** with pre-norm and the last norm that "
        f"GPT-2 and Llama put on top; in a stack of one layer {post_norm.of_one} and {pre_norm.of_one}. With post-norm "
        "it stays large in a deep stack: the reason why it needs a learning-rate warm-up (Xiong et al. 2020).",
    )


def in_silence(plain: Any, post_norm: Any) -> str:
    """What one silent layer leaves of the gradient, by its trace in both arrangements."""
    now = told(plain=plain.gradient_norms[0], post_norm=post_norm.gradient_norms[0])
    return (
        f"One silent post-norm layer leaves {now.post_norm} of the gradient, with the first seed, not 1: its norm "
        "divides by the row's spread and takes out of the gradient its mean and its part along the normalised row. "
        f"One silent plain layer leaves {now.plain}."
    )


def between(one: Any, seeds: int) -> str:
    """The smallest and the largest norm over the seeds, where there are several."""
    return f", {one.lowest} … {one.highest} over {seeds} seeds" if seeds > 1 else ""


def beyond(bands: Mapping[str, Any], low: float, high: float, *, more: bool) -> list[tuple[Any, str]]:
    """Which lines leave charts that show low to high; `more`: they can show more."""
    gradients = [
        name
        for name, band in bands.items()
        if 0 < band.lowest[band.lowest > 0].min() < low or band.highest.max() > high
    ]
    flows = [name for name, band in bands.items() if _leaves(band.activation_middle, low, high)]
    gone = [name for name, band in bands.items() if (band.lowest == 0).any() or (band.activation_middle == 0).any()]
    then = "show more powers of ten." if more else "they are more than 24 powers of ten away."
    return [
        (gradients, f"Parts of {' and '.join(gradients)} leave the chart of gradients: {then}"),
        (flows, f"Parts of {' and '.join(flows)} leave the chart of what flows up: {then}"),
        (
            gone,
            f"A norm of 0 has no place on a log axis: {' and '.join(gone)} {agree(len(gone), 'falls', 'fall')} off the "
            "picture there.",
        ),
    ]


def _leaves(norms: np.ndarray, low: float, high: float) -> bool:
    return bool(((norms > 0) & (norms < low) | (norms > high)).any())

"""What questions see of a run, and what the program to take away begins with."""

from collections.abc import Sequence
from typing import Any

from ui.page import model
from ui.snippets import shared
from ui.words import Words

_NAMES = {f"norm_{i}.{part}": f"{part}_{i}" for i in (1, 2) for part in ("gamma", "beta")}


def facts(run: Any, step: int, weights: dict[str, Any], gradients: dict[str, Any]) -> dict[str, Any]:
    """What questions ask of a run besides what is taken away: the model and its gradients at the step looked at."""
    return {"step": step, "grad_norms": run.grad_norms, "weights": weights, "gradients": gradients}


def inputs(begun: Any, lines: list, moving: Sequence[str], settings: dict[str, Any], options: dict) -> dict[str, Any]:
    """What the program starts from; `settings` are the optimizer's, `options` those of the engine's forward."""
    short = sorted(
        {next((_NAMES[end] for end in _NAMES if name.endswith(end)), name.split(".")[-1]) for name in moving}
    )
    build = {"causal": options["causal"], "placement": options["norm_placement"], "active": options["active_heads"]}
    return {"lines": lines, "moving": short} | settings | build | model.as_lists(begun)


def swaps(activation: str) -> list[tuple[str, str]]:
    """The activation in place of GELU, whose outer brackets a lambda does without."""
    return [(code("gelu", "z")[1:-1], code(activation, "z")) for code in (shared.activation, shared.slope)]


def sides(name: str, words: Sequence[Words], shape: tuple[int, int]) -> tuple[list[str] | None, list[str] | None]:
    """The names of a matrix's rows and columns: words where it has a row or a column for each, else numbers."""
    texts = [str(word) for word in words]
    rows = texts if name == "W_E" else [f"pos {i}" for i in range(shape[0])] if name == "W_P" else None
    return rows, texts if name == "W_LM_head" else None

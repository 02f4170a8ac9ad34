"""What the program to take away begins with."""

from collections.abc import Sequence
from typing import Any


def inputs(weights: Any, ids: Sequence[int], settings: dict[str, Any]) -> dict[str, Any]:
    """What `ui/snippets/forward_pass.py` starts from: the tokens, `forward`'s settings, the weights in lists."""
    layers = [
        {name: [getattr(head, name).tolist() for head in layer.heads] for name in ("W_Q", "W_K", "W_V")}
        | {name: getattr(layer, name).tolist() for name in ("W_O", "W_1", "b_1", "W_2", "b_2")}
        | {
            f"{part}_{i}": getattr(norm, part).tolist()
            for i, norm in ((1, layer.norm_1), (2, layer.norm_2))
            for part in ("gamma", "beta")
        }
        for layer in weights.layers
    ]
    return {
        "ids": list(ids),
        "n_layers": settings["n_layers"],
        "causal": settings["causal"],
        "scale": settings["scale"],
        "placement": settings["norm_placement"],
        "active": settings["active_heads"],
        "W_E": weights.W_E,
        "W_P": weights.W_P,
        "W_LM_head": weights.W_LM_head,
        "layers": layers,
    }

"""What is taken away of a forward pass: the numbers by name, and what the program begins with."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ui.page import model


def inputs(weights: Any, ids: Sequence[int], settings: dict[str, Any], drawn: dict[str, Any]) -> dict[str, Any]:
    """What `ui/snippets/forward_pass.py` starts from; `settings` of the engine's forward, `drawn` of the draw."""
    named = {"norm_placement": "placement", "active_heads": "active"}
    own = {named.get(name, name): value for name, value in settings.items() if name != "activation"}
    return {"vocabulary": list(weights.vocabulary), "ids": list(ids)} | own | drawn | model.as_lists(weights)


def numbers(trace: Any, next_token: Any, token: int) -> dict[str, Any]:
    """Every number of a trace under the name the program gives it; those of the layers as `blocks`."""
    last = {"normed": trace.final_norm.out} if trace.final_norm is not None else {}
    return {
        "token_embeddings": trace.token_embeddings,
        "position_embeddings": trace.position_embeddings,
        "x": trace.x,
        "blocks": [_of_block(block) for block in trace.blocks],
        **last,
        "logits": trace.logits,
        "probs": trace.probs,
        "next_token": next_token,
        "token": token,
    }


def _of_block(block: Any) -> dict[str, Any]:
    attention, heads, part = block.attention, block.attention.heads, block.feed_forward
    norms = {"norm_1": block.norm_1.out, "norm_2": block.norm_2.out} if block.norm_1 is not None else {}
    return {
        "queries": attention.q,
        "keys": attention.k,
        "values": attention.v,
        "scores": np.array([head.scores for head in heads]),
        "scaled": np.array([head.scaled for head in heads]),
        "masked": np.array([head.masked for head in heads]),
        "weights": attention.maps,
        "contexts": np.array([head.out for head in heads]),
        "concat": attention.concat,
        "attention": attention.out,
        "after_attention": block.after_attention,
        "hidden": part.hidden,
        "activated": part.activated,
        "feed_forward": part.out,
        "after_feed_forward": block.after_feed_forward,
        **norms,
        "out": block.out,
    }

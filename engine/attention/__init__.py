"""Attention: queries score keys, scores become weights, weights mix values; one head or several.

Read masks, scores, heads, by_hand.
"""

from engine.attention.by_hand import attention_by_hand
from engine.attention.heads import (
    MultiHeadTrace,
    ReshapeOrigins,
    join_heads,
    key_head_of_each,
    merge_heads,
    multi_head,
    pool_key_heads,
    reshape_origins,
    reshape_without_split,
    split_heads,
)
from engine.attention.masks import (
    attention_mask,
    causal_mask,
    padding_mask,
    sliding_window_mask,
)
from engine.attention.scores import (
    AttentionTrace,
    attend_alike,
    attend_to_scores,
    entropy_limits,
    scaled_dot_product,
    value_shares,
)

__all__ = [
    "AttentionTrace",
    "MultiHeadTrace",
    "ReshapeOrigins",
    "attend_alike",
    "attend_to_scores",
    "attention_by_hand",
    "attention_mask",
    "causal_mask",
    "entropy_limits",
    "join_heads",
    "key_head_of_each",
    "merge_heads",
    "multi_head",
    "padding_mask",
    "pool_key_heads",
    "reshape_origins",
    "reshape_without_split",
    "scaled_dot_product",
    "sliding_window_mask",
    "split_heads",
    "value_shares",
]

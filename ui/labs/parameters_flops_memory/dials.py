"""The dials of a language model: every size and switch that decides what it costs."""

from collections.abc import Sequence

from ui.page import controls

SIZES = {  # dial: (least, most, help)
    "vocab_size": (1, 10**6, None),
    "d_model": (1, 65_536, None),
    "n_layers": (1, 200, None),
    "n_heads": (1, 512, None),
    "n_kv_heads": (0, 512, "Heads that keep keys and values; 0: as many as n_heads."),
    "head_dim": (0, 1_024, "0: d_model / n_heads."),
    "d_ff": (1, 10**6, None),
    "context": (1, 10**6, "Rows of the position table, where there is one."),
    "token_types": (0, 16, "Rows of the segment table: 2 in BERT."),
    "n_experts": (1, 1_024, "Feed-forward networks side by side in a layer; 1: no experts."),
    "n_active_experts": (1, 1_024, "How many of them a token goes through."),
    "window": (0, 10**6, "Tokens that a token attends to at most; 0: all."),
}
FOLLOW = ("n_kv_heads", "head_dim", "window")  # 0 is none of its own
SWITCHES = {
    "gated": "A third feed-forward matrix, W_gate.",
    "tied": "The output head is the token table again.",
    "final_norm": "A norm after the last layer.",
    "embedding_norm": "A norm before the first layer.",
    "qk_norm": "A norm over each query and each key, as in Qwen3.",
    "pooler": "A dense layer over the first token, no output head.",
    "encoder": "Attention looks both ways: nothing is written token by token.",
}


def model_dials(own: str, start: dict, kinds: dict[str, Sequence[str]]) -> dict:
    """All dials, first set as in `start`; `own` keeps those of one model apart from another's.

    `kinds` are the dials with named options. n_kv_heads, head_dim and window are None, shown as 0, where they follow
    from the others.
    """
    sizes = {
        name: controls.whole(f"{own}.{name}", name, least, most, start[name] or 0, help=words)
        for name, (least, most, words) in SIZES.items()
    }
    return (
        {name: value or (None if name in FOLLOW else 0) for name, value in sizes.items()}
        | {name: controls.choice(f"{own}.{name}", name, options, start[name]) for name, options in kinds.items()}
        | {name: controls.toggle(f"{own}.{name}", name, start[name], help=words) for name, words in SWITCHES.items()}
    )

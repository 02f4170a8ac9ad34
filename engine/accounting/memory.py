"""What a model holds in memory while it is trained, in bytes."""

from typing import Any

from engine import checks
from engine.accounting.config import ModelConfig, checked, count_of
from engine.accounting.parameters import Convention, convention, count_parameters

PRECISIONS = {"fp32": 4, "mixed": 2, "bf16": 2}  # bytes of a weight, a gradient and an activation
STATE_WIDTHS = {"fp32": 4, "mixed": 4, "bf16": 2}  # bytes of a number that the optimizer remembers
OPTIMIZER_STATES = {"sgd": 0, "momentum": 1, "nesterov": 1, "rmsprop": 1, "adam": 2, "adamw": 2}  # numbers a parameter
CHECKPOINTING = ("none", "full")
SCORES = ("fused", "stored", "selective")
ADAM_BYTES = (  # (name, bytes a parameter by part, who counts like this, in short)
    (
        "16 bytes, 16-bit gradients",
        {"weights": 2, "gradients": 2, "master weights": 4, "first moment": 4, "second moment": 4},
        "Rajbhandari et al. 2020 (ZeRO), §3.1: 2 + 2 + K with K = 12",
        "ZeRO",
    ),
    (
        "16 bytes, all in fp32",
        {"weights": 4, "gradients": 4, "first moment": 4, "second moment": 4},
        "PyTorch without autocast: no second copy of the weights",
        "fp32",
    ),
    (
        "18 bytes, fp32 gradients",
        {"weights": 2, "gradients": 4, "master weights": 4, "first moment": 4, "second moment": 4},
        "Megatron-LM with bf16, where gradients are gathered in fp32",
        "Megatron-LM, bf16",
    ),
    (
        "20 bytes, gradients twice",
        {
            "weights": 2,
            "gradients": 2,
            "fp32 gradients": 4,
            "master weights": 4,
            "first moment": 4,
            "second moment": 4,
        },
        "Megatron-LM with fp16, which keeps a 16-bit gradient and its fp32 copy at once",
        "Megatron-LM, fp16",
    ),
    (
        "12 bytes, fp32 state only",
        {"master weights": 4, "first moment": 4, "second moment": 4},
        "the K = 12 of ZeRO alone: the weights and gradients that compute are left out",
        "ZeRO's K",
    ),
    (
        "8 bytes, all in bf16",
        {"weights": 2, "gradients": 2, "first moment": 2, "second moment": 2},
        "a model loaded in bf16 and trained as it is: PyTorch's Adam keeps its moments in the width of the weights",
        "pure bf16",
    ),
)


def training_memory(
    config: ModelConfig,
    *,
    precision: str,
    optimizer: str,
    batch: int,
    sequence: int,
    checkpointing: str,
    scores: str = "fused",
) -> dict[str, int]:
    """What one training step holds at its fullest, by part, in bytes; with P parameters:

    weights and gradients: 4·P each in "fp32", 2·P each in "mixed" and "bf16"; master weights: 4·P in mixed precision,
    the fp32 copy that the optimizer moves (Micikevicius et al. 2018); optimizer: 4·P for each number it remembers, 2
    for Adam, 2·P in "bf16" (Rajbhandari et al. 2020, ZeRO, §3.1: 2 + 2 + 12 = 16 bytes a parameter);
    activations: what the layers keep for the way back, n_layers × `activation_bytes_per_layer`; with "full"
    checkpointing only each layer's input, 2·s·b·d_model bytes in 16 bit;
    recomputed layer: what is there once, while one layer is gone through again (Korthikanti et al. 2022, §5): the whole
    layer with "full" checkpointing, its scores with "selective" recomputation;
    embedding and logits: the dropout mask after the embedding, the inputs of the outer norms and of the head, and the
    logits in fp32, 4·s·b·vocab_size bytes (Korthikanti et al. 2022, §4.3).
    Left out: temporary buffers, fragmentation and the framework's own share. A KV cache is no part of training.

    precision "fp32" | "mixed" | "bf16"; optimizer a key of OPTIMIZER_STATES; batch b and sequence s at least 1 (a
    sequence beyond config.context is counted as if the model were extended); checkpointing "none" | "full"; scores as
    in `activation_bytes_per_layer`. Raises ValueError for anything else.

    >>> from engine.accounting import PRESETS
    >>> settings = {"precision": "mixed", "batch": 1, "sequence": 1024, "checkpointing": "none", "scores": "stored"}
    >>> memory = training_memory(PRESETS["gpt2"], optimizer="adam", **settings)
    >>> memory["optimizer"] == 8 * 124_439_808, memory["activations"] == 12 * (34 * 768 + 5 * 12 * 1024) * 1024
    (True, True)
    """
    size: dict[str, Any] = {"batch": batch, "sequence": sequence, "precision": precision}
    layer = sum(activation_bytes_per_layer(config, scores=scores, **size).values())
    again = activation_bytes_per_layer(config, scores="stored", **size)["scores"] if scores == "selective" else 0
    states = OPTIMIZER_STATES[checks.one_of("optimizer", optimizer, OPTIMIZER_STATES)]
    full = checks.one_of("checkpointing", checkpointing, CHECKPOINTING) == "full"
    width, n = PRECISIONS[precision], count_parameters(config)
    tokens = count_of("batch", batch) * count_of("sequence", sequence)
    return {
        "weights": width * n,
        "gradients": width * n,
        "master weights": 4 * n if precision == "mixed" else 0,
        "optimizer": STATE_WIDTHS[precision] * states * n,
        "activations": config.n_layers * (width * tokens * config.d_model if full else layer),
        "recomputed layer": (layer if full else 0) + again,
        "embedding and logits": tokens * _ends_bytes_per_token(config, width),
    }


def activation_bytes_per_layer(
    config: ModelConfig, *, batch: int, sequence: int, precision: str = "mixed", scores: str = "fused"
) -> dict[str, int]:
    """What one layer keeps for its way back, by part, in bytes: s·b·d·(34 + 5·a·s/d) for the plain transformer.

    For each of the s·b tokens, with w = 2 bytes a number (16 bit) or 4 ("fp32"), 1 byte in a dropout mask, and
    A = n_heads·head_dim, K = n_kv_heads·head_dim, f = d_ff (Korthikanti et al. 2022, §4.1, where A = K = d, f = 4·d):
    norms: their two inputs, 2·w·d → 4·d;
    attention: the shared input of W_Q, W_K, W_V, the queries, keys and values, the input of W_O, and a mask:
    w·(d + A + 2·K + A) + d → 11·d;
    scores: where they are "stored", for every head and every other token the softmax, its dropout mask and the
    dropped-out softmax: (2·w + 1)·n_heads·s → 5·a·s; none of them with a "fused" kernel, which never writes them
    (Dao et al. 2022, FlashAttention; PyTorch's scaled_dot_product_attention), nor with "selective" recomputation, which
    computes them again on the way back (Korthikanti et al. 2022, §5);
    feed-forward: input, hidden before and after GELU, mask: w·(d + 2·f) + d → 19·d.
    The result is in bytes already. Approximated for models unlike that one: a gated layer keeps four rows of d_ff
    (gate before and after its activation, up, their product) in place of two, a layer of experts those of the active
    ones; masks are counted though many train without dropout; left out are the row sums a fused kernel keeps, 4 bytes
    a head and token, and what RoPE, a router or norms of queries and keys may keep.

    batch b, sequence s at least 1, precision "fp32" | "mixed" | "bf16", scores "fused" | "stored" | "selective", else
    ValueError.

    >>> wide = ModelConfig(vocab_size=1, d_model=4096, n_layers=1, n_heads=32, d_ff=16384, context=2048)
    >>> sum(activation_bytes_per_layer(wide, batch=1, sequence=2048, scores="stored").values())  # 912 MiB
    956301312
    """
    c, s = checked(config), count_of("sequence", sequence)
    tokens = count_of("batch", batch) * s
    w = PRECISIONS[checks.one_of("precision", precision, PRECISIONS)]
    stored = checks.one_of("scores", scores, SCORES) == "stored"
    queries, keys = c.n_heads * c.head_dim, c.n_kv_heads * c.head_dim
    rows = (4 if c.gated else 2) * c.n_active_experts
    return {
        "norms": tokens * 2 * w * c.d_model,
        "attention": tokens * (w * (c.d_model + 2 * queries + 2 * keys) + c.d_model),
        "scores": tokens * (2 * w + 1) * c.n_heads * s if stored else 0,
        "feed-forward": tokens * (w * (c.d_model + rows * c.d_ff) + c.d_model),
    }


def memory_conventions(config: ModelConfig) -> tuple[Convention, ...]:
    """The bytes that training with Adam holds whatever the batch, as 8 to 20 bytes a parameter, by part.

    The spread is in what is listed: the fp32 copy of the weights, and the width of gradients and moments. Raises
    ValueError unless config is a ModelConfig.

    >>> from engine.accounting import PRESETS
    >>> [round(way.value / 1e9, 2) for way in memory_conventions(PRESETS["llama-2-7b"])]
    [107.81, 107.81, 121.29, 134.77, 80.86, 53.91]
    """
    n = count_parameters(config)
    return tuple(
        convention(name, {part: each * n for part, each in parts.items()}, source, who)
        for name, parts, source, who in ADAM_BYTES
    )


def _ends_bytes_per_token(c: ModelConfig, width: int) -> int:
    """Outside the layers: the embedding's dropout mask, the inputs of norms and head, the fp32 logits."""
    head = c.has_head
    return c.d_model * (1 + width * (c.embedding_norm + c.final_norm + head)) + 4 * c.vocab_size * head

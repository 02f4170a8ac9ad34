"""What a model holds in memory, in bytes: while it is trained, and while it writes."""

from typing import NamedTuple

import numpy as np

from engine import checks
from engine.accounting.config import ModelConfig, checked, count_of
from engine.accounting.parameters import Convention, convention, count_parameters

GIB = 2**30
# The size on the vendor's data sheet, read as GiB; the driver keeps a few percent of it for itself.
GPU_MEMORY: dict[str, int] = {
    "RTX 3060": 12,
    "T4": 16,
    "RTX 4090": 24,
    "V100": 32,
    "A100 40 GB": 40,
    "L40S": 48,
    "A100 80 GB": 80,
    "H100": 80,
    "H200": 141,
    "MI300X": 192,
}
PRECISIONS = {"fp32": 4, "mixed": 2}  # bytes of a weight, a gradient and an activation
OPTIMIZER_STATES = {"sgd": 0, "momentum": 1, "nesterov": 1, "rmsprop": 1, "adam": 2, "adamw": 2}  # numbers a parameter
CHECKPOINTING = ("none", "full")
ADAM_BYTES = (  # (name, bytes a parameter by part, who counts like this)
    (
        "16 bytes, 16-bit gradients",
        {"weights": 2, "gradients": 2, "master weights": 4, "first moment": 4, "second moment": 4},
        "Rajbhandari et al. 2020 (ZeRO), §3.1: 2 + 2 + K with K = 12",
    ),
    (
        "16 bytes, all in fp32",
        {"weights": 4, "gradients": 4, "first moment": 4, "second moment": 4},
        "training without mixed precision: no second copy of the weights",
    ),
    (
        "18 bytes, fp32 gradients",
        {"weights": 2, "gradients": 4, "master weights": 4, "first moment": 4, "second moment": 4},
        "Megatron-LM, where gradients are gathered in fp32",
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
        "frameworks that keep a 16-bit gradient and its fp32 copy at once",
    ),
    (
        "12 bytes, fp32 state only",
        {"master weights": 4, "first moment": 4, "second moment": 4},
        "the K = 12 of ZeRO alone: the weights and gradients that compute are left out",
    ),
)


class Gpu(NamedTuple):
    """A graphics card, its memory in GiB, and how many of them a training step takes at the least."""

    name: str
    gib: int
    cards: int  # 1: one card holds it


def training_memory(
    config: ModelConfig, *, precision: str, optimizer: str, batch: int, sequence: int, checkpointing: str
) -> dict[str, int]:
    """What one training step holds at its fullest, by part, in bytes; with P parameters:

    weights and gradients: 4·P each in "fp32", 2·P each in "mixed"; master weights: 4·P in mixed precision, the fp32
    copy that the optimizer moves (Micikevicius et al. 2018); optimizer: 4·P for each number it remembers, 2 for Adam
    (Rajbhandari et al. 2020, ZeRO, §3.1: 2 + 2 + 12 = 16 bytes a parameter);
    activations: what the layers keep for the way back, n_layers × `activation_bytes_per_layer`; with "full"
    checkpointing only each layer's input, 2·s·b·d_model bytes in mixed precision, and the recomputed layer: one layer
    in full, while it is gone through again (Korthikanti et al. 2022, §5);
    embedding and logits: the dropout mask after the embedding, the inputs of the outer norms and of the head, and the
    logits in fp32, 4·s·b·vocab_size bytes (Korthikanti et al. 2022, §4.3).
    Left out: temporary buffers, fragmentation and the framework's own share. A KV cache is no part of training.

    precision "fp32" | "mixed"; optimizer a key of OPTIMIZER_STATES; batch b and sequence s at least 1 (a sequence
    beyond config.context is counted as if the model were extended); checkpointing "none" | "full". Raises ValueError
    for anything else.

    >>> from engine.accounting import PRESETS
    >>> settings = {"precision": "mixed", "batch": 1, "sequence": 1024, "checkpointing": "none"}
    >>> memory = training_memory(PRESETS["gpt2"], optimizer="adam", **settings)
    >>> memory["optimizer"] == 8 * 124_439_808, memory["activations"] == 12 * (34 * 768 + 5 * 12 * 1024) * 1024
    (True, True)
    """
    layer = sum(activation_bytes_per_layer(config, batch=batch, sequence=sequence, precision=precision).values())
    states = OPTIMIZER_STATES[checks.one_of("optimizer", optimizer, OPTIMIZER_STATES)]
    full = checks.one_of("checkpointing", checkpointing, CHECKPOINTING) == "full"
    width, tokens, n = (
        PRECISIONS[precision],
        count_of("batch", batch) * count_of("sequence", sequence),
        count_parameters(config),
    )
    return {
        "weights": width * n,
        "gradients": width * n,
        "master weights": 4 * n if precision == "mixed" else 0,
        "optimizer": 4 * states * n,
        "activations": config.n_layers * (width * tokens * config.d_model if full else layer),
        "recomputed layer": layer if full else 0,
        "embedding and logits": tokens * _ends_bytes_per_token(config, width),
    }


def activation_bytes_per_layer(
    config: ModelConfig, *, batch: int, sequence: int, precision: str = "mixed"
) -> dict[str, int]:
    """What one layer keeps for its way back, by part, in bytes: s·b·d·(34 + 5·a·s/d) for the plain transformer.

    For each of the s·b tokens, with w = 2 bytes a number ("mixed") or 4 ("fp32"), 1 byte in a dropout mask, and
    A = n_heads·head_dim, K = n_kv_heads·head_dim, f = d_ff (Korthikanti et al. 2022, §4.1, where A = K = d, f = 4·d):
    norms: their two inputs, 2·w·d → 4·d;
    attention: the shared input of W_Q, W_K, W_V, the queries, keys and values, the input of W_O, and a mask:
    w·(d + A + 2·K + A) + d → 11·d;
    scores: for every head and every other token the softmax, its dropout mask and the dropped-out softmax:
    (2·w + 1)·n_heads·s → 5·a·s;
    feed-forward: input, hidden before and after GELU, mask: w·(d + 2·f) + d → 19·d.
    The result is in bytes already. Approximated for models unlike that one: a gated layer keeps four rows of d_ff
    (gate before and after its activation, up, their product) in place of two; masks are counted though many train
    without dropout; a fused attention kernel (Dao et al. 2022) keeps no scores; what RoPE may keep is left out.

    batch b, sequence s at least 1, precision "fp32" | "mixed", else ValueError.

    >>> wide = ModelConfig(vocab_size=1, d_model=4096, n_layers=1, n_heads=32, d_ff=16384, context=2048)
    >>> sum(activation_bytes_per_layer(wide, batch=1, sequence=2048).values())  # 912 MiB
    956301312
    """
    c, s = checked(config), count_of("sequence", sequence)
    tokens = count_of("batch", batch) * s
    w = PRECISIONS[checks.one_of("precision", precision, PRECISIONS)]
    queries, keys = c.n_heads * c.head_dim, c.n_kv_heads * c.head_dim
    return {
        "norms": tokens * 2 * w * c.d_model,
        "attention": tokens * (w * (c.d_model + 2 * queries + 2 * keys) + c.d_model),
        "scores": tokens * (2 * w + 1) * c.n_heads * s,
        "feed-forward": tokens * (w * (c.d_model + (4 if c.gated else 2) * c.d_ff) + c.d_model),
    }


def memory_conventions(config: ModelConfig) -> tuple[Convention, ...]:
    """The bytes that training with Adam holds whatever the batch, as 12, 16, 18 and 20 bytes a parameter, by part.

    The spread is in what is listed: the fp32 copy of the weights, and the width of the gradients. Raises ValueError
    unless config is a ModelConfig.

    >>> from engine.accounting import PRESETS
    >>> [round(way.value / 1e9, 2) for way in memory_conventions(PRESETS["llama-2-7b"])]
    [107.81, 107.81, 121.29, 134.77, 80.86]
    """
    n = count_parameters(config)
    return tuple(
        convention(name, {part: each * n for part, each in parts.items()}, source) for name, parts, source in ADAM_BYTES
    )


def kv_cache_bytes(config: ModelConfig, n_tokens: int, *, batch: int = 1, bytes_per_value: int = 2) -> int:
    """What the keys and values of n_tokens already read take, so that the next token need not compute them again.

    2·n_layers·n_kv_heads·head_dim·n_tokens·batch·bytes_per_value, the 2 for keys and values (Shazeer 2019, "Fast
    transformer decoding"; grouped heads: Ainslie et al. 2023). n_tokens 0 or more (beyond config.context: as if the
    model were extended), batch and bytes_per_value at least 1, else ValueError.

    >>> from engine.accounting import PRESETS
    >>> kv_cache_bytes(PRESETS["llama-2-7b"], 4096) / GIB, kv_cache_bytes(PRESETS["llama-3-8b"], 4096) / GIB
    (2.0, 0.5)
    """
    c = checked(config)
    per_token = 2 * c.n_layers * c.n_kv_heads * c.head_dim * checks.integer("bytes_per_value", bytes_per_value, 1, 8)
    return per_token * count_of("n_tokens", n_tokens, 0) * count_of("batch", batch)


def kv_cache_sweep(config: ModelConfig, contexts, *, batch: int = 1, bytes_per_value: int = 2) -> dict[int, np.ndarray]:
    """The KV cache against the tokens read, for this model with other numbers of heads that keep keys and values.

    n_kv_heads -> (n,) bytes, most heads first: n_heads of them (multi-head attention), the model's own number, a
    quarter of n_heads or the next divisor below, and 1 (multi-query). Shapes: contexts (n,) whole numbers. Raises
    ValueError as `kv_cache_bytes`.

    >>> from engine.accounting import PRESETS
    >>> list(kv_cache_sweep(PRESETS["llama-3-8b"], [4096])), kv_cache_sweep(PRESETS["gpt2"], [1024])[12].tolist()
    ([32, 8, 1], [37748736.0])
    """
    c = checked(config)
    quarter = next(n for n in range(max(1, c.n_heads // 4), 0, -1) if c.n_heads % n == 0)
    own = np.array([float(kv_cache_bytes(c, n, batch=batch, bytes_per_value=bytes_per_value)) for n in contexts])
    return {n: own * n / c.n_kv_heads for n in sorted({c.n_heads, c.n_kv_heads, quarter, 1}, reverse=True)}


def cards_needed(n_bytes: int) -> tuple[Gpu, ...]:
    """How many of each common GPU hold n_bytes, if these could be cut evenly: ⌈n_bytes / memory⌉, at least 1.

    More in practice: whatever is not cut is held by every card. n_bytes 0 or more, else ValueError.

    >>> [(gpu.name, gpu.cards) for gpu in cards_needed(100 * GIB)][-3:]
    [('H100', 2), ('H200', 1), ('MI300X', 1)]
    """
    n_bytes = checks.integer("n_bytes", n_bytes, 0)
    return tuple(Gpu(name, gib, max(1, -(-n_bytes // (gib * GIB)))) for name, gib in GPU_MEMORY.items())


def _ends_bytes_per_token(c: ModelConfig, width: int) -> int:
    """Outside the layers: the embedding's dropout mask, the inputs of norms and head, the fp32 logits."""
    head = not c.pooler
    return c.d_model * (1 + width * (c.embedding_norm + c.final_norm + head)) + 4 * c.vocab_size * head

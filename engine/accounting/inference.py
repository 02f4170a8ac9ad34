"""What a model holds in memory while it writes, in bytes: its weights, and the keys and values of what it has read."""

from math import ceil, isqrt
from typing import Any

import numpy as np

from engine import checks
from engine.accounting.config import ModelConfig, checked, contexts_of, count_of
from engine.accounting.parameters import count_parameters


def inference_memory(
    config: ModelConfig, n_tokens: int, *, batch: int = 1, bytes_per_weight: float = 2, bytes_per_value: int = 2
) -> dict[str, int]:
    """What writing takes once n_tokens are read, by part: all weights, and the KV cache of `kv_cache_bytes`.

    Left out: the activations of the one token at work, buffers and the framework's own share. bytes_per_weight from
    0.25 to 8 (2 in 16 bit, 0.5 in 4 bit), the rest as in `kv_cache_bytes`, else ValueError.

    >>> from engine.accounting import GIB, PRESETS
    >>> {part: round(held / GIB, 2) for part, held in inference_memory(PRESETS["llama-2-7b"], 4096).items()}
    {'weights': 12.55, 'KV cache': 2.0}
    """
    weights = count_parameters(config) * checks.number("bytes_per_weight", bytes_per_weight, 0.25, 8)
    cache = kv_cache_bytes(config, n_tokens, batch=batch, bytes_per_value=bytes_per_value)
    return {"weights": ceil(weights), "KV cache": cache}


def kv_cache_bytes(config: ModelConfig, n_tokens: int, *, batch: int = 1, bytes_per_value: int = 2) -> int:
    """What the keys and values of n_tokens already read take, so that the next token need not compute them again.

    2·n_layers·n_kv_heads·head_dim·n_tokens·batch·bytes_per_value, the 2 for keys and values (Shazeer 2019, "Fast
    transformer decoding"; grouped heads: Ainslie et al. 2023). With a window no more than its tokens are kept; an
    encoder writes nothing token by token and keeps none. n_tokens 0 or more (beyond config.context: as if the model
    were extended), batch and bytes_per_value at least 1, else ValueError.

    >>> from engine.accounting import GIB, PRESETS
    >>> kv_cache_bytes(PRESETS["llama-2-7b"], 4096) / GIB, kv_cache_bytes(PRESETS["llama-3-8b"], 4096) / GIB
    (2.0, 0.5)
    >>> kv_cache_bytes(PRESETS["mistral-7b-v0.1"], 32_768) / GIB, kv_cache_bytes(PRESETS["mistral-7b"], 32_768) / GIB
    (0.5, 4.0)
    """
    c = checked(config)
    per_token = 2 * c.n_layers * c.n_kv_heads * c.head_dim * checks.integer("bytes_per_value", bytes_per_value, 1, 8)
    kept = c.seen(count_of("n_tokens", n_tokens, 0)) * count_of("batch", batch)
    return 0 if c.encoder else per_token * kept


def kv_cache_sweep(config: ModelConfig, contexts, *, batch: int = 1, bytes_per_value: int = 2) -> dict[int, np.ndarray]:
    """The KV cache against the tokens read, for this model with other numbers of heads that keep keys and values.

    n_kv_heads -> (n,) bytes, most heads first: n_heads of them (multi-head attention), the model's own number, a
    quarter of n_heads or the next divisor below, and 1 (multi-query); all 0 for an encoder. Shapes: contexts (n,) whole
    numbers, n at most 10,000. Raises ValueError as `kv_cache_bytes`.

    >>> from engine.accounting import PRESETS
    >>> list(kv_cache_sweep(PRESETS["llama-3-8b"], [4096])), kv_cache_sweep(PRESETS["gpt2"], [1024])[12].tolist()
    ([32, 8, 1], [37748736.0])
    """
    c = checked(config)
    quarter = max(n for n in _divisors(c.n_heads) if n <= max(1, c.n_heads // 4))
    size: dict[str, Any] = {"batch": batch, "bytes_per_value": bytes_per_value}
    own = np.array([float(kv_cache_bytes(c, n, **size)) for n in contexts_of(contexts)])
    return {n: own * n / c.n_kv_heads for n in sorted({c.n_heads, c.n_kv_heads, quarter, 1}, reverse=True)}


def _divisors(n: int) -> set[int]:
    """Every whole number that divides n, found in √n steps."""
    small = [i for i in range(1, isqrt(n) + 1) if n % i == 0]
    return {*small, *(n // i for i in small)}

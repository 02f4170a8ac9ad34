"""The FLOPs a token costs on its way through a model, and in training."""

from math import ceil, inf, isfinite
from typing import NamedTuple

import numpy as np

from engine.accounting.config import ModelConfig, checked, contexts_of, count_of
from engine.accounting.parameters import (
    LAYER_MATRICES,
    Convention,
    active_parameters,
    convention,
    multiplying_parameters,
    parameters_by_part,
)

ATTENTION = ("scores q·k", "weights × values")  # the parts that no parameter takes part in
PROJECTIONS = ("queries, keys, values", "attention output")


class FlopsSweep(NamedTuple):
    """What a token costs in sequences of every length, (n,) each: by part, in all, and the share of attention."""

    parts: dict[str, np.ndarray]  # attention matrices, scores and mixing, feed-forward, output head and pooler
    total: np.ndarray
    attention_share: np.ndarray  # of scores and mixing, 0 … 1
    crossing: float  # the context at which that is half of all; ∞ where a window keeps it below

    @property
    def half_from(self) -> int | None:
        """The first whole number of tokens at which scores and mixing are half of all or more; None for never."""
        return ceil(self.crossing) if isfinite(self.crossing) else None


def forward_flops_per_token(config: ModelConfig, context: int) -> dict[str, int | float]:
    """The FLOPs of one token's way through the model, by part, in a sequence of `context` tokens.

    A multiply-add is 2 FLOPs, so a matrix with n entries costs 2·n a token (Kaplan et al. 2020, §2.1): queries, keys,
    values and W_O; two or three feed-forward matrices, those of the active experts and the router; the output head,
    tied or not. Scores and mixing cost 2·context·n_heads·head_dim each in every layer: full attention, as the kernels
    of dense models compute it and as Hoffmann et al. 2022, appendix F, count it (a causal mask needs half); with a
    window no more than the window's tokens. Left out, all small: norms, softmax, activations, biases, looking up
    embeddings. A pooler reads one token of the sequence: 2·d_model²/context a token, a whole number where it is one.

    context at least 1 (beyond config.context: as if the model were extended), else ValueError.

    >>> from engine.accounting import PRESETS
    >>> sum(forward_flops_per_token(PRESETS["gpt2"], 1024).values())
    284812800
    """
    c, context = checked(config), count_of("context", context)
    queries, keys = c.n_heads * c.head_dim, c.n_kv_heads * c.head_dim
    parts: dict[str, int | float] = {
        "queries, keys, values": 2 * c.n_layers * c.d_model * (queries + 2 * keys),
        **dict.fromkeys(ATTENTION, 2 * c.n_layers * c.seen(context) * queries),
        "attention output": 2 * c.n_layers * queries * c.d_model,
        "feed-forward": 2 * c.n_layers * (3 if c.gated else 2) * c.d_model * c.d_ff * c.n_active_experts,
    }
    if c.n_experts > 1:
        parts["feed-forward"] += 2 * c.n_layers * c.d_model * c.n_experts
    if c.pooler:
        whole, rest = divmod(2 * c.d_model**2, context)
        parts["pooler"] = 2 * c.d_model**2 / context if rest else whole
    if c.has_head:
        parts["output head"] = 2 * c.d_model * c.vocab_size
    return parts


def training_flops_per_token(config: ModelConfig, context: int) -> dict[str, int | float]:
    """The FLOPs of learning from one token, by part: three times the forward pass.

    The way back costs twice the way there, once for the gradient of the input and once for that of the weights, so
    2·N becomes 6·N (Kaplan et al. 2020, §2.1; Hoffmann et al. 2022, appendix F). Arguments and errors as
    `forward_flops_per_token`.

    >>> from engine.accounting import PRESETS
    >>> sum(training_flops_per_token(PRESETS["gpt2"], 1024).values())
    854438400
    """
    return {part: 3 * flops for part, flops in forward_flops_per_token(config, context).items()}


def sweep_context(config: ModelConfig, contexts) -> FlopsSweep:
    """The forward FLOPs of one token against the length of its sequence.

    Scores and mixing are the one part that grows with the context: 4·context·n_heads·head_dim a layer. All other parts
    together cost as much at crossing = their FLOPs / the growth per token of context (a pooler's share, which shrinks
    as the context grows, left out of that). With a window the growth ends there.
    Shapes: contexts (n,) whole numbers, n at most 10,000. Raises ValueError as `forward_flops_per_token`.

    >>> from engine.accounting import PRESETS
    >>> sweep = sweep_context(PRESETS["gpt2"], [1024, 2048])
    >>> sweep.total.tolist(), round(sweep.crossing)
    ([284812800.0, 322561536.0], 6702)
    """
    config = checked(config)
    each = [forward_flops_per_token(config, context) for context in contexts_of(contexts)]
    groups = {
        "attention matrices": PROJECTIONS,
        "scores and mixing": ATTENTION,
        "feed-forward": ("feed-forward",),
        **{end: (end,) for end, there in (("output head", config.has_head), ("pooler", config.pooler)) if there},
    }
    parts = {name: np.array([float(sum(one[part] for part in of)) for one in each]) for name, of in groups.items()}
    total = np.sum(list(parts.values()), axis=0)
    growth = 4 * config.n_layers * config.n_heads * config.head_dim
    crossing = 2 * sum(multiplying_parameters(config).values()) / growth
    if config.window is not None and crossing > config.window:
        crossing = inf
    return FlopsSweep(parts, total, parts["scores and mixing"] / total, crossing)


def flops_conventions(config: ModelConfig, context: int) -> tuple[Convention, ...]:
    """The training FLOPs of a token as different people count them: what N is, and how attention is added.

    Attention over the whole context is 12·n_layers·context·n_heads·head_dim; a causal mask lets a token see half of
    that on average, 6·… (more than half of a window). Of several experts only the active count. Recomputing the layers
    on the way back adds their forward pass once more. Arguments and errors as `forward_flops_per_token`.

    >>> from engine.accounting import PRESETS
    >>> for way in flops_conventions(PRESETS["gpt2"], 1024)[:4]:
    ...     print(f"{way.value:,}  {way.name}")
    741,192,192  6N alone
    854,438,400  6N and full attention
    797,815,296  6N and causal attention
    855,166,464  6N with embeddings, full attention
    """
    context = count_of("context", context)
    forward, multiplying = forward_flops_per_token(config, context), multiplying_parameters(config)
    full = 3 * sum(forward[part] for part in ATTENTION)
    causal = full - full * config.seen(context) // (2 * context)  # of the keys in reach the first tokens see fewer
    layers = 6 * sum(count for part, count in multiplying.items() if part in LAYER_MATRICES)
    end = forward.get("output head", 0) + forward.get("pooler", 0)
    n_all, n_positions = active_parameters(config), parameters_by_part(config).get("position embedding", 0)
    ways = (
        ("6N alone", {"6N": layers + 3 * end}, "N: every matrix that multiplies", "this page's N"),
        ("6N and full attention", {"6N": layers + 3 * end, "attention": full}, "this page's own parts", "this page"),
        (
            "6N and causal attention",
            {"6N": layers + 3 * end, "attention": causal},
            "half the scores, as FlashAttention skips",
            "FlashAttention",
        ),
        (
            "6N with embeddings, full attention",
            {"6N": 6 * (n_all - n_positions), "attention": full},
            "nanoGPT after PaLM (Chowdhery et al. 2022, appendix B): N is all but the position table",
            "nanoGPT, PaLM",
        ),
        ("6N, N every parameter", {"6N": 6 * n_all}, "Hoffmann et al. 2022: C = 6·N·D", "Hoffmann"),
        ("6N, N the layers' matrices", {"6N": layers}, "Kaplan et al. 2020: N without embeddings and head", "Kaplan"),
        (
            "head forward only, full attention",
            {"6N": layers, "attention": full, "output head": end, "embedding": 4 * config.d_model},
            "EleutherAI's cookbook: no backward pass for the logits, and 4·d_model for embedding "
            "(Kaplan et al. 2020, table 1)",
            "EleutherAI",
        ),
        (
            "layers recomputed, full attention",
            {"8N": layers // 3 * 4, "attention": full // 3 * 4, "output head": 3 * end},
            "what the hardware does with full checkpointing (Korthikanti et al. 2022)",
            "Megatron-LM",
        ),
    )
    return tuple(convention(*way) for way in ways)

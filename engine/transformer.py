"""The forward pass of the toy model, from token ids to the next word, and the words it goes on with."""

from typing import NamedTuple

import numpy as np

from engine import checks
from engine.attention import MultiHeadTrace, causal_mask, join_heads, multi_head
from engine.feed_forward import FeedForwardTrace, feed_forward
from engine.normalization import NormTrace, layer_norm
from engine.sampling import SamplingTrace, draw_sequence, next_token
from engine.softmax import softmax
from engine.weights import Layer, Norm, Weights, check_weights

PLACEMENTS = ("post", "pre", "none")
MAX_LAYERS = 96
MAX_HEADS_RUN = 10_000  # words × layers × heads of one call of generate


class BlockTrace(NamedTuple):
    """One transformer block. "post": norm_1 and norm_2 follow their residual sums; "pre": they come before."""

    attention: MultiHeadTrace
    after_attention: np.ndarray  # (n, d_model) residual sum
    norm_1: NormTrace | None
    feed_forward: FeedForwardTrace
    after_feed_forward: np.ndarray  # (n, d_model) residual sum
    norm_2: NormTrace | None
    out: np.ndarray  # (n, d_model)


class ForwardTrace(NamedTuple):
    """Every number between token ids and the distribution of the next token."""

    token_embeddings: np.ndarray  # (n, d_model) rows of W_E
    position_embeddings: np.ndarray  # (n, d_model) rows of W_P
    x: np.ndarray  # (n, d_model) their sum
    blocks: tuple[BlockTrace, ...]
    final_norm: NormTrace | None  # of the last block's output, on its way to the head
    logits: np.ndarray  # (n, vocabulary)
    probs: np.ndarray  # (n, vocabulary), row i: what may follow token i


class GenerationStep(NamedTuple):
    """One word more: the forward pass, the distribution it was drawn from, and the word."""

    forward: ForwardTrace
    sampling: SamplingTrace
    token: int


class GenerationTrace(NamedTuple):
    """All steps, and the token ids with the new ones at the end."""

    steps: tuple[GenerationStep, ...]
    token_ids: tuple[int, ...]


def forward(
    weights: Weights,
    token_ids,
    *,
    causal: bool = True,
    norm_placement: str = "post",
    activation: str = "relu",
    n_layers: int | None = None,
    scale: bool = True,
    active_heads=None,
    final_norm: bool = False,
) -> ForwardTrace:
    """Run the model on a few tokens and keep every number.

    x = W_E[ids] + W_P[0 … n−1]; per block LN(x + MHA(x)), then LN(x + FFN(x)) with "post" (Vaswani et al. 2017, §3.1),
    x + MHA(LN(x)), x + FFN(LN(x)) with "pre", x + MHA(x), x + FFN(x) with "none"; logits = x W_LM_head, or
    LN(x) W_LM_head with final_norm. A pre-norm model has that last norm (Xiong et al. 2020; GPT-2's ln_f; the
    `norm` of Llama): here γ = 1 and β = 0, because weights.toml has no row for it. ε of the norms is 1e-5.
    Shapes: token_ids (n,), 1 ≤ n ≤ positions; active_heads (n_heads,) bool, in every layer; scale False leaves 1/√d_k
    out; n_layers 0 … 96, past the file's own its layers repeat.
    Raises ValueError for an id that is not in the vocabulary, more tokens than positions, a setting that does not
    exist, and numbers that outgrow float64.

    >>> from engine.weights import load_weights
    >>> trace = forward(load_weights(), [0, 1])
    >>> trace.x.round(2).tolist(), trace.logits.shape
    ([[0.72, -0.15, 0.38], [-0.11, 0.74, 0.17]], (2, 5))
    """
    weights = check_weights(weights)
    ids = _token_ids(weights, token_ids)
    mask = causal_mask(len(ids)) if checks.flag("causal", causal) else None
    options = {"mask": mask, "scale": None if checks.flag("scale", scale) else 1.0, "active": active_heads}
    checks.one_of("norm_placement", norm_placement, PLACEMENTS)
    tokens, positions = weights.W_E[ids], weights.W_P[: len(ids)]  # (n, d_model) each
    with np.errstate(over="ignore", invalid="ignore"):
        first = x = checks.in_range("W_E + W_P", tokens + positions)
        blocks = []
        for layer in layers_used(weights, n_layers):
            blocks.append(_block(x, layer, norm_placement, activation, options))
            x = blocks[-1].out
        last = layer_norm(x) if checks.flag("final_norm", final_norm) else None
        read = x if last is None else last.out
        logits = checks.in_range("logits", read @ weights.W_LM_head)  # (n, d_model) @ (d_model, V) -> (n, V)
    return ForwardTrace(tokens, positions, first, tuple(blocks), last, logits, softmax(logits))


def layers_used(weights: Weights, n_layers: int | None = None) -> tuple[Layer, ...]:
    """The layer each block of `forward` works with: the file's own, in turn, as often as n_layers asks.

    Shapes: n_layers 0 … 96, None = as many as the file has. Raises ValueError for another number.

    >>> from engine.weights import load_weights
    >>> len(layers_used(load_weights(), 3))
    3
    """
    weights = check_weights(weights)
    own = len(weights.layers)
    n = own if n_layers is None else checks.integer("n_layers", n_layers, 0, MAX_LAYERS)
    return tuple(weights.layers[i % own] for i in range(n))


def generate(
    weights: Weights,
    token_ids,
    n_tokens: int,
    *,
    rng: np.random.Generator,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
    min_p: float | None = None,
    **forward_options,
) -> GenerationTrace:
    """Go on with a sequence, one drawn word at a time, each fed back in.

    Autoregressive sampling: t_{n+1} ~ p(· | t_1 … t_n), filtered as in `sampling.next_token` (Holtzman et al. 2020).
    Shapes: token_ids (n,), n + n_tokens ≤ positions, n_tokens · layers · heads at most 10,000; forward_options are
    those of `forward`.
    Raises ValueError as `forward` and `next_token`, and where the new words would run past the last position.

    >>> from engine.weights import load_weights
    >>> generate(load_weights(), [0], 2, rng=np.random.default_rng(0), temperature=0).token_ids
    (0, 0, 1)
    """
    weights = check_weights(weights)
    ids = tuple(int(i) for i in _token_ids(weights, token_ids))
    n_tokens = checks.integer("n_tokens", n_tokens, 0)
    checks.generator("rng", rng)
    layers = forward_options.get("n_layers")
    depth = len(weights.layers) if layers is None else checks.integer("n_layers", layers, 0, MAX_LAYERS)
    checks.within("the words", MAX_HEADS_RUN, n_tokens=n_tokens, layers=depth, heads=len(weights.layers[0].heads))
    if len(ids) + n_tokens > len(weights.W_P):
        raise ValueError(
            f"{len(ids)} tokens and {n_tokens} more must fit the {len(weights.W_P)} positions of W_P: ask for fewer"
        )
    steps = []
    for _ in range(n_tokens):
        run = forward(weights, ids, **forward_options)
        sampling = next_token(run.logits[-1], temperature=temperature, top_k=top_k, top_p=top_p, min_p=min_p)
        token = int(draw_sequence(sampling.out, 1, rng)[0])
        steps.append(GenerationStep(run, sampling, token))
        ids = (*ids, token)
    return GenerationTrace(tuple(steps), ids)


def _block(x, layer, placement, activation, options) -> BlockTrace:
    """One block; every residual sum, norm and result keeps the shape of x, (n, d_model)."""
    norm_1 = _norm(x, layer.norm_1) if placement == "pre" else None
    read = x if norm_1 is None else norm_1.out
    attention = multi_head(read, *join_heads(layer.heads), layer.W_O, n_heads=len(layer.heads), **options)
    middle = after_attention = checks.in_range("x + attention", x + attention.out)
    if placement == "post":
        norm_1 = _norm(after_attention, layer.norm_1)
        middle = norm_1.out
    norm_2 = _norm(middle, layer.norm_2) if placement == "pre" else None
    read = middle if norm_2 is None else norm_2.out
    expanded = feed_forward(read, layer.W_1, layer.b_1, layer.W_2, layer.b_2, activation=activation)
    out = after_feed_forward = checks.in_range("x + feed-forward", middle + expanded.out)
    if placement == "post":
        norm_2 = _norm(after_feed_forward, layer.norm_2)
        out = norm_2.out
    return BlockTrace(attention, after_attention, norm_1, expanded, after_feed_forward, norm_2, out)


def _norm(x, norm: Norm) -> NormTrace:
    return layer_norm(x, norm.gamma, norm.beta)


def _token_ids(weights, token_ids) -> np.ndarray:
    listed = isinstance(token_ids, list | tuple) or (isinstance(token_ids, np.ndarray) and token_ids.ndim == 1)
    n = len(token_ids) if listed else 1
    if not 1 <= n <= len(weights.W_P):
        raise ValueError(f"token_ids must be 1 to {len(weights.W_P)} tokens, one per position of W_P; got {n}")
    ids = checks.classes("token_ids", token_ids, len(weights.vocabulary))
    checks.integer("the number of token_ids", len(ids), 1, len(weights.W_P))
    return ids

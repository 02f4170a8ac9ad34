"""The forward and backward pass of several sequences at once, on checked numbers: what training repeats.

The forward half is `transformer.forward` to the last digit, without its checks and traces. Sequences shorter than the
longest are padded at the end, and nothing that counts looks at the padding. Call both under np.errstate.
"""

from typing import NamedTuple

import numpy as np

from engine.training.settings import Batch, Options
from engine.training.vector import LayerParts, Parts

_ROOT_EPS = np.sqrt(1e-5)  # ε of the norms
_total = np.add.reduce


class NormPass(NamedTuple):
    deviation: np.ndarray  # (B, n, 1) √(variance + ε)
    normalized: np.ndarray
    out: np.ndarray


class BlockPass(NamedTuple):
    """One block of `forward_pass`."""

    norm_1: NormPass | None
    read: np.ndarray  # (B, n, d_model) what the heads read
    qkv: np.ndarray  # (3, B, n_heads, n, d_k)
    weights: np.ndarray  # (B, n_heads, n, n)
    contexts: np.ndarray  # (B, n_heads, n, d_k), 0 for a silent head
    norm_2: NormPass | None
    widened: np.ndarray  # (B, n, d_model) what the feed-forward sublayer reads
    hidden: np.ndarray  # (B, n, d_ff)
    activated: np.ndarray  # (B, n, d_ff)
    out: np.ndarray  # (B, n, d_model)


class ForwardPass(NamedTuple):
    blocks: tuple[BlockPass, ...]
    final_norm: NormPass | None
    read: np.ndarray  # (B, n, d_model) what W_LM_head reads
    logits: np.ndarray  # (B, n, V)
    probs: np.ndarray  # (B, n, V)
    per_token: np.ndarray  # (N,) −log p of each target


class BlockBack(NamedTuple):
    """d loss / d the arrays of one block, (N, d_model) where no shape is given."""

    d_out: np.ndarray
    d_after_feed_forward: np.ndarray
    d_activated: np.ndarray  # (N, d_ff)
    d_hidden: np.ndarray  # (N, d_ff)
    d_widened: np.ndarray
    d_middle: np.ndarray  # what the second residual sum starts from
    d_after_attention: np.ndarray
    d_concat: np.ndarray  # (N, n_heads·d_k)
    d_contexts: np.ndarray  # (B, n_heads, n, d_k), 0 for a silent head
    d_weights: np.ndarray  # (B, n_heads, n, n)
    d_scaled: np.ndarray  # (B, n_heads, n, n)
    d_scores: np.ndarray  # (B, n_heads, n, n)
    d_qkv: np.ndarray  # (3, B, n_heads, n, d_k)
    d_read: np.ndarray
    d_x: np.ndarray
    d_norm_1: np.ndarray | None  # of what the norm reads, the share that passes through it; None without norms
    d_norm_2: np.ndarray | None


class BackwardPass(NamedTuple):
    d_logits: np.ndarray  # (B, n, V)
    d_read: np.ndarray  # (N, d_model) what W_LM_head reads
    blocks: tuple[BlockBack, ...]
    d_x: np.ndarray  # (N, d_model)


def forward_pass(model: Parts, batch: Batch, options: Options) -> ForwardPass:
    """`transformer.forward` of every sequence, and what each right token costs in nats.

    >>> from engine.training.settings import batch_of, checked_options
    >>> from engine.training.vector import flatten, parts_of, sizes_of, to_working
    >>> from engine.weights import load_weights
    >>> weights = load_weights()
    >>> sizes = sizes_of(weights)
    >>> model = parts_of(to_working(flatten(weights), sizes), sizes)
    >>> batch = batch_of([[0, 1], [2]], [[1, 2], [3]], [[True, True], [True]], 5, True)
    >>> forward_pass(model, batch, checked_options(weights)).probs.shape
    (2, 2, 5)
    """
    x = model.W_E[batch.ids] + model.W_P[: batch.ids.shape[1]]  # (B, n, d_model)
    blocks = []
    for number in options.layers:
        blocks.append(_block_forward(x, model.layers[number], batch, options))
        x = blocks[-1].out
    final = _norm_forward(x, 1.0, 0.0) if options.final_norm else None
    read = x if final is None else final.out
    logits = read @ model.W_LM_head  # (B, n, V)
    shifted = logits - logits.max(axis=-1, keepdims=True)
    exps = np.exp(shifted)
    total = _total(exps, axis=-1, keepdims=True)
    per_token = np.log(total).ravel() - shifted.ravel()[batch.target_cells]
    return ForwardPass(tuple(blocks), final, read, logits, exps / total, per_token)


def backward_pass(model: Parts, grads: Parts, batch: Batch, options: Options, run: ForwardPass) -> BackwardPass:
    """The chain rule, last array to first; what each use of a matrix gives is added into `grads`.

    >>> from engine.training.settings import batch_of, checked_options
    >>> from engine.training.vector import parts_of, sizes_of
    >>> from engine.weights import load_weights
    >>> weights, numbers, slopes = load_weights(), np.zeros(174), np.zeros(174)
    >>> model, grads = (parts_of(vector, sizes_of(weights)) for vector in (numbers, slopes))
    >>> batch, options = batch_of([[0]], [[1]], [[True]], 5, True), checked_options(weights)
    >>> backward_pass(model, grads, batch, options, forward_pass(model, batch, options)).d_logits.round(1).tolist()
    [[[0.2, -0.8, 0.2, 0.2, 0.2]]]
    """
    d_logits = (run.probs - batch.one_hot_targets) / batch.divisor  # (B, n, V)
    d = _rows(d_logits)
    grads.W_LM_head[...] += _rows(run.read).T @ d
    d = d_read = d @ model.W_LM_head.T  # (N, d_model)
    if run.final_norm is not None:
        d = _norm_back(d, run.final_norm, 1.0)
    blocks = []
    for number, block in zip(reversed(options.layers), reversed(run.blocks), strict=True):
        blocks.append(_block_back(d, block, model.layers[number], grads.layers[number], options))
        d = blocks[-1].d_x
    grads.W_E[...] += batch.one_hot_ids @ d
    n = batch.ids.shape[1]
    grads.W_P[:n] += _total(d.reshape(-1, n, d.shape[1]), axis=0)
    return BackwardPass(d_logits, d_read, tuple(reversed(blocks)), d)


def _block_forward(x, layer: LayerParts, batch: Batch, options: Options) -> BlockPass:
    norm_1 = _norm_forward(x, layer.gamma_1, layer.beta_1) if options.placement == "pre" else None
    read = x if norm_1 is None else norm_1.out
    qkv = read @ layer.W_QKV[:, None]  # (B, n, d_model) @ (3, 1, d_model, n_heads·d_k)
    qkv = qkv.reshape(*qkv.shape[:3], options.n_heads, -1).transpose(0, 1, 3, 2, 4)  # (3, B, n_heads, n, d_k)
    scores = (qkv[0] @ qkv[1].transpose(0, 1, 3, 2)) * options.scale  # (B, n_heads, n, n)
    if batch.hidden_keys is not None:
        scores = np.where(batch.hidden_keys, -np.inf, scores)
    exps = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = exps / _total(exps, axis=-1, keepdims=True)
    contexts = weights @ qkv[2]  # (B, n_heads, n, d_k)
    if options.speaks is not None:
        contexts = np.where(options.speaks, contexts, 0.0)
    shares = contexts @ layer.W_O.reshape(options.n_heads, -1, layer.W_O.shape[1])  # (B, n_heads, n, d_model)
    middle = x + _total(shares, axis=1)
    if options.placement == "post":
        norm_1 = _norm_forward(middle, layer.gamma_1, layer.beta_1)
        middle = norm_1.out
    norm_2 = _norm_forward(middle, layer.gamma_2, layer.beta_2) if options.placement == "pre" else None
    widened = middle if norm_2 is None else norm_2.out
    hidden = widened @ layer.W_1 + layer.b_1
    activated = options.activate(hidden)
    out = middle + (activated @ layer.W_2 + layer.b_2)
    if options.placement == "post":
        norm_2 = _norm_forward(out, layer.gamma_2, layer.beta_2)
        out = norm_2.out
    return BlockPass(norm_1, read, qkv, weights, contexts, norm_2, widened, hidden, activated, out)


def _block_back(d_out, block: BlockPass, layer: LayerParts, grad: LayerParts, options: Options) -> BlockBack:
    d_after, d_norm_1, d_norm_2 = d_out, None, None
    if options.placement == "post":
        d_after = d_norm_2 = _norm_back(d_out, block.norm_2, layer.gamma_2, grad.gamma_2, grad.beta_2)
    grad.W_2[...] += _rows(block.activated).T @ d_after
    grad.b_2[...] += _total(d_after, axis=0)
    d_activated = d_after @ layer.W_2.T  # (N, d_ff)
    d_hidden = d_activated * options.derivative(_rows(block.hidden))
    grad.W_1[...] += _rows(block.widened).T @ d_hidden
    grad.b_1[...] += _total(d_hidden, axis=0)
    d_widened = d_middle = d_hidden @ layer.W_1.T
    if options.placement == "pre":
        d_middle = d_norm_2 = _norm_back(d_widened, block.norm_2, layer.gamma_2, grad.gamma_2, grad.beta_2)
    d_sum = d_middle = d_middle + d_after
    if options.placement == "post":
        d_sum = d_norm_1 = _norm_back(d_middle, block.norm_1, layer.gamma_1, grad.gamma_1, grad.beta_1)

    batch, n_heads, n, d_k = block.contexts.shape
    q, k, v = block.qkv
    grad.W_O[...] += block.contexts.transpose(0, 2, 1, 3).reshape(batch * n, -1).T @ d_sum
    d_concat = d_sum @ layer.W_O.T
    d_contexts = d_concat.reshape(batch, n, n_heads, d_k).transpose(0, 2, 1, 3)
    if options.speaks is not None:
        d_contexts = np.where(options.speaks, d_contexts, 0.0)
    d_weights = d_contexts @ v.transpose(0, 1, 3, 2)  # (B, n_heads, n, n)
    pull = block.weights * d_weights
    d_scaled = pull - block.weights * _total(pull, axis=-1, keepdims=True)
    d_scores = d_scaled * options.scale
    d_rows = np.empty((3, batch, n, n_heads, d_k))
    d_qkv = d_rows.transpose(0, 1, 3, 2, 4)  # (3, B, n_heads, n, d_k)
    np.matmul(d_scores, k, out=d_qkv[0])
    np.matmul(d_scores.transpose(0, 1, 3, 2), q, out=d_qkv[1])
    np.matmul(block.weights.transpose(0, 1, 3, 2), d_contexts, out=d_qkv[2])
    d_wide = d_rows.reshape(3, batch * n, n_heads * d_k)
    grad.W_QKV[...] += _rows(block.read).T @ d_wide  # (d_model, N) @ (3, N, n_heads·d_k)
    d_read = d_x = _total(d_wide @ layer.W_QKV.transpose(0, 2, 1), axis=0)
    if options.placement == "pre":
        d_x = d_norm_1 = _norm_back(d_read, block.norm_1, layer.gamma_1, grad.gamma_1, grad.beta_1)
    return BlockBack(
        d_out=d_out,
        d_after_feed_forward=d_after,
        d_activated=d_activated,
        d_hidden=d_hidden,
        d_widened=d_widened,
        d_middle=d_middle,
        d_after_attention=d_sum,
        d_concat=d_concat,
        d_contexts=d_contexts,
        d_weights=d_weights,
        d_scaled=d_scaled,
        d_scores=d_scores,
        d_qkv=d_qkv,
        d_read=d_read,
        d_x=d_x + d_sum,
        d_norm_1=d_norm_1,
        d_norm_2=d_norm_2,
    )


def _norm_forward(x, gamma, beta) -> NormPass:
    """`normalization.layer_norm` without its powers of two, which change no digit where nothing over- or underflows."""
    width, first = x.shape[-1], x[..., :1]
    centred = x - (first + _total(x - first, axis=-1, keepdims=True) / width)
    deviation = np.hypot(np.sqrt(_total(centred * centred, axis=-1, keepdims=True) / width), _ROOT_EPS)
    normalized = centred / deviation
    return NormPass(deviation, normalized, normalized * gamma + beta)


def _norm_back(d_out, norm: NormPass | None, gamma, d_gamma=None, d_beta=None):
    """`normalization.layer_norm_backward`: returns d_x (N, d_model), adds into d_gamma and d_beta."""
    assert norm is not None  # a placement that has norms has run them
    x_hat, width = _rows(norm.normalized), d_out.shape[1]
    if d_gamma is not None:
        d_gamma += _total(d_out * x_hat, axis=0)
        d_beta += _total(d_out, axis=0)
    g = d_out * gamma
    mean = _total(g, axis=1, keepdims=True) / width
    along = _total(g * x_hat, axis=1, keepdims=True) / width
    return (g - mean - x_hat * along) / _rows(norm.deviation)


def _rows(x) -> np.ndarray:
    """(B, n, d) as (N, d)."""
    return x.reshape(-1, x.shape[-1])

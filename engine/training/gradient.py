"""The gradient of every matrix of the toy model for one sequence, with everything on the way back."""

from typing import NamedTuple

import numpy as np

from engine import checks
from engine.training.passes import BlockBack, backward_pass, forward_pass
from engine.training.settings import Batch, batch_of, checked_options
from engine.training.vector import flatten, parts_of, rebuilt, sizes_of, to_working, working_order
from engine.transformer import ForwardTrace, forward
from engine.weights import Weights, check_weights


class NormBackward(NamedTuple):
    """d loss / d the arrays of one norm, (n, d_model) each; d_x is the share that passes through this norm."""

    d_x: np.ndarray
    d_normalized: np.ndarray
    d_out: np.ndarray


class HeadBackward(NamedTuple):
    """d loss / d the arrays of one `attention.AttentionTrace`; masked scores get 0, a silent head 0 everywhere."""

    d_scores: np.ndarray  # (n, n)
    d_scaled: np.ndarray  # (n, n)
    d_weights: np.ndarray  # (n, n)
    d_out: np.ndarray  # (n, d_k)


class AttentionBackward(NamedTuple):
    """d loss / d the arrays of one `attention.MultiHeadTrace`."""

    d_x: np.ndarray  # (n, d_model) what the heads read
    d_q: np.ndarray  # (n_heads, n, d_k)
    d_k: np.ndarray  # (n_heads, n, d_k)
    d_v: np.ndarray  # (n_heads, n, d_k)
    heads: tuple[HeadBackward, ...]
    d_concat: np.ndarray  # (n, n_heads·d_k)
    d_out: np.ndarray  # (n, d_model)


class FeedForwardBackward(NamedTuple):
    """d loss / d the arrays of one `feed_forward.FeedForwardTrace`."""

    d_x: np.ndarray  # (n, d_model) what the sublayer reads
    d_hidden: np.ndarray  # (n, d_ff)
    d_activated: np.ndarray  # (n, d_ff)
    d_out: np.ndarray  # (n, d_model)


class BlockBackward(NamedTuple):
    """d loss / d the arrays of one `transformer.BlockTrace`, in its order; d_x, of what the block reads, in front."""

    d_x: np.ndarray  # (n, d_model)
    attention: AttentionBackward
    d_after_attention: np.ndarray  # (n, d_model)
    norm_1: NormBackward | None
    feed_forward: FeedForwardBackward
    d_after_feed_forward: np.ndarray  # (n, d_model)
    norm_2: NormBackward | None
    d_out: np.ndarray  # (n, d_model)


class BackwardTrace(NamedTuple):
    """The forward pass, what each token costs, d loss / d every array of it, and the loss."""

    forward: ForwardTrace
    per_token: np.ndarray  # (n,) −log p of each target in nats, counted or not
    d_logits: np.ndarray  # (n, vocabulary)
    final_norm: NormBackward | None
    blocks: tuple[BlockBackward, ...]  # first block first
    d_x: np.ndarray  # (n, d_model), of token and position embedding alike
    grads: Weights
    loss: float


def backward(weights: Weights, token_ids, targets, *, mask=None, **forward_options) -> BackwardTrace:
    """Send −log p of what should follow each token back through the whole model.

    loss = mean over the positions that count of −log p(target), nats. The chain rule from the logits, d = p − onehot,
    to the embeddings (Rumelhart, Hinton & Williams 1986); a layer that several blocks work with gathers the gradients
    of all, a word that stands twice those of both places.
    Shapes: token_ids and targets (n,), mask (n,), True = counts; forward_options are those of `transformer.forward`.
    grads has the shapes of the model; every d_… the shape of its array in `forward`.
    Raises ValueError as `forward`, for a target that is no word, a mask under which nothing counts, and a gradient
    beyond float64.

    >>> from engine.weights import load_weights
    >>> trace = backward(load_weights(), [0, 1], [1, 2])
    >>> round(trace.loss, 4), trace.grads.W_E[2].tolist(), trace.grads.W_LM_head.shape
    (2.8406, [0.0, 0.0, 0.0], (3, 5))
    """
    weights = check_weights(weights)
    shown = forward(weights, token_ids, **forward_options)
    options = checked_options(weights, **forward_options)
    batch = one_sequence(weights, token_ids, targets, mask, options.causal)
    sizes = sizes_of(weights)
    model, working = parts_of(to_working(flatten(weights), sizes), sizes), np.zeros(len(working_order(sizes)))
    try:
        with np.errstate(over="raise", invalid="raise", divide="raise"):
            run = forward_pass(model, batch, options)
            back = backward_pass(model, parts_of(working, sizes), batch, options, run)
    except FloatingPointError:
        raise ValueError("the gradient must stay inside float64 (about ±1.8e308): use smaller numbers") from None
    grads = rebuilt(checks.in_range("the gradient", working[working_order(sizes)]), weights)
    d_last = back.blocks[-1].d_out if back.blocks else back.d_x
    final = _norm_backward(d_last if options.final_norm else None, back.d_read, 1.0)
    used = [weights.layers[number] for number in options.layers]
    gammas = [(layer.norm_1.gamma, layer.norm_2.gamma) for layer in used]
    blocks = tuple(_block_backward(d, g, options.placement) for d, g in zip(back.blocks, gammas, strict=True))
    counted = run.per_token[batch.counts]
    with np.errstate(over="ignore"):
        loss = float(checks.in_range("the loss", counted.sum(keepdims=True))[0] / len(counted))
    return BackwardTrace(shown, run.per_token, back.d_logits[0], final, blocks, back.d_x, grads, loss)


def one_sequence(weights: Weights, token_ids, targets, mask, causal: bool) -> Batch:
    """A batch of one checked sequence with checked targets and mask.

    >>> from engine.weights import load_weights
    >>> one_sequence(load_weights(), [0, 1], [1, 2], [False, True], True).counts.tolist()
    [False, True]
    """
    ids = checks.classes("token_ids", token_ids, len(weights.vocabulary))
    wanted = checks.classes("targets", targets, len(weights.vocabulary))
    checks.shape("targets", wanted, ids.shape, "one per token")
    keep = np.ones(ids.shape, bool) if mask is None else checks.boolean("mask", mask)
    if not checks.shape("mask", keep, ids.shape, "one per token").any():
        raise ValueError("mask must let at least one token count; got none: the mean over no tokens is undefined")
    return batch_of([ids], [wanted], [keep], len(weights.vocabulary), causal)


def _block_backward(d: BlockBack, gammas, placement: str) -> BlockBackward:
    """The gradients of one block under the names and shapes of its trace."""
    per_head = zip(d.d_scores[0], d.d_scaled[0], d.d_weights[0], d.d_contexts[0], strict=True)
    heads = tuple(HeadBackward(*parts) for parts in per_head)
    d_q, d_k, d_v = d.d_qkv[:, 0]
    attention = AttentionBackward(d.d_read, d_q, d_k, d_v, heads, d.d_concat, d.d_after_attention)
    dense = FeedForwardBackward(d.d_widened, d.d_hidden, d.d_activated, d.d_after_feed_forward)
    norm_outs = (d.d_middle, d.d_out) if placement == "post" else (d.d_read, d.d_widened)
    norm_1, norm_2 = map(_norm_backward, (d.d_norm_1, d.d_norm_2), norm_outs, gammas)
    return BlockBackward(d.d_x, attention, d.d_after_attention, norm_1, dense, d.d_after_feed_forward, norm_2, d.d_out)


def _norm_backward(d_x, d_out, gamma) -> NormBackward | None:
    return None if d_x is None else NormBackward(d_x, d_out * gamma, d_out)

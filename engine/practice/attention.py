"""Practice questions on attention: scores, scale, weights, output, mask."""

import numpy as np

from engine import checks
from engine.attention import AttentionTrace, causal_mask, scaled_dot_product, value_shares
from engine.practice.solutions import (
    Question,
    Slip,
    figure,
    scaled_lines,
    score_lines,
    small_numbers,
    softmax_lines,
    total,
    weight_lines,
)
from engine.softmax import softmax


def document_question(_rng) -> Question:
    """The practice question of the course's Architecture Deep Dive text, whatever the generator."""
    q, K = np.array([1.0, 0.0]), np.array([[1.0, 1.0], [0.0, 1.0]])
    trace = scaled_dot_product([q], K, K)
    printed = Slip(
        np.array([0.668, 0.332]), "That is what the course's text prints: a slip, softmax of 0.7 in place of 0.7071."
    )
    return _asking_weights("document", q, K, trace)._replace(
        solution=(
            *weight_lines(q, K, trace),
            "The course's text prints 0.668 and 0.332: a slip, softmax of 0.7 in place of 0.7071.",
        ),
        slips=(printed, _unscaled(trace)),
    )


def scores_question(rng) -> Question:
    """Two queries, two keys, four dot products."""
    checks.generator("rng", rng)
    scores = np.zeros((2, 2))
    while (scores == scores.T).all():  # else a mix-up of queries and keys would go unseen
        Q, K = small_numbers(rng, (2, 3)), small_numbers(rng, (2, 3))
        scores = scaled_dot_product(Q, K, K).scores
    return Question(
        "scores",
        "Compute the attention scores Q Kᵀ, one row for each query, before any scaling: 4 whole numbers.",
        {"Q": Q, "K": K},
        scores,
        "Row i, column j is the dot product of query row i with key row j.",
        tuple(f"q_{i} · {line}" for i, q in enumerate(Q) for line in score_lines(q, K, scores[i])),
        (Slip(scores.T, "These are the same numbers with rows and columns swapped: a row belongs to a query."),),
    )


def scaled_question(rng) -> Question:
    """One query, three keys: dot products over √d_k."""
    checks.generator("rng", rng)
    q, K, _, trace = _head(rng)
    return Question(
        "scaled",
        "Compute the scaled scores of this one query with all three keys, to three decimals.",
        {"q": q, "K": K, "d_k": len(q)},
        trace.scaled[0],
        "Take the dot product of q with each key row, then divide by √d_k.",
        scaled_lines(q, K, trace),
        (
            Slip(trace.scores[0], "These are the scores before scaling: divide them by √d_k."),
            Slip(trace.scores[0] / len(q), "You divided by d_k: the scale is 1/√d_k."),
        ),
    )


def weights_question(rng) -> Question:
    """One query, three keys: the whole way to the weights."""
    checks.generator("rng", rng)
    q, K, _, trace = _head(rng)
    return _asking_weights("weights", q, K, trace)


def output_question(rng) -> Question:
    """One query, three keys and values: the whole way to the output."""
    checks.generator("rng", rng)
    q, K, V, trace = _head(rng)
    shares = value_shares(trace.weights, V)[0]  # (n_k, d_v)
    mix = tuple(f"out_{column}: {total(shares[:, column])} = {figure(out)}" for column, out in enumerate(trace.out[0]))
    return Question(
        "output",
        "Compute the attention output of this one query: one number for each column of V, to three decimals.",
        {"q": q, "K": K, "V": V, "d_k": len(q)},
        trace.out[0],
        "Scores, divided by √d_k, softmax: the weights. Then add up the rows of V, each times its weight.",
        (*weight_lines(q, K, trace), "weight × value, added up for each column of V:", *mix),
        (
            Slip(softmax(trace.scores[0]) @ V, "That is the result without the scale 1/√d_k."),
            Slip(V.mean(axis=0), "That is the plain mean of the value rows: use the attention weights."),
        ),
    )


def heads_question(rng) -> Question:
    """One query, two heads of one column each, and W_O: the whole of multi-head attention by hand."""
    checks.generator("rng", rng)
    while True:
        q, K, V = small_numbers(rng, 2), small_numbers(rng, (2, 2)), small_numbers(rng, (2, 2), low=0)
        W_O = small_numbers(rng, (2, 2), low=-1)
        heads = [scaled_dot_product([q[[h]]], K[:, [h]], V[:, [h]]) for h in (0, 1)]
        contexts = np.array([head.out[0, 0] for head in heads])
        answer = contexts @ W_O
        slips = (
            Slip(contexts, "These are the contexts of the heads side by side: multiply the row by W_O."),
            Slip(
                scaled_dot_product([q], K, V).out[0] @ W_O, "That is one head of both columns: each head has its own."
            ),
            Slip(V.mean(axis=0) @ W_O, "That gives every key the same weight: each head has weights of its own."),
        )
        seen = all(0.5 < np.ptp(head.scaled) <= 4 for head in heads) and (V[0] != V[1]).all()
        if seen and all(abs(slip.answer - answer).max() > 0.02 for slip in slips):
            break
    lines = [
        line
        for h, head in enumerate(heads)
        for line in (
            f"head {h} has column {h} of q, K and V, and √d_k = 1",
            *(f"q · {score}" for score in score_lines(q[[h]], K[:, [h]], head.scores[0])),
            *softmax_lines(head.scaled[0], head.weights[0]),
            f"context of head {h}: {total(value_shares(head.weights, V[:, [h]])[0, :, 0])} = {figure(contexts[h])}",
        )
    ]
    mix = (f"out_{c}: {total(contexts * W_O[:, c])} = {figure(out)}" for c, out in enumerate(answer))
    return Question(
        "heads",
        "Two heads of one column each: head 0 has the first column of q, K and V, head 1 the second. Compute the "
        "output of multi-head attention for this one query: 2 numbers, to three decimals.",
        {"q": q, "K": K, "V": V, "W_O": W_O, "n_heads": 2},
        answer,
        "Work out each head on its own: scores, softmax, the mix of its values. Then multiply both contexts by W_O.",
        (*lines, "the contexts side by side, times W_O:", *mix),
        slips,
    )


def masked_question(rng) -> Question:
    """Softmax of one row under the causal mask."""
    checks.generator("rng", rng)
    query, z = int(rng.integers(1, 3)), np.zeros(4)
    while not 0.5 <= np.ptp(z[: query + 1]) <= 3:
        z = rng.integers(-4, 5, 4) / 2
    mask = causal_mask(4)[query]  # (4,)
    weights = softmax(z, mask=mask)
    return Question(
        "masked",
        f"These are the scaled scores of token {query} with all 4 tokens, counting from 0. Compute its attention "
        "weights under the causal mask: 4 numbers, to three decimals.",
        {"scaled": z, "query": query},
        weights,
        "Put −∞ where the key comes after the query, then take softmax: exp(−∞) = 0.",
        (
            "masked: " + ", ".join(figure(score) if keep else "−∞" for score, keep in zip(z, mask, strict=True)),
            *softmax_lines(z[mask], weights[mask]),
            f"Every token after token {query} gets weight 0.",
        ),
        (
            Slip(softmax(z), "That is softmax without the mask: a token must not see those after it."),
            Slip(softmax(z) * mask, "You masked after softmax: the row no longer sums to 1. Mask before it."),
        ),
    )


def _asking_weights(kind: str, q: np.ndarray, K: np.ndarray, trace: AttentionTrace) -> Question:
    return Question(
        kind,
        f"Compute the attention weights of this one query over the {len(K)} keys, to three decimals.",
        {"q": q, "K": K, "d_k": len(q)},
        trace.weights[0],
        "Dot products of q with each key row, divided by √d_k, then softmax.",
        weight_lines(q, K, trace),
        (_unscaled(trace),),
    )


def _unscaled(trace: AttentionTrace) -> Slip:
    return Slip(softmax(trace.scores[0]), "That is softmax of the scores as they are: divide them by √d_k first.")


def _head(rng) -> tuple[np.ndarray, np.ndarray, np.ndarray, AttentionTrace]:
    """One query, three keys and values whose weights are neither equal nor all on one key."""
    while True:
        d_k = int(rng.integers(2, 5))
        q, K, V = small_numbers(rng, d_k), small_numbers(rng, (3, d_k)), small_numbers(rng, (3, 2), low=0)
        trace = scaled_dot_product([q], K, V)
        if 0.5 < np.ptp(trace.scaled) <= 4 and np.ptp(V, axis=0).all():
            return q, K, V, trace

"""How quick a training run is, as ratios: `python tests/bench_training.py`.

300 Adam steps of the whole toy model on one sentence, against the same run as a lean NumPy loop that keeps nothing and
checks nothing; and on four sentences against one. The runs take turns, and the quickest of each counts. Fails where
the engine takes more than 2.5 times as long as the loop, or four sentences more than 4 times as long as one.
"""

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

import numpy as np

from engine.optimizers import Adam
from engine.training import train
from engine.weights import load_weights

MOST_TO_LEAN, MOST_TO_ONE = 2.5, 4.0
N_STEPS, LR = 300, 0.03
ONE = [[0, 1, 2, 3, 4]]
FOUR = [[0, 1, 2, 3, 4], [4, 3, 2, 1], [1, 1, 3], [2, 0, 4, 4, 0]]


def lean_loop(weights, line, n_steps: int, lr: float) -> list[float]:
    """Forward, backward and Adam for one layer, post-norm, ReLU, causal; the losses on the way."""
    layer = weights.layers[0]
    n_heads, n = len(layer.heads), len(line) - 1
    ids, targets, rows = np.array(line[:-1]), np.array(line[1:]), np.arange(n)
    sides = [np.hstack([getattr(head, name) for head in layer.heads]) for name in ("W_Q", "W_K", "W_V")]
    parts = [weights.W_E, weights.W_P, *sides, layer.W_O, *layer.norm_1, layer.W_1, layer.b_1, layer.W_2, layer.b_2]
    parts += [*layer.norm_2, weights.W_LM_head]
    theta, ends = np.concatenate([part.ravel() for part in parts]), np.cumsum([part.size for part in parts])
    grad, m, v = np.zeros_like(theta), np.zeros_like(theta), np.zeros_like(theta)

    def views(vector):
        return [piece.reshape(part.shape) for piece, part in zip(np.split(vector, ends[:-1]), parts, strict=True)]

    W_E, W_P, W_Q, W_K, W_V, W_O, g_1, s_1, W_1, b_1, W_2, b_2, g_2, s_2, W_H = views(theta)
    d_E, d_P, d_Q, d_K, d_V, d_O, d_g_1, d_s_1, d_W_1, d_b_1, d_W_2, d_b_2, d_g_2, d_s_2, d_H = views(grad)
    future = np.where(np.tri(n, dtype=bool), 0.0, -np.inf)
    scale = 1 / np.sqrt(W_Q.shape[1] // n_heads)
    losses = []

    def split(x):
        return x.reshape(n, n_heads, -1).transpose(1, 0, 2)

    def merge(x):
        return x.transpose(1, 0, 2).reshape(n, -1)

    def norm(x, gamma, beta):
        centred = x - x.sum(1, keepdims=True) / x.shape[1]
        deviation = np.sqrt((centred * centred).sum(1, keepdims=True) / x.shape[1] + 1e-5)
        x_hat = centred / deviation
        return x_hat, deviation, x_hat * gamma + beta

    def norm_back(d, x_hat, deviation, gamma, d_gamma, d_beta):
        d_gamma[:], d_beta[:] = (d * x_hat).sum(0), d.sum(0)
        g, width = d * gamma, d.shape[1]
        along = x_hat * ((g * x_hat).sum(1, keepdims=True) / width)
        return (g - g.sum(1, keepdims=True) / width - along) / deviation

    for step in range(1, n_steps + 1):
        x = W_E[ids] + W_P[:n]
        q, k, values = split(x @ W_Q), split(x @ W_K), split(x @ W_V)
        scores = q @ k.transpose(0, 2, 1) * scale + future
        p = np.exp(scores - scores.max(-1, keepdims=True))
        p /= p.sum(-1, keepdims=True)
        concat = merge(p @ values)
        hat_1, dev_1, y = norm(x + concat @ W_O, g_1, s_1)
        hidden = y @ W_1 + b_1
        act = np.maximum(hidden, 0)
        hat_2, dev_2, out = norm(y + act @ W_2 + b_2, g_2, s_2)
        logits = out @ W_H
        d = np.exp(logits - logits.max(1, keepdims=True))
        d /= d.sum(1, keepdims=True)
        losses.append(-np.log(d[rows, targets]).sum() / n)
        d[rows, targets] -= 1
        d /= n
        d_H[:] = out.T @ d
        d = norm_back(d @ W_H.T, hat_2, dev_2, g_2, d_g_2, d_s_2)
        d_W_2[:], d_b_2[:] = act.T @ d, d.sum(0)
        d_hidden = d @ W_2.T * (hidden > 0)
        d_W_1[:], d_b_1[:] = y.T @ d_hidden, d_hidden.sum(0)
        d = norm_back(d + d_hidden @ W_1.T, hat_1, dev_1, g_1, d_g_1, d_s_1)
        d_O[:] = concat.T @ d
        d_heads = split(d @ W_O.T)
        d_p = d_heads @ values.transpose(0, 2, 1)
        d_scores = p * (d_p - (p * d_p).sum(-1, keepdims=True)) * scale
        d_q, d_k = merge(d_scores @ k), merge(d_scores.transpose(0, 2, 1) @ q)
        d_v = merge(p.transpose(0, 2, 1) @ d_heads)
        d_Q[:], d_K[:], d_V[:] = x.T @ d_q, x.T @ d_k, x.T @ d_v
        d = d + d_q @ W_Q.T + d_k @ W_K.T + d_v @ W_V.T
        d_E[:] = 0
        np.add.at(d_E, ids, d)
        d_P[:n] = d
        m += 0.1 * (grad - m)
        v += 0.001 * (grad * grad - v)
        theta -= lr * (m / (1 - 0.9**step)) / (np.sqrt(v / (1 - 0.999**step)) + 1e-8)
    return losses


def measure(turns: int = 9) -> tuple[float, float, float]:
    """Milliseconds of the lean loop, of one sentence and of four: the least of several turns."""
    weights = load_weights()
    runs = (
        lambda: lean_loop(weights, ONE[0], N_STEPS, LR),
        lambda: train(weights, ONE, Adam(lr=LR), N_STEPS),
        lambda: train(weights, FOUR, Adam(lr=LR), N_STEPS),
    )
    least = [np.inf] * 3
    for _ in range(turns):
        for i, run in enumerate(runs):
            start = time.perf_counter()
            run()
            least[i] = min(least[i], (time.perf_counter() - start) * 1e3)
    return least[0], least[1], least[2]


def main() -> int:
    lean, one, four = measure()
    to_lean, to_one = one / lean, four / one
    print(f"{N_STEPS} Adam steps of the toy model: lean loop {lean:.0f} ms, one sentence {one:.0f}, four {four:.0f}")
    print(f"to the lean loop {to_lean:.2f} (at most {MOST_TO_LEAN}), four to one {to_one:.2f} (at most {MOST_TO_ONE})")
    return int(to_lean > MOST_TO_LEAN or to_one > MOST_TO_ONE)


if __name__ == "__main__":
    sys.exit(main())

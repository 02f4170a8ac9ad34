import math
from collections import Counter

import numpy as np

lines, moving, optimizer = [[0, 1], [1, 1]], ["W_E", "W_LM_head"], "Adam"
lr, beta, beta_2, decay, n_steps = 0.03, 0.9, 0.999, 0.0, 3
causal, placement, active = True, "post", np.array([True])
W_E, W_P = np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([[0.0, 0.1], [0.1, 0.0]])
W_LM_head = np.array([[1.0, -1.0], [-1.0, 1.0]])
layers = [
    {
        "W_Q": [[[1.0], [0.0]]],
        "W_K": [[[0.0], [1.0]]],
        "W_V": [[[1.0], [1.0]]],
        "W_O": [[1.0, 0.5]],
        "W_1": [[1.0], [1.0]],
        "b_1": [0.0],
        "W_2": [[1.0, 1.0]],
        "b_2": [0.0, 0.0],
        "gamma_1": [1.0, 1.0],
        "beta_1": [0.0, 0.0],
        "gamma_2": [1.0, 1.0],
        "beta_2": [0.0, 0.0],
    }
]
# --- The inputs above are examples; the program begins here.

activate = lambda z: z * (1 + np.vectorize(math.erf)(z / 2**0.5)) / 2
slope = lambda z: (1 + np.vectorize(math.erf)(z / 2**0.5)) / 2 + z * np.exp(-(z**2) / 2) / (2 * np.pi) ** 0.5


def softmax(z):
    e = np.exp(z - z.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def norm(x, W, i):
    deviation = np.sqrt(x.var(1, keepdims=True) + 1e-5)
    normalized = (x - x.mean(1, keepdims=True)) / deviation
    return W[f"gamma_{i}"] * normalized + W[f"beta_{i}"], (normalized, deviation)


def norm_back(d_out, W, d_W, i, kept):
    normalized, deviation = kept
    d_W[f"gamma_{i}"] += (d_out * normalized).sum(0)
    d_W[f"beta_{i}"] += d_out.sum(0)
    d = d_out * W[f"gamma_{i}"]
    return (d - d.mean(1, keepdims=True) - normalized * (d * normalized).mean(1, keepdims=True)) / deviation


def layer_forward(x, W):
    read, kept_1 = norm(x, W, 1) if placement == "pre" else (x, None)
    q, k, v = read @ W["W_Q"], read @ W["W_K"], read @ W["W_V"]  # one of each per head
    scaled = q @ k.transpose(0, 2, 1) / np.sqrt(q.shape[2])
    weights = softmax(np.where(np.tri(len(x), dtype=bool), scaled, -np.inf) if causal else scaled)
    concat = np.hstack(list(weights @ v * active[:, None, None]))
    middle = x + concat @ W["W_O"]
    if placement == "post":
        middle, kept_1 = norm(middle, W, 1)
    wide, kept_2 = norm(middle, W, 2) if placement == "pre" else (middle, None)
    hidden = wide @ W["W_1"] + W["b_1"]
    activated = activate(hidden)
    out = middle + activated @ W["W_2"] + W["b_2"]
    if placement == "post":
        out, kept_2 = norm(out, W, 2)
    return out, (read, q, k, v, weights, concat, kept_1, wide, hidden, activated, kept_2)


def layer_back(d_out, W, d_W, kept):
    read, q, k, v, weights, concat, kept_1, wide, hidden, activated, kept_2 = kept
    d = norm_back(d_out, W, d_W, 2, kept_2) if placement == "post" else d_out  # of the second residual sum
    d_W["W_2"] += activated.T @ d
    d_W["b_2"] += d.sum(0)
    d_hidden = d @ W["W_2"].T * slope(hidden)
    d_W["W_1"] += wide.T @ d_hidden
    d_W["b_1"] += d_hidden.sum(0)
    d_wide = d_hidden @ W["W_1"].T
    d = d + (norm_back(d_wide, W, d_W, 2, kept_2) if placement == "pre" else d_wide)
    if placement == "post":
        d = norm_back(d, W, d_W, 1, kept_1)  # of the first residual sum
    d_W["W_O"] += concat.T @ d
    d_contexts = np.array(np.split(d @ W["W_O"].T, len(q), axis=1)) * active[:, None, None]
    d_weights = d_contexts @ v.transpose(0, 2, 1)
    d_scores = weights * (d_weights - (d_weights * weights).sum(2, keepdims=True)) / np.sqrt(q.shape[2])
    d_read = 0
    for name, part in (
        ("W_Q", d_scores @ k),
        ("W_K", d_scores.transpose(0, 2, 1) @ q),
        ("W_V", weights.transpose(0, 2, 1) @ d_contexts),
    ):
        d_W[name] += read.T @ part
        d_read = d_read + (part @ W[name].transpose(0, 2, 1)).sum(0)
    return d + (norm_back(d_read, W, d_W, 1, kept_1) if placement == "pre" else d_read)


def loss_and_gradients(model):
    grads = [{name: np.zeros_like(part) for name, part in group.items()} for group in model]
    ends, d_ends, total = model[-1], grads[-1], sum(len(line) - 1 for line in lines)
    loss = 0.0
    for line in lines:
        ids, targets, at = line[:-1], line[1:], np.arange(len(line) - 1)
        x, kept = ends["W_E"][ids] + ends["W_P"][: len(ids)], []
        for W in model[:-1]:
            x, one = layer_forward(x, W)
            kept.append(one)
        logits = x @ ends["W_LM_head"]
        probs = softmax(logits)
        loss += (np.log(np.exp(logits - logits.max(1, keepdims=True)).sum(1)) + logits.max(1)).sum()
        loss -= logits[at, targets].sum()
        d_logits = (probs - np.eye(probs.shape[1])[targets]) / total
        d_ends["W_LM_head"] += x.T @ d_logits
        d = d_logits @ ends["W_LM_head"].T
        for W, d_W, one in zip(model[-2::-1], grads[-2::-1], kept[::-1]):
            d = layer_back(d, W, d_W, one)
        np.add.at(d_ends["W_E"], ids, d)
        d_ends["W_P"][: len(ids)] += d
    return loss / total, grads


def moved(theta, g, memory, t):
    g = g if optimizer == "AdamW" else g + decay * theta
    if optimizer == "SGD":
        return theta - lr * g
    if optimizer in ("Momentum", "Nesterov"):
        memory["v"] = beta * memory.get("v", 0) + g
        return theta - lr * (g + beta * memory["v"] if optimizer == "Nesterov" else memory["v"])
    if optimizer == "RMSProp":
        memory["s"] = beta * memory.get("s", 0) + (1 - beta) * g**2
        return theta - lr / (np.sqrt(memory["s"]) + 1e-8) * g
    memory["m"] = beta * memory.get("m", 0) + (1 - beta) * g
    memory["s"] = beta_2 * memory.get("s", 0) + (1 - beta_2) * g**2
    rates = lr / (np.sqrt(memory["s"] / (1 - beta_2**t)) + 1e-8)
    decayed = lr * decay * theta if optimizer == "AdamW" else 0
    return theta - rates * memory["m"] / (1 - beta**t) - decayed


model = [{name: np.array(part) for name, part in W.items()} for W in layers]
model.append({"W_E": W_E, "W_P": W_P, "W_LM_head": W_LM_head})
memories: list = [{name: {} for name in group} for group in model]
every_loss = []
for t in range(n_steps + 1):
    loss, grads = loss_and_gradients(model)
    every_loss.append(loss)
    if t < n_steps:
        for group, d_group, memory in zip(model, grads, memories):
            for name in set(moving) & set(group):
                group[name] = moved(group[name], d_group[name], memory[name], t + 1)
losses = np.array(every_loss)  # far on, a run at a high rate follows the rounding of the last digit

whole = Counter(tuple(line[:end]) for line in lines for end in range(2, len(line) + 1))
begun = Counter(tuple(line[: end - 1]) for line in lines for end in range(2, len(line) + 1))
floor = sum(n * np.log(begun[line[:-1]] / n) for line, n in whole.items()) / whole.total()

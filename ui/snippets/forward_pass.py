import math

import numpy as np

ids, n_layers, causal, scale, placement, active = [0, 1], 1, True, True, "post", np.array([True])
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


def norm(x, gamma, beta):
    return gamma * (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + 1e-5) + beta


def softmax(z):
    e = np.exp(z - z.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


h = W_E[ids] + W_P[: len(ids)]
for i in range(n_layers):
    L = {name: np.array(value) for name, value in layers[i % len(layers)].items()}
    a, contexts = norm(h, L["gamma_1"], L["beta_1"]) if placement == "pre" else h, []
    for W_Q, W_K, W_V, speaks in zip(L["W_Q"], L["W_K"], L["W_V"], active):
        scores = (a @ W_Q) @ (a @ W_K).T / (np.sqrt(W_Q.shape[1]) if scale else 1)
        if causal:
            scores = np.where(np.tri(len(ids), dtype=bool), scores, -np.inf)
        contexts.append(softmax(scores) @ (a @ W_V) * speaks)
    h = h + np.hstack(contexts) @ L["W_O"]
    h = norm(h, L["gamma_1"], L["beta_1"]) if placement == "post" else h
    a = norm(h, L["gamma_2"], L["beta_2"]) if placement == "pre" else h
    z = a @ L["W_1"] + L["b_1"]
    h = h + (z * (1 + np.vectorize(math.erf)(z / 2**0.5)) / 2) @ L["W_2"] + L["b_2"]
    h = norm(h, L["gamma_2"], L["beta_2"]) if placement == "post" else h
logits = h @ W_LM_head
probs = softmax(logits)

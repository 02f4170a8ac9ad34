import math

import numpy as np

vocabulary = ["a", "b"]
ids, n_layers, causal, scale, active = [0, 1], 1, True, True, np.array([True])
placement, final_norm, temperature, top_k, top_p, seed = "post", False, 0.0, 2, 1.0, 0
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


def norm(x, gamma=1.0, beta=0.0):
    return gamma * (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + 1e-5) + beta


def softmax(z):
    e = np.exp(z - z.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def layer(x, W):
    read = norm_1 = norm(x, W["gamma_1"], W["beta_1"]) if placement == "pre" else x
    queries, keys, values = read @ W["W_Q"], read @ W["W_K"], read @ W["W_V"]  # one of each per head
    scores = queries @ keys.transpose(0, 2, 1)
    scaled = scores / np.sqrt(queries.shape[2]) if scale else scores
    masked = np.where(np.tri(len(x), dtype=bool), scaled, -np.inf) if causal else scaled
    weights = softmax(masked)
    contexts = weights @ values
    concat = np.hstack(list(contexts * active[:, None, None]))
    attention = concat @ W["W_O"]
    after_attention = x + attention
    if placement == "post":
        norm_1 = norm(after_attention, W["gamma_1"], W["beta_1"])
    middle = norm_1 if placement == "post" else after_attention
    read = norm_2 = norm(middle, W["gamma_2"], W["beta_2"]) if placement == "pre" else middle
    z = hidden = read @ W["W_1"] + W["b_1"]
    activated = z * (1 + np.vectorize(math.erf)(z / 2**0.5)) / 2
    feed_forward = activated @ W["W_2"] + W["b_2"]
    after_feed_forward = out = middle + feed_forward
    if placement == "post":
        out = norm_2 = norm(after_feed_forward, W["gamma_2"], W["beta_2"])
    made = {"queries": queries, "keys": keys, "values": values, "scores": scores, "scaled": scaled, "masked": masked}
    made |= {"weights": weights, "contexts": contexts, "concat": concat, "attention": attention}
    made |= {"after_attention": after_attention, "norm_1": norm_1, "hidden": hidden, "activated": activated}
    made |= {"feed_forward": feed_forward, "after_feed_forward": after_feed_forward, "norm_2": norm_2}
    return made | {"out": out}


token_embeddings, position_embeddings = W_E[ids], W_P[: len(ids)]
x = last = token_embeddings + position_embeddings
blocks = []
for i in range(n_layers):
    blocks.append(layer(last, {name: np.array(value) for name, value in layers[i % len(layers)].items()}))
    last = blocks[-1]["out"]
normed = norm(last) if final_norm else last
logits = normed @ W_LM_head
probs = softmax(logits)

z, heat = logits[-1], temperature or 1.0
kept = np.argsort(-z, kind="stable")[: top_k if temperature else 1]
mass_before = np.cumsum(softmax(z[kept] / heat)) - softmax(z[kept] / heat)
kept = kept if top_p == 1 else kept[: max(1, np.count_nonzero(mass_before < top_p - 1e-12))]
next_token = np.zeros(len(z))
next_token[kept] = softmax(z[kept] / heat)
mass = np.cumsum(next_token)
token = int(np.searchsorted(mass / mass[-1], np.random.default_rng([seed, len(ids)]).random(), side="right"))
next_word = vocabulary[token]

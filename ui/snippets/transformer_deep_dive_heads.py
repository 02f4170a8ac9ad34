import numpy as np

X, n_heads, speaks = np.array([[1, 0, 1], [0, 1, 0]]), 2, np.array([True, False])
W_Q, W_K, W_V, W_O = np.eye(3, 4), np.eye(3, 4), np.eye(3, 4), np.eye(4, 3)
# --- The inputs above are examples; the program begins here.
contexts = []
for h in range(n_heads):
    q, k, v = (np.split(X @ W, n_heads, axis=1)[h] for W in (W_Q, W_K, W_V))
    scores = q @ k.T / np.sqrt(q.shape[1])
    exps = np.exp(scores - scores.max(axis=1, keepdims=True))
    contexts.append(speaks[h] * (exps / exps.sum(axis=1, keepdims=True)) @ v)
concat = np.hstack(contexts)
out = concat @ W_O

import numpy as np

n_heads, X = 2, np.eye(6, 8)
W_Q, W_K, W_V, W_O = np.eye(8), np.eye(8), np.eye(8), np.eye(8)
mask, active = np.tri(6, dtype=bool), np.array([True, False])
# --- The inputs above are examples; the program begins here.
cut = lambda m: m.reshape(6, n_heads, -1).transpose(1, 0, 2)  # (6, 8) -> (n_heads, 6, d_k)
q, k, v = cut(X @ W_Q), cut(X @ W_K), cut(X @ W_V)
scores = np.where(mask, q @ k.transpose(0, 2, 1) / np.sqrt(8 / n_heads), -np.inf)
exps = np.exp(scores - scores.max(axis=-1, keepdims=True))
weights = exps / exps.sum(axis=-1, keepdims=True)
contexts = weights @ v * active[:, None, None]
concat = contexts.transpose(1, 0, 2).reshape(6, 8)
contributions = contexts @ W_O.reshape(n_heads, -1, 8)
out = concat @ W_O
reshaped = (X @ W_Q).reshape(n_heads, 6, -1)  # the slip: no transpose

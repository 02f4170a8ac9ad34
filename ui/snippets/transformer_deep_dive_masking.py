import numpy as np

scaled = np.array([[0.9, 1.6], [0.2, 1.1]])
# --- The inputs above are examples; the program begins here.
n_q, n_k = scaled.shape
masked = np.where(np.tri(n_q, n_k, n_k - n_q, dtype=bool), scaled, -np.inf)
top = masked.max(axis=1, keepdims=True)
exps = np.exp(masked - np.where(np.isinf(top), 0, top))
weights = exps / np.maximum(exps.sum(axis=1, keepdims=True), 1e-300)

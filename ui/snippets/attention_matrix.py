import numpy as np

Q, K, V = np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([[1.0, 1.0], [0.0, 1.0]]), np.array([[1.0, 0.0], [0.0, 1.0]])
mask, scale = np.array([[True, False], [True, True]]), 2**-0.5
# --- The inputs above are examples; the program begins here.
scores = Q @ K.T
scaled = scores * scale
masked = np.where(mask, scaled, -np.inf)
top = masked.max(axis=1, keepdims=True)
exps = np.exp(masked - np.where(np.isinf(top), 0, top))
weights = exps / np.maximum(exps.sum(axis=1, keepdims=True), 1e-300)
out = weights @ V

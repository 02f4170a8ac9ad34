import numpy as np

Q, K, V = np.array([[1, 0, 1], [0, 1, 0]]), np.array([[0, 1, 0], [1, 0, 1]]), np.eye(2)
# --- The inputs above are examples; the program begins here.
scores = Q @ K.T
scaled = scores / np.sqrt(3)
exps = np.exp(scaled - scaled.max(axis=1, keepdims=True))
weights = exps / exps.sum(axis=1, keepdims=True)
out = weights @ V

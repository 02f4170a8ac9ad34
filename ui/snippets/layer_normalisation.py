import numpy as np

x, gamma, beta, eps = np.array([5.0, -1.0, 2.0]), np.array([1.0, 1.0, 3.0]), np.array([0.0, 0.0, 2.0]), 1e-5
i = 2
# --- The inputs above are examples; the program begins here.
mean = x.mean(keepdims=True)
centred = x - mean
variance = (centred**2).mean(keepdims=True)
deviation = np.sqrt(variance + eps)
normalized = centred / deviation
scaled = gamma * normalized
out = scaled + beta
slopes = gamma[i] / deviation * ((np.arange(len(x)) == i) - (1 + normalized[i] * normalized) / len(x))

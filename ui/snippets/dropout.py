import numpy as np

x, p, seed = np.array([1.2, 0.4, 0.9, 2.0, 0.3, 1.5, 0.7, 1.1, 0.2, 1.7]), 0.4, 0
training, scaled = True, True
weights = np.array([[0.5, 0.3, 0.2], [0.8, 0.1, 0.1]])
# --- The inputs above are examples; the program begins here.
scale = (1 / (1 - p) if p < 1 else 0.0) if scaled else 1.0
kept = np.random.default_rng(seed).random((1000, 10)) >= p
sums = (kept * x).sum(axis=1) * scale
mean = sums.mean()
expectation = scale * (1 - p) * x.sum()
deviation = scale * np.sqrt(p * (1 - p) * (x**2).sum())
band = (expectation - 2 * deviation, expectation + 2 * deviation)
edge = 1e-12 * scale * abs(x).max()
inside = np.mean((sums >= band[0] - edge) & (sums <= band[1] + edge))
keep = kept[:8] if training else np.ones((8, 10), bool)
out = keep * x * (scale if training else 1.0)
stays = np.random.default_rng(seed).random(weights.shape) >= p
attention = stays * weights * scale if training else weights

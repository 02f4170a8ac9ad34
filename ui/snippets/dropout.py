import numpy as np

x, p, seed = np.array([1.2, 0.4, 0.9, 2.0, 0.3, 1.5, 0.7, 1.1, 0.2, 1.7]), 0.4, 0
training, scaled = True, True
# --- The inputs above are examples; the program begins here.
scale = (1 / (1 - p) if p < 1 else 0.0) if scaled else 1.0
kept = np.random.default_rng(seed).random((1000, 10)) >= p
sums = (kept * x).sum(axis=1) * scale
mean = sums.mean()
expectation = scale * (1 - p) * x.sum()
deviation = scale * np.sqrt(p * (1 - p) * (x**2).sum())
keep = kept[:8] if training else np.ones((8, 10), bool)
out = keep * x * (scale if training else 1.0)

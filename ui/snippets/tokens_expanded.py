import math

import numpy as np

x, d_ff, bias, seed = np.array([[1.2, -0.6, 0.4, 2.0], [-1.0, 0.8, 1.5, -0.3]]), 8, 0.0, 1
token = 0
# --- The inputs above are examples; the program begins here.
f = lambda z: z * (1 + np.vectorize(math.erf)(z / 2**0.5)) / 2
rng = np.random.default_rng(seed)
W_1 = rng.normal(0, (2 / (4 + d_ff)) ** 0.5, (4, d_ff))
W_2 = rng.normal(0, (2 / (4 + d_ff)) ** 0.5, (d_ff, 4))
b_1 = np.full(d_ff, bias)
hidden = x @ W_1 + b_1
activated = f(hidden)
out = activated @ W_2
W = W_1 @ W_2
one_layer = x @ W + b_1 @ W_2
difference = abs(out - one_layer).max()
line = f(np.outer(np.linspace(-4, 4, 81), x[token]) @ W_1 + b_1) @ W_2
points = np.linspace(-1, 1, 101)
curve = np.sin(2 * np.pi * points)
errors = []
for width in range(4, 33, 4):
    steepness, place = np.random.default_rng(seed).random((width, 2)).T
    slopes = 8 * (2 * steepness - 1)
    units = f(np.outer(points, slopes) - slopes * (2 * place - 1))
    design = np.column_stack([units, np.ones(101)])
    errors.append(np.sqrt(np.mean((design @ np.linalg.lstsq(design, curve, rcond=None)[0] - curve) ** 2)))

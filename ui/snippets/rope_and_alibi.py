import numpy as np

q, k, m, n = np.array([1.2, 0.6, 1.1, -0.5]), np.array([0.7, 1.2, 0.4, 1.2]), 6, 2
base, layout, n_heads, head = 100, "pairs", 8, 1
loudness = np.array([[1.0], [3.0], [1.0], [1.0], [1.0], [1.0], [1.0], [1.0]])
# --- The inputs above are examples; the program begins here.
theta = base ** (-np.arange(0, 4, 2) / 4)


def rotate(x, place):
    a, b = x.reshape(2, 2).T if layout == "pairs" else x.reshape(2, 2)
    cos, sin = np.cos(place * theta), np.sin(place * theta)
    turned = np.stack([a * cos - b * sin, a * sin + b * cos])
    return turned.T.ravel() if layout == "pairs" else turned.ravel()


q_rotated, k_rotated = rotate(q, m), rotate(k, n)
score = q_rotated @ k_rotated

power = 2 ** int(np.log2(n_heads))
between = 2.0 ** (-8 * np.arange(1, 2 * power, 2) / (2 * power))
slopes = np.append(2.0 ** (-8 * np.arange(1, power + 1) / power), between[: n_heads - power])
places = np.arange(8)
bias = -slopes[head] * abs(places[:, None] - places)
logits = np.tile(q, (8, 1)) @ (k * loudness).T / 2 + bias
exps = np.where(places <= places[:, None], np.exp(logits - logits.max()), 0)
weights = exps / exps.sum(axis=1, keepdims=True)

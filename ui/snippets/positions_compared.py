import numpy as np

n, d, base, slope = 16, 4, 10_000, 0.25
q, k = np.array([1.0, 0.5, -0.5, 2.0]), np.array([0.5, 1.0, 1.5, -1.0])
# --- The inputs above are examples; the program begins here.
places = np.arange(n)
angles = np.outer(places, base ** (-np.arange(0, d, 2) / d))
table = np.empty((n, d))
table[:, 0::2], table[:, 1::2] = np.sin(angles), np.cos(angles[:, : d // 2])
pe = table @ table.T

turns = np.outer(places, base ** (-np.arange(0, len(q), 2) / len(q)))
cos, sin = np.cos(turns), np.sin(turns)
rotate = lambda x: np.hstack([x[0::2] * cos - x[1::2] * sin, x[0::2] * sin + x[1::2] * cos])
rope = rotate(q) @ rotate(k).T
alibi = q @ k - slope * abs(places[:, None] - places)
spread = max(np.ptp(np.diagonal(pe, offset)) for offset in range(1 - n, n))

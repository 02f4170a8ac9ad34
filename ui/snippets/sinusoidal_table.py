import numpy as np

n, d, base, layout = 4, 4, 10_000, "pairs"
# --- The inputs above are examples; the program begins here.
frequencies = base ** (-np.arange(0, d, 2) / d)
angles = np.outer(np.arange(n), frequencies)
sines, cosines = np.sin(angles), np.cos(angles[:, : d // 2])
table = np.hstack([sines, cosines])
if layout == "pairs":
    table[:, 0::2], table[:, 1::2] = sines, cosines
waves = 2 * np.pi / frequencies
scores = table @ table.T

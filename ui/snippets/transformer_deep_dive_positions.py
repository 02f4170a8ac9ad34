import numpy as np

pos, i, d_model = 1, 0, 512
# --- The inputs above are examples; the program begins here.
angles = pos / 10_000 ** (np.arange(0, d_model, 2) / d_model)
row = np.stack([np.sin(angles), np.cos(angles)], axis=1).ravel()
angle, sine, cosine = angles[i], row[2 * i], row[2 * i + 1]

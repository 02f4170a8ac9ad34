import numpy as np

pos, i, d_model = 1, 0, 512
# --- The inputs above are examples; the program begins here.
angle = pos / 10_000 ** (2 * i / d_model)
sine, cosine = np.sin(angle), np.cos(angle)

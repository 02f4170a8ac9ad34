import numpy as np

hidden, mask = np.array([[1.0, -1.0], [3.0, 2.0], [9.0, 9.0]]), np.array([True, True, False])
# --- The inputs above are examples; the program begins here.


def cosine(a, b):
    return (a / (np.hypot.reduce(a) or 1)) @ (b / (np.hypot.reduce(b) or 1))


unmasked_cls, unmasked_mean, unmasked_max = hidden[0], hidden.mean(axis=0), hidden.max(axis=0)
if mask.any():
    real = hidden[mask]
    masked_cls, masked_mean, masked_max = real[0], real.mean(axis=0), real.max(axis=0)
    cosine_cls, distance_cls = cosine(masked_cls, unmasked_cls), np.linalg.norm(masked_cls - unmasked_cls)
    cosine_mean, distance_mean = cosine(masked_mean, unmasked_mean), np.linalg.norm(masked_mean - unmasked_mean)
    cosine_max, distance_max = cosine(masked_max, unmasked_max), np.linalg.norm(masked_max - unmasked_max)

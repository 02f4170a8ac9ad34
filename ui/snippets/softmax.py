import numpy as np

logits, mask = np.array([2.0, 1.0, 0.0]), np.array([True, True, False])
scale, shift, T = 1.0, 0.0, 2.0
# --- The inputs above are examples; the program begins here.
z = np.where(mask, logits * scale + shift, -np.inf)
top = z.max() if mask.any() else 0.0
exps = np.exp((z - top) / T)
out = exps / max(exps.sum(), 1e-300)
jacobian = (np.diag(out) - np.outer(out, out)) / T

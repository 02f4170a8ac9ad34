import numpy as np

logits, mask = np.array([2.0, 1.0, 0.0]), np.array([True, True, False])
scale, shift, T, target = 1.0, 0.0, 2.0, 0
# --- The inputs above are examples; the program begins here.
z = np.where(mask, logits * scale + shift, -np.inf)
top = z.max() if mask.any() else 0.0
shifted = (z - top) / T
exps = np.exp(shifted)
total = max(exps.sum(), 1e-300)
out = exps / total
jacobian = (np.diag(out) - np.outer(out, out)) / T * scale
entropy = -np.sum(out * np.log(np.where(out == 0, 1, out)))
loss = np.log(total) - shifted[target]
right = np.arange(len(z)) == target
grad = (out - right) / T * scale if mask[target] else np.zeros(len(z))

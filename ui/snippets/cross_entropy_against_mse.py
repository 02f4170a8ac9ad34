import numpy as np

z, targets = np.array([[5.0, 0.0, 1.0, -1.0, 0.0], [0.5, 1.5, 0.0, 1.0, 0.0]]), [0, 1]
mask, smoothing = np.array([True, True]), 0.0
# --- The inputs above are examples; the program begins here.
exps = np.exp(z - z.max(axis=1, keepdims=True))
probs = exps / exps.sum(axis=1, keepdims=True)
onehot = np.eye(5)[targets]
wanted = (1 - smoothing) * onehot + smoothing / 5
ce_rows = -(wanted * np.log(probs)).sum(axis=1)
mse_rows = ((probs - onehot) ** 2).mean(axis=1)
ce, mse = ce_rows[mask].mean(), mse_rows[mask].mean()
wrong_mean = ce_rows[mask].sum() / len(mask)
slope = 2 / 5 * (probs - onehot)
share = mask[:, None] / mask.sum()
ce_grad = share * (probs - wanted)
mse_grad = share * probs * (slope - (probs * slope).sum(axis=1, keepdims=True))

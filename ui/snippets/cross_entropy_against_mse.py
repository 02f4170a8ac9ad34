import numpy as np

z, targets = np.array([[5.0, 0.0, 1.0, -1.0, 0.0], [0.5, 1.5, 0.0, 1.0, 0.0]]), [0, 1]
mask, smoothing, class_weights = np.array([True, True]), 0.0, np.ones(5)
# --- The inputs above are examples; the program begins here.
exps = np.exp(z - z.max(axis=1, keepdims=True))
probs = exps / exps.sum(axis=1, keepdims=True)
onehot = np.eye(5)[targets]
wanted = (1 - smoothing) * onehot + smoothing / 5
weighted = class_weights * wanted
divisor = class_weights[targets][mask].sum()
log_probs = z - z.max(axis=1, keepdims=True) - np.log(exps.sum(axis=1, keepdims=True))
ce_rows = -(weighted * log_probs).sum(axis=1)
mse_rows = ((probs - onehot) ** 2).mean(axis=1)
ce, mse = ce_rows[mask].sum() / divisor, mse_rows[mask].mean()
perplexity = np.exp(ce)
wrong_mean = ce_rows[mask].sum() / len(mask)
ce_row_grads = probs * weighted.sum(axis=1, keepdims=True) - weighted
ce_grad = mask[:, None] * ce_row_grads / divisor
slope = 2 / 5 * (probs - onehot)
mse_row_grads = probs * (slope - (probs * slope).sum(axis=1, keepdims=True))
mse_grad = mask[:, None] * mse_row_grads / mask.sum()

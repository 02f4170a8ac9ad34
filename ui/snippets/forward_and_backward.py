import math

import numpy as np

x, targets = np.array([[1.0, 0.5, -1.0], [-0.5, 1.5, 0.5], [0.5, -1.0, 1.5], [-1.5, -0.5, 0.0]]), [0, 1, 2, 1]
W_1, W_2, W_3 = np.eye(3, 4), np.eye(4), np.eye(4, 3)
b_1, b_2, b_3 = np.zeros(4), np.zeros(4), np.zeros(3)
rate, h, corners = 0.5, 1e-5, False
# --- The inputs above are examples; the program begins here.
f, slope = (
    lambda z: z * (1 + np.vectorize(math.erf)(z / 2**0.5)) / 2,
    lambda z: (1 + np.vectorize(math.erf)(z / 2**0.5)) / 2 + z * np.exp(-(z**2) / 2) / (2 * np.pi) ** 0.5,
)


def forward(W_1, b_1, W_2, b_2, W_3, b_3):
    z_1 = x @ W_1 + b_1
    z_2 = f(z_1) @ W_2 + b_2
    return z_1, z_2, f(z_2) @ W_3 + b_3


def mean_loss(logits):
    top = logits.max(axis=1, keepdims=True)
    return (np.log(np.exp(logits - top).sum(axis=1)) + top[:, 0] - logits[range(4), targets]).mean()


parameters = {"W_1": W_1, "b_1": b_1, "W_2": W_2, "b_2": b_2, "W_3": W_3, "b_3": b_3}
z_1, z_2, logits = forward(**parameters)
exps = np.exp(logits - logits.max(axis=1, keepdims=True))
probs, loss = exps / exps.sum(axis=1, keepdims=True), mean_loss(logits)
d_3 = (probs - np.eye(3)[targets]) / 4
d_2 = d_3 @ W_3.T * slope(z_2)
d_1 = d_2 @ W_2.T * slope(z_1)
grad_W_1, grad_W_2, grad_W_3 = x.T @ d_1, f(z_1).T @ d_2, f(z_2).T @ d_3
grad_b_1, grad_b_2, grad_b_3 = d_1.sum(axis=0), d_2.sum(axis=0), d_3.sum(axis=0)
grads = (grad_W_1, grad_b_1, grad_W_2, grad_b_2, grad_W_3, grad_b_3)
promised = loss - rate * sum((grad**2).sum() for grad in grads)
stepped = [value - rate * grad for value, grad in zip(parameters.values(), grads, strict=True)]
reached = mean_loss(forward(*stepped)[2])
numeric, kink = {}, {}
for name, value in parameters.items():
    numeric[name], kink[name] = np.zeros(value.shape), np.zeros(value.shape, dtype=bool)
    for at in np.ndindex(value.shape):
        up, down = value.copy(), value.copy()
        up[at] += h
        down[at] -= h
        above, below = forward(**parameters | {name: up}), forward(**parameters | {name: down})
        numeric[name][at] = (mean_loss(above[2]) - mean_loss(below[2])) / (2 * h)
        crossed = [(np.minimum(a, b) < 0) & (np.maximum(a, b) > 0) for a, b in zip(above[:2], below[:2], strict=True)]
        kink[name][at] = corners and any(part.any() for part in crossed)

import numpy as np

x, targets = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]), np.array([0, 0, 0, 1])
w_1, w_2, bias, rate, looks, max_epochs = 0.0, 0.0, 0.0, 1.0, 16, 30
# --- The inputs above are examples; the program begins here.
w, c = np.array([w_1, w_2]), bias
weights, b, mistakes_per_epoch = w, c, []
for epoch in range(max_epochs):
    mistakes_per_epoch.append(0)
    for i, (row, target) in enumerate(zip(x, targets, strict=True)):
        update = rate * (target - int(row @ w + c > 0))
        w, c = w + update * row, c + update
        mistakes_per_epoch[-1] += int(update != 0)
        if epoch * len(x) + i < looks:
            weights, b = w, c
    if mistakes_per_epoch[-1] == 0:
        break
weighted_sums = x @ weights + b
out = (weighted_sums > 0).astype(int)

import numpy as np

x, targets = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]), np.array([0, 0, 0, 1])
w_1, w_2, bias, rate, looks = 0.0, 0.0, 0.0, 1.0, 16
# --- The inputs above are examples; the program begins here.
weights, b = np.array([w_1, w_2]), bias
for look in range(looks):
    row, target = x[look % len(x)], targets[look % len(x)]
    update = rate * (target - int(row @ weights + b > 0))
    weights, b = weights + update * row, b + update
weighted_sums = x @ weights + b
out = (weighted_sums > 0).astype(int)

import numpy as np

rows, padding = np.array([[1.0, -1.0], [3.0, 2.0]]), np.array([[9.0, 9.0], [9.0, 9.0]])
n_padding, side, nothing = 1, "right", False
# --- The inputs above are examples; the program begins here.


def pools(hidden):
    return {"cls": hidden[0], "mean": hidden.mean(axis=0), "max": hidden.max(axis=0), "last": hidden[-1]}


def padded(n):
    return np.concatenate([rows, padding[:n]] if side == "right" else [padding[:n], rows])


def alike(a, b):
    return (a / (np.hypot.reduce(a) or 1)) @ (b / (np.hypot.reduce(b) or 1))


hidden = padded(n_padding)
place = np.arange(len(hidden))
mask = (place < len(rows) if side == "right" else place >= n_padding) & (not nothing)
unmasked = pools(hidden)
masked = pools(hidden[mask]) if mask.any() else {}
cosine = {name: alike(v, unmasked[name]) for name, v in masked.items()}
distance = {name: np.linalg.norm(v - unmasked[name]) for name, v in masked.items()}
steps = [pools(padded(n)) for n in range(len(padding) + 1)]
cosine_by_padding = {name: [alike(v, step[name]) for step in steps] for name, v in pools(rows).items()}
distance_by_padding = {name: [np.linalg.norm(v - step[name]) for step in steps] for name, v in pools(rows).items()}

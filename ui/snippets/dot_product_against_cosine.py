import numpy as np

vectors = np.array([[2, 1.5], [1, 0.5], [3, 2.5], [0.5, 1], [-1.5, -1], [-0.5, -1], [-2, -0.5], [0, -1.5]])
offset, row, factor, centre = 1.0, 3, 1.0, False
# --- The inputs above are examples; the program begins here.
X = vectors.copy()
X[row] *= factor
X += offset
X -= (X[0] + (X - X[0]).mean(axis=0)) * centre
dots = X @ X.T
cosines = dots / np.maximum(np.outer(*[np.linalg.norm(X, axis=1)] * 2), 1e-300)
others = ~np.eye(8, dtype=bool)
pairs = others & np.outer(X.any(axis=1), X.any(axis=1))  # a zero vector has no direction


def nearest(scores):  # the first of those that tie but for rounding
    best = np.where(pairs, scores, -np.inf).max(axis=1, keepdims=True)
    near = pairs & (scores >= best - 1e-12 * np.where(np.isinf(best), 0, abs(best)))
    return np.where(near.any(axis=1), near.argmax(axis=1), -1)  # -1 for none


by_dot, by_cosine = nearest(dots), nearest(cosines)
same = np.arange(8)[:, None] // 4 == np.arange(8) // 4
within, between = cosines[same & others].mean(), cosines[~same].mean()

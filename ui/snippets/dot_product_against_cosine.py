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


def nearest(scores):  # the first of those that tie but for rounding
    best = np.where(others, scores, -np.inf).max(axis=1, keepdims=True)
    return (others & (scores >= best - 1e-12 * abs(best))).argmax(axis=1)


by_dot, by_cosine = nearest(dots), nearest(cosines)
same = np.arange(8)[:, None] // 4 == np.arange(8) // 4
within, between = cosines[same & others].mean(), cosines[~same].mean()

"""Frozen steps of scikit-learn's Perceptron, what one look at one example moves.

To run: pip install scikit-learn==1.9.1, then python tests/reference/make_perceptron.py.
"""

import warnings

import numpy as np
from sklearn.linear_model import Perceptron
from store import store

warnings.filterwarnings("ignore")
ETA = 0.5


def looked_at(x, target: int, weights, bias: float) -> dict:
    """w and b after one look of a unit that stood at (weights, bias)."""
    unit = Perceptron(eta0=ETA, shuffle=False)
    unit.partial_fit(np.array([[0.0, 0.0]]), [target], classes=[0, 1])  # to make its arrays
    unit.coef_[:], unit.intercept_[:] = weights, bias
    unit.partial_fit(np.array([x]), [target])
    moved = unit.coef_[0] - weights, unit.intercept_[0] - bias
    return {"x": x, "target": target, "weights": weights, "bias": bias, "d_weights": moved[0], "d_bias": moved[1]}


CASES = [
    ([2.0, 1.0], 1, [-1.0, 0.0], 0.0),  # a mistake
    ([2.0, 1.0], 0, [1.0, 0.0], 0.0),
    ([2.0, 1.0], 1, [1.0, 0.0], 0.0),  # right
    ([2.0, 1.0], 0, [-1.0, 0.0], 0.0),
    ([2.0, 1.0], 1, [1.0, 0.0], -2.0),  # on the line
    ([2.0, 1.0], 0, [1.0, 0.0], -2.0),
]

if __name__ == "__main__":
    store("perceptron", {"eta": ETA, "cases": [looked_at(*case) for case in CASES]})

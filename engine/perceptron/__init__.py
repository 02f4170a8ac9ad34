"""The perceptron: one unit that learns a line, look by look, and what that line does in the plane.

Read unit, plane.
"""

from engine.perceptron.plane import decision_line, half_plane, is_separable, right_biases
from engine.perceptron.unit import (
    DATASETS,
    Dataset,
    PerceptronStep,
    PerceptronTrace,
    PredictionTrace,
    dataset,
    epoch_ends,
    first_repeat,
    mistakes_per_epoch,
    predict,
    train_perceptron,
)

__all__ = [
    "DATASETS",
    "Dataset",
    "PerceptronStep",
    "PerceptronTrace",
    "PredictionTrace",
    "dataset",
    "decision_line",
    "epoch_ends",
    "first_repeat",
    "half_plane",
    "is_separable",
    "mistakes_per_epoch",
    "predict",
    "right_biases",
    "train_perceptron",
]

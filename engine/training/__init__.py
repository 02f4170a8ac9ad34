"""The whole toy model learns: the gradient of every matrix, the check of it, and a run of any optimizer.

Read vector, settings, passes, gradient, check, then run and start; story is a model that was trained here.
"""

from engine.training.check import Difference, GradientCheck, central_difference, gradient_check
from engine.training.gradient import (
    AttentionBackward,
    BackwardTrace,
    BlockBackward,
    FeedForwardBackward,
    HeadBackward,
    NormBackward,
    backward,
)
from engine.training.run import TrainingTrace, loss_floor, train, work_of
from engine.training.start import init_weights
from engine.training.story import (
    PROMPTS,
    SENTENCES,
    Storyteller,
    ending,
    storyteller,
    train_storyteller,
)
from engine.training.vector import flatten, unflatten
from engine.training.writing import write_on

__all__ = [
    "AttentionBackward",
    "BackwardTrace",
    "BlockBackward",
    "Difference",
    "FeedForwardBackward",
    "GradientCheck",
    "HeadBackward",
    "NormBackward",
    "PROMPTS",
    "SENTENCES",
    "Storyteller",
    "TrainingTrace",
    "backward",
    "central_difference",
    "ending",
    "flatten",
    "gradient_check",
    "init_weights",
    "loss_floor",
    "storyteller",
    "train",
    "train_storyteller",
    "unflatten",
    "work_of",
    "write_on",
]

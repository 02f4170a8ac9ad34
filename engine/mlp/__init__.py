"""A small network of dense layers: forward, backward by the chain rule, the check of that, and steps down the gradient.

Read network, check, descent.
"""

from engine.mlp.check import ErrorCurve, GradientCheck, gradient_check, gradient_error_by_h
from engine.mlp.descent import (
    LineTrace,
    PathTrace,
    StepTrace,
    follow_gradient,
    gradient_step,
    loss_along_gradient,
    take_step,
)
from engine.mlp.network import (
    BackwardTrace,
    DenseLayer,
    MLPTrace,
    init_mlp,
    losses_side_by_side,
    mlp_backward,
    mlp_forward,
)

__all__ = [
    "BackwardTrace",
    "DenseLayer",
    "ErrorCurve",
    "GradientCheck",
    "LineTrace",
    "MLPTrace",
    "PathTrace",
    "StepTrace",
    "follow_gradient",
    "gradient_check",
    "gradient_error_by_h",
    "gradient_step",
    "init_mlp",
    "loss_along_gradient",
    "losses_side_by_side",
    "mlp_backward",
    "mlp_forward",
    "take_step",
]

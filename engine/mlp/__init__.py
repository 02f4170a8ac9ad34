"""A small network of dense layers: forward, backward by the chain rule, the check of that, and steps down the gradient.

Read network, check, descent.
"""

from engine.mlp.check import (
    ErrorCurve,
    GradientCheck,
    gradient_check,
    gradient_error_by_h,
    worst_off_kinks,
)
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
    flattened,
    init_mlp,
    inputs_with_bias,
    losses_side_by_side,
    mlp_backward,
    mlp_forward,
    stacked,
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
    "flattened",
    "follow_gradient",
    "gradient_check",
    "gradient_error_by_h",
    "gradient_step",
    "init_mlp",
    "inputs_with_bias",
    "loss_along_gradient",
    "losses_side_by_side",
    "mlp_backward",
    "mlp_forward",
    "stacked",
    "take_step",
    "worst_off_kinks",
]

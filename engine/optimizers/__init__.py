"""Every optimizer by name, the path each takes over a surface, and the learning rate at which it is lost.

Read base, momentum, adaptive, descent.
"""

from engine.optimizers.adaptive import Adam, AdamState, AdamW, RMSProp, RMSPropState
from engine.optimizers.base import SGD, Optimizer, OptimizerStep, SGDState, StepOverflowError
from engine.optimizers.descent import (
    OPTIMIZERS,
    Beyond,
    DescentTrace,
    SweepTrace,
    descend,
    first_beyond,
    follow,
    stability_limit,
    sweep_learning_rates,
)
from engine.optimizers.momentum import Momentum, MomentumState, Nesterov

__all__ = [
    "Adam",
    "AdamState",
    "AdamW",
    "Beyond",
    "DescentTrace",
    "Momentum",
    "MomentumState",
    "Nesterov",
    "OPTIMIZERS",
    "Optimizer",
    "OptimizerStep",
    "RMSProp",
    "RMSPropState",
    "SGD",
    "SGDState",
    "StepOverflowError",
    "SweepTrace",
    "descend",
    "first_beyond",
    "follow",
    "stability_limit",
    "sweep_learning_rates",
]

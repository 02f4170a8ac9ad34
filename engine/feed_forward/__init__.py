"""The feed-forward sublayer: widen, activate, narrow back; its activations; what activation and width each buy.

Read activations, sublayer, line, fitting.
"""

from engine.feed_forward.activations import (
    ACTIVATIONS,
    Activation,
    gelu,
    gelu_derivative,
    gelu_tanh,
    gelu_tanh_derivative,
    identity,
    identity_derivative,
    relu,
    relu_derivative,
    silu,
    silu_derivative,
    tanh,
    tanh_derivative,
)
from engine.feed_forward.fitting import (
    CURVES,
    CurvePoints,
    FitTrace,
    curve_points,
    fit_curve,
    fit_widths,
)
from engine.feed_forward.line import BendTrace, along_line
from engine.feed_forward.sublayer import (
    CollapseTrace,
    FeedForwardTrace,
    GatedTrace,
    SilentTrace,
    collapse,
    feed_forward,
    gated_feed_forward,
    silent_units,
)

__all__ = [
    "ACTIVATIONS",
    "Activation",
    "CURVES",
    "CollapseTrace",
    "CurvePoints",
    "FeedForwardTrace",
    "FitTrace",
    "BendTrace",
    "GatedTrace",
    "SilentTrace",
    "along_line",
    "collapse",
    "curve_points",
    "feed_forward",
    "fit_curve",
    "fit_widths",
    "gated_feed_forward",
    "gelu",
    "gelu_derivative",
    "gelu_tanh",
    "gelu_tanh_derivative",
    "identity",
    "identity_derivative",
    "relu",
    "relu_derivative",
    "silent_units",
    "silu",
    "silu_derivative",
    "tanh",
    "tanh_derivative",
]

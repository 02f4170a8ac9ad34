"""A Plotly figure that costs nothing until somebody looks inside, and its JSON without building it."""

import json
import math
from base64 import b64encode
from functools import partial
from typing import Any

import numpy as np
import plotly.graph_objects as go


class Sketch(go.Figure):
    """Data and layout as they were given, and a whole `go.Figure` from the first look at anything of it.

    Building Plotly's objects takes 2 to 5 ms a figure, a third of a slider move, and drawing in the browser needs none.
    """

    def __init__(self, data: list[dict], layout: dict):
        self.__dict__["given"] = {"data": data, "layout": layout}

    def __getattr__(self, name: str) -> Any:
        """Python asks here for what a whole figure would have."""
        given = self.__dict__.pop("given", None)
        if given is None:
            raise AttributeError(name)
        super().__init__(given["data"], given["layout"], _validate=False)
        self.layout.template = None  # the look comes from theme.TEMPLATE; Plotly's own would be 85 % of a message
        return getattr(self, name)


def parts(figure: go.Figure) -> dict:
    """{"data": …, "layout": …} of a figure, to read only.

    >>> parts(Sketch([{"y": [1]}], {"height": 9}))
    {'data': [{'y': [1]}], 'layout': {'height': 9}}
    """
    given = figure.__dict__.get("given")
    if given is None:
        given = figure.to_dict()
        if given["layout"].get("template", given) is None:
            del given["layout"]["template"]
    return given


def to_json(figure: go.Figure) -> str:
    """The figure as plotly.js reads it: arrays as bytes, NaN and ∞ as null.

    >>> to_json(Sketch([{"y": [0.5, float("nan")], "x": np.float32([1])}], {}))
    '{"data":[{"y":[0.5,null],"x":{"dtype":"f4","bdata":"AACAPw=="}}],"layout":{}}'
    """
    whole = partial(json.dumps, default=_plain, allow_nan=False, separators=(",", ":"))
    try:
        return whole(parts(figure))
    except ValueError:  # NaN or ∞ in a list
        return whole(_with_gaps(parts(figure)))


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray) and value.ndim and (value.dtype.kind == "f" or value.dtype.itemsize < 8):
        shape = {"shape": ", ".join(map(str, value.shape))} if value.ndim > 1 else {}
        return {
            "dtype": f"{value.dtype.kind}{value.itemsize}",
            "bdata": b64encode(value.tobytes()).decode(),
        } | shape
    return value.tolist()


def _with_gaps(part: Any) -> Any:
    if isinstance(part, dict):
        return {name: _with_gaps(inner) for name, inner in part.items()}
    if isinstance(part, list | tuple):
        return [_with_gaps(inner) for inner in part]
    return None if isinstance(part, float) and not math.isfinite(part) else part

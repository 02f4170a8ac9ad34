"""Numbers to take away: a trace as a flat table, as CSV and JSON, and as NumPy code."""

import json
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

FORMULA = ("=", "+", "-", "@", "\t", "\r")  # what a spreadsheet takes for the beginning of one, quoted or not


def flat(numbers: Any, prefix: str = "") -> dict[str, Any]:
    """Every array, number and text of a nested trace under one dotted name; nothing that is None.

    >>> list(flat({"a": (np.zeros(2), 1.5), "b": None}))
    ['a.0', 'a.1']
    """
    if hasattr(numbers, "_asdict"):
        numbers = numbers._asdict()
    elif isinstance(numbers, list | tuple):
        numbers = {str(i): part for i, part in enumerate(numbers)}
    if not isinstance(numbers, dict):
        return {} if numbers is None else {prefix: numbers}
    out: dict[str, Any] = {}
    for name, part in numbers.items():
        out |= flat(part, f"{prefix}.{name}" if prefix else str(name))
    return out


def as_csv(table: dict[str, Any]) -> str:
    """One number a line, every digit kept: name, its indices joined by spaces, value; text is never a formula.

    >>> as_csv({"w": np.array([[0.5, -np.inf]])}).splitlines()
    ['name,index,value', 'w,0 0,0.5', 'w,0 1,-inf']
    """
    import pandas as pd  # half a second, and only when somebody asks for the file

    rows = [
        (_cell(name), " ".join(map(str, index)), _cell(value))
        for name, part in table.items()
        for index, value in np.ndenumerate(np.asarray(part))
    ]
    # the line ends of RFC 4180: what they hold is quoted inside a cell
    return pd.DataFrame(rows, columns=["name", "index", "value"]).to_csv(index=False, lineterminator="\r\n")


def as_json(table: dict[str, Any]) -> str:
    """The table as JSON; ∞ and NaN, which JSON lacks, as "inf", "-inf" and "nan".

    >>> as_json({"w": np.array([1.0, -np.inf])})
    '{"w": [1.0, "-inf"]}'
    """
    return json.dumps({name: _listed(np.asarray(part).tolist()) for name, part in table.items()})


def snippet(code: str, inputs: dict[str, Any], imports: Sequence[str] = ("import numpy as np",)) -> str:
    """The code with its inputs, each a line of its own, before it.

    >>> print(snippet("y = x + 1", {"x": np.array([1.0, 2.5])}))
    import numpy as np
    <BLANKLINE>
    x = np.array([1.0, 2.5])
    <BLANKLINE>
    y = x + 1
    """
    lines = [f"{name} = {_literal(value)}" for name, value in inputs.items()]
    return "\n".join([*imports, "", *lines, "", code.strip()])


def _literal(value: Any) -> str:
    if isinstance(value, np.ndarray):
        text = repr(value.tolist())
        if value.dtype.kind == "f":
            text = re.sub("inf|nan", r"np.\g<0>", text)
        if value.dtype.kind in "biuf":  # rows under each other; a text may hold brackets of its own
            text = text.replace("], [", "],\n    [")
        return f"np.array({text})"
    if isinstance(value, float) and not np.isfinite(value):
        return f"float({repr(float(value))!r})"
    return repr(value.item() if isinstance(value, np.generic) else value)


def _listed(value: Any) -> Any:
    if isinstance(value, list):
        return [_listed(part) for part in value]
    return repr(value) if isinstance(value, float) and not np.isfinite(value) else value


def _cell(value: Any) -> str:
    """A number with every digit, or a text as it is; a spreadsheet would work out one that begins like a formula.

    >>> _cell(np.float64(-0.5)), _cell("don't"), _cell("=1+1")
    ('-0.5', "don't", "'=1+1")
    """
    value = value.item() if isinstance(value, np.generic) else value
    text = value if isinstance(value, str) else repr(value)
    return f"'{text}" if isinstance(value, str) and text.startswith(FORMULA) else text

"""Panels beside each other in one figure, fewer of them on a line on a phone: what all such charts share."""

from typing import Any

import numpy as np

PHONE = 560  # px: narrower figures take the phone's layout, others where they say so
DESK = 880  # px: from here on none does


def below(need: float) -> int:
    """What a figure says whose layout for a wide screen needs so many px.

    >>> below(300), below(640.2), below(2000)
    (560, 641, 880)
    """
    return int(min(max(PHONE, np.ceil(need)), DESK))


def axis(i: int) -> str:
    """The number of the axes of panel i as Plotly writes it: nothing, 2, 3 …"""
    return str(i + 1) if i else ""


def lines(n: int, per_line: int) -> list[list[int]]:
    """The numbers of n panels, `per_line` of them on each line.

    >>> lines(3, 2)
    [[0, 1], [2]]
    """
    return [list(range(i, min(i + per_line, n))) for i in range(0, n, per_line)]


def placed(layout: dict[str, Any], place: dict[str, Any]) -> dict[str, Any]:
    """A layout with its axes put in their places.

    >>> placed({"xaxis": {"range": [0, 1]}}, {"xaxis": {"domain": [0, 0.5]}, "height": 9})
    {'xaxis': {'range': [0, 1], 'domain': [0, 0.5]}, 'height': 9}
    """
    return layout | {name: layout[name] | part if name in layout else part for name, part in place.items()}


def title(html: str, x: float, y: float, **more: Any) -> dict[str, Any]:
    """What stands over a panel whose upper left corner is (x, y) of the figure."""
    return {
        "text": html,
        "x": x,
        "y": y,
        "xref": "paper",
        "yref": "paper",
        "xanchor": "left",
        "yanchor": "bottom",
        "showarrow": False,
        "font": {"size": 15},
        **more,
    }


def changes(wide, narrow):
    """What of `narrow` differs from `wide`: all a phone needs to be told, merged key by key and entry by entry.

    >>> changes({"a": 1, "b": [{"x": 1, "t": "w"}, {"x": 2}]}, {"a": 1, "b": [{"x": 3, "t": "w"}, {"x": 2}]})
    {'b': [{'x': 3}, {}]}
    """
    if isinstance(wide, dict) and isinstance(narrow, dict):
        return {key: changes(wide.get(key), part) for key, part in narrow.items() if wide.get(key) != part}
    entries = isinstance(wide, list) and isinstance(narrow, list) and len(wide) == len(narrow)
    if entries and all(isinstance(one, dict) for one in [*wide, *narrow]):
        return [changes(one, other) for one, other in zip(wide, narrow, strict=True)]
    return narrow

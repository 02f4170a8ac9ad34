"""Writes what another library computed to <room>.json beside this file, digit for digit."""

import json
from pathlib import Path


def store(room: str, values: dict) -> None:
    """`values` holds numbers, strings, lists, dicts and anything with .tolist(); JSON keeps float64 exactly."""
    text = json.dumps(values, default=lambda value: value.tolist(), indent=None, separators=(",", ":"))
    (Path(__file__).parent / f"{room}.json").write_text(text + "\n")

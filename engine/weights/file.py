"""A weights.toml as TOML gives it: bytes, names and numbers, with a clear sentence for every slip."""

import difflib
import os
import re
import sys
import tomllib
import unicodedata
from pathlib import Path

import numpy as np

from engine import checks

PATH = Path(__file__).resolve().parents[2] / "weights.toml"
MAX_BYTES = 8_192
CAPS = {"vocabulary": 64, "positions": 64, "d_model": 64, "d_k": 64, "d_ff": 256, "layers": 12, "heads": 12}
MAX_LETTERS = 40


def read(source) -> str:
    """The text of a weights.toml, refused unread past 8 KiB.

    Shapes: source is a path, the file's bytes, or None for the repository's own file.
    Raises ValueError for a file that cannot be opened, is too big, or is not UTF-8.

    >>> read(b"vocabulary = []")
    'vocabulary = []'
    """
    if not isinstance(source, bytes):
        source = _file_bytes(PATH if source is None else source)
    if len(source) > MAX_BYTES:
        raise ValueError(f"weights.toml must be at most {MAX_BYTES:,} bytes; got {len(source):,} or more")
    try:
        return source.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise ValueError(f"weights.toml must be saved as UTF-8; byte {fault.start} is not") from None


def parse(text: str) -> dict:
    """The tables of a weights.toml, or what is wrong with its punctuation and under which name.

    Format: TOML 1.0. Raises ValueError with the name above the fault, its line and what stands there.

    >>> parse("W_E = [[0.4, x]]")
    Traceback (most recent call last):
    ValueError: W_E: line 1, column 14 is not TOML: expected a number, "a word" or a bracket; got 'x]]' (Invalid value)
    """
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError(
            "weights.toml nests brackets too deep; expected rows of numbers: two brackets at most"
        ) from None
    except tomllib.TOMLDecodeError as fault:
        raise ValueError(_syntax_fault(text, str(fault))) from None
    except ValueError:
        raise ValueError("weights.toml holds a whole number or a date no computer can read; expected numbers") from None


def check_keys(path: str, table, fields) -> None:
    """Refuse a table with a key too many or too few; for one too many, name the missing or nearest one.

    Raises ValueError.

    >>> check_keys("layers[0].norm_1", {"gama": [1], "beta": [0]}, ("gamma", "beta"))
    Traceback (most recent call last):
    ValueError: layers[0].norm_1.gama is not a name of this file; did you mean layers[0].norm_1.gamma, which is missing?
    """
    if not isinstance(table, dict):
        raise ValueError(f"{path} must be a table with {', '.join(fields)}; got {_excerpt(table)}")
    prefix = f"{path}." if path else ""
    missing = [field for field in fields if field not in table]
    for key in table:
        if key not in fields:
            known = {field.lower(): field for field in missing or fields}
            near = known[difflib.get_close_matches(key[:MAX_LETTERS].lower(), known, n=1, cutoff=0.0)[0]]
            tail = ", which is missing?" if missing else f"? Expected {', '.join(fields)}"
            key = key if len(key) <= MAX_LETTERS else key[:MAX_LETTERS] + "…"
            raise ValueError(f"{prefix}{key} is not a name of this file; did you mean {prefix}{near}{tail}")
    if missing:
        hint = "" if path else "; a name below [[layers]] belongs to the layer, so write it above"
        raise ValueError(f"{prefix}{missing[0]} is missing; expected {', '.join(fields)}{hint}")


def tables(path: str, value, cap: int) -> list:
    """A list of 1 … cap tables. Raises ValueError.

    >>> tables("layers", [], 12)
    Traceback (most recent call last):
    ValueError: layers must be 1 to 12 tables, each under [[layers]]; got 0
    """
    if not isinstance(value, list) or not 1 <= len(value) <= cap:
        header = re.sub(r"\[\d+]", "", path)
        got = len(value) if isinstance(value, list) else _excerpt(value)
        raise ValueError(f"{path} must be 1 to {cap} tables, each under [[{header}]]; got {got}")
    return value


def words(path: str, value) -> tuple[str, ...]:
    """The vocabulary: 1 … 64 different words. Raises ValueError.

    >>> words("vocabulary", ["a", "a"])
    Traceback (most recent call last):
    ValueError: vocabulary must hold different words; got 'a' twice
    """
    if not isinstance(value, list | tuple) or not 1 <= len(value) <= CAPS["vocabulary"]:
        got = f"{len(value)} words" if isinstance(value, list | tuple) else _excerpt(value)
        raise ValueError(f"{path} must be a list of 1 to {CAPS['vocabulary']} words in quotes; got {got}")
    found = tuple(word(f"{path}[{i}]", item) for i, item in enumerate(value))
    twice = [item for i, item in enumerate(found) if item in found[:i]]
    if twice:
        raise ValueError(f"{path} must hold different words; got {twice[0]!r} twice")
    return found


def word(path: str, value) -> str:
    """One word of at most 40 characters on one line. Raises ValueError.

    >>> word("vocabulary[0]", 3)
    Traceback (most recent call last):
    ValueError: vocabulary[0] must be a word in quotes, 1 to 40 characters on one line; got 3
    """
    printable = isinstance(value, str) and not {unicodedata.category(c) for c in value} & {"Cc", "Cs", "Zl", "Zp"}
    if not printable or not value.strip() or len(value) > MAX_LETTERS:
        raise ValueError(
            f"{path} must be a word in quotes, 1 to {MAX_LETTERS} characters on one line; got {_excerpt(value)}"
        )
    return value


def numbers(path: str, value) -> np.ndarray:
    """A vector or a matrix out of TOML's lists; every slip named by row and column, counted from 1. Raises ValueError.

    >>> numbers("W_E", [[0.4, 0.1], [0.5, "abc"]])
    Traceback (most recent call last):
    ValueError: W_E, row 2, column 2: expected a finite number; got 'abc'
    """
    if not isinstance(value, list):
        raise ValueError(f"{path} must be rows of numbers in brackets; got {_excerpt(value)}")
    rows = value if value and all(isinstance(row, list) for row in value) else [value]
    for i, row in enumerate(rows, 1):
        for j, cell in enumerate(row, 1):
            if type(cell) not in (int, float) or not abs(cell) <= sys.float_info.max:
                raise ValueError(f"{path}, row {i}, column {j}: expected a finite number; got {_excerpt(cell)}")
    lengths = [len(row) for row in rows]
    if len(set(lengths)) > 1:
        raise ValueError(f"{path} must have rows of equal length; got {', '.join(map(str, lengths))} numbers")
    return checks.array(path, value)


def _file_bytes(path) -> bytes:
    if not isinstance(path, str | os.PathLike):
        raise ValueError(f"source must be a path, the bytes of a file, or None; got {_excerpt(path)}")
    try:
        with open(path, "rb") as file:
            return file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as fault:
        raise ValueError(f"source must be a file that opens; got {_excerpt(str(path))}: {fault}") from None


def _syntax_fault(text: str, fault: str) -> str:
    """Where TOML gave up, in the reader's terms: the name above, the line, and what stands there."""
    found = re.search(r"(.*) \(at line (\d+), column (\d+)\)", fault)
    lines = text.replace("\r\n", "\n").split("\n")
    line, column = (int(found[2]), int(found[3])) if found else (len(lines), len(lines[-1]) + 1)
    seen = [*lines[: line - 1], lines[line - 1][: column - 1]]
    came = _excerpt(lines[line - 1][column - 1 :].strip()) if found else "the end of the file"
    reason = found[1] if found else fault.removesuffix(" (at end of document)")
    return (
        f"{_name_above(seen) or 'weights.toml'}: line {line}, column {column} is not TOML: "
        f'expected a number, "a word" or a bracket; got {came} ({reason})'
    )


def _name_above(lines: list[str]) -> str:
    """The full name of the last key in these lines, as in layers[0].heads[1].W_Q."""
    table, key, layers, heads = "", "", -1, -1
    for line in lines:
        if header := re.match(r"\s*\[{1,2}\s*(layers(?:\.\w+)?)\s*\]", line):
            layers, heads = (
                (layers + 1, -1) if header[1] == "layers" else (layers, heads + (header[1] == "layers.heads"))
            )
            table = header[1].replace("layers", f"layers[{layers}]", 1).replace(".heads", f".heads[{heads}]") + "."
            key = ""
        elif name := re.match(r"\s*(\w+)\s*=", line):
            key = name[1]
    return (table + key).rstrip(".")


def _excerpt(value) -> str:
    if isinstance(value, int) and abs(value) > sys.float_info.max:
        return "a whole number beyond float64"
    if isinstance(value, dict | list):  # never its repr: a file can nest thousands deep
        return "a table" if isinstance(value, dict) else f"a list of {len(value)}"
    return checks.shown(value)

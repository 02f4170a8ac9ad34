"""A model as the text of a weights.toml, row by row so that a reader can compare by eye."""

import json
from decimal import Decimal

from engine.weights.file import MAX_BYTES

HEADER = """\
# The toy model of the labs: words and matrices, named and numbered as in "Architecture ingredients", row by row.
# Change a number, a word or a size: the labs follow, and say which matrix does not fit.
# A head whose source is "illustrative" is ours: that text gives one head only, its Head 1.

# The words. That text names no tokens: these are a choice of this file.
"""


def render(weights) -> str:
    """The TOML text of a checked `weights.Weights`, in the most readable of three layouts that fits in 8 KiB.

    Row by row with comments and alignment; the same without them; as short as TOML allows, so that whatever was read
    out of a file can be written again. Format: TOML 1.0; the shortest digits that read back the same.
    Raises ValueError where even the shortest text is too long.

    >>> from engine.weights import load_weights
    >>> render(load_weights()).splitlines()[9]
    '  [0.43, 0.15, 0.89],'
    """
    text = "\n".join(_lines(weights, wide=True)) + "\n"
    if len(text.encode()) > MAX_BYTES:
        text = "\n".join(line for line in _lines(weights, wide=False) if line and line[0] != "#") + "\n"
    if len(text.encode()) > MAX_BYTES:
        text = shortest(weights)
    if len(text.encode()) > MAX_BYTES:
        raise ValueError(f"a weights.toml must be at most {MAX_BYTES:,} bytes; this model needs {len(text.encode()):,}")
    return text


def shortest(weights) -> str:
    """The shortest TOML text of a checked `weights.Weights`: a line for each top-level name.

    >>> from engine.weights import load_weights
    >>> shortest(load_weights()).splitlines()[0]
    'vocabulary=["Your","journey","starts","with","one"]'
    """
    return "\n".join(f"{name}={_inline(part)}" for name, part in weights._asdict().items())


def _lines(weights, wide: bool):
    """The lines of the file; wide: padded to one width and number of decimals, so that columns align."""
    yield from HEADER.splitlines()
    yield f"vocabulary = [{', '.join(map(_quoted, weights.vocabulary))}]"
    yield from ("", "# 1. Token embeddings: vocabulary × d_model", *_matrix("W_E", weights.W_E, wide))
    yield from ("", "# 2. Position embeddings: positions × d_model", *_matrix("W_P", weights.W_P, wide))
    yield from ("", "# 11. Language-model head: d_model × vocabulary", *_matrix("W_LM_head", weights.W_LM_head, wide))
    for layer in weights.layers:
        yield from ("", "[[layers]]", "# 6. Output projection: heads side by side × d_model")
        yield from _matrix("W_O", layer.W_O, wide)
        yield from ("", "# 8. Feed-forward, widening: d_model × d_ff", *_matrix("W_1", layer.W_1, wide))
        yield _vector("b_1", layer.b_1, wide, 0)
        yield from ("", "# 9. Feed-forward, narrowing: d_ff × d_model", *_matrix("W_2", layer.W_2, wide))
        yield _vector("b_2", layer.b_2, wide, 0)
        for number, name, norm in ((7, "norm_1", layer.norm_1), (10, "norm_2", layer.norm_2)):
            yield from ("", f"# {number}. Layer normalisation", f"[layers.{name}]")
            yield from (_vector("gamma", norm.gamma, wide), _vector("beta", norm.beta, wide))
        for head in layer.heads:
            yield from ("", "# 3, 4, 5. One head: d_model × d_k each", "[[layers.heads]]")
            yield from (f"name = {_quoted(head.name)}", f"source = {_quoted(head.source)}")
            for name in ("W_Q", "W_K", "W_V"):
                yield from _matrix(name, getattr(head, name), wide)


def _matrix(name, matrix, wide):
    rows = _cells(matrix, wide)
    return (f"{name} = [", *(f"  [{', '.join(row)}]," if wide else f"[{','.join(row)}]," for row in rows), "]")


def _vector(name, vector, wide, decimals=1):
    return f"{name} = [{(', ' if wide else ',').join(_cells([vector], wide, decimals)[0])}]"


def _cells(rows, wide, decimals=1):
    """The numbers of each row as text; wide: with equally many decimals (up to 4) and letters."""
    if not wide:
        return [[_cell(x) for x in row] for row in rows]
    longest = max(len(_cell(x).partition(".")[2]) for row in rows for x in row)
    texts = [[_cell(x, max(decimals, min(longest, 4))) for x in row] for row in rows]
    letters = max(len(text) for row in texts for text in row)
    return [[text.rjust(letters) for text in row] for row in texts]


def _cell(x, decimals=0) -> str:
    """The shortest text that reads back as x, padded with zeros; a −0 keeps its point, since TOML's -0 is plain 0."""
    text = repr(float(x))
    whole, _, part = text.partition(".")
    if "e" in text:
        return text
    part = ("" if part == "0" and whole != "-0" else part).ljust(decimals, "0")
    return f"{whole}.{part}" if part else whole


def _quoted(word) -> str:
    return json.dumps(word, ensure_ascii=False)


def _inline(part) -> str:
    """Any part of a model as a value on one line, no letter more than it needs."""
    if hasattr(part, "_asdict"):
        return f"{{{','.join(f'{name}={_inline(inner)}' for name, inner in part._asdict().items())}}}"
    if isinstance(part, str):
        return _quoted(part) if "'" in part else min(_quoted(part), f"'{part}'", key=len)
    if isinstance(part, float):
        return _fewest(float(part))
    return f"[{','.join(map(_inline, part))}]"


def _fewest(x: float) -> str:
    """The text with the fewest letters that reads back as x: 1e-5 for 1e-05, 1e9 for 1000000000.

    >>> _fewest(1e-5), _fewest(0.001), _fewest(1.25e-7), _fewest(0.5), _fewest(-0.0)
    ('1e-5', '1e-3', '125e-9', '0.5', '-0.0')
    """
    sign, digits, exponent = Decimal(repr(x)).normalize().as_tuple()
    whole = "-" * sign + "".join(map(str, digits))
    if x == 0 or not isinstance(exponent, int):
        return _cell(x)
    forms = [_cell(x), f"{whole}e{exponent}"]
    if x == int(x):
        forms += [str(int(x)), *([hex(int(x))] if x > 0 else [])]
    return min(forms, key=len)

"""Legal models at the ends of what a weights.toml may hold, and at random between: their text, as short as it gets."""

import json
import random
from collections.abc import Callable, Iterator

NASTY = [
    "<b>x</b>",
    "$x^2$",
    "![x](http://e.com/y.png)",
    "a b",
    "=1+1",
    "*",
    "`",
    "\\",
    '"',
    "'",
    "|",
    "&copy;",
    "\u202eabc",
    "\u0301",
    "漢字",
    "👩‍👩‍👧",
    "W" * 40,
    ",",
    "NaN",
    "#",
]
MOST_BYTES = 8_192


def _row(n: int, draw: Callable) -> list:
    return [draw() for _ in range(n)]


def text(words, positions=1, d=1, d_k=1, d_ff=1, layers=1, heads=1, draw: Callable = lambda: 1) -> str:
    """A model of these sizes, `words` a number or the words themselves, each number from `draw`."""
    names = [f"w{i}" for i in range(words)] if isinstance(words, int) else words
    matrix = lambda rows, columns: [_row(columns, draw) for _ in range(rows)]
    norm = lambda: f"{{gamma={_toml(_row(d, draw))},beta={_toml(_row(d, draw))}}}"
    head = lambda: (
        f'{{name="h",source="s",W_Q={_toml(matrix(d, d_k))},W_K={_toml(matrix(d, d_k))},W_V={_toml(matrix(d, d_k))}}}'
    )
    layer = lambda: (
        f"{{W_O={_toml(matrix(heads * d_k, d))},W_1={_toml(matrix(d, d_ff))},b_1={_toml(_row(d_ff, draw))},"
        f"W_2={_toml(matrix(d_ff, d))},b_2={_toml(_row(d, draw))},norm_1={norm()},norm_2={norm()},"
        f"heads=[{','.join(head() for _ in range(heads))}]}}"
    )
    return (
        f"vocabulary={_toml(names)}\nW_E={_toml(matrix(len(names), d))}\nW_P={_toml(matrix(positions, d))}\n"
        f"W_LM_head={_toml(matrix(d, len(names)))}\nlayers=[{','.join(layer() for _ in range(layers))}]"
    )


def ends() -> dict[str, str]:
    """By what is extreme about it."""
    digits, mixed = random.Random(0), random.Random(1)
    few = lambda: round(digits.uniform(-1, 1), 2)
    found = {
        "one of everything": text(1),
        "64 words": text(64, 3, 2, draw=few),
        "64 positions": text(2, 64, 2, draw=few),
        "12 layers": text(3, 3, 2, layers=12, draw=few),
        "12 heads in 10 layers": text(2, 2, layers=10, heads=12),
        "d_model 64": text(2, 1, 64, draw=lambda: 1),
        "d_k 64": text(2, 2, 2, d_k=64, draw=lambda: 1),
        "d_ff 256": text(2, 2, 2, d_ff=256, draw=few),
        "nothing but 0": text(3, 3, 2, draw=lambda: 0),
        "nothing but 5e-324": text(3, 3, 2, heads=2, draw=lambda: 5e-324),
        "1e155": text(3, 3, 2, heads=2, draw=lambda: mixed.choice([1e155, -1, 0.5, 1])),
        "1.7e308": text(3, 3, 2, draw=lambda: mixed.choice([1.7e308, -1.7e308])),
        "names": text(NASTY, 5, 2, draw=few),
    }
    return found | {"to the byte": filled(text(6, 8, 5, 2, 10, 1, 2, lambda: round(digits.uniform(-9, 9), 15)))}


def filled(toml: str) -> str:
    """The text made exactly as long as a file may be, with a comment."""
    assert len(toml.encode()) < MOST_BYTES
    return toml + "\n#" + "x" * (MOST_BYTES - 2 - len(toml.encode()))


def brimful() -> str:
    """A model that no layout can write in fewer bytes than a file may have: its words fill what its numbers leave."""
    words = [f"{i:02}" for i in range(64)]
    short = MOST_BYTES - len(text(words, 40, 12, 2, 40, 1, 1).encode())
    for at in range(64):
        words[at] += "x" * min(38, max(0, short - 38 * at))
    return text(words, 40, 12, 2, 40, 1, 1)


def at_random(n: int) -> Iterator[str]:
    """n models with sizes, words and numbers from everywhere; the same ones each time."""
    draw = random.Random("legal")
    size = lambda most: draw.choice([1, 1, 2, 3, draw.randint(1, most)])
    while n:
        digits, low, high = draw.choice([0, 1, 2, 17]), *sorted(draw.choices([-308, -20, -3, -1, 0, 0, 1, 3, 154], k=2))
        number = lambda d=digits, a=low, b=high: round(draw.uniform(-1, 1), d) * 10.0 ** draw.randint(a, b)
        words = draw.sample(NASTY, draw.randint(1, len(NASTY))) if draw.random() < 0.3 else size(64)
        made = text(words, size(64), size(64), size(64), size(256), size(12), size(12), number)
        if len(made.encode()) <= MOST_BYTES:
            n -= 1
            yield made


def _toml(value) -> str:
    if isinstance(value, list):
        return f"[{','.join(map(_toml, value))}]"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)

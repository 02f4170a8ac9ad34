"""What nobody sends who means well: texts, links and models, each legal or at least possible, drawn from a seed."""

import random
from urllib.parse import quote, urlencode

import numpy as np
from test_weights_model import model as drawn_model

from engine.weights import dump_weights
from ui.page import model

WORDS = [
    "x" * 5000,
    "שלום",
    "مرحبا\u202e",
    "e" + "\u0301" * 40,
    "a\x00b",
    "**b**_i_`c`",
    "|t|t|",
    ":red[x]",
    ":material/home:",
    "<b>b</b>",
    "<script>alert(1)</script>",
    "![x](http://example.com/y.png)",
    "[x](javascript:alert(1))",
    r"\frac{1}{0}$$",
    "$x^2$",
    "=1+1",
    '=HYPERLINK("//e.com")',
    "@SUM(A1)",
    "http://example.com/",
    "www.example.com",
    "🏳️‍🌈👩‍👩‍👧",
    "don't",
    'a"b',
    "a\\b",
    "&copy;<br>",
    "1e999",
    "-1e999",
    "nan",
    "None",
    "−0",
    "-0",
    "5e-324",
    "1e-309",
    "1.7e308",
    "1e155",
    "-3.4e38",
    "0x10",
    "1_000",
    "½",
    "٣",
    "9" * 400,
]
TEXTS = [
    "",
    " \t\n ",
    "#" * 8200,
    "word " * 100,
    "1 2\n3",
    "[[1,2],[3",
    "0,75 1,5",
    "1 2 3\n" * 300,
    "1 " * 3000,
    "\n".join(["1 " * 60] * 60),
    "# h\n- l\n> q\n\n---\n| a | b |\n|---|---|",
    "a = 1",
]


def text(draw: random.Random, good: str) -> str:
    """A nasty text for a field that holds a good one: pieces of that replaced, or all of it."""
    pieces = good.split()
    if not pieces or draw.random() < 0.4:
        return draw.choice(TEXTS + WORDS)
    lines = [line.split(" ") for line in good.split("\n")]
    short = draw.choice([WORDS, [word for word in WORDS if len(word) <= 16]])
    for _ in range(draw.choice([1, 1, 2, len(pieces)])):
        line = draw.choice(lines)
        line[draw.randrange(len(line))] = draw.choice(short)
    return "\n".join(map(" ".join, lines))


def link(draw: random.Random, slug: str, good: dict[str, str], seen: list[str]) -> str:
    """The query of a link to a lab: `good` are values its controls could have, `seen` what links said before."""
    names = draw.sample(list(good), min(len(good), draw.choice([1, 3, 8])))
    junk = lambda: draw.choice(WORDS + TEXTS)
    kinds = {
        "good": lambda: urlencode({name: good[name] for name in names}),
        "junk": lambda: urlencode({name: junk() for name in names}),
        "nearly good": lambda: urlencode({name: text(draw, good[name]) for name in names}),
        "twice": lambda: urlencode([(name, value) for name in names for value in (good[name], junk())]),
        "wrong case": lambda: urlencode({name.upper(): good[name] for name in names}),
        "bare names": lambda: urlencode({name.split(".")[-1]: good[name] for name in names}),
        "strangers": lambda: urlencode({junk(): junk(), f"{slug}.{junk()}": junk(), f"{slug}.model.drop": "true"}),
        "broken": lambda: "&".join(
            f"{name}={quote(good[name])}%{draw.choice(['', 'z', 'ff', '00'])}" for name in names
        ),
        "no query": lambda: draw.choice(["=", "&&&=&", "%", "?", "a", "=1&=2", f"{slug}.=1", "embed=true&embed=1"]),
        "100 kB": lambda: urlencode({(names or ["x"])[0]: draw.choice("9 aé%") * 100_000})[:100_000],
        "many": lambda: urlencode({f"p{n}": "1" for n in range(900)}),
        "former": lambda: draw.choice(seen or [""]),
        "two formers": lambda: "&".join(draw.choices(seen or [""], k=2)),
        "half a former": lambda: (former := draw.choice(seen or [""]))[: draw.randint(0, len(former))],
    }
    return kinds[draw.choice(list(kinds))]()


def toml(draw: random.Random) -> str:
    """A legal model: small and large ones, odd words, entries as large as floats allow."""
    one = {"words": 1, "positions": 1, "d": 1, "n_layers": 1, "n_heads": 1, "d_k": 1, "d_ff": 1}
    most = {"words": 64, "positions": 64, "d": 16, "n_layers": 12, "n_heads": 12, "d_k": 8, "d_ff": 32}
    while True:
        sizes = one | {name: draw.randint(1, most[name]) for name in draw.sample(list(one), draw.randint(0, 3))}
        sizes |= {name: most[name] for name in draw.sample(list(one), draw.choice([0, 0, 1, 2]))}
        rng = np.random.default_rng(draw.getrandbits(32))
        weights = drawn_model(rng, **sizes, digits=draw.choice([0, 1, 2]))
        if draw.random() < 0.3:
            odd = [word for word in WORDS if len(word) <= 40 and word.isprintable()]
            weights = weights._replace(vocabulary=(*odd, *weights.vocabulary)[-40:][: sizes["words"]])
        if draw.random() < 0.3:
            weights.W_E[0, 0] = draw.choice([1e155, -1e155, 1e-300, 1e300, 5e-324, 1e38])
        if draw.random() < 0.1:
            weights.layers[-1].W_1[:] = draw.choice([0, 1e155, -1e20])
        try:
            text = dump_weights(weights)
            model.unpack(model.pack(text))
            return text
        except ValueError:  # too long for a file or for a link
            continue


def place(draw: random.Random, figure: dict) -> dict:
    """Where a click in a chart may say it was: in it, or where another state's had room."""
    curve = draw.randrange(len(figure["data"]))
    trace, axes = figure["data"][curve], sum(name.startswith("xaxis") for name in figure["layout"])
    near = lambda: draw.choice([0, 1, 2, 3, draw.randint(0, 12), draw.randint(0, 12), 64, 1_000])
    cells = trace["type"] in ("heatmap", "contour")
    where = (
        {"row": near(), "column": near(), "point": None} if cells else {"row": None, "column": None, "point": near()}
    )
    spots = {axis: draw.choice([0.0, 1, draw.uniform(-6, 6), draw.uniform(-1, 1), -1e9, 1e300]) for axis in "xy"}
    if "play" in figure["layout"].get("meta", {}) and draw.random() < 0.5:
        return {"step": near()}
    return where | spots | {"curve": curve, "panel": draw.choice([draw.randrange(axes or 1), near()])}

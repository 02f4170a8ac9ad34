"""What each colour means, in one table, light and dark.

Charts are made with the light colours. Whoever draws a chart on dark paper swaps each for its partner (`DARK`), so a
colour must stand for one meaning only and no two meanings may share one. The palette starts from Okabe and Ito's,
which colour-blind eyes can tell apart; the heads take Paul Tol's muted set, so that no head looks like a query. The
ways are whatever runs side by side for comparison: optimizers, arrangements of a layer. The tokens are fills under
text: pale on light paper, deep on dark.
"""

MEANING = {  # name: (light, dark)
    "query": ("#0072b2", "#56b4e9"),
    "key": ("#e69f00", "#f2b84b"),
    "value": ("#009e73", "#3cc9a0"),
    "weight": ("#6f5f90", "#a99bcb"),
    "gradient": ("#cc79a7", "#e39cc3"),
    "today": ("#d55e00", "#ff8a3d"),
    "ghost": ("#8b9098", "#7d838b"),
    "ink": ("#1c2733", "#e8edf2"),
    "soft_ink": ("#56616d", "#a7b1bb"),
    "paper": ("#ffffff", "#12171d"),
    "panel": ("#f4f6f8", "#1b222a"),
    "line": ("#d8dde3", "#313a44"),
    "masked": ("#e6e8eb", "#2a3139"),
    "hatch": ("#b4bac1", "#4c5660"),
    "head_0": ("#332288", "#9484e6"),
    "head_1": ("#88ccee", "#88cdef"),
    "head_2": ("#3c9e8f", "#5cc8b6"),
    "head_3": ("#117733", "#4fb36c"),
    "head_4": ("#999933", "#c6c65a"),
    "head_5": ("#ddcc77", "#e6d88f"),
    "head_6": ("#cc6677", "#e08a98"),
    "head_7": ("#882255", "#c76a93"),
    "way_0": ("#6b3410", "#d9a074"),
    "way_1": ("#8e24c9", "#cf9bff"),
    "way_2": ("#0b7a70", "#45d0c4"),
    "way_3": ("#949418", "#cfcf4a"),
    "token_0": ("#77aadd", "#2d5f8f"),
    "token_1": ("#ee8866", "#96492f"),
    "token_2": ("#eedd88", "#756a22"),
    "token_3": ("#ffaabb", "#8f4860"),
    "token_4": ("#99ddff", "#22708f"),
    "token_5": ("#44bb99", "#1f6b55"),
    "token_6": ("#bbcc33", "#5f6b12"),
    "token_7": ("#bb99dd", "#684a8f"),
}

# The same meanings where they colour words: darker, because letters are thinner than lines and dots.
WORDS = {
    "key": "#9d6b00",
    "value": "#008561",
    "gradient": "#a35f85",
    "today": "#c15400",
    "ghost": "#72757b",
    "head_1": "#507a90",
    "head_2": "#328174",
    "head_4": "#787826",
    "head_5": "#7f7542",
    "head_6": "#b35968",
    "way_3": "#797912",
}

# Fills that carry words: ink stands on the grounds and the tokens, paper on these, black on all others, in dark too.
GROUNDS = frozenset({"paper", "panel", "line", "masked", "hatch"})
DEEP = frozenset({"query", "weight", "ink", "soft_ink", "head_0", "head_3", "head_7", "way_0", "way_1", "way_2"})

# Ten steps each: probabilities from paper to blue, signed numbers from blue over paper to vermilion. On each way to a
# dark end there are two steps between which neither ink nor white can be read (contrast 4.5).
SEQUENTIAL = (
    ("#fdfefe", "#e6f1f8", "#cfe4f1", "#b3d4e9", "#91c0de", "#6ca9d1", "#4895c5", "#287bb0", "#1068a1", "#00558b"),
    ("#141a21", "#16293a", "#193851", "#1c4462", "#1f5073", "#225b84", "#256694", "#266796", "#2871a2", "#2c7aad"),
)
DIVERGING = (
    ("#00568c", "#297bb1", "#4996c6", "#9cc6e1", "#f3f8fb", "#fdf6f2", "#f2b088", "#df6c24", "#c65100", "#a34000"),
    ("#2c7aae", "#235d88", "#235c87", "#1d3e58", "#18222c", "#221d1a", "#573219", "#894617", "#8a4716", "#b85a14"),
)
HEADS = tuple(f"head_{h}" for h in range(8))

DARK = {
    **dict(MEANING.values()),
    **{light: MEANING[name][1] for name, light in WORDS.items()},
    **dict(zip(*SEQUENTIAL, strict=True)),
    **dict(zip(*DIVERGING, strict=True)),
}


def colour(name: str) -> str:
    """The light colour of a meaning: colour("query")."""
    return MEANING[name][0]


def ink(name: str) -> str:
    """The light colour of words that carry a meaning: ink("query")."""
    return WORDS.get(name, colour(name))


def on(name: str) -> str:
    """The light colour of words on a fill that carries a meaning: on("query")."""
    if name in GROUNDS or name.startswith("token_"):
        return colour("ink")
    return colour("paper") if name in DEEP else "black"


def ramp(steps: tuple[str, ...]) -> list[list]:
    """A ramp as Plotly takes it: [[0, first], …, [1, last]]."""
    return [[i / (len(steps) - 1), step] for i, step in enumerate(steps)]


def cells(*, signed: bool, numbers: bool) -> list[list]:
    """The ramp of a matrix; under `numbers` it leaps from a step that carries ink to the next one, that carries white.

    Plotly writes the numbers in one or the other by the cell's brightness.
    """
    by = 0 if numbers else 0.05
    if signed:
        places, steps = (0, 0.15 - by, 0.15 + by, 0.3, 0.45, 0.55, 0.7, 0.85 - by, 0.85 + by, 1), DIVERGING[0]
    else:
        places, steps = (0, 0.12, 0.24, 0.36, 0.48, 0.61, 0.74 - by, 0.74 + by, 0.87, 1), SEQUENTIAL[0]
    return [[round(place, 2), step] for place, step in zip(places, steps, strict=True)]


def on_cell(share: float) -> str:
    """The colour of words on a signed number that is this share of what its ramp reaches."""
    return "white" if abs(share) > 0.7 else colour("ink")


def in_dark(spec: str) -> str:
    """A figure's JSON with every colour swapped for its dark partner."""
    for light, dark in DARK.items():
        spec = spec.replace(light, dark)
    return spec


_AXIS = {"gridcolor": colour("line"), "zerolinecolor": colour("line"), "linecolor": colour("line"), "automargin": True}
TEMPLATE = {  # what every chart looks like before it says anything of its own
    "data": {"heatmap": [{"hovertemplate": "row %{y}, column %{x}: <b>%{z:.6g}</b><extra></extra>"}]},
    "layout": {
        "font": {"family": '"Source Sans", sans-serif', "size": 14, "color": colour("ink")},
        "paper_bgcolor": colour("paper"),
        "plot_bgcolor": colour("paper"),
        "margin": {"l": 8, "r": 8, "t": 40, "b": 8},
        "title": {
            "font": {"size": 15},
            "x": 0,
            "xanchor": "left",
            "xref": "paper",
            "y": 1,
            "yref": "container",
            "yanchor": "top",
            "pad": {"t": 8},
        },
        "xaxis": _AXIS | {"autotickangles": [0, 90], "title": {"standoff": 6, "font": {"size": 14}}},
        "yaxis": _AXIS | {"ticklabelstandoff": 4, "title": {"standoff": 6, "font": {"size": 14}}},
        "legend": {"orientation": "h", "x": 1, "xanchor": "right", "y": 1, "yanchor": "bottom", "traceorder": "normal"},
        "hoverlabel": {"bgcolor": colour("paper"), "bordercolor": colour("line"), "font": {"color": colour("ink")}},
        "colorway": [light for light, _ in MEANING.values()][:6],
        "dragmode": False,
        "modebar": {"color": colour("soft_ink"), "activecolor": colour("ink"), "bgcolor": colour("paper")},
    },
}

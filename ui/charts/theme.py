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

# Ten steps each: probabilities from paper to blue, signed numbers from blue over paper to vermilion.
SEQUENTIAL = (
    ("#fdfefe", "#e6f1f8", "#cfe4f1", "#b3d4e9", "#94c2df", "#73aed4", "#5099c7", "#2f83b8", "#116ca5", "#00558b"),
    ("#141a21", "#16293a", "#193851", "#1c4462", "#1f5073", "#225b84", "#256694", "#2871a2", "#2c79ac", "#2f81b5"),
)
DIVERGING = (
    ("#00568c", "#2f84b9", "#6fabd2", "#b0d2e7", "#f3f8fb", "#fdf6f2", "#f7cdb3", "#ee9d6d", "#df6f2a", "#b94a00"),
    ("#2f81b6", "#266899", "#1f4f75", "#1c384f", "#18222c", "#221d1a", "#4d2f19", "#783f17", "#9b4d16", "#b85a14"),
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


def ramp(steps: tuple[str, ...]) -> list[list]:
    """A ramp as Plotly takes it: [[0, first], …, [1, last]]."""
    return [[i / (len(steps) - 1), step] for i, step in enumerate(steps)]


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
        "xaxis": _AXIS | {"title": {"standoff": 6, "font": {"size": 14}}},
        "yaxis": _AXIS | {"title": {"standoff": 6, "font": {"size": 14}}},
        "legend": {"orientation": "h", "x": 1, "xanchor": "right", "y": 1, "yanchor": "bottom", "traceorder": "normal"},
        "hoverlabel": {"bgcolor": colour("paper"), "bordercolor": colour("line"), "font": {"color": colour("ink")}},
        "colorway": [light for light, _ in MEANING.values()][:6],
        "dragmode": False,
        "modebar": {"color": colour("soft_ink"), "activecolor": colour("ink"), "bgcolor": colour("paper")},
    },
}

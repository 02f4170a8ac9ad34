"""What does each lab look like, in a picture of a few lines, computed by the functions that the lab itself calls?"""

from functools import cache

import numpy as np

from engine import attention, positions, vectors
from engine.accounting import PRESETS, parameters_by_part
from engine.depth import gradient_bands
from engine.dropout import dropout
from engine.feed_forward import ACTIVATIONS
from engine.losses import right_class_curve
from engine.mlp import init_mlp
from engine.normalization import layer_norm, layer_norm_stages
from engine.optimizers import SGD, Adam, Momentum, descend
from engine.perceptron import dataset, decision_line, train_perceptron
from engine.pooling import add_padding, padding_rows, pool
from engine.sampling import next_token
from engine.softmax import softmax
from engine.surfaces import SURFACES
from engine.tokenizers import train_bpe
from engine.training import SENTENCES, storyteller, train
from engine.transformer import forward
from engine.weights import load_weights
from ui.charts.small import arc, arrow, bars, cells, curve, dots, picture, rect
from ui.labs.heads_split_and_mixed.example import MIXING, W_K, W_Q, W_V, X

PLANE = (-1.2, 1.2, -1.2, 1.2)
ROW = [5.0, -1.0, 2.0, 6.0, 0.0, 3.0]
LOGITS = [2.0, 1.0, 0.5, 3.0, -0.5, 1.5, 0.0, 2.5]


@cache
def pictures() -> dict[str, str]:
    """The SVG of every lab by its slug: computed once, for all visitors."""
    return {name: picture(drawn()) for name, drawn in _DRAWN.items()}


def _weights(n: int, *, seed: int = 8, causal: bool = False) -> np.ndarray:
    q, k = np.random.default_rng(seed).normal(size=(2, n, 4))
    return attention.scaled_dot_product(q, k, k, mask=attention.attention_mask(n, causal=causal)).weights


def _ingredients() -> str:
    try:
        weights = load_weights(None)
    except ValueError:
        weights = storyteller()
    first, layer = weights.W_E[:8], weights.layers[0]
    return (
        cells(first, "weight", "gradient", box=(4, 4, 34, 92))
        + cells(layer.heads[0].W_Q, "query", "today", box=(46, 4, 22, 42))
        + cells(layer.heads[0].W_K, "key", "today", box=(74, 4, 22, 42))
        + cells(layer.heads[0].W_V, "value", "today", box=(46, 54, 22, 42))
        + cells(weights.W_LM_head[:, :4], "weight", "gradient", box=(74, 54, 22, 42))
    )


def _forward() -> str:
    model = storyteller()
    ids = [model.vocabulary.index(word) for word in SENTENCES[0].split()[:5]]
    trace = forward(model, ids)
    weights = trace.blocks[0].attention.maps.max(axis=0)[-1]
    at = [10 + 20 * j for j in range(5)]
    drawn = "".join(arc(at[-1], x, 60, float(w), "head_0") for x, w in zip(at, weights, strict=True) if w > 0.05)
    words = "".join(rect(x - 8, 62, 16, 12, "today" if x == at[-1] else "ghost", 1 if x == at[-1] else 0.5) for x in at)
    return drawn + words + rect(2, 84, 96 * float(trace.probs[-1].max()), 10, "today")


def _deep_dive() -> str:
    return cells(_weights(5, causal=True))


def _dot() -> str:
    a, b = vectors.vector_at(15, 1.1), vectors.vector_at(62, 1.05)
    shade = vectors.projection(b, a)
    guide = curve([b[0], shade[0]], [b[1], shade[1]], "ghost", width=2.5, dash="5 4", limits=(-0.1, 1.2, -0.1, 1.2))
    plane = {"limits": (-0.1, 1.2, -0.1, 1.2)}
    return guide + arrow(*a, "query", **plane) + arrow(*b, "key", **plane)


def _product() -> str:
    A, B = np.ones((3, 4)) * 0.3, np.ones((4, 3)) * 0.3
    A[1], B[:, 2] = 1, 1
    out = np.full((3, 3), 0.25)
    out[1, 2] = 1
    return (
        cells(A, "query", box=(2, 54, 50, 42))
        + cells(B, "key", box=(56, 2, 42, 48))
        + cells(out, "today", box=(56, 54, 42, 42))
    )


def _cosine() -> str:
    return cells(vectors.similarity_matrix(vectors.remove_mean(vectors.TWO_CLUSTERS), "cosine"))


def _pooling() -> str:
    rows = np.abs(np.random.default_rng(1).normal(size=(5, 4))) + 0.3
    hidden, mask = add_padding(rows, padding_rows(2, 4, fill="zeros", rng=np.random.default_rng(0)), side="right")
    pad = rect(4, 4 + 70 * 5 / 7, 91, 70 * 2 / 7 - 1, "masked")
    return (
        cells(hidden, box=(4, 4, 92, 70))
        + pad
        + cells([pool(hidden, mask, method="mean")], "today", box=(4, 82, 92, 15))
    )


def _attention() -> str:
    return cells(_weights(6))


def _softmax() -> str:
    probs = softmax(LOGITS)
    return bars(probs, ["today" if p == probs.max() else "query" for p in probs])


def _heads() -> str:
    maps = attention.multi_head(X, W_Q, W_K, W_V, MIXING, n_heads=2).maps
    return cells(maps[0], "head_0", box=(2, 2, 47, 47)) + cells(maps[1], "head_2", box=(52, 52, 47, 47))


def _sinusoidal() -> str:
    return cells(positions.sinusoidal_table(12, 12))


def _rope() -> str:
    start = np.array([1.1, 0.15])
    turned = [positions.rope(start, p) for p in range(4)]
    trail = positions.rope_trail(start, 3.0, 0)
    drawn = "".join(arrow(*v, "query" if i == 3 else "ghost", limits=PLANE) for i, v in enumerate(turned))
    return curve(trail[:, 0], trail[:, 1], "key", width=3, dash="4 4", limits=PLANE) + drawn


def _compared() -> str:
    table = positions.sinusoidal_table(12, 16)
    return cells(vectors.similarity_matrix(table, "dot"))


def _norm() -> str:
    stages = layer_norm_stages(ROW)
    rows = [np.array(ROW), stages.centred, stages.normalized]
    return "".join(
        curve([-6, 7], [2 - i, 2 - i], "line", width=2, limits=(-6, 7, -0.4, 2.4))
        + dots(row, [2 - i] * 6, colour, radius=4.5, limits=(-6, 7, -0.4, 2.4))
        for i, (row, colour) in enumerate(zip(rows, ("ghost", "query", "today"), strict=True))
    )


def _rows() -> str:
    x = np.random.default_rng(5).normal(size=(6, 7)) * np.array([[0.4], [2], [0.8], [3], [1], [0.3]])
    return cells(x, box=(3, 3, 92, 42)) + cells(layer_norm(x).out, box=(3, 53, 92, 42))


def _expanded() -> str:
    x, frame = np.linspace(-3, 1.3, 25), {"limits": (-3, 1.3, -0.5, 1.3)}
    axis = curve([-3, 1.3], [0, 0], "line", width=2, **frame)
    relu, gelu = (ACTIVATIONS[name].function(x) for name in ("relu", "gelu"))
    return axis + curve(x, relu, "ghost", dash="6 4", **frame) + curve(x, gelu, "today", width=5, **frame)


def _dropout() -> str:
    kept = dropout(np.ones((6, 6)), 0.4, np.random.default_rng(2)).keep
    return rect(4, 4, 91, 91, "masked", 0.6) + cells(kept, "value")


def _perceptron() -> str:
    x, targets = dataset("two clouds", rng=np.random.default_rng(3))
    trace, frame = train_perceptron(x, targets, max_epochs=20), {"limits": (-4.5, 4.5, -4.5, 4.5)}
    line = decision_line(trace.weights, trace.bias, low=-4.5, high=4.5)
    clouds = "".join(
        dots(*x[targets == kind].T, colour, radius=4, **frame) for kind, colour in ((0, "ghost"), (1, "query"))
    )
    return clouds + curve(line[:, 0], line[:, 1], "today", width=5, **frame)


def _losses() -> str:
    p, frame = np.linspace(0.03, 0.99, 25), {"limits": (0, 1, 0, 3.6)}
    both = right_class_curve(p, 5)
    return curve(p, both.mean_squared_error, "ghost", width=5, **frame) + curve(
        p, both.cross_entropy, "today", width=5, **frame
    )


def _network() -> str:
    sizes, drawn, places = [3, 4, 4, 3], "", []
    for i, n in enumerate(sizes):
        places.append([(8 + 28 * i, 50 + 25 * (j - (n - 1) / 2)) for j in range(n)])
    for i, layer in enumerate(init_mlp(sizes, np.random.default_rng(4))):
        for (a, b), w in np.ndenumerate(layer.W):
            (x0, y0), (x1, y1) = places[i][a], places[i + 1][b]
            frame = {"limits": (-6.8, 106.8, -6.8, 106.8), "width": 0.6 + 2.6 * abs(float(w))}
            drawn += curve([x0, x1], [y0, y1], "query" if w > 0 else "gradient", **frame)
    every = np.array([place for layer in places for place in layer])
    return drawn + dots(every[:, 0], every[:, 1], "ink", radius=5.5, limits=(-6.8, 106.8, -6.8, 106.8))


def _descents() -> str:
    ravine, frame = SURFACES["ravine"], {"limits": (-2.2, 0.5, -1.4, 1.4)}
    chosen = {"way_0": SGD(lr=0.083), "way_1": Momentum(lr=0.05, beta=0.8), "way_2": Adam(lr=0.2)}
    paths = {colour: descend(ravine, one, ravine.start, 30).points for colour, one in chosen.items()}
    drawn = "".join(curve(*path.T, colour, width=3, **frame) for colour, path in paths.items())
    return drawn + dots([0], [0], "ink", radius=5, **frame)


def _learns() -> str:
    model = storyteller()
    ids = [[model.vocabulary.index(word) for word in text.split()] for text in SENTENCES[:2]]
    run = train(model._replace(W_LM_head=0 * model.W_LM_head), ids, Adam(lr=0.08), 24)
    floor = curve([0, 24], [run.floor] * 2, "ghost", width=3, dash="6 4", limits=(0, 24, 0, run.losses[0]))
    return floor + curve(range(25), run.losses, "today", width=5, limits=(0, 24, 0, run.losses[0]))


def _depth() -> str:
    drawn, frame = "", {"limits": (0, 12, -1.6, 1.6)}
    for i, band in enumerate(gradient_bands(n_seeds=3).values()):
        drawn += curve(range(13), np.log10(band.middle), f"way_{i}", width=4, **frame)
    return drawn


def _parameters() -> str:
    parts = sorted(parameters_by_part(PRESETS["gpt2"]).values(), reverse=True)[:5]
    return bars(parts, ["weight", "query", "value", "key", "ghost"], across=True)


def _sampling() -> str:
    trace = next_token([3.0, 2.5, 2.1, 1.6, 1.2, 0.8, 0.4, 0.0], top_p=0.8)
    before = softmax([3.0, 2.5, 2.1, 1.6, 1.2, 0.8, 0.4, 0.0])
    return bars(before, ["query" if kept > 0 else "masked" for kept in trace.out])


def _tokens() -> str:
    run = train_bpe({"hug": 10, "hugs": 5, "pug": 5, "pun": 12, "bun": 4}, 4)
    merged = [step.token for step in run.steps]
    drawn = ""
    for row, symbols in enumerate(run.steps[-1].words.values()):
        at = 4.0
        for symbol in symbols:
            long = 21.0 * len(symbol)
            colour = f"token_{merged.index(symbol)}" if symbol in merged else "hatch"
            drawn += rect(at, 5 + 19 * row, long - 2, 14, colour)
            at += long
    return drawn


_DRAWN = {
    "architecture_ingredients": _ingredients,
    "forward_pass": _forward,
    "transformer_deep_dive": _deep_dive,
    "dot_product_and_cosine": _dot,
    "matrix_multiplication": _product,
    "dot_product_against_cosine": _cosine,
    "pooling": _pooling,
    "attention_matrix": _attention,
    "softmax": _softmax,
    "heads_split_and_mixed": _heads,
    "sinusoidal_table": _sinusoidal,
    "rope_and_alibi": _rope,
    "positions_compared": _compared,
    "layer_normalisation": _norm,
    "rows_normalised": _rows,
    "tokens_expanded": _expanded,
    "dropout": _dropout,
    "perceptron": _perceptron,
    "cross_entropy_against_mse": _losses,
    "forward_and_backward": _network,
    "optimizers": _descents,
    "model_learns": _learns,
    "gradient_by_depth": _depth,
    "parameters_flops_memory": _parameters,
    "one_distribution_one_token": _sampling,
    "bpe_against_wordpiece": _tokens,
}

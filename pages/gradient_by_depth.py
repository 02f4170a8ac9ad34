"""How much of a gradient still reaches the first layer, and what do the residual path and layer norm do for it?"""

import numpy as np

from engine.depth import gradient_bands, gradient_by_depth, trace_stack
from ui import charts
from ui.charts import Mark, Series
from ui.page import controls, lab
from ui.snippets import shared as snippets
from ui.words import bare, number

NAMES = {"plain": "plain", "residual": "residual", "pre_norm": "pre-norm", "post_norm": "post-norm"}
COLOURS = dict(zip(NAMES, ("way_0", "way_1", "way_2", "way_3"), strict=True))
DASHES = {"plain": "solid", "residual": "solid", "pre_norm": "dash", "post_norm": "dot"}
DECADES = {"±4": (1e-4, 1e4), "±12": (1e-12, 1e12), "±24": (1e-24, 1e24)}
BACKWARD = {  # N and J: the Jacobians of layer norm and of F
    "plain": r"g_{l} = J^\top g_{l+1}",
    "residual": r"g_{l} = g_{l+1} + J^\top g_{l+1}",
    "pre_norm": r"g_{l} = g_{l+1} + N^\top J^\top g_{l+1}",
    "post_norm": r"g_{l} = (I + J^\top)\, N^\top g_{l+1}",
}

lab.begin(__file__)
with lab.panel():
    gain = controls.slider("gain", "Gain of the weights", 0.0, 2.0, 1.0, step=0.05, help="0 silences every sublayer F.")
    depth = controls.slider("depth", "Layers", 1, 48, 12)
    activation = controls.choice(
        "activation", "Activation", ["relu", "tanh", "silu", "identity"], help="F(x) = activation(x·W)"
    )
    layer = controls.slider("layer", "Layer looked at", 0, 48, 0, help="0 is the input. A click on a chart sets it.")
    decades = controls.choice("decades", "Powers of ten shown", list(DECADES))
    seeds = controls.slider("seeds", "Seeds", 1, 16, 8, help="The band spans all of them, the line is their median.")
    seed = controls.seed()

bands = lab.attempt(gradient_bands, n_seeds=seeds, seed=seed, depth=depth, gain=gain, activation=activation)
layer = min(layer, depth)
levels, y_range = range(depth + 1), DECADES[decades]

left, right = lab.columns(2)
ratios = ", ".join(f"{NAMES[key]} {number(band.ratio)}" for key, band in bands.items())
with left:
    lines = [
        Series(NAMES[key], band.middle, COLOURS[key], dash=DASHES[key], band=(band.lowest, band.highest))
        for key, band in bands.items()
    ]
    charts.show("gradients", charts.lines(
            levels, lines, title="Norm of the gradient, 1 at the top", x_title="layer (0 is the input)", x_range=(0, depth),
            y_range=y_range, log_y=True, height=400, marks=[Mark(layer, None, "")],
        ), f"The gradient's norm at every layer for four arrangements; at the input: {ratios}.", layer="x")  # fmt: skip
with right:
    lines = [Series(NAMES[key], band.activation_middle, COLOURS[key], dash=DASHES[key]) for key, band in bands.items()]
    tops = ", ".join(f"{NAMES[key]} {number(band.activation_middle[-1])}" for key, band in bands.items())
    charts.show("activations", charts.lines(
            levels, lines, title="Norm of what flows up", x_title="layer (0 is the input)", x_range=(0, depth),
            y_range=y_range, log_y=True, height=400, marks=[Mark(layer, None, "")],
        ), f"The norm of the batch at every layer for four arrangements; at the top: {tops}.", layer="x")  # fmt: skip

lab.step(
    "First against last",
    *(
        rf"\textbf{{{NAMES[key]}}}\quad {BACKWARD[key]} \qquad \frac{{\lVert g_0 \rVert}}{{\lVert g_{{{depth}}} \rVert}}"
        rf" = {bare(band.ratio)} = {bare(band.per_layer)}^{{{depth}}}"
        for key, band in bands.items()
    ),
)  # fmt: skip
low, high = y_range
outside = [NAMES[key] for key, band in bands.items() if band.lowest.min() < low or band.highest.max() > high]
kept = [NAMES[key] for key, band in bands.items() if (band.gradient_norms == 1).all()]
words = [
    f"**{NAMES[key]}** multiplies the gradient by **{number(band.ratio)}** on its way to the input, {number(band.per_layer)} a layer. "
    f"At layer {layer} it stands at {number(band.middle[layer])}, {number(band.lowest[layer])} … {number(band.highest[layer])} over the seeds."
    for key, band in bands.items()
]  # fmt: skip
lab.notice(
    *words,
    f"Exactly 1 at every layer and for every seed: **{', '.join(kept)}**." if kept
    else "No arrangement here passes the gradient on exactly unchanged.",
    f"The input has a norm of {number(bands['residual'].activation_middle[0])}; at the top residual has {number(bands['residual'].activation_middle[-1])}, "
    f"pre-norm {number(bands['pre_norm'].activation_middle[-1])}, post-norm {number(bands['post_norm'].activation_middle[-1])}.",
    *([f"Some of {', '.join(outside)} leaves the picture: show more powers of ten. 0 has no place on a log axis at all."] if outside else []),
)  # fmt: skip
lab.try_this(
    ("Silent sublayers", "With gain 0 every F outputs 0. Which arrangements still pass the gradient on?", {"gain": 0.0}),
    ("A chain of halves", "Without an activation, what do twelve layers of gain 0.5 leave?", {"gain": 0.5, "activation": "identity"}),
    ("Forty-eight layers", "Which of the four could still be trained?", {"depth": 48, "decades": "±12"}),
    ("Residual alone", "Nothing vanishes on the residual path. What goes wrong instead?", {"gain": 2.0, "depth": 24, "decades": "±12"}),
)  # fmt: skip
silent = {key: gradient_by_depth(key, depth=1, gain=0.0, rng=np.random.default_rng([seed, 0])) for key in NAMES}
lab.conventions(
    ("Layer norm before or after the residual path: ‖g₀‖ today", f"both are drawn; before, as in GPT-2 and the Annotated Transformer's code: {number(bands['pre_norm'].ratio)}", f"after, as in the paper of 2017 and the Annotated Transformer's text: {number(bands['post_norm'].ratio)}"),
    ("What one silent sublayer leaves of the gradient", f"residual {number(silent['residual'].gradient_norms[0])}, pre-norm {number(silent['pre_norm'].gradient_norms[0])}: the path itself is untouched", f"plain {number(silent['plain'].gradient_norms[0])}; post-norm {number(silent['post_norm'].gradient_norms[0])}: "
        "each norm divides by the row's spread and takes out the row's mean and its own direction"),
)  # fmt: skip
function, derivative = snippets.activation(activation, "h"), snippets.slope(activation, "h")
lab.take_away({key: band.gradient_norms for key, band in bands.items()} | {"up": {key: band.activation_norms for key, band in bands.items()}}, code=f"""
def spread(x):
    return np.sqrt(x.var(-1, keepdims=True) + 1e-5)
def layer_norm(x):
    return (x - x.mean(-1, keepdims=True)) / spread(x)
def layer_norm_back(d, x):
    n = layer_norm(x)
    return (d - d.mean(-1, keepdims=True) - n * (d * n).mean(-1, keepdims=True)) / spread(x)
def gradient_norms(kind, number):
    rng = np.random.default_rng([seed, number])
    x, g = rng.normal(size=(2, 4, 8))
    q, r = np.linalg.qr(rng.normal(size=(depth, 8, 8)))
    weights = gain * q * np.where(np.diagonal(r, axis1=1, axis2=2) < 0, -1, 1)[:, None, :]
    layers, norms = [], [np.linalg.norm(g)]
    for W in weights:
        h = (layer_norm(x) if kind == "pre_norm" else x) @ W
        total = {function} + (0 if kind == "plain" else x)
        layers.append((W, x, h, total))
        x = layer_norm(total) if kind == "post_norm" else total
    for W, x, h, total in reversed(layers):
        g = layer_norm_back(g, total) if kind == "post_norm" else g
        branch = (g * {derivative}) @ W.T
        branch = layer_norm_back(branch, x) if kind == "pre_norm" else branch
        g = branch if kind == "plain" else g + branch
        norms.append(np.linalg.norm(g))
    return np.array(norms[::-1]) / norms[0]
kinds = ("plain", "residual", "pre_norm", "post_norm")
plain, residual, pre_norm, post_norm = (np.array([gradient_norms(kind, i) for i in range(seeds)]) for kind in kinds)
""", seed=seed, seeds=seeds, depth=depth, gain=gain)  # fmt: skip
lab.source(gradient_bands, trace_stack)

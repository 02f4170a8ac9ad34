"""How much of a gradient still reaches the first layer, and what do the residual path and layer norm do for it?"""

import numpy as np

from engine.depth import gradient_bands, gradient_by_depth, trace_stack
from ui import charts
from ui.charts import Mark, Series
from ui.labs.gradient_by_depth import between, beyond, explodes, in_silence, unchanged, warm_up, within_ten
from ui.page import controls, lab
from ui.page.recall import recall
from ui.questions.gradient_by_depth import QUESTIONS
from ui.snippets import shared
from ui.words import counted, told

NAMES = {"plain": "plain", "residual": "residual", "pre_norm": "pre-norm", "post_norm": "post-norm"}
COLOURS = dict(zip(NAMES, ("way_0", "way_1", "way_2", "way_3"), strict=True))
DASHES = {"plain": "solid", "residual": "solid", "pre_norm": "dash", "post_norm": "dot"}
ACTIVATIONS = ["relu", "tanh", "silu", "identity"]
DECADES = {"±4": (1e-4, 1e4), "±12": (1e-12, 1e12), "±24": (1e-24, 1e24)}
BACKWARD = {  # N and J: the Jacobians of layer norm and of F
    "plain": r"g_{l} = J^\top g_{l+1}",
    "residual": r"g_{l} = g_{l+1} + J^\top g_{l+1}",
    "pre_norm": r"g_{l} = g_{l+1} + N^\top J^\top g_{l+1}",
    "post_norm": r"g_{l} = (I + J^\top)\, N^\top g_{l+1}",
}

lab.begin(__file__, QUESTIONS)
with lab.panel():
    gain = controls.slider("gain", "Gain of the weights", 0.0, 2.0, 1.0, step=0.05, help="0 silences every sublayer F.")
    depth = controls.slider("depth", "Layers", 1, 48, 12)
    activation = controls.choice("activation", "Activation", ACTIVATIONS, help="F(x) = activation(x·W)")
    about = "0 is the input. A click on a chart sets it."
    layer = controls.index("layer", "Layer looked at", depth + 1, 0, help=about)
    decades = controls.choice("decades", "Powers of ten shown", list(DECADES))
    seeds = controls.slider("seeds", "Seeds", 1, 16, 8, help="The band spans all of them, the line is their median.")
    seed = controls.seed()

settings = {"n_seeds": seeds, "seed": seed, "gain": gain, "activation": activation}
bands = lab.attempt(recall, gradient_bands, depth=depth, **settings)
alone = {"depth": 1, "gain": 0.0, "activation": activation}
one_layer = lambda key: gradient_by_depth(key, **alone, rng=np.random.default_rng([seed, 0]))
low, high = DECADES[decades]
each = {
    key: told(
        ratio=band.ratio,
        per_layer=band.per_layer,
        here=band.middle[layer],
        lowest=band.lowest[layer],
        highest=band.highest[layer],
        start=band.activation_middle[0],
        top=band.activation_middle[-1],
        by_weights=band.top_weights,
        of_one=band.first_weights,
    )
    for key, band in bands.items()
}
plain, residual, pre_norm, post_norm = each.values()
named = {NAMES[key]: band for key, band in bands.items()}
lab.shape(f"{counted(depth, 'layer', 'layers')} × width 8 · a batch of 4")

view = {"x_title": "layer (0 is the input)", "x_range": (0, depth), "y_range": (low, high), "log_y": True}
view |= {"height": 400, "marks": [Mark(layer, None, "")]}
left, right = lab.columns(2)
with left:
    series = [
        Series(NAMES[key], band.middle, COLOURS[key], dash=DASHES[key], band=(band.lowest, band.highest))
        for key, band in bands.items()
    ]
    figure = charts.lines(range(depth + 1), series, title="Norm of the gradient, 1 at the top", **view)
    ratios = ", ".join(f"{NAMES[key]} {one.ratio}" for key, one in each.items())
    alt = f"The gradient's norm at every layer for four arrangements; at the input: {ratios}."
    charts.show("gradients", figure, alt, layer="x", plays=("depth", 1, 48))
with right:
    series = [Series(NAMES[key], band.activation_middle, COLOURS[key], dash=DASHES[key]) for key, band in bands.items()]
    figure = charts.lines(range(depth + 1), series, title="Norm of what flows up", **view)
    reached = ", ".join(f"{NAMES[key]} {one.top}" for key, one in each.items())
    alt = f"The norm of the batch at every layer for four arrangements; at the top: {reached}."
    charts.show("activations", figure, alt, layer="x")
lab.say("Each norm ‖·‖ is that of a whole batch, 4 rows of 8 numbers. The weights are drawn at random and not trained.")

fraction = rf"\frac{{\lVert g_0 \rVert}}{{\lVert g_{{{depth}}} \rVert}}"
lab.step(
    "First against last",
    *(
        rf"\textbf{{{NAMES[key]}}}\quad {BACKWARD[key]} \qquad {fraction} = {one.ratio:bare}"
        rf" = {one.per_layer:bare}^{{{depth}}}"
        for key, one in each.items()
    ),
)

lab.notice(
    *(
        f"**{NAMES[key]}** multiplies the gradient by **{one.ratio}** on its way to the input, {one.per_layer} a layer."
        f" At layer {layer} it stands at {one.here}{between(one, seeds)}."
        for key, one in each.items()
    ),
    *unchanged(named),
    within_ten(named),
    explodes(residual),
    f"The input has a norm of {plain.start}; at the top residual has {residual.top}, pre-norm {pre_norm.top}, "
    f"post-norm {post_norm.top}.",
    warm_up(pre_norm, post_norm),
    *([in_silence(one_layer("plain"), one_layer("post_norm"))] if gain == 0 else []),
    *beyond(named, low, high, more=decades != "±24"),
)
lab.conventions(
    (
        "Layer norm before or after the residual path: ‖g₀‖ now",
        f"both are drawn; before, as in GPT-2 and the Annotated Transformer's code: {pre_norm.ratio}",
        f"after, as in Vaswani et al. 2017 and the Annotated Transformer's text: {post_norm.ratio}",
    ),
    (
        "One more norm on top of a pre-norm stack",
        "none is drawn: the gradient starts at the last sum, with norm 1",
        f"GPT-2 and Llama have one: the top layer's weights get {pre_norm.by_weights}",
    ),
)
numbers = {key: band.gradient_norms for key, band in bands.items()}
numbers |= {"up": {key: band.activation_norms for key, band in bands.items()}}
swaps = [(code("relu", "h"), code(activation, "h")) for code in (shared.activation, shared.slope)]
lab.take_away(numbers, *swaps, seed=seed, seeds=seeds, depth=depth, gain=gain)
lab.source(gradient_bands, trace_stack)

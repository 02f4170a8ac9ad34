"""How do a few words become a distribution over the next one, number by number?"""

import numpy as np
import streamlit as st

from engine.attention import attention_mask
from engine.feed_forward import ACTIVATIONS
from engine.sampling import draw_sequence, next_token
from engine.softmax import favourites
from engine.transformer import forward, layers_used
from engine.weights import load_weights
from ui import charts
from ui.charts import Series
from ui.labs.forward_pass import program, stages
from ui.labs.forward_pass.walk import append, choose, walk
from ui.page import controls, lab, model, parse
from ui.snippets import shared
from ui.words import listed, told

lab.begin(__file__)
with lab.panel():
    above = st.container()
    with lab.folded("Load a model"):
        weights = model.control(load_weights)
    words, n_positions, n_heads = parse.typed(weights.vocabulary), len(weights.W_P), len(weights.layers[0].heads)
    with above:
        read = lambda text: parse.tokens(text, vocabulary=words, most=n_positions)
        about = f"1 to {n_positions} of: {listed(words[:12])}. Any order, repeats allowed."
        ids = controls.text("tokens", "Tokens", " ".join(words[:3]), read, help=about)
        below = st.container()
        causal = controls.toggle("causal", "Causal mask", True, help="No token sees a later one.")
        scale = controls.toggle("scale", "Divide scores by √d_k", True)
        about = "After each residual sum, before each sublayer, or nowhere."
        placement = controls.choice("norm", "Layer norm", ["post", "pre", "none"], help=about)
        activation = controls.choice("activation", "Activation", list(ACTIVATIONS), "relu")
        n_layers = controls.slider("layers", "Times the layer is stacked", 1, 12, len(weights.layers))
        heads = [f"Head {h + 1}" for h in range(n_heads)]
        speaking = controls.several("heads", "Heads that speak", heads, heads)
        with lab.folded("How the next token is chosen"):
            temperature = controls.slider("temperature", "Temperature, 0 = greedy", 0.0, 3.0, 0.0, step=0.1)
            top_k = controls.slider("top_k", "top-k", 1, len(words), len(words), help="All the way right cuts nothing.")
            top_p = controls.slider("top_p", "top-p", 0.0, 1.0, 1.0, step=0.05, help="1 cuts nothing.")
            seed = controls.seed()

active = np.array([name in speaking for name in heads])
options = {"causal": causal, "scale": scale, "norm_placement": placement, "activation": activation}
options |= {"n_layers": n_layers, "active_heads": active}
trace = lab.attempt(forward, weights, ids, **options)
elsewhere = "post" if placement == "pre" else "pre"
moved = forward(weights, ids, **options | {"norm_placement": elsewhere})
unscaled = forward(weights, ids, **options | {"scale": not scale})
choice = next_token(trace.logits[-1], temperature=temperature, top_k=top_k, top_p=top_p)
token = int(draw_sequence(choice.out, 1, np.random.default_rng([seed, len(ids)]))[0])
probs, logits, tokens = trace.probs[-1], trace.logits[-1], [words[i] for i in ids]
best, *tied = favourites(probs)

step, head, layer = choose(placement, heads, n_layers)
weight = trace.blocks[0].attention.heads[head].weights[-1]
at = int(weight.argmax())
now = told(
    said=" ".join(tokens),
    best=words[best],
    prob=probs[best],
    moved=moved.probs[-1, best],
    unscaled=unscaled.probs[-1, best],
    token=words[token],
    weight=weight[at],
    to=tokens[at],
    low=logits.min(),
    high=logits.max(),
)
mask = attention_mask(len(ids), causal=causal)
view = stages.View(trace, weights, layers_used(weights, n_layers), layer, head, tokens, mask, options)
walk(stages.cells(view, step), step=step, most=(n_positions, 6))
rule = "greedy choice" if temperature == 0 else "after temperature and filters"
both = [Series("model", probs, "ghost"), Series(rule, choice.out, "query")]
bars = charts.bars(list(words), both, title="The next token", y_range=(0, 1.12), height=250)
alt = f"Probabilities of the next token; the model's favourite is {now.best!s} with {now.prob}."
charts.show("next", bars, alt)
append(below, tokens, now.token, n_positions)

lab.notice(
    f"After “{now.said}” the model's favourite is **{now.best}** with {now.prob}"
    f"{f', tied with {len(tied)} more' if tied else ''}; by today's rule the next token is **{now.token}**.",
    f"In the first layer, {heads[head]} lets the last token give {now.weight} to {now.to} at position {at}, "
    "and no more to any other.",
    f"{len(speaking)} of {n_heads} heads speak"
    + ("." if speaking else ": attention adds 0, and only the residual path carries the words."),
    f"The logits of the last token run from {now.low} to {now.high}.",
)
lab.try_this(
    (
        "Head 1 alone",
        "Heads 2 and 3 are illustrative: does the favourite change when only Head 1 speaks?",
        {"heads": heads[:1], "step": "Mix heads"},
    ),
    (
        "The same word five times",
        "Five times the first word: which matrix still tells the places apart?",
        {"tokens": " ".join([words[0]] * min(5, n_positions)), "step": "Embed"},
    ),
    (
        "Twelve layers deep",
        "Stack the layer twelve times without any norm: how large do the logits grow?",
        {"layers": 12, "norm": "none", "step": "Predict"},
    ),
    (
        "Look ahead",
        "Without the causal mask, does the first row of weights change, and the last?",
        {"causal": False, "step": "Attend"},
    ),
)
on, off = ("on", "off") if scale else ("off", "on")
lab.conventions(
    ("Where the norms sit", f"{placement}: {now.best} {now.prob:4}", f"{elsewhere}: {now.best} {now.moved:4}"),
    ("Dividing by √d_k", f"{on}: {now.best} {now.prob:4}", f"{off}: {now.best} {now.unscaled:4}"),
)
swap = shared.activation("gelu", "z"), shared.activation(activation, "z")
lab.take_away(trace._asdict() | {"next_token": choice.out}, swap, **program.inputs(weights, ids, options))
lab.source(forward)

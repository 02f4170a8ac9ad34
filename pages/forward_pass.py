"""How do a few words become a distribution over the next one, number by number?"""

import numpy as np
import streamlit as st

from engine.attention import causal_mask
from engine.feed_forward import ACTIVATIONS
from engine.sampling import draw_sequence, next_token
from engine.transformer import forward, layers_used
from engine.weights import load_weights
from ui import charts, run
from ui import words as worked
from ui.charts import Series
from ui.labs.forward_pass import stages
from ui.labs.forward_pass.walk import walk
from ui.page import controls, lab, model, parse
from ui.snippets import shared as snippets
from ui.words import number

lab.begin(__file__)
with lab.panel():
    place = st.container()
    with lab.folded("Load a model"):
        weights = model.control(load_weights)
    words, n_positions, n_heads = parse.typed(weights.vocabulary), len(weights.W_P), len(weights.layers[0].heads)
    with place:
        read = lambda text: parse.tokens(text, vocabulary=words, most=n_positions)
        known = f"1 to {n_positions} of: {', '.join(map(worked.plain, words[:12]))}. Any order, repeats allowed."
        ids = controls.text("tokens", "Tokens", " ".join(words[:3]), read, help=known)
        append = st.container()
        causal = controls.toggle("causal", "Causal mask", True, help="No token sees a later one.")
        scale = controls.toggle("scale", "Divide scores by √d_k", True)
        where = "After each residual sum, before each sublayer, or nowhere."
        placement = controls.choice("norm", "Layer norm", ["post", "pre", "none"], help=where)
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
options = {
    "causal": causal,
    "scale": scale,
    "norm_placement": placement,
    "activation": activation,
    "n_layers": n_layers,
    "active_heads": active,
}
trace = lab.attempt(forward, weights, ids, **options)
tokens = [words[i] for i in ids]
step = controls.choice("step", "Step", stages.names(placement), "Attend", wide=True)
of_head = step in ("Q K V", "Attend")
first, second = lab.columns(2)
with first, lab.group("head_shown", of_head):
    head = heads.index(controls.choice("head", "Head shown", heads))
with second if of_head else first, lab.group("layer_shown", n_layers > 1 and step not in ("Embed", "Predict")):
    top = n_layers - 1
    shown = min(controls.slider("layer", f"Layer shown, 0 to {top}", 0, 11, 0), top)
view = stages.View(
    trace, weights, trace.blocks[shown], layers_used(weights, n_layers)[shown], trace.blocks[shown - 1].out if shown else trace.x,
    head, tokens, causal_mask(len(ids)) if causal else np.ones((len(ids), len(ids)), bool), scale, activation, placement,
)  # fmt: skip
walk(stages.cells(view, step), step=step, per_row={"Q K V": 4, "Predict": 2}.get(step, 3), most=(n_positions, 6))

choice = next_token(trace.logits[-1], temperature=temperature, top_k=top_k, top_p=top_p)
token = int(draw_sequence(choice.out, 1, np.random.default_rng([seed, len(ids)]))[0])
best, *tied = np.flatnonzero(trace.probs[-1] >= trace.probs[-1].max() - 1e-12).tolist()
rule = "greedy choice" if temperature == 0 else "after temperature and filters"
bars = [Series("model", trace.probs[-1], "ghost"), Series(rule, choice.out, "query")]
charts.show(
    "next",
    charts.bars(list(words), bars, title="The next token", y_range=(0, 1.12), height=250),
    f"Probabilities of the next token; the model's favourite is {words[best]} with {number(trace.probs[-1, best])}.",
)
full = len(ids) >= n_positions
append.button(
    f"Append “{worked.plain(words[token])}”" if not full else f"All {n_positions} positions are used",
    key=run.key("append"), icon=":material/add:", type="primary", disabled=full,
    on_click=controls.assign, args=({run.key("tokens"): " ".join([*tokens, words[token]])},),
)  # fmt: skip

weight = trace.blocks[0].attention.heads[head].weights[-1]
lab.notice(
    f"After “{worked.plain(' '.join(tokens))}” the model's favourite is **{worked.plain(words[best])}** with {number(trace.probs[-1, best])}{f', tied with {len(tied)} more' if tied else ''}; by today's rule the next token is **{worked.plain(words[token])}**.",
    f"In the first layer, {worked.plain(heads[head])} lets the last token give {number(weight.max())} to {worked.plain(tokens[int(weight.argmax())])} at position {int(weight.argmax())}, and no more to any other.",
    f"{int(active.sum())} of {n_heads} heads speak"
    + ("." if active.any() else ": attention adds 0, and only the residual path carries the words."),
    f"The logits of the last token run from {number(trace.logits[-1].min())} to {number(trace.logits[-1].max())}.",
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
others = {"scale": not scale, "norm_placement": "pre" if placement != "pre" else "post"}
unscaled, moved = (forward(weights, ids, **options | {name: other}) for name, other in others.items())
favourite = lambda other: f"{worked.plain(words[best])} {number(other.probs[-1, best], 4)}"
lab.conventions(
    ("Where the norms sit", f"{placement}: {favourite(trace)}", f"{others['norm_placement']}: {favourite(moved)}"),
    (
        "Dividing by √d_k",
        f"{'on' if scale else 'off'}: {favourite(trace)}",
        f"{'off' if scale else 'on'}: {favourite(unscaled)}",
    ),
)
lab.take_away(trace._asdict() | {"next_token": choice.out}, code=snippets.forward(activation), ids=list(ids), n_layers=n_layers, causal=causal, scale=scale, placement=placement, active=active, **snippets.model_inputs(weights))  # fmt: skip
lab.source(forward)

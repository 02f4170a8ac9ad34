"""What does the whole model learn from a few sentences, step by step and weight by weight?"""

import numpy as np
import streamlit as st

from engine.attention import attention_mask
from engine.feed_forward import ACTIVATIONS
from engine.optimizers import SGD, Adam, AdamW, Momentum, Nesterov, RMSProp
from engine.training import backward, central_difference, flatten, init_weights, train, unflatten, write_on
from engine.training.story import SENTENCES, storyteller
from engine.transformer import PLACEMENTS, forward
from engine.weights import as_rows, dump_weights, load_weights, matrices
from ui import charts
from ui.labs.model_learns import chain, corpus, pictures, program, said
from ui.page import controls, lab, model, parse
from ui.page.recall import recall
from ui.questions.model_learns import QUESTIONS
from ui.words import counted, listed, told

RATES = [*(float(f"{digit}e{power}") for power in range(-4, 1) for digit in range(1, 10)), 10.0]
BETAS, DECAYS = [0.0, 0.5, 0.8, 0.9, 0.95, 0.99, 0.999], [0.0, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0]
OPTIMIZERS, H = ["Adam", "AdamW", "SGD", "Momentum", "Nesterov", "RMSProp"], 1e-5
MOST, WORK = 400, 100_000_000  # steps, and what is counted of a run: all six sentences of the toy in all steps

lab.begin(__file__, QUESTIONS)
with lab.panel():
    above = st.container()
    with lab.folded("Load a model"):
        own = model.control(load_weights, above, storyteller=storyteller)
    words, longest = parse.typed(own.vocabulary), min(len(own.W_P) + 1, corpus.MOST_WORDS)
    with above:
        read = lambda text: corpus.read(text, words, longest)
        about = f"Up to {corpus.MOST_LINES} lines of 2 to {longest} of the words {listed(words[:12])}."
        given = corpus.default(words, longest, SENTENCES)
        lines = controls.text("sentences", "Sentences", given, read, height=92, help=about)
        lr = controls.stops("lr", "Learning rate η", RATES, 0.03, show="{:g}".format)
        n_steps = controls.slider("steps", "Steps", 0, MOST, 200)
        looked_at = st.container()
        causal = controls.toggle("causal", "Causal mask", True, help="No token sees a later one.")
        about, kinds = "All others stay as they are.", list(said.KINDS)
        moves = controls.several("moves", "Matrices that may move", kinds, kinds, help=about)
        with lab.folded("Optimizer"):
            kind = controls.choice("optimizer", "Optimizer", OPTIMIZERS)
            adam, written = kind.startswith("Adam"), "{:g}".format
            with lab.group("momentum", kind != "SGD"):
                about = "The share of the running mean, or of the velocity, that stays."
                beta = controls.stops("beta", "β, of Adam β₁", BETAS, 0.9, show=written, help=about)
            with lab.group("squares", adam):
                beta_2 = controls.stops("beta_2", "β₂", BETAS, 0.999, show=written)
            decay = controls.stops("decay", "Weight decay λ", DECAYS, 0.0, show=written)
        with lab.folded("Start and build"):
            about = "As it is, or drawn at random: matrices of Glorot and Bengio's size times the scale, biases 0."
            start = controls.choice("start", "Start", ["the model", "drawn"], help=about)
            with lab.group("drawn", start == "drawn"):
                scale, seed = controls.slider("scale", "Scale", 0.0, 3.0, 1.0, step=0.1), controls.seed()
            placement = controls.choice("norm", "Layer norm", list(PLACEMENTS))
            activation = controls.choice("activation", "Activation", list(ACTIVATIONS), "relu")
            heads = [f"head {h}" for h in range(len(own.layers[0].heads))]
            speaking = controls.several("heads", "Heads that speak", heads, heads)
        arrays = matrices(own)
        looked = controls.which("line", "Sentence looked at", [str(i + 1) for i in range(len(lines))], wide=True)
        name = controls.choice("matrix", "Matrix looked at", list(arrays), "layers[0].W_O")
        n_rows, n_columns = as_rows(arrays[name]).shape
        about = "A click on the matrix sets both."
        row = controls.index("row", f"Row, 0 to {n_rows - 1}", n_rows, help=about)
        column = controls.index("column", f"Column, 0 to {n_columns - 1}", n_columns)

active = np.array([head in speaking for head in heads])
options = {"causal": causal, "norm_placement": placement, "activation": activation, "active_heads": active}
usual = {"lr": lr, "weight_decay": decay}
optimizer = {
    "SGD": lambda: SGD(**usual),
    "Momentum": lambda: Momentum(beta=beta, **usual),
    "Nesterov": lambda: Nesterov(beta=beta, **usual),
    "RMSProp": lambda: RMSProp(beta=beta, **usual),
    "Adam": lambda: Adam(beta1=beta, beta2=beta_2, **usual),
    "AdamW": lambda: AdamW(beta1=beta, beta2=beta_2, **usual),
}[kind]()
begun = own
if start == "drawn":
    sizes = {"d_model": own.W_E.shape[1], "n_heads": len(heads), "d_k": own.layers[0].heads[0].W_Q.shape[1]}
    sizes |= {"d_ff": len(own.layers[0].b_1), "n_layers": len(own.layers), "n_positions": len(own.W_P)}
    begun = init_weights(own.vocabulary, **sizes, scale=scale, rng=np.random.default_rng(seed))
moving = said.of_kinds(moves, list(arrays))
settings = {"trainable": moving or None, "most_operations": WORK} | options
run = lab.attempt(recall, train, begun, lines, optimizer, n_steps if moving else 0, **settings)
with looked_at:
    about = "Ends where the run ends. The player under the loss shows it too."
    at = controls.index("step", "Step looked at", len(run.losses), MOST, help=about)
weights, line = run.at(at), lines[looked]
gradients, total = matrices(run.gradient_at(at)), sum(len(one) - 1 for one in lines)
step_back = lambda one: recall(backward, weights, one[:-1], one[1:], **options)
passes = [chain.Pass(one, lab.attempt(step_back, one), (len(one) - 1) / total) for one in lines]
shown, tokens = passes[looked].back, [words[i] for i in line[:-1]]
before = shown.forward if at == 0 else lab.attempt(forward, begun, line[:-1], **options)
values, slopes = as_rows(matrices(weights)[name]), as_rows(gradients[name])
cell, gradient, place = (row, column), slopes[row, column], (row, column)[-gradients[name].ndim :]
difference = lab.attempt(central_difference, weights, lines, name, place, h=H, **options)
now = told(loss=run.losses[at], floor=run.floor, name=name, gradient=gradient, weight=values[row, column])
lab.shape(f"all {run.snapshots.shape[1]} parameters")
with lab.panel():
    dump = lambda decimals: dump_weights(unflatten(np.round(flatten(weights), decimals), weights))
    model.hand_on(dump, run.snapshots.shape[1], said.of_use(at, options))
left, right = lab.columns(2)
with left:
    alt = f"The loss by step; at step {at} it is {now.loss}, the floor is {now.floor}."
    drags = [charts.Handle({"step": lambda place: round(place["x"])}, x=at)]
    stopped = lambda click: click.get("step", click.get("x"))
    charts.show("loss", pictures.loss(run, len(words), n_steps, at), alt, drags=drags, step=stopped)
with right:
    alt = f"The length of each matrix's gradient by step, on a log axis; {name} is chosen, {now.name} stands out."
    charts.show("norms", pictures.norms(run, name, n_steps, at), alt, drags=drags, step=stopped)
ahead = lab.attempt(write_on, weights, line[:1], len(line) - 1, **options)
mask, silent = attention_mask(len(tokens), causal=causal), ~active
alt = f"Next words and the maps of {counted(len(heads), 'head', 'heads')} at step {at} for the sentence looked at."
charts.show("seen", pictures.seen(shown.forward, line, words, mask, silent), alt)
lab.say(said.of_writing(words, line, ahead, shown.forward.probs, causal))
alt = f"{name} and its gradient at step {at}; the outlined cell is {now.weight}, its gradient {now.gradient}."
picture = pictures.weight_and_gradient(values, slopes, name, *program.sides(name, words, values.shape), cell)
charts.show("matrix", picture, alt, row="row", column="column")

found = chain.factors(name, cell, passes, placement)
lab.step(
    f"The gradient of the outlined cell at step {at}: at each token what it is multiplied with, times what is behind",
    chain.written(name, cell, found, gradient),
    chain.definition(name, cell, difference, gradient, H),
)
lab.step(
    chain.where(name, passes, found, words),
    chain.way_back(name, passes[found.sentence], found.position, placement),
)
lab.notice(
    *said.of_loss(run, n_steps, at, len(words), causal),
    *said.of_forks(corpus.forks(lines, line), tokens, shown.per_token),
    *said.of_gradients(run, at, np.flatnonzero(silent).tolist(), shown.forward.blocks[-1].out),
    *said.of_frozen(moving, {part: array.size for part, array in arrays.items()}),
    *said.of_attention(before, shown.forward, tokens, at, active),
    *said.of_check(difference, gradient, name, H),
)
betas = (beta, beta_2) if adam else (0.9, 0.999)
lab.conventions(lambda: said.libraries_differ(run, at, values[row, column], gradient, lr, betas))
lab.slips(lambda: said.slips(shown.forward, line, len(words), shown.per_token))
settings = {"optimizer": kind, "lr": lr, "beta": beta, "beta_2": beta_2, "decay": decay, "n_steps": len(run.losses) - 1}
facts = {"probs": shown.forward.probs, "line": line, "written": ahead}
lab.take_away(
    {"losses": run.losses, "floor": run.floor},
    *program.swaps(activation),
    facts=facts | program.facts(run, at, matrices(weights), gradients),
    **program.inputs(begun, lines, moving, settings, options),
)
lab.source(train, backward, central_difference)

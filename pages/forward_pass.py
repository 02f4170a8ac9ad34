"""How do a few words become a distribution over the next one, number by number?"""

from functools import partial

import numpy as np
import streamlit as st

from engine.attention import attention_mask
from engine.feed_forward import ACTIVATIONS
from engine.sampling import draw_sequence, next_token
from engine.softmax import favourites
from engine.training import PROMPTS, SENTENCES, backward, storyteller
from engine.transformer import PLACEMENTS, forward, layers_used
from engine.weights import load_weights
from ui import charts
from ui.charts import Series
from ui.labs.forward_pass import notes, program, stages
from ui.labs.forward_pass.back import Back
from ui.labs.forward_pass.gradients import MOST_CELLS, fit, slopes
from ui.labs.forward_pass.view import View
from ui.labs.forward_pass.walk import append, choose, to_the_end, walk
from ui.page import controls, lab, model, parse
from ui.page.recall import recall
from ui.questions.forward_pass import QUESTIONS
from ui.snippets import shared
from ui.words import counted, listed, told

lab.begin(__file__, QUESTIONS)
with lab.panel():
    above = st.container()
    with lab.folded("Load a model"):
        weights = model.control(load_weights, above, storyteller=storyteller)
    words, n_positions, n_heads = parse.typed(weights.vocabulary), len(weights.W_P), len(weights.layers[0].heads)
    with above:
        read = lambda text: parse.tokens(text, vocabulary=words, most=n_positions)
        about = f"1 to {n_positions} of: {listed(words[:12])}. Any order, repeats allowed."
        begun = notes.beginning(words, n_positions, PROMPTS)
        ids = controls.text("tokens", "Tokens", begun, read, help=about)
        below = st.container()
        causal = controls.toggle("causal", "Causal mask", True, help="No token sees a later one.")
        scale = controls.toggle("scale", "Divide scores by √d_k", True)
        about = "After each residual sum, before each sublayer, or nowhere."
        placement = controls.choice("norm", "Layer norm", list(PLACEMENTS), help=about)
        about = "As GPT-2's ln_f and Llama's norm; with γ = 1 and β = 0, since the model has no row for it."
        final = controls.toggle("final", "Norm before W_LM_head", False, help=about)
        activation = controls.choice("activation", "Activation", list(ACTIVATIONS), "relu")
        n_layers = controls.slider("layers", "Times the layer is stacked", 1, 12, len(weights.layers))
        heads = [f"head {h}" for h in range(n_heads)]
        speaking = controls.several("heads", "Heads that speak", heads, heads)
        about = "Under each matrix the derivative of the loss by it, in pink; a click on a cell writes out its chain."
        learning, right = controls.toggle("gradients", "Gradients of −log p(next)", help=about), 0
        if learning:
            follows = notes.following([words[i] for i in ids], SENTENCES, words)
            right = controls.which("right", "The right next token", list(words), follows)
        with lab.folded("How the next token is chosen"):
            temperature = controls.slider("temperature", "Temperature, 0 = greedy", 0.0, 3.0, 0.0, step=0.1)
            top_k = controls.slider("top_k", "top-k", 1, len(words), len(words), help="All the way right cuts nothing.")
            top_p = controls.slider("top_p", "top-p", 0.0, 1.0, 1.0, step=0.05, help="1 cuts nothing.")
            seed = controls.seed()

n, active = len(ids), np.array([name in speaking for name in heads])
options = {"causal": causal, "scale": scale, "norm_placement": placement, "final_norm": final}
options |= {"activation": activation, "n_layers": n_layers, "active_heads": active}
end = np.arange(n) == n - 1
back = lab.attempt_or_none(backward, weights, ids, [right] * n, mask=end, **options) if learning else None
run = partial(recall, forward)
trace = back.forward if back else lab.attempt(run, weights, ids, **options)
beside = notes.passes(run, weights, ids, options)
masked = trace if causal else beside(causal=True)
together = trace if active.all() else beside(active_heads=None)
once = trace if n_layers == 1 else beside(n_layers=1)
drawn = {"temperature": temperature, "top_k": top_k, "top_p": top_p}
choice = lab.attempt(next_token, trace.logits[-1], **drawn)
token = int(draw_sequence(choice.out, 1, np.random.default_rng([seed, n]))[0])
probs, tokens = trace.probs[-1], [words[i] for i in ids]
best, *tied = favourites(probs)
now = told(said=" ".join(tokens), best=words[best], prob=probs[best], token=words[token], tied=[words[i] for i in tied])
d_k, d_model = weights.layers[0].heads[0].W_Q.shape[1], weights.W_E.shape[1]
sizes = counted(n, "token", "tokens"), f"d_model = {d_model}", f"{counted(n_heads, 'head', 'heads')} of d_k = {d_k}"
lab.shape(" · ".join(sizes))

step, head, layer, pictures = choose(stages.names(placement, final), n_heads, n_layers)
mask = attention_mask(n, causal=causal)
view = View(trace, weights, layers_used(weights, n_layers), layer, head, tokens, mask, options)
cells, behind = stages.cells(view, step), Back(view, back, ACTIVATIONS[activation].derivative, ids, right)
walk(view, cells, slopes(behind, step) if back and fit(cells) else [], step=step, place=pictures)
rule = "greedy choice" if temperature == 0 else "after temperature and filters"
both = [Series("model", probs, "ghost"), Series(rule, choice.out, "query")]
bars = charts.bars(list(words), both, title="The next token", y_range=(0, 1.2), height=170 if len(words) <= 12 else 118)
alt = f"Probabilities of the next token; the model's favourite is “{now.best!s}” with {now.prob}."
with pictures:
    charts.show("next", bars, alt, **to_the_end(n))
    lab.say(
        f"After “{now.said}” the model's favourite is **“{now.best}”** with {now.prob}"
        + (f", tied with {now.tied}" if tied else "")
        + f"; the current rule takes **“{now.token}”**. "
        + notes.of_model(model.is_own(), len(SENTENCES) if weights is storyteller() else 0)
    )
append(below, tokens, now.token, n_positions)

lab.notice(
    *notes.of_weights(trace.blocks[0].attention.maps[head], tokens, head, bool(active[head])),
    *notes.of_heads(words, trace, together, active),
    *notes.of_depth(trace, once),
    *notes.of_mask(trace, masked, causal, head, words),
    *notes.of_places(trace, ids),
    *notes.of_loss(words[right], back, right, fit(cells), MOST_CELLS),
)
tell = lambda **other: notes.favourite(words, beside(**other) if other else trace, best)
lab.conventions(lambda: notes.libraries_differ(tell, placement, final=final, scale=scale))
swap = shared.activation("gelu", "z").strip("()"), shared.activation(activation, "z")
inputs = program.inputs(weights, ids, options, drawn | {"seed": seed})
lab.take_away(lambda: program.numbers(trace, choice.out, token), swap, **inputs)
lab.source(*([forward, backward] if back else [forward]))

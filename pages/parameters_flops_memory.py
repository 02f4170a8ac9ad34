"""How large is a model, what does one token cost it, and what does training it hold in memory?"""

import streamlit as st

from engine import accounting
from engine.training import storyteller
from engine.weights import load_weights
from ui import charts
from ui.labs.parameters_flops_memory.dials import model_dials
from ui.labs.parameters_flops_memory.drawn import areas, caches, flops_by_length, memory_beside_cards
from ui.labs.parameters_flops_memory.written import (
    against,
    budgeted,
    by_scores,
    bytes_held,
    cached,
    cost_of_a_token,
    kept_by_a_layer,
    noticed,
    parameter_sums,
    shared_out,
    ways_of_counting,
)
from ui.page import controls, lab, model
from ui.questions.parameters_flops_memory import QUESTIONS
from ui.words import counted, size

MINE = "this platform's model"
CONTEXTS, CARDS = [2**i for i in range(18)], 8
KINDS = {"biases": accounting.BIASES, "norm": accounting.NORMS, "positions": accounting.POSITIONS}

lab.begin(__file__, QUESTIONS)
with lab.panel():
    about = "Sizes as each model's config has them."
    preset = controls.choice("preset", "Model", [MINE, *accounting.PRESETS], help=about)
    if preset == MINE:
        above = st.container()
        with lab.folded("A model of your own"):
            weights = model.control(load_weights, above, storyteller=storyteller)
        base = accounting.config_of(weights)
    else:
        base = accounting.PRESETS[preset]
    toy = "storyteller" if preset == MINE and weights is storyteller() else "toy"
    own = toy if preset == MINE else preset  # each model keeps its own dials
    name, usual = f"{own}.sequence", max(n for n in CONTEXTS if n <= min(base.context, 4096))
    sequence = controls.stops(name, "Tokens in the sequence", CONTEXTS, usual, help="A click on a curve sets it.")
    batch = controls.stops("batch", "Sequences in the batch", [2**i for i in range(11)], 1)
    optimizer = controls.choice("optimizer", "Optimizer", list(accounting.OPTIMIZER_STATES), "adam")
    about = "mixed: 16 bit, with fp32 master weights. bf16: all of it in 16 bit."
    precision = controls.choice("precision", "Precision", list(accounting.PRECISIONS), "mixed", help=about)
    about = "Keep each layer's input only; compute the rest again."
    full = controls.toggle("checkpointing", "Full checkpointing", help=about)
    about = "fused: a kernel that never stores them. selective: computed again on the way back."
    scores = controls.choice("scores", "Attention scores", list(accounting.SCORES), help=about)
    about = "Every size and switch, starting from the model above."
    turned = controls.toggle("dials", "Turn the model's dials", help=about)
    start = accounting.dials_of(base)
    dials = model_dials(own, start, KINDS) if turned else start

config = lab.attempt(accounting.ModelConfig, **dials)
load = {"sequence": sequence, "batch": batch, "precision": precision, "optimizer": optimizer}
load["checkpointing"] = "full" if full else "none"
trace = accounting.account(config, **load, scores=scores, contexts=CONTEXTS)
before = accounting.account(base, **load, scores=scores, contexts=CONTEXTS) if turned else trace
held = {way: sum(accounting.training_memory(config, **load, scores=way).values()) for way in accounting.SCORES}
width = accounting.PRECISIONS[precision]
alone = sum(gpu.cards == 1 for gpu in trace.gpus)
layers = counted(config.n_layers, "layer", "layers")
lab.shape(f"{preset} · {layers} · d_model = {config.d_model:,} · heads: {config.n_heads}")

left, right = lab.columns(2)
with left:
    alt = ", ".join(f"{part} {n:,}" for part, n in trace.parts.items()) + f": {trace.parameters:,} in all, as areas."
    charts.show("parameters", areas(trace, preset, config.n_layers), alt)
with right:
    alt = f"FLOPs of a token by part against the length of its sequence; with {sequence:,} of them "
    alt += f"{trace.forward_total:,.0f} in all."
    charts.show("flops", flops_by_length(trace, CONTEXTS, sequence), alt, **{name: "x"})
alt = f"A training step holds {size(trace.memory_total, binary=True)}, by part, beside ten kinds of GPU, of which "
alt += f"{alone} can hold it alone."
charts.show("memory", memory_beside_cards(trace), alt)
if not config.encoder:
    alt = f"Bytes of keys and values against the tokens read, for {', '.join(map(str, trace.kv_sweep))} KV heads; "
    alt += f"this model has {config.n_kv_heads}."
    charts.show("cache", caches(trace.kv_sweep, CONTEXTS, sequence, config.n_kv_heads), alt, **{name: "x"})

lab.step("What one token costs, forward", cost_of_a_token(trace, config, sequence))
lab.say(
    "N counts every matrix a token is multiplied with; the second term, scores and mixing, grows with the sequence."
)
layer = kept_by_a_layer(trace, config, batch * sequence, sequence, width, stored=scores == "stored")
lab.step("What a layer keeps for its way back, in training", *layer)
lab.say(f"w is the bytes of a number, {width}: norms, queries, keys, values, what goes into W_O, dropout masks.")
if not config.encoder:
    lab.step("What the KV cache holds, in generating", cached(trace, config, sequence, batch, width))
lab.step("Every parameter, every byte")
lab.say(parameter_sums(trace))
lab.say(bytes_held(trace))

lab.notice(
    *noticed(trace, config, sequence, batch, CONTEXTS.index(sequence)),
    *by_scores(held, scores, sequence),
    against(preset, before, trace),
    budgeted(accounting.training_budget(config, sequence)),
)
counts, flops = accounting.parameter_conventions(config), accounting.flops_conventions(config, sequence)
adam, card = accounting.memory_conventions(config), accounting.GPU_MEMORY
lab.conventions(
    *ways_of_counting("What counts as a parameter", counts, 0),
    *ways_of_counting("FLOPs of learning from one token", flops, 1),
    *ways_of_counting("What training with Adam keeps, whatever the batch", adam, 0, size),
    shared_out(accounting.sharded_memory(trace.memory, CARDS), CARDS),
    (
        "The memory of a T4, and of an L40S",
        f"what nvidia-smi reports: {card['T4 16 GB']:.1f} GiB and {card['L40S 48 GB']:.1f} GiB",
        "NVIDIA's data sheets: 16 GB and 48 GB",
    ),
)
layer, slip = (size(n, binary=True) for n in (trace.layer_activations, trace.layer_activations_as_numbers))
lab.slips(("What a layer keeps for its way back", f"the formula gives bytes: {layer}", f"times 4 once more: {slip}"))
apart = ("rows", "sweep", "kv_sweep", "gpus", "inference_gpus")  # what the program does not make
numbers = {part: held for part, held in trace._asdict().items() if part not in apart}
states = {"states": accounting.OPTIMIZER_STATES[optimizer], "state_width": accounting.STATE_WIDTHS[precision]}
lab.take_away(numbers, **vars(config), **load, scores=scores, width=width, **states)
lab.source(accounting.account, accounting.folded_table, accounting.forward_flops_per_token, accounting.training_memory)

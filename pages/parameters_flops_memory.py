"""How large is a model, what does one token cost it, and what does training it hold in memory?"""

from engine import accounting
from engine.weights import load_weights
from ui import charts
from ui.labs.parameters_flops_memory import (
    areas,
    bytes_held,
    cached,
    caches,
    cost_of_a_token,
    flops_by_length,
    memory_beside_cards,
    model_dials,
    parameter_sums,
    ways_of_counting,
)
from ui.page import controls, lab, model
from ui.words import size

MINE = "this platform's model"
CONTEXTS = [2**i for i in range(18)]
KINDS = {"biases": accounting.BIASES, "norm": accounting.NORMS, "positions": accounting.POSITIONS}

lab.begin(__file__)
with lab.panel():
    about = "Sizes as each model's config has them."
    preset = controls.choice("preset", "Model", [MINE, *accounting.PRESETS], help=about)
    if preset == MINE:
        with lab.folded("A model of your own"):
            base = accounting.config_of(model.control(load_weights))
    else:
        base = accounting.PRESETS[preset]
    own = "toy" if preset == MINE else preset  # each model keeps its own dials
    name, usual = f"{own}.sequence", max(n for n in CONTEXTS if n <= min(base.context, 4096))
    sequence = controls.stops(name, "Tokens in the sequence", CONTEXTS, usual, help="A click on a curve sets it.")
    batch = controls.stops("batch", "Sequences in the batch", [2**i for i in range(11)], 1)
    optimizer = controls.choice("optimizer", "Optimizer", list(accounting.OPTIMIZER_STATES), "adam")
    about = "mixed: 16 bit, with fp32 master weights."
    precision = controls.choice("precision", "Precision", list(accounting.PRECISIONS), "mixed", help=about)
    about = "Keep each layer's input only; compute the rest again."
    full = controls.toggle("checkpointing", "Full checkpointing", help=about)
    about = "All seventeen, starting from the model above."
    turned = controls.toggle("dials", "Turn the model's dials", help=about)
    start = accounting.dials_of(base)
    dials = model_dials(own, start, KINDS) if turned else start

config = lab.attempt(accounting.ModelConfig, **dials)
training = {"precision": precision, "optimizer": optimizer, "checkpointing": "full" if full else "none"}
trace = accounting.account(config, sequence=sequence, batch=batch, **training, contexts=CONTEXTS)
width, at = accounting.PRECISIONS[precision], CONTEXTS.index(sequence)
counts, flops = accounting.parameter_conventions(config), accounting.flops_conventions(config, sequence)
adam = accounting.memory_conventions(config)
largest = max(trace.parts, key=trace.parts.get)
holding = sum(gpu.cards == 1 for gpu in trace.gpus)
step, step_binary = size(trace.memory_total), size(trace.memory_total, binary=True)
cache, layer = size(trace.kv_cache, binary=True), size(trace.layer_activations, binary=True)
slip = size(trace.layer_activations_as_numbers, binary=True)

left, right = lab.columns(2)
with left:
    alt = ", ".join(f"{part} {n:,}" for part, n in trace.parts.items()) + f": {trace.parameters:,} in all, as areas."
    charts.show("parameters", areas(trace, preset, config.n_layers), alt)
with right:
    alt = f"FLOPs of a token by part against the length of its sequence; at {sequence:,} tokens "
    alt += f"{trace.forward_total:,} in all."
    charts.show("flops", flops_by_length(trace, CONTEXTS, sequence), alt, **{name: "x"})
alt = f"A training step holds {step_binary}, by part, beside ten GPUs, of which {holding} hold it alone."
charts.show("memory", memory_beside_cards(trace), alt)

lab.step("What one token costs, forward", cost_of_a_token(trace, config, sequence))
lab.say(
    "N counts every matrix a token is multiplied with; the second term, scores and mixing, grows with the sequence."
)
lab.step("What the KV cache holds", cached(trace, config, sequence, batch, width))
alt = f"Bytes of keys and values against the tokens read, for {', '.join(map(str, trace.kv_sweep))} KV heads; "
alt += f"this model has {config.n_kv_heads}."
charts.show("cache", caches(trace.kv_sweep, CONTEXTS, sequence, config.n_kv_heads), alt, **{name: "x"})
lab.step("Every parameter, every byte")
lab.say(parameter_sums(trace))
lab.say(bytes_held(trace))

lab.notice(
    f"No part of the **{trace.parameters:,}** parameters is larger than the {largest}: {trace.parts[largest]:,}.",
    f"At {sequence:,} tokens a token costs **{trace.forward_total:,.0f}** FLOPs forward and "
    f"{trace.training_total:,.0f} in training; scores and mixing are **{trace.sweep.attention_share[at]:.1%}** of it, "
    f"and half of it from {trace.sweep.crossing:,.0f} tokens on.",
    f"A training step holds **{step}**, which is {step_binary}; {holding} of the {len(trace.gpus)} GPUs "
    "hold it alone. No KV cache is in it: that is for writing.",
    f"The KV cache takes {cache} for {batch} × {sequence:,} tokens; {config.n_kv_heads} of {config.n_heads} "
    "heads keep keys and values.",
    f"The model has {config.context:,} positions"
    + (
        f", fewer than {sequence:,} tokens: counted as if it had more."
        if sequence > config.context
        else ": the sequence fits."
    ),
)
lab.try_this(
    (
        "124 or 163 million?",
        "GPT-2 with an output head of its own: how much larger?",
        {"preset": "gpt2", "dials": True, "gpt2.tied": False},
    ),
    (
        "Training a 7B decoder",
        "Its weights take 12.6 GiB in 16 bit. What does a step with Adam take?",
        {"preset": "llama-2-7b"},
    ),
    (
        "Eight KV heads, not 32",
        "What shrinks more: the parameters or the KV cache?",
        {"preset": "llama-2-7b", "dials": True, "llama-2-7b.n_kv_heads": 8},
    ),
    (
        "A long sequence",
        "GPT-2 on 131,072 tokens: where do the FLOPs and the bytes go?",
        {"preset": "gpt2", "gpt2.sequence": "131072"},
    ),
)
ways = ways_of_counting
lab.conventions(
    ("What counts as a parameter", ways(counts[:1]), ways(counts[1:])),
    ("FLOPs of learning from one token", ways(flops[1:2]), ways(flops[:1] + flops[2:])),
    ("What training with Adam keeps, whatever the batch", ways(adam[:1], size), ways(adam[1:], size)),
    (
        "What a layer keeps for its way back",
        f"{layer}: the formula gives bytes",
        f"times 4 once more, a common slip: {slip}",
    ),
    (
        "A step's memory, GB or GiB",
        f"{step} and {step_binary}, always labelled",
        "“GB” for both; data sheets of GPUs mean GiB",
    ),
)
apart = ("rows", "sweep", "kv_sweep", "gpus")  # what the program does not make
numbers = {part: held for part, held in trace._asdict().items() if part not in apart}
given = {"sequence": sequence, "batch": batch, "width": width, "states": accounting.OPTIMIZER_STATES[optimizer]}
lab.take_away(numbers, **vars(config), **given, checkpointing=training["checkpointing"])
lab.source(accounting.account, accounting.folded_table, accounting.forward_flops_per_token, accounting.training_memory)

"""How large is a model, what does one token cost it, and what does training it hold in memory?"""

from engine import accounting
from engine.weights import load_weights
from ui import charts
from ui.charts import Mark, Series
from ui.charts.bar_rows import BarPanel, bar_rows
from ui.labs.parameters_flops_memory import model_dials
from ui.page import controls, lab, model
from ui.words import plain, short, size

# fmt: off
MINE = "this platform's model"
CONTEXTS = [2**i for i in range(18)]
KINDS = {"biases": accounting.BIASES, "norm": accounting.NORMS, "positions": accounting.POSITIONS}
COLOUR = {"token embedding": "key", "position embedding": "head_5", "segment embedding": "head_4", "attention matrices": "query",
          "scores and mixing": "head_6", "feed-forward matrices": "weight", "feed-forward": "weight", "output head": "value",
          "pooler": "head_2", "pooler matrices": "head_2"}

lab.begin(__file__)
with lab.panel():
    preset = controls.choice("preset", "Model", [MINE, *accounting.PRESETS], help="Sizes as each model's config has them.")
    if preset == MINE:
        with lab.folded("A model of your own"):
            base = accounting.config_of(model.control(load_weights))
    else:
        base = accounting.PRESETS[preset]
    own = "toy" if preset == MINE else preset  # each model keeps its own dials
    usual = max(n for n in CONTEXTS if n <= min(base.context, 4096))
    sequence = controls.stops(f"{own}.sequence", "Tokens in the sequence", CONTEXTS, usual, help="A click on a curve sets it.")
    batch = controls.stops("batch", "Sequences in the batch", [2**i for i in range(11)], 1)
    optimizer = controls.choice("optimizer", "Optimizer", list(accounting.OPTIMIZER_STATES), "adam")
    precision = controls.choice("precision", "Precision", list(accounting.PRECISIONS), "mixed", help="mixed: 16 bit, with fp32 master weights.")
    full = controls.toggle("checkpointing", "Full checkpointing", help="Keep each layer's input only; compute the rest again.")
    turned = controls.toggle("dials", "Turn the model's dials", help="All seventeen, starting from the model above.")
    dials = model_dials(own, accounting.dials_of(base), KINDS) if turned else accounting.dials_of(base)
config = lab.attempt(accounting.ModelConfig, **dials)
checkpointing = "full" if full else "none"
trace = accounting.account(config, sequence=sequence, batch=batch, precision=precision, optimizer=optimizer, checkpointing=checkpointing, contexts=CONTEXTS)

left, right = lab.columns(2)
with left:
    block = {"each layer": f"{config.n_layers} × layer" if config.n_layers > 1 else "1 layer"}
    labels = [preset, *(block.get(name, name) for name in trace.blocks), *(row.name for row, *_ in trace.rows)]
    parents = ["", *[preset] * len(trace.blocks), *(block.get(row.block, row.block) for row, *_ in trace.rows)]
    values = [trace.parameters, *trace.blocks.values(), *(total for *_, total in trace.rows)]
    colours = ["line", *["panel"] * len(trace.blocks), *(COLOUR.get(row.part, "ghost") for row, *_ in trace.rows)]
    charts.show("parameters", charts.treemap(labels, parents, values, colours=colours, title=f"{trace.parameters:,} parameters", height=350), ", ".join(f"{part} {n:,}" for part, n in trace.parts.items()) + f": {trace.parameters:,} in all, as areas.")
with right:
    lines = [Series("in all", trace.sweep.total, "ink", dash="dot")]
    lines += [Series(part, flops, COLOUR[part]) for part, flops in trace.sweep.parts.items()]
    charts.show("flops", charts.lines(
            CONTEXTS, lines, y_title="FLOPs a token", x_title="tokens in the sequence", log_x=True, log_y=True, x_range=(1, 2**21),
            y_range=(min(min(flops) for flops in trace.sweep.parts.values()), 4 * trace.sweep.total[-1]), height=350,
            x_ticks={4**i: f"{4**i:,}" for i in range(0, 9, 2)}, marks=[Mark(sequence, trace.forward_total, short(trace.forward_total))],
        ), f"FLOPs of a token by part against the length of its sequence; at {sequence:,} tokens {trace.forward_total:,} in all.", **{f"{own}.sequence": "x"})

cards = [gpu for gpu in trace.gpus if gpu.cards == 1]
panels = [
    BarPanel(
        "One training step", (0, 1), trace.memory_share, ["weight", "gradient", "weight", "key", "value", "value", "query"],
        [f"{size(part, True)} · {share:.1%}" for part, share in zip(trace.memory.values(), trace.memory_share, strict=True)],
        f"{size(trace.memory_total, True)} in all", list(trace.memory),
    ),
    BarPanel(
        "Memory of one GPU", (0, 290), [trace.memory_gib, *(gpu.gib for gpu in trace.gpus)],
        ["today", *("query" if gpu.cards == 1 else "ghost" for gpu in trace.gpus)],
        [size(trace.memory_total, True), *(f"{gpu.gib} GiB · " + ("holds it" if gpu.cards == 1 else f"{gpu.cards:,} needed") for gpu in trace.gpus)],
        "the dotted line is this step", ["this step", *(gpu.name for gpu in trace.gpus)], mark=trace.memory_gib, x_title="GiB",
    ),
]
charts.show("memory", bar_rows(panels), f"A training step holds {size(trace.memory_total, True)}, by part, beside ten GPUs, of which {len(cards)} hold it alone.")

exact = lambda n: f"{n:,}".removesuffix(".0").replace(",", "{,}")
width = accounting.PRECISIONS[precision]
pooled = (r" + 2 d^2 / s", f" + 2 \\cdot {config.d_model}^2 / {sequence}") if config.pooler else ("", "")
lab.step(
    "What one token costs, forward",
    rf"2 N + 4 \cdot \text{{layers}} \cdot s \cdot \text{{heads}} \cdot d_\text{{head}}{pooled[0]} = 2 \cdot {exact(trace.multiplying)} + 4 \cdot {config.n_layers} "
    rf"\cdot {sequence} \cdot {config.n_heads} \cdot {config.head_dim}{pooled[1]} = {exact(trace.forward_total)}",
)
lab.say("N counts every matrix a token is multiplied with; the second term, scores and mixing, grows with the sequence.")
lines = [
    Series(f"{heads} (this model)" if heads == config.n_kv_heads else str(heads), cache, "today" if heads == config.n_kv_heads else "ghost",
           dash="solid" if heads == config.n_kv_heads else "dash" if heads == 1 else "dot")
    for heads, cache in trace.kv_sweep.items()
]
at = CONTEXTS.index(sequence)
lab.step(
    "What the KV cache holds",
    rf"2 \cdot \text{{layers}} \cdot \text{{KV heads}} \cdot d_\text{{head}} \cdot s \cdot \text{{batch}} \cdot \text{{bytes}} = 2 \cdot {config.n_layers} \cdot {config.n_kv_heads} "
    rf"\cdot {config.head_dim} \cdot {sequence} \cdot {batch} \cdot {width} = {exact(trace.kv_cache)}\text{{ bytes}}",
)
charts.show("cache", charts.lines(
        CONTEXTS, lines, title="KV cache of one sequence, by KV heads", x_title="tokens read", log_x=True, log_y=True, x_range=(1, 2**21), height=320,
        y_range=(min(min(cache) for cache in trace.kv_sweep.values()), 4 * max(max(cache) for cache in trace.kv_sweep.values())),
        x_ticks={4**i: f"{4**i:,}" for i in range(0, 9, 2)}, y_ticks={2**i: size(2**i, True) for i in range(0, 50, 5)},
        marks=[Mark(sequence, trace.kv_sweep[config.n_kv_heads][at], size(trace.kv_sweep[config.n_kv_heads][at], True))],
    ), f"Bytes of keys and values against the tokens read, for {', '.join(map(str, trace.kv_sweep))} KV heads; this model has {config.n_kv_heads}.", **{f"{own}.sequence": "x"})

lab.step("Every parameter, every byte")
table = ["| Matrix | Sum |", "|---|---|"]
for row, times, total in trace.rows:
    folded = f", times {times} layers = {total:,}" if times > 1 else ""
    table.append(f"| {plain(row.name)}, {row.part} | {plain(row.formula)}{folded} |")
lab.say("\n".join([*table, f"| **parameters in all** | **{trace.parameters:,}** |"]))
table = [f"| {part} | {held:,} bytes = {size(held)} = {size(held, True)} |" for part, held in trace.memory.items()]
in_all = f"| **a training step in all** | **{trace.memory_total:,} bytes = {size(trace.memory_total)} = {size(trace.memory_total, True)}** |"
lab.say("\n".join(["| In training | Held |", "|---|---|", *table, in_all]))

largest = max(trace.parts, key=trace.parts.get)
lab.notice(
    f"No part of the **{trace.parameters:,}** parameters is larger than the {largest}: {trace.parts[largest]:,}.",
    f"At {sequence:,} tokens a token costs **{trace.forward_total:,.0f}** FLOPs forward and {trace.training_total:,.0f} in training; scores and "
    f"mixing are **{trace.sweep.attention_share[at]:.1%}** of it, and half of it from {trace.sweep.crossing:,.0f} tokens on.",
    f"A training step holds **{size(trace.memory_total)}**, which is {size(trace.memory_total, True)}; {len(cards)} of the {len(trace.gpus)} GPUs hold it alone. No KV cache is in it: that is for writing.",
    f"The KV cache takes {size(trace.kv_cache, True)} for {batch} × {sequence:,} tokens; {config.n_kv_heads} of {config.n_heads} heads keep keys and values.",
    f"The model has {config.context:,} positions" + (f", fewer than {sequence:,} tokens: counted as if it had more." if sequence > config.context else ": the sequence fits."),
)
lab.try_this(
    ("124 or 163 million?", "GPT-2 with an output head of its own: how much larger?", {"preset": "gpt2", "dials": True, "gpt2.tied": False}),
    ("Training a 7B decoder", "Its weights take 12.6 GiB in 16 bit. What does a step with Adam take?", {"preset": "llama-2-7b"}),
    ("Eight KV heads, not 32", "What shrinks more: the parameters or the KV cache?", {"preset": "llama-2-7b", "dials": True, "llama-2-7b.n_kv_heads": 8}),
    ("A long sequence", "GPT-2 on 131,072 tokens: where do the FLOPs and the bytes go?", {"preset": "gpt2", "gpt2.sequence": "131072"}),
)
counts, flops = accounting.parameter_conventions(config), accounting.flops_conventions(config, sequence)
adam = accounting.memory_conventions(config)
told = lambda ways, show="{:,}".format: "; ".join(f"{way.name}: {show(way.value)}" for way in ways)
lab.conventions(
    ("What counts as a parameter", told(counts[:1]), told(counts[1:])),
    ("FLOPs of learning from one token", told(flops[1:2]), told(flops[:1] + flops[2:])),
    ("What training with Adam keeps, whatever the batch", told(adam[:1], size), told(adam[1:], size)),
    ("What a layer keeps for its way back", f"{size(trace.layer_activations, True)}: the formula gives bytes", f"times 4 once more, a common slip: {size(4 * trace.layer_activations, True)}"),
    ("A step's memory, GB or GiB", f"{size(trace.memory_total)} and {size(trace.memory_total, True)}, always labelled", "“GB” for both; data sheets of GPUs mean GiB"),
)
lab.take_away({name: part for name, part in trace._asdict().items() if name not in ("rows", "sweep", "kv_sweep", "gpus")}, code="""
queries, keys, b = n_heads * head_dim, n_kv_heads * head_dim, width
matrices = d_model * (2 * queries + 2 * keys) + (3 if gated else 2) * d_model * d_ff
vector = d_model * (2 if norm == "layer_norm" else 1)
biases_1 = (queries + 2 * keys + d_model) * (biases == "all")
biases_2 = ((2 if gated else 1) * d_ff + d_model) * (biases != "none")
tables = d_model * (vocab_size + context * (positions == "learned") + token_types)
ends = vector * (embedding_norm + final_norm) + pooler * (d_model**2 + d_model * (biases == "all"))
head = 0 if pooler else vocab_size * d_model
parameters = tables + n_layers * (matrices + biases_1 + biases_2 + 2 * vector) + ends + (not tied) * vocab_size * d_model
multiplying = n_layers * matrices + head
forward_total = 2 * multiplying + 4 * n_layers * sequence * queries + pooler * 2 * d_model**2 / sequence
training_total = 3 * forward_total
tokens = batch * sequence
layer_activations = tokens * (d_model * (4 * b + 2) + 2 * b * (queries + keys) + (2 * b + 1) * n_heads * sequence
                              + b * (4 if gated else 2) * d_ff)
kept = n_layers * b * tokens * d_model + layer_activations if checkpointing == "full" else n_layers * layer_activations
outer = tokens * (d_model * (1 + b * (embedding_norm + final_norm + (not pooler))) + 4 * vocab_size * (not pooler))
memory_total = parameters * (2 * b + 4 * (b == 2) + 4 * states) + kept + outer
kv_cache = 2 * n_layers * keys * tokens * b
""", **vars(config), sequence=sequence, batch=batch, width=width, states=accounting.OPTIMIZER_STATES[optimizer], checkpointing=checkpointing)
lab.source(accounting.account, accounting.folded_table, accounting.forward_flops_per_token, accounting.training_memory)

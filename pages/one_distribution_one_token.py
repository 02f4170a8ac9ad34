"""Which token comes next, and what does each way of choosing it throw away?"""

import numpy as np

from engine.sampling import draw_sequence, explain_draws, next_token, short_top_p, tied_top_k
from engine.softmax import entropy_limit
from ui import charts
from ui.labs.one_distribution_one_token import below_the_line, counted, mass_kept, ways_compared
from ui.page import controls, lab
from ui.page.matrices import matrix, nudge
from ui.words import softmax, told

WORDS = ["mat", "sofa", "floor", "bed", "chair", "table", "roof", "grass", "wall", "moon", "piano", "idea"]
SHAPES = {
    "two camps": [3.0, 2.8, 2.7, 2.5, 2.4, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.0],
    "peaked": [6.0, 2.5, 2.0, 1.5, 1.0, 0.8, 0.5, 0.2, 0.0, -0.5, -1.0, -2.0],
    "flat": [1.0, 0.95, 0.9, 0.9, 0.85, 0.8, 0.8, 0.75, 0.7, 0.7, 0.65, 0.6],
    "ties": [2.0, 2.0, 1.5, 1.0, 1.0, 1.0, 1.0, 0.5, 0.0, 0.0, -1.0, -1.0],
}
ORDERS = {
    "T, top-k, top-p": ("temperature", "top_k", "top_p"),
    "T, top-p, top-k": ("temperature", "top_p", "top_k"),
    "top-k, top-p, T": ("top_k", "top_p", "temperature"),
    "top-p, top-k, T": ("top_p", "top_k", "temperature"),
}
N = 1000

lab.begin(__file__)
with lab.panel():
    shape = controls.choice("shape", "Distribution", list(SHAPES), help="Each keeps the logits you give it below.")
    temperature = controls.slider("temperature", "Temperature T", 0.0, 5.0, 2.0, step=0.1, help="0 is greedy.")
    k = controls.slider("k", "Top-k", 1, 12, 8, help="Keep exactly k words; 12 keeps all.")
    p = controls.slider(
        "p", "Top-p", 0.0, 1.0, 0.8, step=0.01, help="A word stays while the mass before it is below p."
    )
    order = controls.choice("order", "All three, in this order", list(ORDERS), help="Each sees what the last one left.")
    used = {  # what each way sets
        "greedy": {"temperature": 0.0},
        "temperature": {"temperature": temperature},
        "top-k": {"top_k": k},
        "top-p": {"top_p": p},
        "all three": {"temperature": temperature, "top_k": k, "top_p": p},
    }
    way = controls.choice("way", "Draw from", list(used), "top-p", help="A click on a bar sets it.")
    seed = controls.seed()
    with lab.folded("Edit words and logits"):
        words = controls.words("words", "Words: the cat sat on the …", WORDS, least=12, most=12)
        logits = matrix(f"{shape}.logits", "Logits", [SHAPES[shape]], limit=50, columns=words)
    (logits,) = nudge(z=logits, limit=5)

z, filters, off = logits[0], ORDERS[order], {"temperature": 1.0, "top_k": 12, "top_p": 1.0}  # off cuts nothing
model, settings = next_token(z), off | used[way]
traces = {name: next_token(z, **off | setting, order=filters) for name, setting in used.items()}
in_order = {name: next_token(z, **used["all three"], order=o).kept.sum() for name, o in ORDERS.items()}
trace, alone, late = traces[way], traces["top-p"].stage("top_p"), traces["all three"].stage("top_p")
draws = explain_draws(trace.out, N, np.random.default_rng(seed))
top, edge = int(trace.out.argmax()), int(traces["top-k"].stage("top_k").order[k - 1])
now = told(
    best=words[int(z.argmax())],
    tied=tied_top_k(z, 1).sum(),
    left=len(trace.survivors),
    last=alone.kept.sum(),
    short=short_top_p(z, p).sum(),
    held=traces["top-p"].kept_mass,
    top=words[top],
    out=trace.out[top],
    before=model.out[top],
    edge=words[edge],
    edge_out=model.out[edge],
    entropy=model.entropy,
    heated=traces["temperature"].entropy,
    most=entropy_limit(12),
    outside=draws.outside.sum(),
)

titles = ["Greedy", f"Temperature {temperature:g}", f"Top-k, k = {k}", f"Top-p, p = {p:g}", "All three"]
alt = "Twelve words under five ways of choosing, the model's own probabilities in grey behind them. "
alt += "; ".join(f"{name} keeps {one.kept.sum()}" for name, one in traces.items())
charts.show("ways", ways_compared(traces, titles, words, model, way), alt, way="curve")
left, right = lab.columns(2)
with left:
    alt = f"The running mass of the words, most likely first: {now.last} of them reach p = {p:g}."
    charts.show("mass", mass_kept(alone, late, words, p), alt, p="y")
with right:
    alt = f"How often each word came in 1,000 draws against n·p ± 2σ; {now.outside} fall outside."
    charts.show("draws", counted(draws, trace.kept, words, way), alt)

heat = f" / {settings['temperature']:g}" if settings["temperature"] not in (0, 1) else ""
summed, place = z[trace.survivors], trace.survivors.tolist().index(top)
lab.step(f"The sum behind {now.top} under {way}", softmax("p", summed, place, trace.out[top], heat))
lab.say(below_the_line(now, heated=bool(heat)))

lab.notice(
    f"Greedy always says **{now.best}**"
    + (f": {now.tied} words tie for the first place, and the first in the list wins." if now.tied > 1 else "."),
    f"Top-k keeps **{k}** whatever the shape; the last one in, {now.edge}, has probability **{now.edge_out}**. "
    f"Top-p keeps **{now.last}** here, which hold {now.held} of the mass.",
    f"Temperature {temperature:g} moves the entropy from {now.entropy} to **{now.heated}** "
    f"of at most {now.most} nats, and cuts {'all but one' if temperature == 0 else 'nothing'}.",
    f"All three together keep {', '.join(f'**{kept}** ({name})' for name, kept in in_order.items())}.",
    f"Of the {now.left} words that can come, **{now.outside}** lie outside ± 2σ in these 1,000 draws; "
    "about one in twenty words would.",
)
lab.try_this(
    (
        "Peaked",
        "Top-k 8 or top-p 0.8: which still lets in words the model all but rules out?",
        {"shape": "peaked", "way": "top-k"},
    ),
    ("Flat", "Twelve nearly equal words: how many does top-p 0.9 cut?", {"shape": "flat", "p": 0.9}),
    (
        "Ties",
        "Four words tie for the fourth seat of top-k 4. Who sits, and why?",
        {"shape": "ties", "k": 4, "way": "top-k"},
    ),
    (
        "Cut, then heat",
        "T = 5 and top-p 0.8: does it matter which comes first?",
        {"temperature": 5.0, "k": 12, "order": "top-p, top-k, T", "way": "all three"},
    ),
)
lab.conventions(
    (
        f"Top-k when words tie for place {k}",
        f"exactly k, lowest index first: {k} kept (vLLM)",
        f"all that tie with the k-th: {tied_top_k(z, k).sum()} kept (transformers)",
    ),
    ("The word that crosses p", f"it stays: {now.last} kept", f"dropped, a common slip: {now.short} kept"),
    (
        "When the temperature acts",
        f"{order}: {in_order[order]} kept",
        f"first (transformers, vLLM): {in_order['T, top-k, top-p']} kept; "
        f"last (llama.cpp): {in_order['top-k, top-p, T']} kept",
    ),
    (
        "Greedy when words tie",
        f"lowest index, as NumPy and PyTorch: {now.best} with probability 1",
        f"parallel code may pick any that tie for the first place: {now.tied} here",
    ),
    ("Temperature 0", f"greedy: {now.best} with probability 1", "z / 0: refused, or not a number"),
)
chosen = {"T": settings["temperature"], "k": settings["top_k"], "p": settings["top_p"]}
numbers = {"out": trace.out, "kept": trace.kept, "entropy": trace.entropy, **draws._asdict()}
lab.take_away(numbers, logits=z, **chosen, order=filters, n=N, seed=seed)
lab.source(next_token, explain_draws, draw_sequence)

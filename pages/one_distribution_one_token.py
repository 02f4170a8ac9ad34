"""Which token comes next, and what does each way of choosing it throw away?"""

from functools import partial

import numpy as np

from engine import sampling
from engine.sampling import next_token
from engine.softmax import entropy_limit, softmax
from ui import charts
from ui.labs.one_distribution_one_token import drawn, libraries_differ, mass_kept, noticed, sum_behind, ways_compared
from ui.labs.softmax import by_hand
from ui.page import controls, lab
from ui.page.matrices import matrix
from ui.page.recall import recall
from ui.questions.one_distribution_one_token import QUESTIONS
from ui.words import agree, noise, told

WORDS = ["mat", "sofa", "floor", "bed", "chair", "table", "roof", "grass", "wall", "moon", "piano", "idea"]
SHAPES = {
    "two camps": [3.0, 2.8, 2.7, 2.5, 2.4, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.0],
    "peaked": [6.0, 2.5, 2.0, 1.5, 1.0, 0.8, 0.5, 0.2, 0.0, -0.5, -1.0, -2.0],
    "flat": [1.0, 0.95, 0.9, 0.9, 0.85, 0.8, 0.8, 0.75, 0.7, 0.7, 0.65, 0.6],
    "ties": [2.0, 2.0, 1.5, 1.0, 1.0, 1.0, 1.0, 0.5, 0.0, 0.0, -1.0, -1.0],
}
FILTERS = {"T": "temperature", "top-k": "top_k", "top-p": "top_p"}
ORDERS = ["T, top-k, top-p", "T, top-p, top-k", "top-k, top-p, T", "top-p, top-k, T"]
N = 1000

lab.begin(__file__, QUESTIONS)
with lab.panel():
    shape = controls.choice("shape", "Distribution", list(SHAPES), help="Each keeps the logits you give it below.")
    temperature = controls.slider("temperature", "Temperature T", 0.0, 5.0, 2.0, step=0.1, help="0 is greedy.")
    k = controls.slider("k", "Top-k", 1, 12, 8, help="Keep exactly k words; 12 keeps all.")
    p = controls.slider(
        "p", "Top-p", 0.0, 1.0, 0.8, step=0.01, help="A word stays while the mass before it is below p."
    )
    about = "A word stays if its probability is at least this share of the largest."
    least = controls.slider("min_p", "Min-p", 0.0, 1.0, 0.2, step=0.01, help=about)
    order = controls.choice("order", "All three, in this order", ORDERS, help="Each sees what the last one left.")
    used = {  # what each way sets
        "greedy": {"temperature": 0.0},
        "temperature": {"temperature": temperature},
        "top-k": {"top_k": k},
        "top-p": {"top_p": p},
        "min-p": {"min_p": least},
        "all three": {"temperature": temperature, "top_k": k, "top_p": p},
    }
    about = "A click on a bar sets it, and its word."
    way = controls.choice("way", "Draw from", list(used), "top-p", help=about)
    at = controls.index("word", "Word worked out", 12, help="Counted from 0, as in the list.")
    seed = controls.seed()
    with lab.folded("Edit words and logits"):
        words = controls.words("words", "Words: the cat sat on the …", WORDS, least=12, most=12)
        logits = matrix(f"{shape}.logits", "Logits", [SHAPES[shape]], limit=50, columns=words)

z, chosen_by = logits[0], partial(recall, next_token, logits[0])
model = chosen_by()
orders = {name: [FILTERS[part] for part in name.split(", ")] for name in ORDERS}
filters = [*orders[order], "min_p"]
traces = {name: chosen_by(**setting, order=filters) for name, setting in used.items()}
in_order = {name: chosen_by(**used["all three"], order=o).kept.sum() for name, o in orders.items()}
trace, alone, late = traces[way], traces["top-p"].stage("top_p"), traces["all three"].stage("top_p")
draws = sampling.explain_draws(trace.out, N, np.random.default_rng(seed))
by_k, by_p = traces["top-k"], traces["top-p"]
edge, last = by_k.stage("top_k").order[k - 1], alone.order[alone.kept.sum() - 1]
later = sampling.last_of_tied_top_p(z, p)
now = told(
    way=way,
    temperature=temperature,
    k=k,
    min_p=least,
    best=words[z.argmax()],
    first=sampling.tied_top_k(z, 1).sum(),
    left=trace.kept.sum(),
    kept_by_k=sampling.tied_top_k(z, k).sum(),
    kept=by_p.kept.sum(),
    cut=(~by_p.kept).sum(),
    held=by_p.kept_mass,
    edge=words[edge],
    edge_out=model.out[edge],
    last=words[last],
    last_out=model.out[last],
    later=words[(later & (z == z[later].min())).argmax()],
    kept_by_min=traces["min-p"].kept.sum(),
    entropy=model.entropy,
    heated=noise(traces["temperature"].entropy),
    most=entropy_limit(12),
    largest=model.out.max(),
    outside=draws.outside.sum(),
    word=words[at],
    before=model.out[at],
    divided=softmax(sampling.penalised(z, at, factor=1.2))[at],
    lowered=softmax(sampling.penalised(z, at, discount=1.2))[at],
)
lab.shape("12 candidates · 1,000 draws · logits made up, no trained model behind them")

titles = ["Greedy", f"Temperature {temperature:g}", f"Top-k, k = {k}", f"Top-p, p = {p:g}"]
titles += [f"Min-p {least:g}", "All three"]
alt = "Twelve words under six ways of choosing, the model's own probabilities in grey behind them. "
alt += "; ".join(f"{name} keeps {one.kept.sum()}" for name, one in traces.items())
charts.show("ways", ways_compared(traces, titles, words, model, way), alt, way="curve", word="point")
colours = ["today" if i == at else "soft_ink" for i in range(12)]
figure, ends = by_hand(words, z, colours, f"{shape}.logits")
charts.show("logits", figure, "The twelve logits as bars, before any temperature.", drags=ends, word="point")
left, right = lab.columns(2)
with left:
    reach = agree(now.kept, "reaches", "reach")
    alt = f"The running mass of the words, most likely first: {now.kept} of them {reach} p = {p:g}."
    charts.show("mass", mass_kept(alone, late, words, p), alt, p="y")
with right:
    alt = f"How often each word came in 1,000 draws against n·p ± 2σ; {now.outside} outside."
    charts.show("draws", drawn(draws, trace.kept, words, way), alt, word="point")
formulas, sentence = sum_behind(now, z, at, trace, used[way].get("temperature", 1.0), way)
lab.step(f"The sum behind {now.word} under {way}", *formulas)
lab.say(sentence)

lab.notice(*noticed(now, in_order, [*zip(words, z == z[edge], by_k.kept, strict=True)]))
lab.conventions(*libraries_differ(now, order, in_order))
short = sampling.short_top_p(z, p).sum()
lab.slips(
    ("The word that crosses p", f"it stays, so that the mass reaches p: {now.kept} kept", f"it goes: {short} kept")
)
chosen = {"T": 1.0, "k": 12, "p": 1.0, "min_p": 0.0}
chosen |= {{"temperature": "T", "top_k": "k", "top_p": "p"}.get(name, name): to for name, to in used[way].items()}
numbers = {"out": trace.out, "kept": trace.kept, "entropy": trace.entropy, **draws._asdict()}
lab.take_away(numbers, logits=z, **chosen, order=filters, n=N, seed=seed)
lab.source(next_token, sampling.explain_draws, sampling.draw_sequence)

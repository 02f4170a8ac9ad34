"""Which token comes next, and what does each way of choosing it throw away?"""

import numpy as np

from engine.sampling import draw_sequence, explain_draws, next_token, short_top_p, tied_top_k
from ui import charts
from ui import words as worked
from ui.charts import Mark, Series
from ui.charts.bar_rows import BarPanel, bar_rows
from ui.page import controls, lab
from ui.page import matrices as edited
from ui.words import number, plain

# fmt: off
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
    p = controls.slider("p", "Top-p", 0.0, 1.0, 0.8, step=0.01, help="A word stays while the mass before it is below p.")
    order = controls.choice("order", "All three, in this order", list(ORDERS), help="Each sees what the last one left.")
    used = {  # what each way sets; T = 1, k = 12 and p = 1 change nothing
        "greedy": (0.0, 12, 1.0), "temperature": (temperature, 12, 1.0), "top-k": (1.0, k, 1.0),
        "top-p": (1.0, 12, p), "all three": (temperature, k, p),
    }
    way = controls.choice("way", "Draw from", list(used), "top-p", help="A click on a bar sets it.")
    seed = controls.seed()
    with lab.folded("Edit words and logits"):
        words = controls.words("words", "Words: the cat sat on the …", WORDS, least=12, most=12)
        logits = edited.matrix(f"{shape}.logits", "Logits", [SHAPES[shape]], limit=50, columns=words)
    (logits,) = edited.nudge(z=logits, limit=5)

z, spoken, filters = logits[0], [plain(word) for word in words], ORDERS[order]
plain_model = next_token(z)
traces = {name: next_token(z, temperature=a, top_k=b, top_p=c, order=filters) for name, (a, b, c) in used.items()}
trace = traces[way]
draws = explain_draws(trace.out, N, np.random.default_rng(seed))
widest = next(x for x in (0.2, 0.4, 0.7, 1.0) if x == 1 or plain_model.out.max() <= 0.75 * x)
titles = ["Greedy", f"Temperature {temperature:g}", f"Top-k, k = {k}", f"Top-p, p = {p:g}", "All three"]
panels = [
    BarPanel(
        title, (0, 1.3 * widest), one.out, "today" if name == way else "query", ghost=plain_model.out,
        text=[number(out) if kept else "cut" for out, kept in zip(one.out, one.kept, strict=True)],
        note=f"{one.kept.sum()} kept · {number(one.entropy, 2)} nats", rows=words if name == "greedy" else None,
    )
    for title, (name, one) in zip(titles, traces.items(), strict=True)
]
charts.show("ways", bar_rows(panels, phone=2), "Twelve words under five ways of choosing, the model's own probabilities in grey behind them. "
    + "; ".join(f"{name} keeps {one.kept.sum()}" for name, one in traces.items()), way="curve")
left, right = lab.columns(2)
with left:
    alone, late = (next(s for s in traces[name].stages if s.name == "top_p") for name in ("top-p", "all three"))
    last = int(alone.kept.sum())
    lines = [
        Series("top-p alone", [0, *alone.cumulative], "query"),
        Series("all three", [0, *late.cumulative], "head_3", range(len(late.order) + 1), "dash"),
        Series(f"p = {p:g}", [p, p], "today", [0, 12], "dot", size=1),
    ]
    charts.show("mass", charts.lines(
            range(13), lines, title="Mass kept", x_title="words kept, most likely first", x_range=(0, 13), y_range=(0, 1.12),
            marks=[Mark(last, alone.cumulative[last - 1], words[alone.order[last - 1]], at="top left" if last > 3 else "")], height=364, mode="lines+markers",
        ), f"The running mass of the words, most likely first: {last} of them reach p = {p:g}.", p="y")
with right:
    limit = next(limit for limit in (150, 350, 600, 1005) if draws.high.max() <= limit)
    each = zip(draws.counts, draws.mean, draws.high, trace.kept, strict=True)
    ends = [f"{count} · {mean:.0f} ± {high - mean:.0f}" if kept else "cut" for count, mean, high, kept in each]
    panel = BarPanel(
        f"1,000 draws from {way}", (0, 1.3 * limit), note="dot: drawn · line and band: expected ± 2σ", rows=words,
        band=(draws.low, draws.high), ticks=draws.mean, dots=draws.counts, ends=ends, x_title="times drawn",
        dot_colour=["today" if out else "query" for out in draws.outside],
    )
    charts.show("draws", bar_rows([panel]), f"How often each word came in 1,000 draws against n·p ± 2σ; {draws.outside.sum()} fall outside.")

top = int(trace.out.argmax())
heat = f" / {used[way][0]:g}" if used[way][0] not in (0, 1) else ""
survivors = np.flatnonzero(trace.kept)
lab.step(
    f"The sum behind {spoken[top]} under {way}",
    worked.softmax("p", z[survivors], survivors.tolist().index(top), trace.out[top], heat),
)
lab.say(
    f"The sum below the line runs over the {len(survivors)} kept: what is cut is shared out among them in proportion, "
    f"so {spoken[top]} rises from {number(plain_model.out[top])} to {number(trace.out[top])}."
    if number(trace.out[top]) != number(plain_model.out[top]) and not heat
    else f"{len(survivors)} of 12 words are in the sum below the line; the model itself gives {spoken[top]} {number(plain_model.out[top])}."
)

first, best = tied_top_k(z, 1), spoken[int(z.argmax())]
in_order = {name: next_token(z, temperature=temperature, top_k=k, top_p=p, order=o) for name, o in ORDERS.items()}
edge = int(traces["top-k"].stages[filters.index("top_k")].order[k - 1])
lab.notice(
    f"Greedy always says **{best}**"
    + (f": {first.sum()} words tie for the first place, and the first in the list wins." if first.sum() > 1 else "."),
    f"Top-k keeps **{k}** whatever the shape; the last one in, {spoken[edge]}, has probability **{number(plain_model.out[edge])}**. "
    f"Top-p keeps **{last}** here, which hold {number(traces['top-p'].kept_mass)} of the mass.",
    f"Temperature {temperature:g} moves the entropy from {number(plain_model.entropy)} to **{number(traces['temperature'].entropy)}** "
    f"of at most {number(np.log(12))} nats, and cuts {'all but one' if temperature == 0 else 'nothing'}.",
    "All three together keep " + ", ".join(f"**{one.kept.sum()}** ({name})" for name, one in in_order.items()) + ".",
    f"Of the {len(survivors)} words that can come, **{draws.outside.sum()}** lie outside ± 2σ in these 1,000 draws; about one in twenty words would.",
)
lab.try_this(
    ("Peaked", "Top-k 8 or top-p 0.8: which still lets in words the model all but rules out?", {"shape": "peaked", "way": "top-k"}),
    ("Flat", "Twelve nearly equal words: how many does top-p 0.9 cut?", {"shape": "flat", "p": 0.9}),
    ("Ties", "Four words tie for the fourth seat of top-k 4. Who sits, and why?", {"shape": "ties", "k": 4, "way": "top-k"}),
    ("Cut, then heat", "T = 5 and top-p 0.8: does it matter which comes first?", {"temperature": 5.0, "k": 12, "order": "top-p, top-k, T", "way": "all three"}),
)
kept = {name: one.kept.sum() for name, one in in_order.items()}
lab.conventions(
    (f"Top-k when words tie for place {k}", f"exactly k, lowest index first: {k} kept (vLLM)", f"all that tie with the k-th: {tied_top_k(z, k).sum()} kept (transformers)"),
    ("The word that crosses p", f"it stays: {last} kept", f"dropped, a common slip: {short_top_p(z, p).sum()} kept"),
    ("When the temperature acts", f"{order}: {kept[order]} kept", f"first (transformers, vLLM): {kept['T, top-k, top-p']} kept; last (llama.cpp): {kept['top-k, top-p, T']} kept"),
    ("Greedy when words tie", f"lowest index, as NumPy and PyTorch: {best} with probability 1", f"parallel code may pick any that tie for the first place: {first.sum()} here"),
    ("Temperature 0", f"greedy: {best} with probability 1", "z / 0: refused, or not a number"),
)
T, most, mass = used[way]
lab.take_away({"out": trace.out, "kept": trace.kept, "entropy": trace.entropy, **draws._asdict()}, code="""
kept, heat = np.ones(logits.size, bool), 1.0
for name in order:
    ranked = np.argsort(np.where(kept, -logits, np.inf), kind="stable")[: kept.sum()]
    probs = np.exp((logits[ranked] - logits[ranked[0]]) / heat)
    before = np.cumsum(np.append(0, probs / probs.sum()))[:-1]
    if name == "temperature":
        heat, left = T or 1.0, len(ranked) if T > 0 else 1
    elif name == "top_k":
        left = k
    else:
        left = len(ranked) if p == 1 else max(1, np.count_nonzero(before < p - 1e-12))
    kept = np.isin(np.arange(logits.size), ranked[:left])
out = np.where(kept, np.exp((logits - logits[kept].max()) / heat), 0)
out /= out.sum()
entropy = -(out[out > 0] * np.log(out[out > 0])).sum()
mean, deviation = n * out, np.sqrt(n * out * (1 - out))
low, high = mean - 2 * deviation, mean + 2 * deviation
drawn = np.searchsorted(np.cumsum(out) / np.cumsum(out)[-1], np.random.default_rng(seed).random(n), side="right")
counts = np.bincount(drawn, minlength=out.size)
""", logits=z, T=T, k=most, p=mass, order=filters, n=N, seed=seed)
lab.source(next_token, explain_draws, draw_sequence)

"""What do several heads see that one head of the same total width cannot, and how does W_O mix what they found?"""

import numpy as np

from engine.attention import (
    causal_mask,
    merge_heads,
    multi_head,
    reshape_without_split,
    scaled_dot_product,
    split_heads,
)
from ui import charts
from ui import words as worked
from ui.charts import Panel, theme
from ui.page import controls, lab
from ui.page import matrices as edited
from ui.words import number

TOKENS = ["the", "cat", "saw", "a", "big", "dog"]
# Columns 0–3: noun, verb, determiner, adjective. Columns 4–7: the place, as two hands of a clock with six hours.
X = np.array([[0, 0, 1, 0, 1, 0, 1, 0], [1, 0, 0, 0, 0.5, 0.87, -0.5, 0.87], [0, 1, 0, 0, -0.5, 0.87, -0.5, -0.87],
              [0, 0, 0.8, 0.2, -1, 0, 1, 0], [0, 0, 0, 1, -0.5, -0.87, -0.5, 0.87], [0.9, 0, 0, 0.2, 0.5, -0.87, -0.5, -0.87]])  # fmt: skip
# Nouns ask for what describes them, all others ask for nouns; the clock is turned back by one hour.
W_Q = np.array([[0, 0, 4, 4, 0, 0, 0, 0], [4, 0, 0, 0, 0, 0, 0, 0], [4, 0, 0, 0, 0, 0, 0, 0], [4, 0, 0, 0, 0, 0, 0, 0],
                [0, 0, 0, 0, 1.5, -2.61, 0, 0], [0, 0, 0, 0, 2.61, 1.5, 0, 0], [0, 0, 0, 0, 0, 0, -1.5, -2.61], [0, 0, 0, 0, 0, 0, 2.61, -1.5]])  # fmt: skip
W_K = np.eye(8)
W_V = np.eye(8)[:, [0, 1, 2, 3, 0, 1, 2, 3]]
MIXING = np.array([[0.7, -0.8, -0.6, 0.6, 0.2, -0.3, 0.8, 0.5], [-0.4, 0.9, 0.1, -0.7, 0.5, 0.3, -0.2, 0.6],
                   [0.3, 0.2, -0.9, 0.4, -0.5, 0.8, 0.1, -0.3], [0.6, -0.1, 0.5, 0.9, -0.4, -0.7, 0.3, 0.2],
                   [-0.5, 0.7, 0.4, -0.2, 0.9, 0.1, -0.8, 0.3], [0, 0, 0, 0, 0, 0, 0, 0],
                   [0.8, 0.3, -0.4, 0.5, -0.1, 0.6, 0.9, -0.7], [0.1, -0.6, 0.8, -0.3, 0.7, -0.9, 0.2, 0.4]])  # fmt: skip

lab.begin(__file__)
with lab.panel():
    n_heads = int(controls.choice("heads", "Heads", ["1", "2", "4", "8"], "2", help="d_k = 8 / heads."))
    names = [f"head {h}" for h in range(n_heads)]
    silent = controls.several("silent", "Silence", names, help="A silent head adds nothing to the output.")
    query = controls.choice("query", "Query", TOKENS, "saw", help="A click on a row of Q, K, V or a map sets it.")
    column = controls.slider("column", "Column of the output", 0, 7, 0, help="A click on the output sets it.")
    identity = controls.toggle("identity", "W_O as identity", help="The output is then the heads side by side.")
    causal = controls.toggle("causal", "Causal mask", help="No query sees a later key.")
    about = "For the sum and the reshape. Beyond the last head, the last is taken."
    head = min(controls.slider("head", "Head in detail", 0, 7, 0, help=about), n_heads - 1)
    with lab.folded("Edit the tokens"):
        x = edited.matrix("x", "Tokens X", X, rows=TOKENS, limit=20)

at = TOKENS.index(query)
W_O = np.eye(8) if identity else MIXING
mask = causal_mask(6) if causal else np.ones((6, 6), bool)
active = np.array([name not in silent for name in names])
weights = (W_Q, W_K, W_V, W_O)
trace = multi_head(x, *weights, n_heads=n_heads, mask=mask, active=active)
full = multi_head(x, *weights, n_heads=n_heads, mask=mask)
q, k, v = merge_heads(trace.q), merge_heads(trace.k), merge_heads(trace.v)
d_k = trace.q.shape[2]
maps = np.stack([one.weights for one in trace.heads])
colours = theme.HEADS[:n_heads]
bands = tuple((h * d_k, (h + 1) * d_k, colours[h]) for h in range(n_heads))
own = slice(head * d_k, (head + 1) * d_k)  # the columns of the head in detail
owned = f"columns {own.start}–{own.stop - 1}" if d_k > 1 else f"column {head}"

row = {"rows": TOKENS, "mark": (at, None), "digits": 2}
panels = [Panel(q, "Queries Q", limit=4, colour="query", bands=bands, **row)]
panels += [Panel(k, "Keys K", limit=2, colour="key", bands=bands, **row)]
panels += [Panel(v, "Values V", limit=2, colour="value", bands=bands, **row)]
for h, name in enumerate(names):
    title, colour = (f"Map of {name}", colours[h]) if active[h] else (f"Map of {name}, silent", "ghost")
    panels.append(Panel(maps[h], title, columns=TOKENS, kind="probability", colour=colour, **row))
panels.append(Panel(trace.concat, "Concat", limit=2, bands=bands, **row))
charts.show("split", charts.matrices(panels, per_row=3, cell=25), f"Q, K and V, 6 by 8, cut into {n_heads} slices of {d_k} columns, a 6 by 6 map for each head, the contexts side by side.", query="row")  # fmt: skip

shares = np.vstack([trace.contributions[:, at], trace.out[at]])
each = tuple((h, h + 1, colours[h]) for h in range(n_heads))
panels = [
    Panel(W_O, "W_O", colour="weight", digits=2, mark=(None, column), row_bands=bands),
    Panel(trace.out, "Output = Concat · W_O", TOKENS, limit=2, digits=2, mark=(at, column)),
    Panel(shares, f"What each adds to “{query}”", [*names, "output"], limit=2, digits=2, mark=(n_heads, column), row_bands=each),
]  # fmt: skip
charts.show("mix", charts.matrices(panels, per_row=3, cell=25), f"W_O, the output, and each head's share in it for {query}; column {column} adds up to {number(trace.out[at, column])}.", column="column")  # fmt: skip
parts = [rf"\underbrace{{{worked.tex(share)}}}_{{\text{{{name}}}}}" for share, name in zip(shares[:-1, column], names, strict=True)]  # fmt: skip
lab.step(
    f"Column {column} of the output for “{query}”, and how head {head} comes to its share",
    rf"o_{{{column}}} = {worked.terms(parts)} = {worked.bare(trace.out[at, column])}",
    worked.dot(rf"\text{{head {head}}}", trace.concat[at, own], W_O[own, column], shares[head, column]),
)

right = split_heads(q, n_heads)[head]
wrong = [reshape_without_split(m, n_heads)[head] for m in (q, k, v)]
scrambled = scaled_dot_product(*wrong, mask=mask).weights
cells = reshape_without_split(np.arange(48).reshape(6, 8), n_heads)[:, :, 0].astype(int)  # what begins each row
source = [f"{TOKENS[c // 8]} {c % 8}{f'–{c % 8 + d_k - 1}' if d_k > 1 else ''}" for c in cells[head]]
strangers = int((cells[head] // 8 != np.arange(6)).sum())
lab.step(f"The wrong reshape beside the right split: head {head}")
if n_heads > 1:
    panels = [
        Panel(right, "Q split", TOKENS, [str(c) for c in range(own.start, own.stop)], limit=4, digits=1, colour=colours[head]),
        Panel(maps[head], "Its map", TOKENS, TOKENS, kind="probability", digits=2, colour=colours[head]),
        Panel(wrong[0], "Q reshaped", source, limit=4, digits=1, colour="ghost"),
        Panel(scrambled, "Its map", source, list("012345"), kind="probability", digits=2, colour="ghost"),
    ]  # fmt: skip
    words = f"Head {head} split by columns beside the reshape without a transpose; {strangers} of 6 rows hold another token."
    charts.show("reshape", charts.matrices(panels, per_row=4, cell=25), words)
    lab.say(
        f"`Q.reshape({n_heads}, 6, {d_k})` keeps the order in memory, so it cuts Q by rows: row 1 of head {head} should be “cat”, {owned}, and holds “{source[1]}”. "
        f"**{strangers} of 6** rows hold another token. Right is `Q.reshape(6, {n_heads}, {d_k}).transpose(1, 0, 2)`."
        + (f" Row 0 of {names[-1]} holds “{TOKENS[cells[-1, 0] // 8]}”: joined to the other heads, it tells token 0 what the causal mask hides." if causal else "")
    )  # fmt: skip
else:
    lab.say("With one head the reshape and the split are the same: there is nothing to mix up. Choose more heads.")

looks = []
for name, weight in zip(names, maps[:, at], strict=True):
    top = [token for token, w in zip(TOKENS, weight, strict=True) if w > weight.max() - 1e-9]
    alike = "all alike" if len(top) == mask[at].sum() > 1 else " and ".join(top)
    looks.append(f"{name}: {alike} ({number(weight.max(), 2)})")
largest = abs(trace.contributions).max(axis=(1, 2))
idle = [name for name, most, on in zip(names, largest, active, strict=True) if on and most == 0]
lab.notice(
    f"Where “{query}” looks most, {'; '.join(looks)}.",
    f"Heads share out the same 8 columns: {n_heads} × d_k = {n_heads} × {d_k}; scores are divided by √{d_k}.",
    f"The most each head adds to any cell, {'; '.join(f'{name}: {number(most)}' for name, most in zip(names, largest, strict=True))}.",
    (f"Silencing {', '.join(silent)} changes the output by up to **{number(abs(full.out - trace.out).max())}**." if silent else "No head is silent.")
    + (f" {', '.join(idle)}: not silent, yet adds **exactly 0**. What it found meets only zeros in W_O, or is 0 itself." if idle else ""),
    "W_O is the identity: each head fills its own columns of the output and no others."
    if identity
    else "W_O mixes: through its own rows of W_O, each head may add to every column of the output.",
)  # fmt: skip
lab.try_this(
    ("A head that does nothing", "Head 5 of 8 has a map and is not silent. Why does it add nothing to the output?", {"heads": "8", "query": "the", "head": 5}),
    ("The scrambled reshape", "Which token's numbers stand in row 0 of the last of 4 heads, and does the causal mask allow it?", {"heads": "4", "head": 3, "causal": True}),
    ("Silent and unmixed", "With W_O as identity and head 1 silent, which columns of the output are 0?", {"identity": True, "silent": ["head 1"]}),
    ("One head for everything", "One map must serve kind and place at once. Where does “big” look now?", {"heads": "1", "query": "big"}),
)  # fmt: skip
by_model = multi_head(x, *weights, n_heads=n_heads, mask=mask, scale=8**-0.5).heads[head].weights[at]
best = int(maps[head, at].argmax())
lab.conventions(
    ("Scale", f"1/√d_k, d_k = {d_k}: {query} → {TOKENS[best]} {number(maps[head, at, best])}", f"the slip 1/√d_model, 8: {number(by_model[best])}"),
    ("Numbers in W_Q, W_K, W_V", f"8 × {d_k} a head: {W_Q.size + W_K.size + W_V.size}", f"a common misreading, {d_k} × {d_k} a head: {3 * n_heads * W_Q[:d_k, :d_k].size}"),
    (f"Where W_Q of head {head} stands", f"X·W_Q: {owned}", f"PyTorch's in_proj_weight, X·Wᵀ: {owned.replace('column', 'row')}"),
    (f"Row 1 of head {head} begins with", f"split: {number(right[1, 0])}", f"the slip, reshape alone: {number(wrong[0][1, 0])}"),
)  # fmt: skip
lab.take_away(trace._asdict() | {"weights": maps, "reshaped": reshape_without_split(q, n_heads)}, code="""
cut = lambda m: m.reshape(6, n_heads, -1).transpose(1, 0, 2)  # (6, 8) -> (n_heads, 6, d_k)
q, k, v = cut(X @ W_Q), cut(X @ W_K), cut(X @ W_V)
scores = np.where(mask, q @ k.transpose(0, 2, 1) / np.sqrt(8 / n_heads), -np.inf)
exps = np.exp(scores - scores.max(axis=-1, keepdims=True))
weights = exps / exps.sum(axis=-1, keepdims=True)
contexts = weights @ v * active[:, None, None]
concat = contexts.transpose(1, 0, 2).reshape(6, 8)
contributions = contexts @ W_O.reshape(n_heads, -1, 8)
out = concat @ W_O
reshaped = (X @ W_Q).reshape(n_heads, 6, -1)  # the slip: no transpose
""", X=x, W_Q=W_Q, W_K=W_K, W_V=W_V, W_O=W_O, n_heads=n_heads, mask=mask, active=active)  # fmt: skip
lab.source(multi_head, split_heads, reshape_without_split)

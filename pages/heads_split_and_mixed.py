"""What do several heads see that one head of the same total width cannot, and how does W_O mix what they found?"""

import numpy as np

from engine.attention import (
    attention_mask,
    merge_heads,
    multi_head,
    reshape_origins,
    reshape_without_split,
    scaled_dot_product,
    split_heads,
)
from engine.softmax import favourites
from engine.vectors import largest_difference
from ui import charts
from ui.labs import heads_split_and_mixed as heads
from ui.page import controls, lab
from ui.page.matrices import matrix
from ui.words import dot, told

TOKENS = ["the", "cat", "saw", "a", "big", "dog"]
# Columns 0–3: noun, verb, determiner, adjective. Columns 4–7: the place, as two hands of a clock with six hours.
X = [[0, 0, 1, 0, 1, 0, 1, 0], [1, 0, 0, 0, 0.5, 0.87, -0.5, 0.87], [0, 1, 0, 0, -0.5, 0.87, -0.5, -0.87],
     [0, 0, 0.8, 0.2, -1, 0, 1, 0], [0, 0, 0, 1, -0.5, -0.87, -0.5, 0.87],
     [0.9, 0, 0, 0.2, 0.5, -0.87, -0.5, -0.87]]  # fmt: skip
# Nouns ask for what describes them, all others ask for nouns; the clock is turned back by one hour.
W_Q = np.array([[0, 0, 4, 4, 0, 0, 0, 0], [4, 0, 0, 0, 0, 0, 0, 0], [4, 0, 0, 0, 0, 0, 0, 0],
                [4, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 1.5, -2.61, 0, 0], [0, 0, 0, 0, 2.61, 1.5, 0, 0],
                [0, 0, 0, 0, 0, 0, -1.5, -2.61], [0, 0, 0, 0, 0, 0, 2.61, -1.5]])  # fmt: skip
W_K = np.eye(8)
W_V = np.eye(8)[:, [0, 1, 2, 3, 0, 1, 2, 3]]
MIXING = np.array([[0.7, -0.8, -0.6, 0.6, 0.2, -0.3, 0.8, 0.5], [-0.4, 0.9, 0.1, -0.7, 0.5, 0.3, -0.2, 0.6],
                   [0.3, 0.2, -0.9, 0.4, -0.5, 0.8, 0.1, -0.3], [0.6, -0.1, 0.5, 0.9, -0.4, -0.7, 0.3, 0.2],
                   [-0.5, 0.7, 0.4, -0.2, 0.9, 0.1, -0.8, 0.3], [0, 0, 0, 0, 0, 0, 0, 0],
                   [0.8, 0.3, -0.4, 0.5, -0.1, 0.6, 0.9, -0.7],
                   [0.1, -0.6, 0.8, -0.3, 0.7, -0.9, 0.2, 0.4]])  # fmt: skip

lab.begin(__file__)
with lab.panel():
    n_heads = int(controls.choice("heads", "Heads", ["1", "2", "4", "8"], "2", help="d_k = 8 / heads."))
    names = [f"head {h}" for h in range(n_heads)]
    silent = controls.several("silent", "Silence", names, help="A silent head adds nothing to the output.")
    at = controls.which("query", "Query", TOKENS, "saw", help="A click on a row of Q, K, V or a map sets it.")
    column = controls.slider("column", "Column of the output", 0, 7, 0, help="A click on the output sets it.")
    identity = controls.toggle("identity", "W_O as identity", help="The output is then the heads side by side.")
    causal = controls.toggle("causal", "Causal mask", help="No query sees a later key.")
    about = "For the sum and the reshape. Beyond the last head, the last is taken."
    head = min(controls.slider("head", "Head in detail", 0, 7, 0, help=about), n_heads - 1)
    with lab.folded("Edit the tokens"):
        x = matrix("x", "Tokens X", X, rows=TOKENS, limit=20)

W_O, mask = np.eye(8) if identity else MIXING, attention_mask(6, causal=causal)
active = np.array([name not in silent for name in names])
given = {"W_Q": W_Q, "W_K": W_K, "W_V": W_V, "W_O": W_O, "n_heads": n_heads, "mask": mask}
trace, full = multi_head(x, active=active, **given), multi_head(x, **given)
by_model = multi_head(x, scale=8**-0.5, **given).heads[head].weights[at]
q, k, v = (merge_heads(part) for part in (trace.q, trace.k, trace.v))
wrong = [reshape_without_split(m, n_heads)[head] for m in (q, k, v)]
right, scrambled = trace.q[head], scaled_dot_product(*wrong, mask=mask).weights
origins, best = reshape_origins(6, 8, n_heads), [favourites(m[at], tolerance=1e-9) for m in trace.maps]
d_k, its_map = trace.q.shape[2], trace.maps[head]
own, key = slice(head * d_k, (head + 1) * d_k), int(its_map[at].argmax())  # the columns of the head in detail
owned, held = heads.columns(own.start, d_k), heads.held(origins, head, d_k, TOKENS)
now = told(
    query=TOKENS[at],
    key=TOKENS[key],
    weight=its_map[at, key],
    by_model=by_model[key],
    out=trace.out[at, column],
    largest=trace.largest_shares,
    change=largest_difference(full.out, trace.out),
    split=right[1, 0],
    reshaped=wrong[0][1, 0],
)

alt = f"Q, K and V, 6 by 8, cut into {n_heads} slices of {d_k} columns, a 6 by 6 map for each head, "
alt += "the contexts side by side."
charts.show("split", heads.split(trace, q, k, v, TOKENS, names, active, at), alt, query="row")
alt = f"W_O, the output, and each head's share in it for {now.query}; column {column} adds up to {now.out}."
charts.show("mix", heads.mixed(trace, W_O, TOKENS, names, at, column), alt, column="column")
share = trace.contributions[head, at, column]
lab.step(
    f"Column {column} of the output for “{now.query}”, and how head {head} comes to its share",
    heads.total(trace, names, at, column),
    dot(rf"\text{{head {head}}}", trace.concat[at, own], W_O[own, column], share),
)
lab.step(f"The wrong reshape beside the right split: head {head}")
if n_heads > 1:
    alt = f"Head {head} split by columns beside the reshape without a transpose; "
    alt += f"{origins.strangers[head]} of 6 rows hold another token."
    charts.show("reshape", heads.reshaped(right, wrong[0], its_map, scrambled, TOKENS, held, head), alt)
    leak = TOKENS[origins.token[-1, 0]] if causal else ""
    lab.say(heads.slip(trace, head, held, origins.strangers[head], leak))
else:
    lab.say("With one head the reshape and the split are the same: there is nothing to mix up. Choose more heads.")

lab.notice(
    f"Where “{now.query}” looks most, {heads.looks(trace, names, TOKENS, at, best, mask[at].sum())}.",
    f"Heads share out the same 8 columns: {n_heads} × d_k = {n_heads} × {d_k}; scores are divided by √{d_k}.",
    f"The most each head adds to any cell, {'; '.join(map('{}: {}'.format, names, now.largest))}.",
    heads.silence(silent, trace, names, active, now.change),
    "W_O is the identity: each head fills its own columns of the output and no others."
    if identity
    else "W_O mixes: through its own rows of W_O, each head may add to every column of the output.",
)
lab.try_this(
    (
        "A head that does nothing",
        "Head 5 of 8 has a map and is not silent. Why does it add nothing to the output?",
        {"heads": "8", "query": "the", "head": 5},
    ),
    (
        "The scrambled reshape",
        "Which token's numbers stand in row 0 of the last of 4 heads, and does the causal mask allow it?",
        {"heads": "4", "head": 3, "causal": True},
    ),
    (
        "Silent and unmixed",
        "With W_O as identity and head 1 silent, which columns of the output are 0?",
        {"identity": True, "silent": ["head 1"]},
    ),
    (
        "One head for everything",
        "One map must serve kind and place at once. Where does “big” look now?",
        {"heads": "1", "query": "big"},
    ),
)
lab.conventions(
    (
        "Scale",
        f"1/√d_k, d_k = {d_k}: {now.query} → {now.key} {now.weight}",
        f"the slip 1/√d_model, 8: {now.by_model}",
    ),
    (
        "Numbers in W_Q, W_K, W_V",
        f"8 × {d_k} a head: {W_Q.size + W_K.size + W_V.size}",
        f"a common misreading, {d_k} × {d_k} a head: {3 * n_heads * d_k * d_k}",
    ),
    (
        f"Where W_Q of head {head} stands",
        f"X·W_Q: {owned}",
        f"PyTorch's in_proj_weight, X·Wᵀ: {owned.replace('column', 'row')}",
    ),
    (f"Row 1 of head {head} begins with", f"split: {now.split}", f"the slip, reshape alone: {now.reshaped}"),
)
numbers = trace._asdict() | {"weights": trace.maps, "reshaped": reshape_without_split(q, n_heads)}
lab.take_away(numbers, X=x, **given, active=active)
lab.source(multi_head, split_heads, reshape_without_split)

"""What do several heads see that one head of the same total width cannot, and how does W_O mix what they found?"""

import numpy as np

from engine.attention import (
    attention_mask,
    key_head_of_each,
    merge_heads,
    multi_head,
    pool_key_heads,
    reshape_origins,
    reshape_without_split,
    scaled_dot_product,
    split_heads,
)
from engine.softmax import favourites
from engine.vectors import largest_difference
from ui import charts
from ui.labs.heads_split_and_mixed import drawn, said
from ui.labs.heads_split_and_mixed.example import FEATURES, MIXING, READING, TOKENS, W_K, W_Q, W_V, YOURS, X
from ui.page import controls, lab
from ui.page.matrices import matrix
from ui.questions.heads_split_and_mixed import QUESTIONS
from ui.words import counted, noise, together, told

lab.begin(__file__, QUESTIONS)
with lab.panel():
    n_heads = int(controls.choice("heads", "Heads", ["1", "2", "4", "8"], "2", help="d_k = 8 / heads."))
    about = "How many neighbouring heads read the same keys and values: grouped-query attention."
    groups = [str(size) for size in (1, 2, 4, 8) if size <= n_heads]
    share = int(controls.choice("share", "Heads that share a key head", groups, "1", help=about))
    names = [f"head {h}" for h in range(n_heads)]
    silent = controls.several("silent", "Silence", names, help="A silent head adds nothing to the output.")
    at = controls.which("query", "Query", TOKENS, "saw", help="A click on a row of X, Q or a map sets it.")
    key = controls.which("key", "Key", TOKENS, "cat", help="A click on a row of K or V or on a map sets it.")
    column = controls.index("column", "Column of the output", 8, help="A click on the output or on W_O sets it.")
    head = controls.index("head", "Head in detail", n_heads, help="For the weight, the sum and the reshape.")
    identity = controls.toggle("identity", "W_O as identity", help="The output is then the heads side by side.")
    causal = controls.toggle("causal", "Causal mask", help="No query sees a later key.")
    with lab.folded("Edit the tokens"):
        x = matrix("x", "Tokens X", X, rows=TOKENS, columns=FEATURES, limit=20)

n_kv, W_O, mask = n_heads // share, np.eye(8) if identity else MIXING, attention_mask(6, causal=causal)
active = np.array([name not in silent for name in names])
shared = {"W_K": pool_key_heads(W_K, n_heads, n_kv), "W_V": pool_key_heads(W_V, n_heads, n_kv)}
given = {"W_Q": W_Q, **shared, "W_O": W_O, "n_heads": n_heads, "n_kv_heads": n_kv, "mask": mask}
trace, full = multi_head(x, active=active, **given), multi_head(x, **given)
tiled = multi_head(x, active=active, **given, interleaved=True)
every = multi_head(x, W_Q, W_K, W_V, W_O, n_heads=n_heads, mask=mask, active=active)  # a key head for each head
two = multi_head(x, W_Q, W_K, W_V, W_O, n_heads=2, mask=mask)
by_model = multi_head(x, scale=8**-0.5, **given).heads[head].weights[at, key]
q, k, v = (merge_heads(part) for part in (trace.q, trace.k, trace.v))
of_head = trace.key_heads[head]
wrong = [reshape_without_split(q, n_heads)[head], *(reshape_without_split(m, n_kv)[of_head] for m in (k, v))]
right, scrambled = trace.q[head], scaled_dot_product(*wrong, mask=mask).weights
origins = reshape_origins(6, 8, n_heads)
best = [[favourites(m[at], tolerance=1e-9) for m in each.maps] for each in (trace, two)]
d_k, its_map = trace.q.shape[2], trace.maps[head]
held = said.held(origins, head, d_k, TOKENS)
layout = (n_heads, n_kv) if 1 < n_kv < n_heads else (4, 2)
now = told(
    query=TOKENS[at],
    key=TOKENS[key],
    weight=its_map[at, key],
    average=trace.maps[:, at, key].mean(),
    by_model=by_model,
    out=trace.out[at, column],
    largest=trace.largest_shares,
    change=largest_difference(full.out, trace.out),
    change_shared=largest_difference(every.out, trace.out),
    change_tiled=largest_difference(tiled.out, trace.out),
    split=noise(right[1, 0]),
    reshaped=noise(wrong[0][1, 0]),
    in_order=said.sharing(key_head_of_each(*layout)),
    in_turn=said.sharing(key_head_of_each(*layout, interleaved=True)),
)
lab.shape(f"6 tokens · d_model = 8 · {counted(n_heads, 'head', 'heads')} of d_k = {d_k}")

figure = drawn.split(trace, x, q, k, v, TOKENS, names, active, at, key)
alt = f"The tokens X, then Q, K and V cut into slices of {counted(d_k, 'column', 'columns')}, a 6 by 6 map for each of "
alt += f"{counted(n_heads, 'head', 'heads')}."
charts.show("split", figure, alt, **drawn.picks_of_split(trace))
alt = f"The contexts side by side, W_O, the output, and each head's share in it for {now.query}; column {column} adds "
alt += f"up to {now.out}."
charts.show("mix", drawn.mixed(trace, W_O, TOKENS, names, active, at, column), alt, **drawn.picks_of_mixed(trace))
lab.say(READING if not largest_difference(x, X) else YOURS)
title = f"How head {head} comes to its weight from “{now.query}” to “{now.key}”"
lab.step(title, *said.weight(trace, head, at, key))
title = f"Column {column} of the output for “{now.query}”, and how head {head} comes to its share"
lab.step(title, *said.total(trace, W_O, head, at, column))
lab.step(f"The wrong reshape beside the right split: head {head}")
if n_heads > 1:
    alt = f"Head {head} split by columns beside the reshape without a transpose; "
    alt += f"{origins.strangers[head]} of 6 rows hold another token."
    charts.show("reshape", drawn.reshaped(right, wrong[0], its_map, scrambled, TOKENS, held, head, origins), alt)
    leak = TOKENS[origins.token[-1, 0]] if causal else ""
    lab.say(said.slip(trace, head, held, origins.strangers[head], leak))
else:
    lab.say("With one head the reshape and the split are the same: there is nothing to mix up. Choose more heads.")

looks, of_two = (
    said.looks(each, TOKENS, at, first, mask[at].sum()) for each, first in zip((trace, two), best, strict=True)
)
lab.notice(
    f"Where “{now.query}” looks most, {looks}.",
    (
        n_heads == 1,
        "One head has one map, so kind and place add up in it. With two heads, one for the kind and one for the place, "
        f"“{now.query}” looks like this: {of_two}.",
    ),
    (
        n_heads > 1,
        f"Several heads have several maps: each may look elsewhere. They share out the same 8 columns, "
        f"{n_heads} × d_k = {n_heads} × {d_k}; scores are divided by √{d_k}.",
    ),
    f"The most each head adds to any cell, {'; '.join(map('{}: {}'.format, names, now.largest))}.",
    (share > 1, said.shared_keys(trace, W_K.size, now)),
    (silent, f"Silencing {together(silent)} changes the output by up to **{now.change}**."),
    *said.idle_heads(trace, names, active),
    *(said.empty_columns(trace, names, active) if identity else ()),
    (identity, "W_O is the identity: each head fills its own columns of the output and no others."),
    (not identity, "W_O mixes: through its own rows of W_O, each head may add to every column of the output."),
)
lab.conventions(*said.conventions(trace, head, now))
lab.slips(*said.slips(trace, head, held, layout, now))
numbers = trace._asdict() | {"weights": trace.maps, "reshaped": reshape_without_split(q, n_heads)}
del numbers["heads"]
lab.take_away(numbers, X=x, **given, active=active)
lab.source(multi_head, split_heads, reshape_without_split)

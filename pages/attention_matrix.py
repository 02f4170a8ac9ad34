"""How does a query turn its scores over all keys into one mix of the values?"""

from engine.attention import attention_mask, entropy_limits, scaled_dot_product, value_shares
from engine.softmax import entropy, favourites
from ui import charts
from ui.labs.attention_matrix import DIMS, TOKENS, K, Q, V, entropies, four, mix, picks_of_mix
from ui.page import controls, lab
from ui.page.matrices import matrices
from ui.questions.attention_matrix import QUESTIONS
from ui.words import counted, dot, softmax, told

MOST = "the one with most weight"

lab.begin(__file__, QUESTIONS)
with lab.panel():
    row = controls.slider("query", "Query: which row", 0, 5, 2, help="A click on any matrix sets query and key.")
    scaling = controls.toggle("scale", "Divide by √d_k", True)
    causal = controls.toggle("causal", "Causal mask", True, help="No query sees a later key.")
    about = "Keys that only fill up the row: masked for every query."
    n_padding = controls.slider("padding", "Padding tokens at the end", 0, 6, 0, help=about)
    about = "Under the causal mask a query sees itself and as many keys before it as fit; 6 is no window."
    window = controls.slider("window", "Sliding window, keys", 1, 6, 6, help=about)
    chosen = controls.stops("key", "Key worked out", [*range(6), MOST], MOST, help="A click on a cell sets it.")
    tokens = controls.words("tokens", "Tokens", TOKENS, least=6, most=6)
    edited = {"Q": ("Queries Q", Q), "K": ("Keys K", K), "V": ("Values V", V)}
    q, k, v = matrices("Edit Q, K and V", rows=TOKENS, columns=DIMS, **edited)

mask = attention_mask(6, causal=causal, n_padding=n_padding, window=window if causal else None)
trace = scaled_dot_product(q, k, v, mask=mask, scale=None if scaling else 1.0)
other = scaled_dot_product(q, k, v, mask=mask, scale=1.0 if scaling else None)
by_d_k = scaled_dot_product(q, k, v, mask=mask, scale=0.25).weights[row]
weights, rows, most = trace.weights[row], entropy(trace.weights), entropy_limits(trace.masked)
best, *tied = favourites(weights)
key, seen = best if chosen == MOST else chosen, int(mask[row].sum())
now = told(
    query=tokens[row],
    key=tokens[key],
    best=tokens[best],
    weight=weights[key],
    top=weights[best],
    total=weights.sum(),
    entropy=rows[row],
    most=most[row],
    score=trace.scores[row, key],
    scaled=trace.scaled[row, key],
    out=trace.out[row],
    other=entropy(other.weights)[row],
    other_top=other.weights[row].max(),
    by_d_k=by_d_k[key],
    by_root=(trace if scaling else other).weights[row, key],
    aside=other.weights[row, key],
)

gives = f"query {now.query!s} gives {now.key!s} {now.weight}"
figure = mix(trace, (q, k, v), value_shares(trace.weights, v)[row], tokens, row, key)
alt = f"Q, K and V, the weights, those of query {now.query!s} times the value rows, and their sum {now.out}."
charts.show("mix", figure, alt, **picks_of_mix())
alt = f"Scores, scaled scores, masked scores and weights, 6 by 6 each; {gives}."
charts.show("four", four(trace, mask, tokens, row, key, scaling), alt, query="row", key="column")
divided = rf"z_{{{row},{key}}} = {now.score:tex} / \sqrt{{4}} = {now.scaled:bare}"
if seen:
    lab.step(
        f"{now.query} → {now.key}, from the score to the weight: row {row}, key {key}",
        dot(rf"q_{row} \cdot k_{key}", q[row], k[key], trace.scores[row, key]),
        *([divided] if scaling else []),
        *([softmax(rf"w_{{{row},{key}}}", trace.masked[row], key, weights[key])] if mask[row, key] else []),
    )
if not mask[row, key]:
    lab.say(f"The mask sets this score to −∞ before softmax: the weight {now.key} gets is 0, whatever the score.")
lab.step(
    "The output is the weights' mix of the value rows, here in d0",
    dot(rf"o_{{{row},0}}", weights, v[:, 0], trace.out[row, 0]),
)
alt = f"Entropy of each row of weights beside its limit; {now.query!s} has {now.entropy} of {now.most} nats."
charts.show("entropy", entropies(rows, most, tokens), alt, query="point")

lab.notice(
    (seen and not tied, f"{now.query} (row {row}) gives most to **{now.best}** (key {best}): **{now.top}**."),
    (seen and tied, f"{now.query} (row {row}) gives most to {counted(1 + len(tied), 'key', 'keys')} alike: {now.top}."),
    (not seen, f"{now.query} has no key left: its weights are 0, they sum to 0 instead of 1, and its output is 0."),
    (seen == 1, "It sees one key only, so that weight is **1**, whatever the score."),
    (abs(now.total - 1) < 1e-9, f"Its weights sum to **{now.total}**, over {seen} of 6 keys."),
    (seen, f"Its entropy is **{now.entropy}** of at most {now.most} nats."),
    (
        seen > 1,
        f"{'Divided by √d_k' if scaling else 'Undivided'}: entropy {now.entropy}, largest weight {now.top}; "
        f"{'undivided' if scaling else 'divided by √d_k'}: {now.other} and {now.other_top}.",
    ),
    (seen > 1 and not scaling and now.entropy < now.other - 1e-9, "Undivided scores make this row **sharper**."),
)
scale = (
    "Scale",
    f"1/√d_k = 0.500 {'in use' if scaling else 'not in use'}: weight {now.weight}",
    f"T5: none, its weights are trained to that; {'undivided' if scaling else 'divided'} {now.aside}",
)
lab.conventions(
    (
        "A query with no key left",
        "weights 0, output 0",
        "PyTorch's scaled_dot_product_attention and ONNX since 2026: output 0; PyTorch's nn.MultiheadAttention: NaN",
    ),
    (
        "What True means in a mask",
        "takes part, as in PyTorch's scaled_dot_product_attention",
        "PyTorch's nn.MultiheadAttention: True = left out",
    ),
    (
        "How far back a query sees",
        f"{window if causal else 6} of 6 keys at most" if causal else "every key, before and after",
        "Mistral 7B v0.1: 4,096 keys; GPT-2 and Llama: all that came before",
    ),
    *([scale] if mask[row, key] and seen > 1 else []),
)
slip = ("Divided by d_k in place of √d_k", f"1/√4 = 0.500: weight {now.by_root}", f"1/4 = 0.250: weight {now.by_d_k}")
lab.slips(*([slip] if mask[row, key] and seen > 1 else []))
lab.take_away(trace, Q=q, K=k, V=v, mask=mask, scale=0.5 if scaling else 1.0)
lab.source(scaled_dot_product)

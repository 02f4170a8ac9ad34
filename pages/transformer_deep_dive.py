"""Can you work attention, heads, positions and masking out by hand, and does it still hold without the page?"""

import numpy as np

from engine.attention import attention_by_hand, causal_mask, join_heads, multi_head, scaled_dot_product
from engine.positions import one_frequency_per_column, rope_angles, sinusoidal_table, wavelengths
from engine.practice import KINDS, TOLERANCE, check, practice
from engine.softmax import softmax
from engine.weights import load_weights
from ui import charts
from ui import words as worked
from ui.labs import transformer_deep_dive as deep_dive
from ui.labs.transformer_deep_dive import STEPS, WORDS, listed
from ui.page import controls, exercise, lab, parse
from ui.page import matrices as edited
from ui.words import number

Q, K, V = np.array([[1, 0, 1], [0, 1, 0]]), np.array([[0, 1, 0], [1, 0, 1]]), np.eye(2)  # the document's example
S = np.array([[0.9, 1.6, -0.4, 0.8], [0.2, 1.1, 1.9, -0.7], [1.4, -0.3, 0.6, 1.2], [-0.5, 0.8, 0.3, 1.7]])
PARTS = ["Attention", "Heads", "Positions", "Masking", "Practice"]
MIXED = "Mixed: any kind"
OBJECTIVES = {  # and the kinds of question that show it
    "Compute attention scores step-by-step": ("document", "scores", "scaled", "softmax", "weights", "output"),
    "Implement multi-head attention": ("parameters",),
    "Explain masking in decoder": ("masked",),
    "Describe positional encoding formula": ("position",),
}
CODE = {  # attention in NumPy; a step that is overwritten leaves out its line
    "scores": "scores = Q @ K.T",
    "scaled": "scaled = scores / np.sqrt(3)",
    "weights": "exps = np.exp(scaled - scaled.max(axis=1, keepdims=True))\nweights = exps / exps.sum(axis=1, keepdims=True)",
    "out": "out = weights @ V",
}
MULTI_HEAD = """
contexts = []
for h in range(n_heads):
    q, k, v = (np.split(X @ W, n_heads, axis=1)[h] for W in (W_Q, W_K, W_V))
    scores = q @ k.T / np.sqrt(q.shape[1])
    exps = np.exp(scores - scores.max(axis=1, keepdims=True))
    contexts.append(speaks[h] * (exps / exps.sum(axis=1, keepdims=True)) @ v)
concat = np.hstack(contexts)
out = concat @ W_O
"""
POSITION = """
angle = pos / 10_000 ** (2 * i / d_model)
sine, cosine = np.sin(angle), np.cos(angle)
"""
MASKED = """
n_q, n_k = scaled.shape
masked = np.where(np.tri(n_q, n_k, n_k - n_q, dtype=bool), scaled, -np.inf)
top = masked.max(axis=1, keepdims=True)
exps = np.exp(masked - np.where(np.isinf(top), 0, top))
weights = exps / np.maximum(exps.sum(axis=1, keepdims=True), 1e-300)
"""

lab.begin(__file__)
with lab.panel():
    part = controls.choice("part", "Part", PARTS, wide=True, help="The sections of the document, then its practice.")
    with lab.group("attention", part == "Attention"):
        row = WORDS.index(controls.choice("query", "Query worked out", WORDS, help="A click on its row sets it."))
        with lab.folded("Edit Q, K and V"):
            q, k, v = (edited.matrix(m.lower(), m, start, rows=WORDS, limit=100) for m, start in (("Q", Q), ("K", K), ("V", V)))  # fmt: skip
        q, k, v = edited.nudge(Q=q, K=k, V=v)
        with lab.folded("Overwrite a step"):
            read = lambda text: parse.matrix(text, shape=(2, 2), limit=1000, rows=WORDS) if text.strip() else None
            about = "Your own 2 rows of 2 numbers, to go on from. Empty: computed."
            own = {name: controls.text(f"own_{name}", name.capitalize(), "", read, height=72, help=about) for name in STEPS}  # fmt: skip
    with lab.group("heads", part == "Heads"):
        x = edited.matrix("x", "Two words X", Q, rows=WORDS, limit=100, help="What all heads read; d_model = 3.")
        silent = controls.several("silent", "Silent heads", ["head 0", "head 1", "head 2"], help="A silent head adds nothing.")  # fmt: skip
        column = controls.slider("column", "Column worked out", 0, 2, 0, help="A click on the output sets it.")
    with lab.group("positions", part == "Positions"):
        pos = controls.slider("pos", "Position pos", 0, 40, 1, help="A click on a curve sets it.")
        pair = controls.slider("i", "Pair i", 0, 255, 0, help="Columns 2i and 2i + 1. The last pair is d_model / 2 − 1.")  # fmt: skip
        d_model = controls.stops("d_model", "Width d_model", [4, 8, 16, 64, 128, 512], 512)
    with lab.group("masking", part == "Masking"):
        token = controls.slider("token", "Query worked out", 0, 5, 1, help="A click on its row sets it.")
        s = edited.matrix("s", "Scaled scores", S, shape=(None, None), limit=100, most=(6, 6), help="Up to 6 × 6.")
    with lab.group("practice", part == "Practice"):
        titles = {kind.title: name for name, kind in KINDS.items()}
        title = controls.choice("kind", "Kind of question", [next(iter(titles)), MIXED, *list(titles)[1:]])
        number_of = lambda text: int(parse.number(text.strip() or "0", 0, 999_999, whole=True))
        seed = controls.text("seed", "Question number", "0", number_of, limit=6, help="0 to 999999. The same number is the same question, for everyone.")  # fmt: skip

exercise.checklist(list(OBJECTIVES))
mask, keys = causal_mask(*s.shape), np.eye(s.shape[1])
before, after = (scaled_dot_product(s, keys, keys, scale=1.0, mask=m) for m in (None, mask))
token, i = min(token, len(s) - 1), min(pair, d_model // 2 - 1)
table = sinusoidal_table(41, d_model)

if part == "Attention":
    trace = lab.attempt(attention_by_hand, q, k, v, **own)
    yours, key = [name for name, given in own.items() if given is not None], int(trace.weights[row].argmax())
    told = f"The query of {WORDS[row]} gives {WORDS[key]} the weight {number(trace.weights[row, key])}"
    charts.show("qkv", deep_dive.inputs(q, k, v, row), "The queries, keys and values of two words.", query="row")  # fmt: skip
    charts.show("steps", deep_dive.steps(trace, row, yours), f"Scores, scaled scores, weights, output. {told}.", query="row")  # fmt: skip
    lab.step(f"From {WORDS[row]} to {WORDS[key]}, then the output", *deep_dive.sums(trace, q, k, v, row, key, yours))
    sentences = [
        f"{told}. Its weights sum to **{number(trace.weights[row].sum())}**.",
        f"Its output [{listed(trace.out[row])}] is the rows of V, mixed by these weights.",
        *(f"The {name} are yours: what stands before them no longer reaches the output." for name in yours),
    ]
    numbers, code = trace._asdict() | {"masked": None}, "\n".join(line for name, line in CODE.items() if name not in yours)  # fmt: skip
    given = {"Q": q, "K": k, "V": v} | {name: own[name] for name in yours}
elif part == "Heads":
    layer = lab.attempt(load_weights).layers[0]
    W_Q, W_K, W_V = join_heads(layer.heads)
    n_heads, (d_model_here, width) = len(layer.heads), W_Q.shape
    speaks = [f"head {h}" not in silent for h in range(n_heads)]
    heads = lab.attempt(multi_head, x, W_Q, W_K, W_V, layer.W_O, n_heads=n_heads, active=speaks)
    charts.show("maps", deep_dive.maps(heads, speaks), f"The weights of {n_heads} heads on the same two words.")
    charts.show("mixed", deep_dive.mixed(heads, column), "The contexts of the heads, and what W_O mixes from them.", column="column")  # fmt: skip
    cell, contexts = f"{{0,{column}}}", heads.concat[0]
    lab.step(f"Word 0, column {column} of the output", worked.dot(rf"\text{{out}}_{cell}", contexts, layer.W_O[:, column], heads.out[0, column]))  # fmt: skip
    sentences = [
        f"Each head reads the same words through its own W_Q, W_K, W_V of {d_model_here} × {width // n_heads}: word 0 gives itself {listed([head.weights[0, 0] for head in heads.heads])}.",
        f"Side by side the contexts are {n_heads} · {width // n_heads} = {width} wide; W_O, {width} × {d_model_here}, leads back to d_model = {d_model_here}.",
        f"To word 0, column {column}, the heads add {listed(heads.contributions[:, 0, column])}; together **{number(heads.out[0, column])}**.",
    ]
    numbers, code = {"concat": heads.concat, "out": heads.out}, MULTI_HEAD
    given = {"X": x, "W_Q": W_Q, "W_K": W_K, "W_V": W_V, "W_O": layer.W_O, "n_heads": n_heads, "speaks": np.array(speaks)}  # fmt: skip
elif part == "Positions":
    angle, (sine, cosine) = rope_angles(pos, d_model)[i], table[pos, 2 * i : 2 * i + 2]
    charts.show("waves", deep_dive.waves(table, pos, i), f"Pair {i} over the positions; at {pos} it is {number(sine)} and {number(cosine)}.", pos="x")  # fmt: skip
    charts.show("row", deep_dive.positional_row(table, pos, i), f"The row of position {pos} around columns {2 * i} and {2 * i + 1}.")  # fmt: skip
    lab.step("The formula at this position and pair", *deep_dive.position(table, angle, pos, i))
    sentences = [
        f"Pair {i} turns once in **{number(wavelengths(d_model)[i], 1)}** positions; at position {pos} it stands at {number(angle, 4)} radians.",
        f"Column {2 * i} holds its sine, **{number(sine)}**, column {2 * i + 1} its cosine, **{number(cosine)}**.",
    ]
    if i < pair:
        sentences.append(f"With d_model = {d_model} the last pair is {i}: it stands here in place of pair {pair}.")
    numbers, code = {"angle": angle, "sine": sine, "cosine": cosine}, POSITION
    given = {"pos": pos, "i": i, "d_model": d_model}
elif part == "Masking":
    n_seen, weight = int(mask[token].sum()), after.weights[token]
    charts.show("mask", deep_dive.masking(s, mask, before, after, token), f"Scores and weights before and after the mask; query {token} sees {n_seen} of {len(keys)} keys.", token="row")  # fmt: skip
    if n_seen:
        lab.step(f"From query {token} to key 0, under the mask", worked.softmax(f"w_{{{token},0}}", after.masked[token], 0, weight[0]))  # fmt: skip
    sentences = [
        f"Query {token} sees **{n_seen} of {len(keys)}** keys. Its weights sum to **{number(weight.sum())}**"
        + (", over those alone." if n_seen else ": nothing is left to attend to."),
        f"Without the mask **{number(before.weights[token][~mask[token]].sum())}** of its weight went to keys that come later.",
    ]
    numbers, code, given = {"masked": after.masked, "weights": after.weights}, MASKED, {"scaled": s}
else:
    kind = titles.get(title) or list(KINDS)[1 + seed % (len(KINDS) - 1)]
    question, fixed = practice(kind, seed), kind == "document"
    lab.step(KINDS[kind].title + ("" if fixed else f", question {seed:,}"))
    exercise.ask(
        kind if fixed else f"{kind}.{seed}", question, check,
        objective=next((name for name, covered in OBJECTIVES.items() if kind in covered), None),
        following={"kind": MIXED if fixed else title, "seed": str((seed + 1) % 1_000_000)},
    )  # fmt: skip
    sentences = [
        f"A number is right within {TOLERANCE}: three decimals are enough. A right answer ticks its objective above.",
        f"Kind and number are in the link, so this question can be passed on. There are {len(KINDS) - 1} kinds besides the document's own, with 1,000,000 questions each.",
    ]
    if fixed:
        sentences += ["The answer printed in the document has a slip; the worked solution and the conventions below give both."]  # fmt: skip
    numbers, code, given = {"answer": question.answer}, KINDS[kind].code, question.given

lab.notice(*sentences)
lab.try_this(
    ("Weights of your own", "If word 0 attends to word 1 only, and word 1 to word 0, what comes out?", {"own_weights": "0 1\n1 0"}),
    ("The slowest pair", "Pair 255 of 512 columns: how far does its sine get in 40 positions?", {"part": "Positions", "i": 255, "pos": 40}),
    ("The first word of a decoder", "Query 0 may see key 0 only: what is its weight, whatever the score?", {"part": "Masking", "token": 0}),
    ("The document's question", "Its printed answer has a slip in the third decimal. Can you find it?", {"part": "Practice"}),
)  # fmt: skip
document = practice("document", 0)
lab.conventions(
    ("The document's practice question", listed(document.answer), f"{listed(document.slips[0].answer)} as printed: a slip, softmax of 0.7 in place of 0.7071"),
    ("Scale for scores 8, 4, 0 with d_k = 4 in d_model = 16", f"1/√d_k: {listed(softmax([8.0, 4.0, 0.0], temperature=2.0))}", f"the slip 1/√d_model: {listed(softmax([8.0, 4.0, 0.0], temperature=4.0))}"),
    (f"Columns of the table: position {pos}, column 1 of {d_model}", f"sine and cosine alternate: {number(table[pos, 1])}", f"fairseq, all sines first: {number(sinusoidal_table(41, d_model, layout='halves')[pos, 1])}"),
    (f"Exponent: position {pos}, column 2 of {d_model}", f"2i/d_model, one for each pair: {number(table[pos, 2])}", f"the slip of one for each column: {number(one_frequency_per_column(41, d_model)[pos, 2])}"),
    (f"Mask before or after softmax: sum of row {token}", f"before: {number(after.weights[token].sum())}", f"the slip, after: {number(before.weights[token][mask[token]].sum())}"),
)  # fmt: skip
lab.take_away(numbers, code=code, **given)
lab.source(attention_by_hand, scaled_dot_product, multi_head, causal_mask, sinusoidal_table)

"""Can you work attention, heads, positions and masking out by hand, and does it still hold without the page?"""

import numpy as np

from engine.attention import (
    attend_to_scores,
    attention_by_hand,
    causal_mask,
    join_heads,
    multi_head,
    scaled_dot_product,
)
from engine.positions import one_frequency_per_column, rope_angles, sinusoidal_table, wavelengths
from engine.practice import KINDS, TOLERANCE, check, practice
from engine.softmax import softmax
from engine.weights import load_weights
from ui import charts
from ui.labs import transformer_deep_dive as deep_dive
from ui.labs.transformer_deep_dive import MIXED, OBJECTIVES, PARTS, STEPS, WORDS, own_step, question_number
from ui.page import controls, exercise, lab
from ui.page.matrices import matrices, matrix
from ui.words import told

Q, K, V = [[1, 0, 1], [0, 1, 0]], [[0, 1, 0], [1, 0, 1]], [[1, 0], [0, 1]]  # the document's example
S = [[0.9, 1.6, -0.4, 0.8], [0.2, 1.1, 1.9, -0.7], [1.4, -0.3, 0.6, 1.2], [-0.5, 0.8, 0.3, 1.7]]

lab.begin(__file__)
with lab.panel():
    part = controls.choice("part", "Part", PARTS, wide=True, help="The sections of the document, then its practice.")
    with lab.group("attention", part == "Attention"):
        row = controls.which("query", "Query worked out", WORDS, help="A click on its row sets it.")
        q, k, v = matrices("Edit Q, K and V", rows=WORDS, limit=100, Q=("Q", Q), K=("K", K), V=("V", V))
        with lab.folded("Overwrite a step"):
            box = {"height": 72, "help": "Your own 2 rows of 2 numbers, to go on from. Empty: computed."}
            own = {step: controls.text(f"own_{step}", step.capitalize(), "", own_step, **box) for step in STEPS}
    with lab.group("heads", part == "Heads"):
        x = matrix("x", "Two words X", Q, rows=WORDS, limit=100, help="What all heads read; d_model = 3.")
        about = "A silent head adds nothing."
        silent = controls.several("silent", "Silent heads", ["head 0", "head 1", "head 2"], help=about)
        column = controls.slider("column", "Column worked out", 0, 2, 0, help="A click on the output sets it.")
    with lab.group("positions", part == "Positions"):
        pos = controls.slider("pos", "Position pos", 0, 40, 1, help="A click on a curve sets it.")
        about = "Columns 2i and 2i + 1. The last pair is d_model / 2 − 1."
        pair = controls.slider("i", "Pair i", 0, 255, 0, help=about)
        d_model = controls.stops("d_model", "Width d_model", [4, 8, 16, 64, 128, 512], 512)
    with lab.group("masking", part == "Masking"):
        token = controls.slider("token", "Query worked out", 0, 5, 1, help="A click on its row sets it.")
        s = matrix("s", "Scaled scores", S, shape=(None, None), limit=100, most=(6, 6), help="Up to 6 × 6.")
    with lab.group("practice", part == "Practice"):
        titles = {kind.title: name for name, kind in KINDS.items()}
        title = controls.choice("kind", "Kind of question", [next(iter(titles)), MIXED, *list(titles)[1:]])
        about = "0 to 999999. The same number is the same question, for everyone."
        seed = controls.text("seed", "Question number", "0", question_number, limit=6, help=about)

exercise.checklist(list(OBJECTIVES))
mask, document = causal_mask(*s.shape), practice("document", 0)
before, after = attend_to_scores(s), attend_to_scores(s, mask=mask)
token, i = min(token, len(s) - 1), min(pair, d_model // 2 - 1)
table, halves = sinusoidal_table(41, d_model), sinusoidal_table(41, d_model, layout="halves")
angle, (sine, cosine) = rope_angles(pos, d_model)[i], table[pos, 2 * i : 2 * i + 2]
now = told(
    answer=document.answer,
    printed=document.slips[0].answer,
    by_d_k=softmax([8.0, 4.0, 0.0], temperature=2.0),
    by_d_model=softmax([8.0, 4.0, 0.0], temperature=4.0),
    alternating=table[pos, 1],
    halves=halves[pos, 1],
    by_pair=table[pos, 2],
    by_column=one_frequency_per_column(41, d_model)[pos, 2],
    sum_before=after.weights[token].sum(),
    sum_after=before.weights[token][mask[token]].sum(),
    later=before.weights[token][~mask[token]].sum(),
)

swaps, code = [], ""
if part == "Attention":
    trace = lab.attempt(attention_by_hand, q, k, v, **own)
    yours, key = [name for name, given in own.items() if given is not None], int(trace.weights[row].argmax())
    charts.show("qkv", deep_dive.inputs(q, k, v, row), "The queries, keys and values of two words.", query="row")
    alt = f"Scores, scaled scores, weights, output. {deep_dive.gives(trace, row, key)}."
    charts.show("steps", deep_dive.steps(trace, row, yours), alt, query="row")
    lab.step(f"From {WORDS[row]} to {WORDS[key]}, then the output", *deep_dive.sums(trace, q, k, v, row, key, yours))
    sentences = deep_dive.attention_told(trace, row, key, yours)
    swaps = [(deep_dive.LINES[name], "") for name in yours]
    numbers, given = trace._asdict() | {"masked": None}, {"Q": q, "K": k, "V": v, **{name: own[name] for name in yours}}
elif part == "Heads":
    layer = lab.attempt(load_weights).layers[0]
    W_Q, W_K, W_V = join_heads(layer.heads)
    speaks = np.array([f"head {h}" not in silent for h in range(len(layer.heads))])
    given = {"W_Q": W_Q, "W_K": W_K, "W_V": W_V, "W_O": layer.W_O, "n_heads": len(speaks)}
    heads = lab.attempt(multi_head, x, active=speaks, **given)
    charts.show("maps", deep_dive.maps(heads, speaks), f"The weights of {len(speaks)} heads on the same two words.")
    alt = "The contexts of the heads, and what W_O mixes from them."
    charts.show("mixed", deep_dive.mixed(heads, column), alt, column="column")
    lab.step(f"Word 0, column {column} of the output", deep_dive.mixing(heads, layer.W_O, column))
    sentences = deep_dive.heads_told(heads, column)
    numbers, given = {"concat": heads.concat, "out": heads.out}, {"X": x, **given, "speaks": speaks}
elif part == "Positions":
    alt = f"Pair {i} over the positions; at {pos} it is {deep_dive.entries(table, pos, i)}."
    charts.show("waves", deep_dive.waves(table, pos, i), alt, pos="x")
    alt = f"The row of position {pos} around columns {2 * i} and {2 * i + 1}."
    charts.show("row", deep_dive.positional_row(table, pos, i), alt)
    lab.step("The formula at this position and pair", *deep_dive.position(table, angle, pos, i))
    sentences = deep_dive.position_told(table, angle, wavelengths(d_model)[i], pos, i, pair)
    numbers, given = {"angle": angle, "sine": sine, "cosine": cosine}, {"pos": pos, "i": i, "d_model": d_model}
elif part == "Masking":
    n_seen = int(mask[token].sum())
    alt = f"Scores and weights before and after the mask; query {token} sees {n_seen} of {len(mask[0])} keys."
    charts.show("mask", deep_dive.masking(s, mask, before, after, token), alt, token="row")
    if n_seen:
        lab.step(f"From query {token} to key 0, under the mask", deep_dive.first_weight(after, token))
    sentences = deep_dive.mask_told(now, token, n_seen, len(mask[0]))
    numbers, given = {"masked": after.masked, "weights": after.weights}, {"scaled": s}
else:
    kind = titles.get(title) or list(KINDS)[1 + seed % (len(KINDS) - 1)]
    question, fixed = practice(kind, seed), kind == "document"
    lab.step(KINDS[kind].title + ("" if fixed else f", question {seed:,}"))
    following = {"kind": MIXED if fixed else title, "seed": str((seed + 1) % 1_000_000)}
    name = kind if fixed else f"{kind}.{seed}"
    exercise.ask(name, question, check, objective=deep_dive.objective(kind), following=following)
    sentences = deep_dive.practice_told(TOLERANCE, len(KINDS) - 1, fixed)
    numbers, given, code = {"answer": question.answer}, question.given, KINDS[kind].code

lab.notice(*sentences)
lab.try_this(
    (
        "Weights of your own",
        "If word 0 attends to word 1 only, and word 1 to word 0, what comes out?",
        {"own_weights": "0 1\n1 0"},
    ),
    (
        "The slowest pair",
        "Pair 255 of 512 columns: how far does its sine get in 40 positions?",
        {"part": "Positions", "i": 255, "pos": 40},
    ),
    (
        "The first word of a decoder",
        "Query 0 may see key 0 only: what is its weight, whatever the score?",
        {"part": "Masking", "token": 0},
    ),
    (
        "The document's question",
        "Its printed answer has a slip in the third decimal. Can you find it?",
        {"part": "Practice"},
    ),
)
lab.conventions(*deep_dive.conventions(now, pos, d_model, token))
lab.take_away(numbers, *swaps, part=part.lower(), code=code, **given)
lab.source(attention_by_hand, scaled_dot_product, multi_head, causal_mask, sinusoidal_table)

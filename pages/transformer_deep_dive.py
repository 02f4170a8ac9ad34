"""Can you work attention, heads, positions and masking out by hand, and does it still hold without the page?"""

import numpy as np

from engine.attention import (
    attend_to_scores,
    attend_with_zeros,
    attention_by_hand,
    causal_mask,
    join_heads,
    multi_head,
    scaled_dot_product,
)
from engine.positions import (
    library_table,
    nearest_row,
    one_frequency_per_column,
    rope_angles,
    sinusoidal_table,
    wavelengths,
)
from engine.practice import KINDS, TOLERANCE, check, practice
from engine.softmax import softmax
from engine.weights import load_weights
from ui import charts
from ui.labs.transformer_deep_dive import asked, drawn, said
from ui.labs.transformer_deep_dive.asked import MIXED, OBJECTIVES, PARTS, STEPS, TEXT, WORDS
from ui.page import controls, exercise, lab
from ui.page.matrices import matrices, matrix
from ui.questions.transformer_deep_dive import QUESTIONS

Q, K, V = [[1, 0, 1], [0, 1, 0]], [[0, 1, 0], [1, 0, 1]], [[1, 0], [0, 1]]  # the example of the course's text
S = [[0.9, 1.6, -0.4, 0.8], [0.2, 1.1, 1.9, -0.7], [1.4, -0.3, 0.6, 1.2], [-0.5, 0.8, 0.3, 1.7]]

lab.begin(__file__, QUESTIONS)
with lab.panel():
    part = controls.choice("part", "Part", PARTS, wide=True, help=f"The sections of {TEXT}, then practice.")
    with lab.group("attention", part == "Attention"):
        row = controls.which("query", "Query worked out", WORDS, help="A click on a score or a weight sets both.")
        key = controls.which("key", "Key worked out", WORDS, "word 1")
        q, k, v = matrices("Edit Q, K and V", rows=WORDS, limit=100, Q=("Q", Q), K=("K", K), V=("V", V))
        with lab.folded("Overwrite a step"):
            box = {"height": 72, "help": "Your own 2 rows of 2 numbers, to go on from. Empty: computed."}
            own = {step: controls.text(f"own_{step}", step.capitalize(), "", asked.own_step, **box) for step in STEPS}
    with lab.group("heads", part == "Heads"):
        layer = lab.attempt(load_weights).layers[0]
        x = matrix("x", "Two words X", Q, rows=WORDS, limit=100, help="What all heads read; d_model = 3.")
        names = [f"head {h}" for h in range(len(layer.heads))]
        silent = controls.several("silent", "Silent heads", names, help="A silent head adds nothing.")
        head = controls.index("head", "Head worked out", len(names), help="A click on a map sets head and words.")
        word = controls.which("word", "Query of the heads", WORDS)
        to = controls.which("to", "Key of the heads", WORDS, "word 1")
        column = controls.index("column", "Column worked out", 3, help="A click on the output sets it.")
    with lab.group("positions", part == "Positions"):
        d_model = controls.stops("d_model", "Width d_model", [4, 8, 16, 64, 128, 512], 512)
        pos = controls.slider("pos", "Position pos", 0, 40, 1, help="A click on a curve sets it.")
        i = controls.index("i", "Pair i", d_model // 2, help="Columns 2i and 2i + 1. A click on the row sets it.")
    with lab.group("masking", part == "Masking"):
        s = matrix("s", "Scaled scores", S, shape=(None, None), limit=100, most=(6, 6), help="Up to 6 × 6.")
        token = controls.index("token", "Query worked out", len(s), 1, help="A click on a cell sets both.")
        other = controls.index("other", "Key worked out", s.shape[1])
    with lab.group("practice", part == "Practice"):
        titles = {kind.title: name for name, kind in KINDS.items()}
        title = controls.choice("kind", "Kind of question", [next(iter(titles)), MIXED, *list(titles)[1:]])
        about = "0 to 999999. The same number is the same question, for everyone."
        seed = controls.text("seed", "Question number", "0", asked.question_number, limit=6, help=about)

lab.shape(said.shapes(len(names), d_model, s.shape)[part])
swaps, code, conventions, slips, facts = [], "", [], [], {}
if part == "Attention":
    trace = lab.attempt(attention_by_hand, q, k, v, **own)
    yours = [name for name, given in own.items() if given is not None]
    alt = f"The queries, keys and values of two words; {said.asks(q, k, row, key)}."
    charts.show("qkv", drawn.inputs(q, k, v, row, key), alt, **drawn.OF_INPUTS)
    alt = f"Scores, scaled scores, weights, output. {said.gives(trace, row, key)}."
    charts.show("steps", drawn.steps(trace, row, key, yours), alt, **drawn.OF_STEPS)
    lab.step(f"From {WORDS[row]} to {WORDS[key]}, then the output", *said.sums(trace, q, k, v, row, key, yours))
    sentences = said.attention_told(trace, row, key, yours)
    scales = (softmax([8.0, 4.0, 0.0], temperature=t) for t in (2.0, 4.0))
    conventions, slips = said.attention_rows(trace, attend_to_scores(trace.scores), row, key, yours, *scales)
    swaps, numbers = [(asked.LINES[name], "") for name in yours], {n: getattr(trace, n) for n in (*STEPS, "out")}
    given = {"Q": q, "K": k, "V": v, **{name: own[name] for name in yours}}
elif part == "Heads":
    W_Q, W_K, W_V = join_heads(layer.heads)
    speaks = np.array([name not in silent for name in names])
    given = {"W_Q": W_Q, "W_K": W_K, "W_V": W_V, "W_O": layer.W_O, "n_heads": len(speaks)}
    trace = lab.attempt(multi_head, x, active=speaks, **given)
    alt = f"Two words and the weights of {len(speaks)} heads on them."
    charts.show("maps", drawn.maps(trace, x, speaks, head, word, to), alt, **drawn.OF_MAPS)
    lab.step(f"Head {head}: from {WORDS[word]} to {WORDS[to]}", *said.sums_of_head(trace, head, word, to))
    mixed = drawn.mixed(trace, layer.W_O, speaks, word, column)
    alt = "The contexts of the heads, W_O, and what it mixes from them."
    charts.show("mixed", mixed, alt, **drawn.OF_MIXED)
    lab.step(f"{WORDS[word].capitalize()}, column {column}", said.mixing(trace, layer.W_O, word, column))
    sentences = said.heads_told(trace, word, column)
    conventions, slips = said.heads_rows(trace, head, word, to)
    numbers = {"weights": trace.maps, "concat": trace.concat, "out": trace.out}
    given = {"X": x, **given, "speaks": speaks}
elif part == "Positions":
    table, angle = sinusoidal_table(41, d_model), rope_angles(pos, d_model)[i]
    alt = f"Pair {i} over the positions; at {pos} it is {said.entries(table, pos, i)}."
    charts.show("waves", drawn.waves(table, pos, i), alt, pos="x")
    alt = f"The row of position {pos} around columns {2 * i} and {2 * i + 1}."
    charts.show("row", drawn.positional_row(table, pos, i), alt, i=drawn.pair_of(table, i))
    lab.step("The formula at this position and pair", *said.position(table, angle, pos, i))
    sentences = said.position_told(table, angle, wavelengths(d_model)[i], pos, i, nearest_row(table, pos))
    fairseq, by_column = library_table(41, d_model, library="fairseq"), one_frequency_per_column(41, d_model)
    conventions, slips = said.position_rows(table, fairseq, by_column, pos)
    numbers = {"angle": angle, "sine": table[pos, 2 * i], "cosine": table[pos, 2 * i + 1], "row": table[pos]}
    given = {"pos": pos, "i": i, "d_model": d_model}
elif part == "Masking":
    mask, (shape, example) = causal_mask(*s.shape), said.unequal(s.shape, token)
    aligned = [causal_mask(*shape, align=end)[example] for end in ("end", "start")]
    before, after, zeros = attend_to_scores(s), attend_to_scores(s, mask=mask), attend_with_zeros(s, mask)
    alt = f"Scores and weights before and after the mask; {said.sees(mask, token)}."
    charts.show("mask", drawn.masking(s, mask, before, after, token, other), alt, token="row", other="column")
    if mask[token].any():
        lab.step(f"From query {token} to key {other}, under the mask", said.one_weight(after, token, other))
    sentences = said.mask_told(mask, before, after, zeros, token)
    conventions, slips = said.mask_rows(mask, aligned, before, after, token)
    numbers, given = {"masked": after.masked, "weights": after.weights}, {"scaled": s}
else:
    kind = titles.get(title) or list(KINDS)[1 + seed % (len(KINDS) - 1)]
    question, fixed = practice(kind, seed), kind == "document"
    lab.step(KINDS[kind].title + ("" if fixed else f", question {seed:,}"))
    following = {"kind": MIXED if fixed else title, "seed": str((seed + 1) % 1_000_000)}
    goal, name = asked.objective(kind), kind if fixed else f"{kind}.{seed}"
    exercise.pose(question)
    charts.show("given", drawn.given(question.given), f"What is given: {', '.join(question.given)}.")
    known = exercise.ask(name, question, check, objective=goal, following=following)
    sentences = said.practice_told(TOLERANCE, len(KINDS) - 1, fixed)
    given, facts = question.given, {"answer": question.answer}
    numbers, code = (facts, KINDS[kind].code) if known else (given, asked.YOUR_TURN)

exercise.checklist(list(OBJECTIVES))
lab.notice(*sentences)
if conventions:
    lab.conventions(*conventions)
if slips:
    lab.slips(*slips)
lab.take_away(numbers, *swaps, part=part.lower(), code=code, facts=facts, **given)
lab.source(attention_by_hand, scaled_dot_product, multi_head, causal_mask, sinusoidal_table)

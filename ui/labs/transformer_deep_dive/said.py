"""The formulas, sentences and rows of the deep dive, each from the numbers that were computed for it."""

from ui import words
from ui.labs.transformer_deep_dive.asked import TEXT, WORDS
from ui.words import agree, bare, counted, number, told

NO_LONGER = {  # what a step of one's own cuts off
    "scores": "The scores are yours: Q and K no longer reach the output.",
    "scaled": "The scaled scores are yours: Q, K and the scores no longer reach the output.",
    "weights": "The weights are yours: Q, K and the scores no longer reach the output, scaled or not.",
}


def shapes(n_heads: int, d_model: int, scores: tuple[int, ...]) -> dict[str, str]:
    """What stands under the title, by the part in view."""
    queries, keys = counted(scores[0], "query", "queries"), counted(scores[1], "key", "keys")
    return {
        "Attention": "2 words · d_k = 3",
        "Heads": f"2 words · d_model = 3 · {counted(n_heads, 'head', 'heads')} of d_k = 2",
        "Positions": f"41 positions × d_model = {d_model}",
        "Masking": f"{queries} × {keys}",
        "Practice": "endless practice",
    }


def sums(trace, q, k, v, row: int, key: int, yours: list[str]) -> list[str]:
    """The formulas from a query and a key to the output: those that follow the last step that was overwritten."""
    at, z = f"{{{row},{key}}}", bare(trace.scaled[row, key])
    formulas = {
        "scores": words.dot(f"s_{at}", q[row], k[key], trace.scores[row, key]),
        "scaled": rf"z_{at} = \frac{{{bare(trace.scores[row, key])}}}{{\sqrt{{{len(q[row])}}}}} = {z}",
        "weights": words.softmax(f"w_{at}", trace.scaled[row], key, trace.weights[row, key]),
        "out": words.weighted_sum(rf"\text{{out}}_{row}", trace.weights[row], v, trace.out[row]),
    }
    names = list(formulas)
    return [formulas[name] for name in names[1 + max((names.index(step) for step in yours), default=-1) :]]


def sums_of_head(trace, head: int, row: int, key: int) -> list[str]:
    """The same for one of several heads, up to its context."""
    return sums(trace.heads[head], trace.q[head], trace.k[head], trace.v[head], row, key, [])


def gives(trace, row: int, key: int) -> str:
    """The weight from a query to a key, in words."""
    return f"The query of {WORDS[row]} gives {WORDS[key]} the weight {told(weight=trace.weights[row, key]).weight}"


def asks(q, k, row: int, key: int) -> str:
    """A query and the key that it meets, in words."""
    now = told(query=q[row], key=k[key])
    return f"the query of {WORDS[row]} is [{now.query}], the key of {WORDS[key]} [{now.key}]"


def attention_told(trace, row: int, key: int, yours: list[str]) -> list:
    """What to notice about one head, and what a step of one's own cuts off."""
    now = told(total=trace.weights[row].sum(), out_0=trace.out[0], out_1=trace.out[1])
    alone = bool(((trace.weights == 0) | (trace.weights == 1)).all() and (trace.weights.sum(axis=1) == 1).all())
    return [
        f"{gives(trace, row, key)}. Its weights sum to **{now.total}**.",
        f"What comes out is the rows of V, mixed by the weights: {WORDS[0]} [{now.out_0}], {WORDS[1]} [{now.out_1}].",
        (alone, "Each word puts all its weight on one word: it takes that word's value as it stands."),
        *(NO_LONGER[name] for name in yours[-1:]),
    ]


def mixing(trace, W_O, row: int, column: int) -> str:
    """One cell of the output: the contexts of a word against a column of W_O."""
    name = rf"\text{{out}}_{{{row},{column}}}"
    return words.dot(name, trace.concat[row], W_O[:, column], trace.out[row, column])


def heads_told(trace, row: int, column: int) -> list[str]:
    """What to notice about the heads: their widths, what each adds to one cell, and what several are for."""
    n_heads, _, width = trace.q.shape
    n_columns, d_model = n_heads * width, trace.out.shape[1]
    now = told(
        own=[head.weights[row, row] for head in trace.heads],
        added=trace.contributions[:, row, column],
        out=trace.out[row, column],
    )
    return [
        f"Each head reads the same words through its own W_Q, W_K, W_V of {d_model} × {width}: "
        f"{WORDS[row]} gives itself {now.own}.",
        f"Side by side the contexts are {n_heads} · {width} = {n_columns} wide; W_O, {n_columns} × {d_model}, leads "
        f"back to d_model = {d_model}. The original transformer has h = 8 heads of d_k = 64 in d_model = 512.",
        f"To {WORDS[row]}, column {column}, the heads add {now.added}; together **{now.out}**.",
        "What several are for: each may look at other places, in columns of its own. That training is steadier with "
        f"them, as {TEXT} has it, is not established.",
        "The matrices are a small untrained model's: made up, not learnt.",
    ]


def entries(table, pos: int, i: int) -> str:
    """Both entries of a pair at one position, in words.

    >>> import numpy as np
    >>> entries(np.array([[0.0, 1.0]]), 0, 0)
    '0.000 and 1.000'
    """
    return " and ".join(map(number, table[pos, 2 * i : 2 * i + 2]))


def position(table, angle: float, pos: int, i: int) -> list[str]:
    """The formula of the paper at one position and pair."""
    turned, d_model = bare(angle), table.shape[1]
    entry = lambda j, name: rf"PE({pos}, {2 * i + j}) = \{name}({turned}) = {bare(table[pos, 2 * i + j])}"
    power = rf"\text{{pos}} / 10000^{{2i/d}} = {pos} / 10000^{{{2 * i}/{d_model}}}"
    return [rf"\text{{angle}} = {power} = {turned}", entry(0, "sin"), entry(1, "cos")]


def position_told(table, angle: float, turn: float, pos: int, i: int, nearest: tuple[int, float]) -> list:
    """What to notice about a pair of columns and a row; `nearest` is the row most like it, and how far away it lies."""
    now = told(turn=turn, angle=angle, sine=table[pos, 2 * i], cosine=table[pos, 2 * i + 1], apart=nearest[1])
    return [
        f"Pair {i} turns once in **{now.turn:1}** positions; at position {pos} it stands at {now.angle:4} radians.",
        f"Column {2 * i} holds its sine, **{now.sine}**, column {2 * i + 1} its cosine, **{now.cosine}**.",
        (
            pos and 4 * pos <= turn,
            f"In {counted(pos, 'position', 'positions')} its sine has risen from 0.000 to **{now.sine}**, in less than "
            "a quarter turn.",
        ),
        (
            nearest[1] > 0,
            f"No other of the {len(table)} positions has this row: the one most like it, position {nearest[0]}, lies "
            f"**{now.apart}** away.",
        ),
    ]


def one_weight(after, query: int, key: int) -> str:
    """The weight from a query to a key under the mask, written out."""
    return words.softmax(f"w_{{{query},{key}}}", after.masked[query], key, after.weights[query, key])


def sees(mask, query: int) -> str:
    """How many keys a query sees.

    >>> import numpy as np
    >>> sees(np.array([[True], [False]]), 1)
    'query 1 sees 0 of 1 key'
    """
    return f"query {query} sees {mask[query].sum()} of {counted(mask.shape[1], 'key', 'keys')}"


def unequal(shape: tuple[int, int], query: int) -> tuple[tuple[int, int], int]:
    """The scores' shape and a query where there are not as many queries as keys, else an example that is so.

    >>> unequal((3, 5), 1), unequal((4, 4), 3)
    (((3, 5), 1), ((2, 4), 0))
    """
    return (shape, query) if shape[0] != shape[1] else ((2, 4), 0)


def mask_told(mask, before, after, zeros, query: int) -> list:
    """What to notice about the mask: how much of a query's weight it moves, why −∞, and how both ends are aligned.

    `before` and `after` it, and with `zeros` in place of −∞.
    """
    row, (n_queries, n_keys) = mask[query], mask.shape
    n_seen, ahead = int(row.sum()), n_keys - n_queries
    now = told(
        total=after.weights[query].sum(),
        later=before.weights[query][~row].sum(),
        by_zeros=zeros.weights[query][~row].sum(),
    )
    return [
        (
            n_seen,
            f"{sees(mask, query).capitalize()}. Its weights sum to **{now.total}**, over "
            f"{agree(n_seen, 'that one', 'those')} alone.",
        ),
        (not n_seen, f"{sees(mask, query).capitalize()}: nothing is left to attend to, its weights are 0."),
        (n_seen == 1, "With one key left its weight is **1.000**, whatever the score."),
        (n_seen < n_keys, f"Without the mask **{now.later}** of its weight went to keys that come later."),
        (
            0 < n_seen < n_keys,
            "Why −∞ and not 0: exp(−∞) is 0 whatever else the row holds. With 0 as their score, later keys would still "
            f"get **{now.by_zeros}** of the weight.",
        ),
        (
            ahead > 0,
            f"{ahead} more {agree(ahead, 'key', 'keys')} than queries: the last query stands at the last key, as where "
            "earlier keys are kept in a cache.",
        ),
        (
            ahead < 0,
            f"{-ahead} more {agree(-ahead, 'query', 'queries')} than keys: the last query stands at the last key, and "
            "the first see nothing.",
        ),
    ]


def practice_told(tolerance: float, n_kinds: int, fixed: bool) -> list:
    """How the practice works; `fixed` is the question of the course's own text."""
    return [
        f"A number is right within {tolerance}: three decimals are enough. A right answer ticks its objective above.",
        f"Kind and number are in the link, so this question can be passed on. Besides the one of {TEXT} there are "
        f"{n_kinds} kinds, with 1,000,000 questions each.",
        (fixed, f"The answer printed in {TEXT} has a slip in its third decimal: the worked solution gives both."),
    ]


Row = tuple[str, str, str]


def attention_rows(trace, undivided, row: int, key: int, yours: list[str], by_d_k, by_d_model) -> tuple:
    """Conventions and slips about one head; `undivided` is the same attention without the division by √d_k."""
    now = told(
        weight=trace.weights[row, key],
        undivided=undivided.weights[row, key],
        by_d_k=by_d_k,
        by_d_model=by_d_model,
    )
    division = (
        f"Division by √d_k: {WORDS[row]} → {WORDS[key]}",
        f"by √3: {now.weight}",
        f"T5 (Raffel et al. 2020), which divides by nothing: {now.undivided}",
    )
    returned = "What comes back", "all steps", "PyTorch's scaled_dot_product_attention: the output alone"
    scale = "Scores 8, 4, 0 with d_k = 4 in d_model = 16", f"1/√d_k: {now.by_d_k}", f"1/√d_model: {now.by_d_model}"
    computed = not {"scaled", "weights"} & set(yours) and f"{now.weight}" != f"{now.undivided}"
    return [*([division] if computed else []), returned], [scale]


def heads_rows(trace, head: int, row: int, key: int) -> tuple[list[Row], list[Row]]:
    """Conventions and slips about several heads."""
    n_heads, _, width = trace.q.shape
    now = told(weight=trace.maps[head, row, key], average=trace.maps[:, row, key].mean())
    conventions = [
        (
            f"The weights that are handed out: {WORDS[row]} → {WORDS[key]}",
            f"a map for each head; head {head}: {now.weight}",
            f"PyTorch's nn.MultiheadAttention, unless told otherwise: their mean, {now.average}",
        ),
        ("Where W_Q stands", "a matrix for each head", "PyTorch's in_proj_weight: W_Q, W_K, W_V of all heads in one"),
    ]
    right, slip = f"{trace.out.shape[1]} numbers a word go on", f"{n_heads * width} do, each from one head alone"
    left_out = "W_O left out", right, slip
    return conventions, [left_out]


def position_rows(table, fairseq, by_column, pos: int) -> tuple[list[Row], list[Row]]:
    """Conventions and slips about the table: the one of fairseq, and one frequency for each column."""
    d_model = table.shape[1]
    now = told(here=table[pos, 1], there=fairseq[pos, 1], by_pair=table[pos, 2], by_column=by_column[pos, 2])
    convention = (
        f"Column 1 of {d_model} at position {pos}",
        f"sine and cosine alternate: {now.here}",
        f"fairseq: all sines first, and the slowest wave is 2π · 10,000 long: {now.there}",
    )
    slip = (
        f"Exponent: column 2 of {d_model} at position {pos}",
        f"2i/d_model, one for each pair: {now.by_pair}",
        f"one for each column: {now.by_column}",
    )
    return [convention], [slip] if f"{now.by_pair}" != f"{now.by_column}" else []


def mask_rows(mask, aligned, before, after, query: int) -> tuple[list[Row], list[Row]]:
    """Conventions and slips about the mask; `aligned` are rows of it, the last query at the last key and 0 at 0."""
    now = told(right=after.weights[query].sum(), slip=before.weights[query][mask[query]].sum())
    from_end, from_start = (counted(int(row.sum()), "key", "keys") for row in aligned)
    (n_queries, n_keys), asked = unequal(mask.shape, query)
    conventions = [
        (
            f"{counted(n_queries, 'query', 'queries')}, {counted(n_keys, 'key', 'keys')}: what query {asked} sees",
            f"the last query stands at the last key: {from_end}",
            f"PyTorch's scaled_dot_product_attention with is_causal=True puts query 0 at key 0: {from_start}",
        ),
        ("What True means in a mask", "takes part", "PyTorch's nn.MultiheadAttention: left out"),
    ]
    late = f"The mask before softmax: sum of row {query}", f"{now.right}", f"after softmax: {now.slip}"
    return conventions, [late] if f"{now.right}" != f"{now.slip}" else []

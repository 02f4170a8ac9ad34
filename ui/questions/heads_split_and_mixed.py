"""What can be predicted of heads: an idle one, a silent one, one for everything, shared keys, a scrambled reshape."""

import numpy as np

from ui.page.ask import Answer, Endless, Question
from ui.seen import Seen
from ui.words import agree, counted, number, together

TOKENS = ("the", "cat", "saw", "a", "big", "dog")
MAPS, MIX = ("split",), ("mix",)
SHARES = ("mix.Output", "mix.What each adds")


def most(maps, row: int) -> tuple[list[int], float]:
    """The keys that get most from a query in the first of the maps, and how much."""
    weights = np.array(maps)[0, row]
    return np.flatnonzero(weights >= weights.max() - 1e-9).tolist(), float(weights.max())


def idle(before: Seen, after: Seen) -> Answer:
    W_O, shares = np.array(after.inputs["W_O"]), abs(np.array(after.numbers["contributions"])).max(axis=(1, 2))
    zero = np.flatnonzero(~W_O.any(axis=1)).tolist()
    right = [{"panel": 1, "row": row} for row in zero or [-1]]
    heads = together(f"head {row}" for row in zero) or "no head"
    return right, (
        f"Rows of W_O that hold only 0: {heads}, which adds {number(float(shares[zero].max(initial=0.0)))} to any "
        f"cell, whatever it sees; the largest share of all is {number(float(shares.max()))}."
    )


def silent(before: Seen, after: Seen) -> Answer:
    was, now = (int((~np.array(seen.numbers["out"]).any(axis=0)).sum()) for seen in (before, after))
    width = np.shape(after.numbers["q"])[2]
    return now, (
        f"{counted(now, 'column is', 'columns are')} 0 now, {was} before: head 1 owns {width} of the 8, and the "
        "identity lets no other head into them."
    )


def alone(before: Seen, after: Seen) -> Answer:
    (was, much), (now, weight) = (most(seen.numbers["weights"], 4) for seen in (before, after))
    words = [together(f"“{TOKENS[key]}”" for key in keys) for keys in (was, now)]
    return [{"panel": 4, "column": key} for key in now], (
        f"Head 0 looked at {words[0]}, {number(much)}, by kind alone; one head adds kind and place in one score, and "
        f"most goes to {words[1]}, {number(weight)}."
    )


def shared(before: Seen, after: Seen) -> Answer:
    was, now = (int(np.size(seen.inputs["W_K"]) + np.size(seen.inputs["W_V"])) for seen in (before, after))
    heads, keys = np.shape(after.numbers["q"])[0], np.shape(after.numbers["k"])[0]
    return now, (
        f"{was} before, {now} now: {counted(heads, 'head reads', 'heads read')} "
        f"{counted(keys, 'key head', 'key heads')}, and W_K and W_V have columns for those only."
    )


def scrambled(n_heads: int, head: int, row: int) -> Question:
    width = 8 // n_heads
    first = (head * 6 + row) * width

    def answer(before: Seen, after: Seen) -> Answer:
        token, column = divmod(first, 8)
        return TOKENS[token], (
            f"Before it lie {head * 6 + row} rows of {agree(width, '1 number', f'{width} numbers')} each, {first} in "
            f"all, and {first} = {token} · 8 + {column}: “{TOKENS[token]}”, where the split puts “{TOKENS[row]}”."
        )

    ask = (
        f"Without a transpose, the 48 numbers of Q go to {n_heads} heads in their order, 6 rows of {width} each. Whose "
        f"number begins row {row} of head {head}?"
    )
    state = {"heads": str(n_heads), "head": str(head), "causal": True}
    cover = ("reshape.Q reshaped", "reshape.Its map")
    return Question("The scrambled reshape", ask, answer, state, {}, TOKENS, look=("reshape",), cover=cover)


def drawn(rng: np.random.Generator) -> Question:
    n_heads = int(rng.choice([2, 4, 8]))
    return scrambled(n_heads, int(rng.integers(n_heads)), int(rng.integers(6)))


QUESTIONS = (
    Question(
        "A head that does nothing",
        "One of eight heads adds nothing to the output, whatever it sees. Click the row of W_O that says so.",
        idle,
        {"heads": "8", "query": "the", "head": "5", "identity": False, "silent": []},
        click="mix",
        look=MIX,
        cover=SHARES,
    ),
    scrambled(4, 3, 0),
    Question(
        "Silent and unmixed",
        "W_O is the identity, and head 1 of 2 falls silent. How many of the 8 columns of the output are 0 then?",
        silent,
        {"heads": "2", "identity": True},
        {"silent": ["head 1"]},
        within=0.001,
        look=MIX,
    ),
    Question(
        "One head for everything",
        "Two heads become one. At which word will “big” look most? Click its column in the map of head 0.",
        alone,
        {"query": "big", "head": "0", "share": "1"},
        {"heads": "1"},
        click="split",
        look=MAPS,
    ),
    Question(
        "Shared keys",
        "Both heads are to read the same keys and values. How many numbers have W_K and W_V then (128 now)?",
        shared,
        {"heads": "2"},
        {"share": "2"},
        within=0.001,
        look=MAPS,
    ),
    Endless("The scrambled reshape, again", drawn),
)

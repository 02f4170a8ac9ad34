"""What can be predicted of a product: a row it picks, how many numbers come out, what one number reaches, one cell."""

import numpy as np

from ui.labs.matrix_multiplication import A as OPENING
from ui.page.ask import Answer, Endless, Question
from ui.seen import Seen
from ui.words import counted, listed, number

LOOK, PRODUCT = ("product",), ("product.AB",)
ONE_EACH = np.array([[0.0, 1, 0], [0, 0, 1], [1, 0, 0]])
FROM = np.array(OPENING, dtype=float)[:3, :4]
NONE, FEWER, AS_MANY = "there is none", "it has fewer numbers", "it has as many numbers"


def size(seen: Seen) -> int:
    """How many numbers the product has; 0 where there is none."""
    return int(np.size(seen.numbers["AB"])) if "AB" in seen.numbers else 0


def picked(before: Seen, after: Seen) -> Answer:
    A, AB = after.inputs["A"], after.numbers["AB"]
    row = int(abs(A[0]).argmax())
    terms = " + ".join(f"{number(share, 1)} · row {i}" for i, share in enumerate(A[0]))
    return {"panel": 1, "row": row}, (
        f"Row 0 of A says how much of which row of B it takes: {terms} is {listed(AB[0].tolist()):1}."
    )


def how_many(before: Seen, after: Seen) -> Answer:
    was, now = size(before), size(after)
    k = after.numbers["inner_a"]
    return now, (
        f"The inner sizes meet and vanish: from {counted(was, 'number', 'numbers')} to {now}, each the sum of "
        f"{counted(k, 'product', 'products')} now."
    )


def sizes(before: Seen, after: Seen) -> Answer:
    inner, was, now = (after.numbers["inner_a"], after.numbers["inner_b"]), size(before), size(after)
    right = NONE if not now else FEWER if now < was else AS_MANY
    return right, (
        f"{counted(was, 'number', 'numbers')} before, {now or 'none'} now: a row of A has {inner[0]}, a column of B "
        f"{inner[1]}, and a dot product needs a partner for each."
    )


def reached(before: Seen, after: Seen) -> Answer:
    was, now = before.numbers["AB"], after.numbers["AB"]
    return {"panel": 2, "row": 1}, (
        f"Row 1 of AB goes from {listed(was[1].tolist()):1} to {listed(now[1].tolist()):1}: it is all that row 1 of A "
        "is used for."
    )


def one_cell(rng: np.random.Generator) -> Question:
    m, k, n = (int(i) for i in rng.integers(2, 4, size=3))
    A, B = (rng.integers(-2, 4, size=shape).astype(float) for shape in ((m, k), (k, n)))
    row, column = int(rng.integers(m)), int(rng.integers(n))

    def answer(before: Seen, after: Seen) -> Answer:
        terms, cell = after.numbers["products"], float(after.numbers["cell"])
        return cell, f"{' + '.join(f'{number(term, 1)}' for term in terms)} = {number(cell)}."

    ask = f"Row {row} of A against column {column} of B: which number stands in AB[{row}, {column}]?"
    state = {"m": m, "k": k, "n": n, "inner": "k", "A": A, "B": B, "step": f"AB[{row}, {column}]"}
    return Question("One cell of the product", ask, answer, state, within=0.001, look=LOOK, cover=PRODUCT)


QUESTIONS = (
    Question(
        "One 1 in each row",
        "Each row of A holds a single 1. Which row of B comes out as row 0 of AB? Click it.",
        picked,
        {"m": 3, "k": 3, "inner": "k", "A": ONE_EACH},
        click="product",
        look=LOOK,
        cover=PRODUCT,
    ),
    Question(
        "A row times a column",
        "A becomes one row of six, B one column of six. How many numbers come out of (1 × 6) times (6 × 1)?",
        how_many,
        {"inner": "k", "m": 1, "k": 1, "n": 1},
        {"k": 6},
        within=0.001,
        look=LOOK,
    ),
    Question(
        "A column times a row",
        "A is one column of six. B becomes one row of six: how many numbers come out of (6 × 1) times (1 × 6)?",
        how_many,
        {"inner": "k", "m": 6, "k": 1, "n": 1},
        {"n": 6},
        within=0.001,
        look=LOOK,
    ),
    Question(
        "Sizes that do not meet",
        "B gets one row more than A has columns. What becomes of their product?",
        sizes,
        {"m": 3, "k": 4, "n": 2, "inner": "k"},
        {"inner": "k + 1"},
        (FEWER, AS_MANY, NONE),
        look=LOOK,
    ),
    Question(
        "What one number reaches",
        "The number in row 1, column 2 of A grows by 2. Which row of AB will change? Click it.",
        reached,
        {"m": 3, "k": 4, "n": 2, "inner": "k", "A": FROM},
        {"A": FROM + 2.0 * np.outer(np.arange(3) == 1, np.arange(4) == 2)},
        click="product",
        look=LOOK,
    ),
    Endless("One cell of the product", one_cell),
)

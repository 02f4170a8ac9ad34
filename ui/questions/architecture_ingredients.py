"""What can be predicted of a model's matrices: the nearest row, rows of a head, tying, what grows, how many numbers."""

import numpy as np

from ui.page.ask import Answer, Endless, Question
from ui.run import Seen
from ui.words import number

COURSE = {"weights": "course's"}
PARTS = ("embeddings and head", "attention", "feed-forward")
KINDS = {  # as the question calls them: their names in a layer
    "W_Q of all heads": ("W_Q",),
    "W_Q, W_K and W_V of all heads": ("W_Q", "W_K", "W_V"),
    "W_1 and b_1": ("W_1", "b_1"),
    "W_1 and W_2": ("W_1", "W_2"),
    "both γ and both β": ("gamma_1", "beta_1", "gamma_2", "beta_2"),
    "W_O and W_2": ("W_O", "W_2"),
}


def nearest(before: Seen, after: Seen) -> Answer:
    rows = after.numbers["W_E"]
    row = min(int(after.controls["row"]), len(rows) - 1)
    away = np.abs(rows - rows[row]).max(axis=1)
    away[row] = np.inf if len(rows) > 1 else 0.0
    best = int(away.argmin())
    further = np.delete(away, [row, best])
    rest = f"; of the next one, by {number(float(further.min()))}" if len(further) else ""
    return {"panel": 0, "row": best}, f"Row {best} differs by at most {number(float(away[best]))}{rest}."


def rows_of_a_head(before: Seen, after: Seen) -> Answer:
    heads, _, width = after.numbers["layers"][0]["W_Q"].shape
    if heads == 1:
        return float(
            width
        ), f"This model has one head: all {width} rows are its own, and a second would begin at {width}."
    return float(
        width
    ), f"A head's context is {width} wide, so rows 0 to {width - 1} meet head 0 and row {width} head 1."


def tied(before: Seen, after: Seen) -> Answer:
    saved = after.numbers["W_LM_head"].size
    d, words = after.numbers["W_LM_head"].shape
    return float(saved), f"W_LM_head is {d} × {words}: {saved} of the {after.numbers['n_parameters']} numbers."


def grows(before: Seen, after: Seen) -> Answer:
    was, now = _shares(before), _shares(after)
    most = int(np.argmax(now))
    said = "; ".join(f"{part} {a} to {b}" for part, a, b in zip(PARTS, was, now, strict=True))
    return PARTS[most], f"From the course's weights to this model: {said}. Every word costs two rows of d_model."


def _shares(seen: Seen) -> list[int]:
    """How many numbers the embeddings with the head, attention and the feed-forward have."""
    size = lambda layer, names: sum(layer[name].size for name in names)
    layers = seen.numbers["layers"]
    return [
        sum(seen.numbers[name].size for name in ("W_E", "W_P", "W_LM_head")),
        sum(size(layer, ("W_Q", "W_K", "W_V", "W_O")) for layer in layers),
        sum(size(layer, ("W_1", "b_1", "W_2", "b_2")) for layer in layers),
    ]


def how_many(rng: np.random.Generator) -> Question:
    asked = str(rng.choice(list(KINDS)))

    def answer(before: Seen, after: Seen) -> Answer:
        parts = [after.numbers["layers"][0][name] for name in KINDS[asked]]
        shapes = " + ".join(" · ".join(map(str, part.shape)) for part in parts)
        total = sum(part.size for part in parts)
        return float(total), f"{shapes} = {total}." if "·" in shapes or "+" in shapes else f"They are {total}."

    ask = f"How many numbers do {asked} of the first layer hold together?"
    state = {"weights": str(rng.choice(["course's", "storyteller"]))}
    return Question("How many numbers", ask, answer, state, within=0.5, look=("diagram",))


QUESTIONS = (
    Question(
        "Two words nearly alike",
        "Click the word whose row of W_E is most like that of the outlined cell: the largest difference is smallest.",
        nearest,
        COURSE | {"matrix": "W_E", "row": "2"},
        click="embeddings",
        look=("embeddings",),
    ),
    Question(
        "Rows of W_O",
        "The contexts of all heads stand side by side before W_O. Which row of it meets head 1 first?",
        rows_of_a_head,
        COURSE | {"matrix": "layers[0].W_O"},
        within=0.5,
        look=("diagram",),
    ),
    Question(
        "The way out",
        "W_LM_head has the shape of W_E turned over. How many numbers would one table for both save?",
        tied,
        COURSE | {"matrix": "W_LM_head"},
        within=0.5,
        look=("head", "embeddings"),
    ),
    Question(
        "More words",
        "The storyteller knows 26 words in place of 5, at twice the width. Which part of it holds the most numbers?",
        grows,
        COURSE,
        {"weights": "storyteller"},
        PARTS,
        look=("diagram",),
    ),
    Endless("How many numbers", how_many),
)

"""What can be predicted of a forward pass: how a story ends, what a word, a head and a mask decide, depth, one sum."""

from typing import Any

import numpy as np

from ui.page.ask import Answer, Endless, Question
from ui.run import Seen
from ui.words import listed, number, told

STORY, COURSE = {"weights": "storyteller"}, {"weights": "course's"}
ENDS, OTHER = ("mat", "tree", "sea"), "another word"
YES_NO, NEXT = ("yes", "no"), ("next",)


def _favourite(seen: Seen) -> tuple[str, float]:
    """The likeliest next word, as a sentence writes it, and its probability."""
    probs = seen.numbers["probs"][-1]
    best = int(probs.argmax())
    return f"{told(word=seen.inputs['vocabulary'][best]).word}", float(probs[best])


def the_end(before: Seen, after: Seen) -> Answer:
    word, prob = _favourite(after)
    right = word if word in ENDS else OTHER
    return right, f"“{word}” has {number(prob)}: the model gives every word a share, and this one the largest."


def _changes(why_not: str) -> Any:
    """Whether the favourite is another one after the change; `why_not` is told where it stays."""

    def answer(before: Seen, after: Seen) -> Answer:
        (was, had), (now, has) = _favourite(before), _favourite(after)
        if was == now:
            return "no", f"“{now}” had {number(had)} and has {number(has)}{why_not}."
        return "yes", f"“{was}” led with {number(had)}, now “{now}” does with {number(has)}."

    return answer


def look_ahead(before: Seen, after: Seen) -> Answer:
    apart = float(abs(after.numbers["probs"][-1] - before.numbers["probs"][-1]).max())
    moved = f"its largest change is {number(round(apart, 9))}"
    if apart < 1e-9:
        return "no", f"The last token saw all others before, too, and one layer reads only the embeddings: {moved}."
    return "yes", f"Deeper layers read what the earlier tokens saw ahead: {moved}."


def depth(before: Seen, after: Seen) -> Answer:
    was, now = (float(abs(seen.numbers["logits"][-1]).max()) for seen in (before, after))
    grown = now / was if was else 1.0
    right = GROWTH[0] if grown < 10 else GROWTH[1] if grown <= 1000 else GROWTH[2]
    return (
        right,
        f"The largest goes from {number(was)} to {number(now)}: each layer adds to the path, no norm brings it back.",
    )


def attends(before: Seen, after: Seen) -> Answer:
    head, layer = int(after.controls["head"].split()[-1]), int(after.controls["layer"])
    weights = after.numbers["blocks"][layer]["weights"][head][-1]
    best = int(weights.argmax())
    word = told(word=after.inputs["vocabulary"][after.inputs["ids"][best]]).word
    return (
        {"row": len(weights) - 1, "column": best},
        f"Its score is the largest of the last row: “{word}” at position {best} gets {number(float(weights[best]))}.",
    )


def a_sum(rng: np.random.Generator) -> Question:
    row, column = (int(i) for i in rng.integers(3, size=2))
    words = [str(word) for word in rng.permutation(["Your", "journey", "starts", "with", "one"])[:3]]

    def answer(before: Seen, after: Seen) -> Answer:
        token, place, x = (
            float(after.numbers[part][row, column]) for part in ("token_embeddings", "position_embeddings", "x")
        )
        parts = listed([token, place])
        return x, f"The two numbers above each other in W_E and W_P are {parts}; their sum is {number(x)}."

    state = COURSE | {"tokens": " ".join(words), "step": "Embed", "matrix": TITLE, "row": str(row)}
    state |= {"column": str(column)}
    ask = f"What stands in row {row}, column {column} of x, to within 0.02?"
    return Question("A sum of two", ask, answer, state, within=0.02, look=("step",), cover=("step.x",))


TITLE = "x = token + position"
GROWTH = ("less than 10 times", "10 to 1,000 times", "more than 1,000 times")
QUESTIONS = (
    Question(
        "How it ends",
        "The model was trained on “the bird sang in the tree .” and ten sentences more. How does it go on?",
        the_end,
        STORY | {"tokens": "the bird sang in the", "step": "Predict"},
        options=(*ENDS, OTHER),
        look=NEXT,
        cover=NEXT,
    ),
    Question(
        "One word of it",
        "“cat” becomes “dog” in “the cat sat on the”. Is another word the favourite then?",
        _changes(": what it learned does not hang on that word"),
        STORY | {"tokens": "the cat sat on the", "step": "Predict"},
        {"tokens": "the dog sat on the"},
        YES_NO,
        look=NEXT,
    ),
    Question(
        "A head falls silent",
        "Only head 1 still speaks. Is another word the favourite then?",
        _changes(": the other heads and the residual path carry it"),
        STORY | {"tokens": "the bird sang in the", "step": "Predict"},
        {"heads": ["head 1"]},
        YES_NO,
        look=NEXT,
    ),
    Question(
        "Where the last word looks",
        "Click the score of the word to which the last one will give most of its weight.",
        attends,
        STORY | {"tokens": "the cat sat", "step": "Attend"},
        click="step",
        look=("step",),
        cover=("step.Weights", "step.Context"),
    ),
    Question(
        "Look ahead",
        "Every token may see later ones too. Do the probabilities after the last token change?",
        look_ahead,
        COURSE,
        {"causal": False},
        YES_NO,
        look=("next", "step"),
    ),
    Question(
        "Twelve layers deep",
        "The layer runs twelve times, without a norm. How much larger does the largest logit of the last row get?",
        depth,
        COURSE | {"norm": "none", "step": "Predict"},
        {"layers": 12},
        GROWTH,
        look=("step",),
    ),
    Endless("A sum of two", a_sum),
)

"""What can be predicted of a model that learns: where it stays unsure, what a frozen or silent part costs, one step."""

import numpy as np

from ui.page.ask import Answer, Endless, Question
from ui.run import Seen
from ui.words import number

NEAR = 0.1  # nats over the floor
FORK = "Your journey starts\nYour journey with"
TURNED = "starts with one Your journey\nYour journey starts with one\njourney starts with one Your"
SOONER = ("ten times as soon", "sooner, but less than that", "no sooner")


def least_sure(before: Seen, after: Seen) -> Answer:
    cost = {name: _costs(seen) for name, seen in (("was", before), ("now", after))}
    row = int(cost["now"].argmax())
    alike = np.flatnonzero(cost["now"] > cost["now"][row] - 1e-6).tolist()
    ending = "; others cost as much, and are as right" if len(alike) > 1 else ""
    return [{"panel": 0, "row": tied} for tied in alike], (
        f"The next word at position {row} still costs {number(cost['now'][row])} nats ({number(cost['was'][row])} "
        f"before); two words that are right half the time each cost at least ln 2 = {number(np.log(2))}{ending}."
    )


def written(before: Seen, after: Seen) -> Answer:
    line = after.numbers["line"][1:]
    read = sum(int(probs.argmax()) == word for probs, word in zip(after.numbers["probs"], line, strict=True))
    was, now = (
        sum(a == b for a, b in zip(s.numbers["written"][1:], s.numbers["line"][1:], strict=True))
        for s in (before, after)
    )
    right = "worse" if now < was else "better" if now > was else "as well"
    return right, (
        f"Reading, it is right at {read} of {len(line)} places; writing at {now} of {len(line)} ({was} before): "
        "while it writes, there is nothing ahead to look at."
    )


def last_matrix(before: Seen, after: Seen) -> Answer:
    was, now = (float(seen.numbers["losses"][-1]) for seen in (before, after))
    right = "higher" if now > was + 0.01 else "lower" if now < was - 0.01 else "the same"
    return right, (
        f"W_LM_head alone ends at {number(now)}, all together at {number(was)}: what is handed up to it never changes."
    )


def ten_times(before: Seen, after: Seen) -> Answer:
    was, now = _near(before), _near(after)
    if now is None or (was is not None and now >= was):
        right = SOONER[2]
    else:
        right = SOONER[0] if was is None or 10 * now <= was else SOONER[1]
    reached = lambda step: "never" if step is None else f"from step {step} on"
    rose = int((np.diff(after.numbers["losses"]) > 1e-9).sum())
    return right, (
        f"It stays within {NEAR} of its floor {reached(now)}, at the rate before {reached(was)}. "
        f"The loss rises at {rose} of {len(after.numbers['losses']) - 1} steps: a step can be too long."
    )


def silent_heads(before: Seen, after: Seen) -> Answer:
    was, now = (int((seen.numbers["grad_norms"][seen.numbers["step"]] == 0).sum()) for seen in (before, after))
    silent = int((~np.asarray(after.inputs["active"])).sum())
    loss = float(after.numbers["losses"][-1])
    return now, (
        f"Exactly 0 are {now} ({was} before): W_Q, W_K and W_V of {silent} silent "
        f"{'head' if silent == 1 else 'heads'} in each layer are among them. The loss ends at {number(loss)}."
    )


def all_zero(before: Seen, after: Seen) -> Answer:
    loss, guess = float(after.numbers["losses"][-1]), float(np.log(after.numbers["probs"].shape[1]))
    if not after.numbers["grad_norms"].any():
        why = "every gradient is 0, as it is a product with a 0, so no step moves anything"
    else:
        why = f"guessing costs {number(guess)}"
    return loss, f"The loss ends at {number(loss)}: {why}."


def a_step(rng: np.random.Generator) -> Question:
    lr, step = float(rng.choice([0.1, 0.2, 0.5, 1.0])), int(rng.integers(4))
    name = str(rng.choice(["layers[0].W_O", "layers[0].W_1", "layers[0].W_2", "W_LM_head"]))
    row, column = (int(i) for i in rng.integers(3, size=2))

    def answer(before: Seen, after: Seen) -> Answer:
        was, now = (_cell(seen, "weights") for seen in (before, after))
        slope, rate = _cell(before, "gradients"), float(before.inputs["lr"])
        alone = was - rate * slope
        factor = number(slope) if slope >= 0 else f"({number(slope)})"
        sum_of_it = f"{number(was)} − {rate:g} · {factor} = {number(alone)}"
        if abs(alone - now) < 1e-6:
            return now, f"Against the gradient by η of it: {sum_of_it}."
        return now, f"It comes to {number(now)}; the gradient alone would give {sum_of_it}."

    ask = (
        f"One more step of plain SGD, η = {lr:g}: what is the outlined cell then, to within 0.03? Mind the power of "
        "ten over its gradient."
    )
    before = {"optimizer": "SGD", "lr": f"{lr:g}", "steps": 10, "step": str(step), "matrix": name}
    before |= {"row": str(row), "column": str(column)}
    return Question("One step by hand", ask, answer, before, {"step": str(step + 1)}, within=0.03, look=("matrix",))


def _costs(seen: Seen) -> np.ndarray:
    """What the next word costs at each token of the sentence looked at, in nats."""
    right = seen.numbers["probs"][np.arange(len(seen.numbers["line"]) - 1), seen.numbers["line"][1:]]
    return -np.log(np.maximum(right, 1e-300))


def _near(seen: Seen) -> int | None:
    """The step from which the loss stays near its floor, or below; None if it does not."""
    far = np.flatnonzero(seen.numbers["losses"] > seen.numbers["floor"] + NEAR)
    first = int(far[-1]) + 1 if len(far) else 0
    return first if first < len(seen.numbers["losses"]) else None


def _cell(seen: Seen, part: str) -> float:
    """The outlined cell of a matrix or of its gradient; a vector has its columns only."""
    values = np.atleast_2d(seen.numbers[part][seen.controls["matrix"]])
    return float(values[int(seen.controls["row"]), int(seen.controls["column"])])


QUESTIONS = (
    Question(
        "One beginning, two ends",
        "Training goes on to its last step. At which word of this sentence will the model be least sure of the next "
        "one? Click its row.",
        least_sure,
        {"sentences": FORK, "step": "0"},
        {"step": "400"},
        click="seen",
        look=("seen",),
    ),
    Question(
        "Reading ahead",
        "Without the causal mask, in training too, every word sees the ones it is asked for. Does the model then write "
        "this sentence better?",
        written,
        {"sentences": TURNED},
        {"causal": False},
        ("worse", "as well", "better"),
        look=("seen",),
    ),
    Question(
        "Only the last matrix",
        "Only W_LM_head may move. Where does the loss end, to within 0.01?",
        last_matrix,
        {},
        {"moves": ["W_LM_head"]},
        ("lower", "the same", "higher"),
        look=("loss",),
    ),
    Question(
        "Ten times the rate",
        f"The learning rate goes from 0.03 to 0.3. How soon does the loss stay within {NEAR} of its floor?",
        ten_times,
        {},
        {"lr": "0.3"},
        SOONER,
        look=("loss",),
    ),
    Question(
        "Head 0 alone",
        "All heads but head 0 are silent, in training too. How many matrices then have a gradient of exactly 0?",
        silent_heads,
        {},
        {"heads": ["head 0"]},
        within=0,
        look=("norms", "loss"),
    ),
    Question(
        "All weights zero",
        "Every matrix starts at 0. What is the loss after the last step, to within 0.05 nats?",
        all_zero,
        {},
        {"start": "drawn", "scale": 0.0},
        within=0.05,
        look=("loss",),
    ),
    Endless("One step by hand", a_step),
)

"""What can be predicted of three ways down: who is lost, who gets lowest, how long the first step is."""

import numpy as np

from ui.page.ask import Answer, Endless, Question
from ui.run import Seen
from ui.words import number

NAMES, STEPS, FEW = ("SGD", "Momentum", "Adam"), 60, 10
BOTH, PATHS = ("paths", "values"), ("paths",)


def ends(seen: Seen) -> dict[str, float]:
    """The last height of each that is not lost."""
    above = seen.numbers["above"]
    return {name: float(above[name][-1]) for name in NAMES if len(above[name]) > STEPS}


def past_the_limit(before: Seen, after: Seen) -> Answer:
    taken = {name: len(after.numbers[name.lower()]) - 1 for name in ("SGD", "Momentum")}
    lost = [name for name, steps in taken.items() if steps < STEPS]
    why = "a zigzag grows where a step is longer than twice the way to the floor"
    told = f"Of {STEPS} steps SGD takes {taken['SGD']}, momentum {taken['Momentum']}: {why}; a velocity moves that."
    return ("both" if len(lost) == 2 else lost[0] if lost else "neither"), told


def on_the_limit(before: Seen, after: Seen) -> Answer:
    was, now = (abs(seen.numbers["sgd"][:, 1] - seen.inputs["minimum"][1]) for seen in (before, after))
    lost = len(now) <= STEPS
    same = abs(now[-1] - now[0]) <= 1e-9 * now[0]
    right = "grows" if lost or now[-1] > now[0] and not same else "stays" if same else "shrinks"
    return right, (
        f"y starts {number(now[0])} from the floor and ends {number(now[-1])} from it ({number(was[-1])} before): on a "
        "parabola, 2/c makes each step twice the way to the floor."
    )


def lowest(before: Seen, after: Seen) -> Answer:
    was, now = ends(before), ends(after)
    least = min(now.values(), default=0.0)
    best = [name for name, height in now.items() if height <= least * (1 + 1e-9)]
    if not best:
        return "a tie", f"All are lost before step {STEPS}."
    told = "; ".join(
        f"{name} {number(height)}" + (f" ({number(was[name])} before)" if name in was and was[name] != height else "")
        for name, height in now.items()
    )
    why = "a velocity adds up slopes along the valley and cancels those across"
    return (best[0] if len(best) == 1 else "a tie"), f"Heights: {told}: {why}."


def ten_steps(before: Seen, after: Seen) -> Answer:
    away = {name: after.numbers[name][: 1 + FEW, 0] for name in ("adam", "sgd")}
    adam, sgd = (float(abs(x[-1] - x[0])) for x in away.values())
    return adam, (
        f"In ten steps Adam gets {number(adam)} in x, SGD {number(sgd)}: Adam divides each slope by its usual size, so "
        f"that a step is about the learning rate, {after.inputs['adam_lr']:g}."
    )


def by_hand(rng: np.random.Generator) -> Question:
    rate = float(rng.choice([0.01, 0.02, 0.05, 0.09]))
    x, y = float(rng.integers(-4, 5)) / 2, float(rng.choice([-1.5, -1.0, -0.5, 0.5, 1.0, 1.5]))
    axis = int(rng.integers(2))

    def answer(before: Seen, after: Seen) -> Answer:
        points = after.numbers["sgd"][:, axis]
        was, now = float(points[0]), float(points[min(1, len(points) - 1)])
        rate = after.inputs["lr"]
        off = number(round((was - now) / rate, 9))
        return (
            now,
            f"From {number(was)}, {rate:g} · {off} is taken off: {number(now)} is left.",
        )

    ask = (
        f"f = (x² + 20y²)/2 has the slopes x and 20y. From ({x:g}, {y:g}), at a learning rate of {rate:g}: where is "
        f"{'xy'[axis]} after SGD's first step, to within 0.01?"
    )
    state = {"surface": "Ravine", "x_ravine": x, "y_ravine": y, "lr": f"{rate:g}", "step": 1}
    return Question("A step by hand", ask.replace("-", "−"), answer, state, within=0.01, look=PATHS, cover=PATHS)


QUESTIONS = (
    Question(
        "Past the limit",
        "SGD's limit is 2/20 = 0.1. At a learning rate of 0.13, who is lost: SGD, momentum, both or neither?",
        past_the_limit,
        {},
        {"lr": "0.13"},
        ("SGD", "Momentum", "both", "neither"),
        look=BOTH,
    ),
    Question(
        "Exactly on it",
        "At a learning rate of exactly 2/c = 0.1, does SGD's zigzag across the valley shrink, stay or grow?",
        on_the_limit,
        {},
        {"lr": "0.1"},
        ("shrinks", "stays", "grows"),
        look=BOTH,
    ),
    Question(
        "Round the bend",
        "In this curved valley Adam gets lowest. Now SGD and momentum learn ten times as fast: who is lowest then?",
        lowest,
        {"surface": "Rosenbrock", "lr": "0.0001", "beta": 0.9},
        {"lr": "0.001"},
        (*NAMES, "a tie"),
        look=("values", "paths"),
    ),
    Question(
        "A plateau",
        "The slope in x is only −0.036 at the start. How far does Adam get in x in ten steps at a learning rate of "
        "0.1, to within 0.2?",
        ten_steps,
        {"surface": "Plateau", "lr": "0.1", "adam_lr": "0.1", "beta": 0.9, "step": 0},
        {"step": FEW},
        within=0.2,
        look=PATHS,
        cover=PATHS,
    ),
    Endless("A step by hand", by_hand),
)

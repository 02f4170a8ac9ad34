"""What can be predicted of six ways of choosing: how many words they let in, which of tied ones, with what share."""

import numpy as np

from ui.page.ask import Answer, Endless, Question
from ui.run import Seen
from ui.words import agree, counted, number, plain

LOOK = ("ways",)
CUT = ("none", "one", "two", "three", "more")
SEATS = ("ways.Top-k", "ways.All three")


def kept(seen: Seen) -> int:
    """How many words the chosen way lets in."""
    return int(seen.numbers["kept"].sum())


def seats_or_mass(before: Seen, after: Seen) -> Answer:
    by_mass, by_seats = kept(before), kept(after)
    right = "top-p" if by_mass > by_seats else "top-k" if by_seats > by_mass else "both alike"
    least = float(after.numbers["out"][after.numbers["kept"]].min())
    return right, (
        f"Top-p stops once it holds {before['p']:g}: {counted(by_mass, 'word', 'words')}. Top-k fills {by_seats}, "
        f"whatever their mass, down to {number(least)}."
    )


def flat_cut(before: Seen, after: Seen) -> Answer:
    was, now, n = kept(before), kept(after), len(after.numbers["out"])
    return CUT[min(n - now, len(CUT) - 1)], (
        f"To reach 0.9 takes {now} of {n} words, to reach {before['p']:g} {was}: nearly equal words hold about "
        f"{number(1 / n)} each."
    )


def last_seat(before: Seen, after: Seen) -> Answer:
    z, stays, words = np.asarray(after.inputs["logits"]), after.numbers["kept"], after.controls["words"].split()
    edge = float(z[stays].min())
    sitting = np.flatnonzero(stays & (z == edge)).tolist()
    n, seats, named = int((z == edge).sum()), len(sitting), plain(words[sitting[-1]])
    rule = "the first in the list" if seats == 1 else f"the first {seats} in the list"
    tied = f"{counted(n, 'word', 'words')} {agree(n, 'has', 'have')} the logit {number(edge)}"
    return [{"point": word} for word in sitting], f"“{named}”: {tied}, for {counted(seats, 'seat', 'seats')}" + (
        f"; {rule} {agree(seats, 'wins', 'win')}." if n > seats else ", so that all of them sit."
    )


def heat_last(before: Seen, after: Seen) -> Answer:
    was, now = kept(before), kept(after)
    right = "fewer" if now < was else "more" if now > was else "as many"
    return (
        right,
        f"Top-p saw the flattened words first and kept {was}; it now sees them before the heat and keeps {now}.",
    )


def share(rng: np.random.Generator) -> Question:
    shape, k = str(rng.choice(["two camps", "peaked", "flat", "ties"])), int(rng.integers(2, 7))
    one = int(rng.integers(k))

    def answer(before: Seen, after: Seen) -> Answer:
        stays, p = after.numbers["kept"], float(after.numbers["out"][one])
        own, held = float(before.numbers["out"][one]), float(before.numbers["out"][stays].sum())
        if not stays[one]:
            return p, f"It is cut: the model gives it {number(own)}, and {kept(after)} others hold the seats."
        return (
            p,
            f"{number(own)} of the {number(held)} that the kept hold: {number(own)} / {number(held)} = {number(p)}.",
        )

    ask = (
        f"Top-k keeps the first {k} of the list. At T = 1 the second panel shows what the model gives each: which "
        f"probability has word {one + 1} of the list under top-k, to within 0.03?"
    )
    state = {"shape": shape, "way": "temperature", "k": k, "temperature": 1.0}
    hidden = (*SEATS, "ways.Top-p", "ways.Min-p")
    return Question("A share of the kept", ask, answer, state, {"way": "top-k"}, within=0.03, look=LOOK, cover=hidden)


QUESTIONS = (
    Question(
        "Peaked",
        "One word has most of the mass. Which lets in more words, top-p 0.8 or top-k 8?",
        seats_or_mass,
        {"shape": "peaked", "way": "top-p"},
        {"way": "top-k"},
        ("top-p", "both alike", "top-k"),
        look=LOOK,
        cover=(*SEATS, "ways.Top-p"),
    ),
    Question(
        "Flat",
        "Twelve nearly equal words: how many does top-p cut when p goes to 0.9?",
        flat_cut,
        {"shape": "flat", "way": "top-p"},
        {"p": 0.9},
        CUT,
        look=LOOK,
    ),
    Question(
        "Ties",
        "Four words tie for the fourth seat of top-k 4. Click on the bar of the one that gets it.",
        last_seat,
        {"shape": "ties", "k": 4, "way": "top-k", "temperature": 1.0},
        click="ways",
        look=LOOK,
        cover=SEATS,
    ),
    Question(
        "Cut, then heat",
        "T = 5 and top-p 0.8. If T comes last instead of first, do all three together keep fewer words or more?",
        heat_last,
        {"temperature": 5.0, "k": 12, "order": "T, top-k, top-p", "way": "all three"},
        {"order": "top-p, top-k, T"},
        ("fewer", "as many", "more"),
        look=LOOK,
    ),
    Endless("A share of the kept", share),
)

"""Plans for a lecture: prepared states across labs, and the text that carries one in a link.

Nothing is kept on the server. A plan is its name and a line for each state, "minutes link", packed as a model is; in
the address the place comes first: `plan=3.45` is the third state of the plan for 45 minutes.
"""

import importlib
import re
from typing import NamedTuple
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from ui import catalogue
from ui.page import ask, codes, controls
from ui.page.ask import Endless
from ui.page.parse import in_link
from ui.words import shown

LONGEST_CODE, LONGEST_LINK, LONGEST_NAME = 4_000, 1_500, 60  # letters
MOST_STATES, MOST_MINUTES = 60, 180


class Prepared(NamedTuple):
    """One state of a plan: a link such as "softmax?softmax.ask=2", and how many minutes it is given."""

    link: str
    minutes: int

    @property
    def slug(self) -> str:
        return self.link.split("?")[0]

    @property
    def values(self) -> list[tuple[str, str]]:
        """What the link says, by the short names of controls."""
        pairs = parse_qsl(self.link.partition("?")[2], keep_blank_values=True)
        return [(name.split(".", 1)[1], value) for name, value in pairs]

    @property
    def title(self) -> str:
        """The lab, and what is special about the state."""
        said = dict(self.values)
        if asked := _question(self):
            words = f"question “{asked.title}”"
        else:
            words = ", ".join(f"{name} {value}" for name, value in said.items() if len(value) <= 16)
        words = words if len(words) <= 60 else words[:59] + "…"
        return catalogue.BY_SLUG[self.slug].title + (f": {words}" if words else "")


class Plan(NamedTuple):
    name: str
    states: tuple[Prepared, ...] = ()

    @property
    def minutes(self) -> int:
        return sum(state.minutes for state in self.states)


STATES = {  # of each lab that a built-in plan has: without its own name before the dots
    "dot_product_and_cosine": ("", "ask=1", "ask=2", "angle_a=200", "ask=3"),
    "attention_matrix": ("query=5", "ask=1", "causal=false", "ask=2", "ask=4"),
    "softmax": ("", "ask=2", "ask=3", "temperature=1&scale=20", "ask=1"),
    "heads_split_and_mixed": ("", "heads=4", "ask=3", "ask=5"),
    "rope_and_alibi": ("", "ask=1", "ask=3", "ask=6"),
    "layer_normalisation": ("", "ask=5", "ask=3"),
    "tokens_expanded": ("", "ask=2", "ask=1"),
    "forward_pass": (
        "weights=storyteller&step=Predict",
        "weights=storyteller",
        "ask=1",
        "ask=2",
        "ask=3",
    ),
    "one_distribution_one_token": ("shape=peaked", "ask=1", "ask=2", "way=all%20three"),
}
MINUTES = {  # plan: how long each lab takes in it, in order
    "45": {"attention_matrix": 12, "softmax": 8, "forward_pass": 15, "one_distribution_one_token": 10},
    "90": {
        "dot_product_and_cosine": 8,
        "attention_matrix": 14,
        "softmax": 10,
        "heads_split_and_mixed": 10,
        "rope_and_alibi": 8,
        "layer_normalisation": 6,
        "tokens_expanded": 8,
        "forward_pass": 16,
        "one_distribution_one_token": 10,
    },
}


def built_in(code: str) -> Plan:
    """The plan for 45 or 90 minutes: a lab's minutes are shared by its states.

    >>> built_in("45").minutes, built_in("45").states[1]
    (45, Prepared(link='attention_matrix?attention_matrix.ask=1', minutes=2))
    """
    states = []
    for slug, minutes in MINUTES[code].items():
        n = len(STATES[slug])
        for i, values in enumerate(STATES[slug]):
            query = re.sub("(^|&)(?=.)", rf"\g<1>{slug}.", values)
            states.append(Prepared(f"{slug}?{query}" if query else slug, minutes * (i + 1) // n - minutes * i // n))
    return Plan(f"{code} minutes", tuple(states))


def prepared(link: str, minutes: int = 3) -> Prepared:
    """The state that a lab's link opens, wherever the site stands; a question is open in it, its plan is left out.

    >>> prepared("https://labs.org/base/softmax?softmax.scale=2&softmax.shown=true&plan=2.45&view=stage")
    Prepared(link='softmax?softmax.scale=2', minutes=3)
    """
    if len(link) > LONGEST_LINK + LONGEST_CODE:
        raise ValueError(f"The link is longer than {LONGEST_LINK:,} letters.")
    try:
        parts = urlsplit(link.strip())
        pairs = parse_qsl(parts.query, keep_blank_values=True, max_num_fields=200)
    except ValueError:
        raise ValueError(f"{shown(link)} is not a link.") from None
    slug = parts.path.rstrip("/").rpartition("/")[2]
    lab = catalogue.BY_SLUG.get(slug)
    if lab is None or not lab.file.exists():
        raise ValueError(f"{shown(link)} is not the link of a lab.")
    own = [(name, value) for name, value in pairs if name.startswith(f"{slug}.") and name != f"{slug}.shown"]
    clean = f"{slug}?{urlencode(own, quote_via=quote)}" if own else slug
    if len(clean) > LONGEST_LINK:
        raise ValueError(f"The link is longer than {LONGEST_LINK:,} letters, too much for a plan.")
    return Prepared(clean, min(max(minutes, 0), MOST_MINUTES))


def code_of(plan: Plan) -> str:
    """A plan as the link carries it."""
    name = " ".join(plan.name.split())[:LONGEST_NAME]
    code = codes.pack("\n".join([name, *(f"{state.minutes} {state.link}" for state in plan.states)]))
    if len(plan.states) > MOST_STATES:
        raise ValueError(f"A plan has room for {MOST_STATES} states.")
    if len(code) > LONGEST_CODE:
        raise ValueError("The plan would be too long for a link: leave out a state, or a model or matrix typed in one.")
    return code


def plan_of(code: str) -> Plan:
    """The plan behind a code, built in or somebody's own; whatever is wrong with it is said in a sentence.

    >>> plan_of(code_of(Plan("Mine", (Prepared("softmax", 4),))))
    Plan(name='Mine', states=(Prepared(link='softmax', minutes=4),))
    """
    if code in MINUTES:
        return built_in(code)
    if len(code) > LONGEST_CODE:
        raise ValueError(f"The plan is longer than {LONGEST_CODE:,} letters.")
    try:
        name, *lines = codes.unpack(code, "plan").decode().split("\n")
    except UnicodeDecodeError:
        raise ValueError("This is not a plan code: copy the link whole.") from None
    if len(lines) > MOST_STATES:
        raise ValueError(f"The plan has more than {MOST_STATES} states.")
    states = []
    for line in lines:
        minutes, _, link = line.partition(" ")
        if not re.fullmatch("[0-9]{1,3}", minutes):
            raise ValueError(f"The plan has a line that is not “minutes link”: {shown(line)}.")
        states.append(prepared(link, int(minutes)))
    return Plan(" ".join(name.split())[:LONGEST_NAME], tuple(states))


def at(text: str) -> tuple[int, str, Plan]:
    """The place, the code and the plan that the address names: "3.45" is the third state, 0 is before the first."""
    place, dot, code = text.partition(".")
    if not dot or not re.fullmatch("[0-9]{1,3}", place):
        raise ValueError("The link's plan has no place, such as the 3 in “3.45”.")
    plan = plan_of(code)
    return min(int(place), len(plan.states)), code, plan


def whole(state: Prepared) -> str:
    """The link of a state; what its question starts from is written out, as its lab may stand elsewhere."""
    question = _question(state)
    if question is None:
        return state.link
    said = {name for name, _ in state.values}
    more = [
        (f"{state.slug}.{name}", in_link(one))
        for name, value in question.before.items()
        if name not in said
        for one in (value if isinstance(value, list) else [controls.as_text(value)])
    ]
    return f"{state.link}&{urlencode(more, quote_via=quote)}" if more else state.link


def _question(state: Prepared) -> ask.Question | None:
    chosen = dict(state.values).get("ask", "")
    questions = importlib.import_module(f"ui.questions.{state.slug}").QUESTIONS if chosen else ()
    if chosen not in ask.names(questions):
        return None
    found = questions[ask.names(questions).index(chosen)]
    if not isinstance(found, Endless):
        return found
    turn = dict(state.values).get("round", "1")
    number = int(turn) if turn.isdecimal() and 1 <= int(turn) <= ask.MOST_ROUNDS else 1
    return ask.question_of(questions, chosen, number, state.slug)

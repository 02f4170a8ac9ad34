"""What can be predicted of two merge rules: which pair is first, what a stranger becomes, how often a run merges."""

import numpy as np

from ui.charts.tiles import visible
from ui.page.ask import Answer, Endless, Question
from ui.run import Seen
from ui.words import counted, plain

TEXTBOOK = "hug 10\npug 5\npun 12\nbun 4\nhugs 5"
RUNS = "aaaaa 3\naaab 2\nabc 1"
UNICODE = "café 3\ncafe\u0301 3\ndon't 4\ndon’t 2\n👍 2\n👍🏽 2\n👨\u200d👩\u200d👧 2"
FAMILY = "👨\u200d👩\u200d👦"
WORDS = ("bug", "hugs", "lowest", "lower", "newer", "newest", "wider", "widest", "pun", "low")
UP_TO_FIVE = ("one", "two", "three", "four", "five", "more")
CORPUS, WORD = ("corpus",), ("word", "corpus")
COVERED = ("word.BPE", "word.WordPiece")


def quoted(token: str) -> str:
    """A token for a sentence, in quotation marks and harmless."""
    return f"“{plain(visible(token, '##'))}”"


def in_words(n: int) -> str:
    """A count from one on as the options say it."""
    return UP_TO_FIVE[min(n, len(UP_TO_FIVE)) - 1]


def first_merge(before: Seen, after: Seen) -> Answer:
    firsts = {"BPE": after.numbers["bpe_merges"][:1], "WordPiece": after.numbers["wordpiece_merges"][:1]}
    wanting = [rule for rule, first in firsts.items() if first and first[0].removeprefix("##") == "gs"]
    table = list(zip(after.inputs["words"], after.inputs["counts"], strict=True))
    told = []
    for rule, first in firsts.items():
        for token in first:
            n = sum(count * word.count(token.removeprefix("##")) for word, count in table)
            told.append(f"{rule} first makes {quoted(token)}, which stands there {counted(n, 'time', 'times')}")
    why = "a score divides by how often the halves stand, with or without each other"
    right = "both" if len(wanting) == 2 else wanting[0] if wanting else "neither"
    return right, f"{'; '.join(told) or '0 pairs are there'}: {why}."


def stranger(before: Seen, after: Seen) -> Answer:
    bpe, wordpiece = after.numbers["bpe_split"], after.numbers["wordpiece_split"]
    unknown = list(wordpiece) == ["[UNK]"]
    told = f"BPE keeps a letter it has never seen and writes {counted(len(bpe), 'token', 'tokens')}; WordPiece "
    if unknown:
        return "BPE", f"{told}meets a place where no piece it knows goes on, and gives up the whole word."
    return "both", f"{told}knows a piece at every place and writes {len(wordpiece)}."


def runs(before: Seen, after: Seen) -> Answer:
    was, now = (len(seen.numbers["bpe_split"]) for seen in (before, after))
    return ("none", *UP_TO_FIVE)[min(was - now, len(UP_TO_FIVE))], (
        f"It goes from {counted(was, 'token', 'tokens')} to {now}: its pairs overlap, and a letter that has merged is "
        "no longer there for the next pair."
    )


def family(before: Seen, after: Seen) -> Answer:
    n, tokens = len(after.inputs["unseen"]), len(after.numbers["bpe_split"])
    return in_words(n), (
        f"People and the joiners between them are {counted(n, 'code point', 'code points')}, each a symbol of its own "
        f"until merged: BPE ends with {counted(tokens, 'token', 'tokens')}."
    )


def cut(rng: np.random.Generator) -> Question:
    word, merges = str(rng.choice(WORDS)), int(rng.integers(2, 13))

    def answer(before: Seen, after: Seen) -> Answer:
        bpe, wordpiece = after.numbers["bpe_split"], after.numbers["wordpiece_split"]
        return in_words(len(bpe)), (
            f"{' + '.join(map(quoted, bpe))}, {counted(len(bpe), 'token', 'tokens')}: merges apply in the order they "
            f"were learned. WordPiece writes {len(wordpiece)}."
        )

    ask = f"Into how many tokens do BPE's first {merges} merges cut “{word}”? Its tiles on the left show what it knows."
    state = {"word": word, "merges": merges}
    return Question("A word cut", ask, answer, state, options=UP_TO_FIVE, look=WORD, cover=COVERED)


QUESTIONS = (
    Question(
        "Rare but certain",
        "“gs” stands in one word only. Which rule merges g and s first of all?",
        first_merge,
        {"merges": 0, "table": TEXTBOOK, "word": "bugs"},
        {"merges": 1},
        ("BPE", "WordPiece", "both", "neither"),
        look=CORPUS,
    ),
    Question(
        "A stranger at the door",
        "No word of the table starts with s. Which rule can still write “slug”?",
        stranger,
        {},
        {"word": "slug"},
        ("BPE", "WordPiece", "both", "neither"),
        look=WORD,
    ),
    Question(
        "Repeated letters",
        "“aaaaa” holds the pair a + a four times. How many of them can merge in one go?",
        runs,
        {"merges": 0, "table": RUNS, "word": "aaaaa"},
        {"merges": 1},
        ("none", *UP_TO_FIVE),
        look=CORPUS,
    ),
    Question(
        "Accents, emoji, apostrophes",
        f"From how many symbols does merging start in the family {FAMILY}?",
        family,
        {"merges": 4, "table": UNICODE, "word": FAMILY},
        options=UP_TO_FIVE,
        look=("word",),
        cover=COVERED,
    ),
    Endless("A word cut", cut),
)

"""What changes if the most frequent pair merges, as in BPE, or the one with the highest score, as in WordPiece?"""

from engine import tokenizers
from engine.tokenizers import trace_bpe, trace_wordpiece, train_bpe, train_wordpiece
from ui import charts
from ui.labs.bpe_against_wordpiece import (
    RANKS,
    candidates,
    corpus,
    cut_by,
    cut_differently,
    ended,
    grown,
    merged_by,
    next_by_both,
    next_merge,
    place,
    quoted,
    side,
    split_of,
    sums_behind,
    taken,
    walk,
    worked_out,
)
from ui.page import controls, lab, parse
from ui.words import told

TABLE = "hug 10\npug 5\npun 12\nbun 4\nhugs 5\nlow 5\nlower 2\nnew 4\nnewest 6\nwidest 3"
TEXTBOOK = "hug 10\npug 5\npun 12\nbun 4\nhugs 5"
UNICODE = "café 3\ncafe\u0301 3\ndon't 4\ndon’t 2\n👍 2\n👍🏽 2\n👨\u200d👩\u200d👧 2"
MOST = 20

lab.begin(__file__)
with lab.panel():
    about = "How many pairs both rules have merged. A click on a curve sets it."
    merges = controls.slider("merges", "Merges done", 0, MOST, 8, help=about)
    about = "Split by both rules with what they know so far."
    word = controls.text("word", "Unseen word", "lowest", parse.word, limit=60, help=about)
    about = "1st merges next. A click on a bar sets it."
    rank = controls.choice("candidate", "Candidate worked out", RANKS, help=about)
    about = "A word and its count on each line; a word alone counts once."
    table = controls.text("table", "Words and counts", TABLE, parse.word_table, height=310, limit=800, help=about)

bpe, wordpiece = lab.attempt(train_bpe, table, MOST), lab.attempt(train_wordpiece, table, MOST)
left = side("BPE", "count", "", "way_2", bpe, tokenizers.growth(bpe), merges)
right = side("WordPiece", "score", "##", "way_1", wordpiece, tokenizers.growth(wordpiece), merges)
sides = [left, right]
by_bpe = trace_bpe(word, [step.pair for step in bpe.steps[: left.done]])
by_wordpiece = trace_wordpiece(word, right.known)

alt = f"The words after {merges} merges. BPE: {'; '.join(map(' '.join, left.words.values()))}. "
alt += f"WordPiece: {'; '.join(map(' '.join, right.words.values()))}."
charts.show("corpus", corpus(sides), alt)
lab.say(
    ":gray[A tile is a token: grey for a character, coloured for a merge (eight colours in turn), "
    "outlined for the newest.]"
)
alt = "; ".join(f"{one.name} merges by {one.rule}, candidates: {len(one.candidates)}" for one in sides) + "."
charts.show("candidates", candidates(sides, rank), alt, candidate="point")
for one in sides:
    if one.candidates:
        at = place(one, rank)
        found = tokenizers.explain_pair(table, one.words, one.candidates[at].pair)
        lab.step(f"{one.name}: the sums behind its {RANKS[at]} candidate", *sums_behind(table, found))
        lab.say(worked_out(one, rank, found))
    else:
        lab.say(ended(one))

lab.step("A word neither rule has seen" if word not in table else "A word of the table")
alt = f"{word!s} split step by step: BPE ends with {' '.join(by_bpe.tokens)}, "
alt += f"WordPiece with {' '.join(by_wordpiece.tokens)}."
charts.show("word", walk(sides, word, by_bpe, by_wordpiece), alt)
for column, sentences in zip(lab.columns(2), (merged_by(by_bpe), cut_by(by_wordpiece)), strict=True):
    with column:
        lab.say(sentences)
measured = {"vocabulary_size": "Vocabulary size", "tokens_per_word": "Tokens per word"}
for column, (what, title) in zip(lab.columns(2), measured.items(), strict=True):
    with column:
        now = told(**{one.rule: float(getattr(one.growth, what)[one.done]) for one in sides})
        alt = f"{title} against merges; today BPE {now.count:2}, WordPiece {now.score:2}."
        charts.show(what, grown(sides, what, title, MOST), alt, merges="x")

lab.notice(
    f"Merged so far: {left.done} pairs by BPE, {right.done} by WordPiece. "
    f"They cut **{cut_differently(left, right)} of {len(table)}** words differently.",
    *(next_merge(one) for one in sides if one.candidates),
    f"BPE's vocabulary has **{len(left.known)}** tokens, WordPiece's **{len(right.known)}**, of which "
    f"{sum(token.startswith('##') for token in right.known)} with ## stand inside words only.",
    split_of(word, by_bpe, by_wordpiece, left.known),
    f"Limits: 24 words of 24 characters, counts to 1,000,000, {MOST} merges. The code behind it takes "
    f"{tokenizers.MAX_CHARACTERS:,} characters and {tokenizers.MAX_MERGES:,} merges.",
)
lab.try_this(
    (
        "Rare but certain",
        "“gs” stands in one word only. Which rule wants it first, and why?",
        {"merges": 0, "table": TEXTBOOK, "word": "bugs"},
    ),
    (
        "A stranger at the door",
        "No word of the table starts with s. Which rule can still write “slug”?",
        {"word": "slug"},
    ),
    (
        "Repeated letters",
        "How often is a followed by a in “aaaaa”, and how many of these pairs can merge?",
        {"merges": 1, "table": "aaaaa 3\naaab 2\nabc 1", "word": "aaaa"},
    ),
    (
        "Accents, emoji, apostrophes",
        "Are the two “café” one word? How many symbols is a family?",
        {"merges": 4, "table": UNICODE, "word": "👨\u200d👩\u200d👦"},
    ),
)
facts, runs = tokenizers.unicode_facts(word), tokenizers.pair_counts("bbbaaaddddcccc")
counted, replaced = tokenizers.pair_counts("aaaaa")["a", "a"]
tie = train_bpe({"bbbaaaddddcccc": 1}, 1).steps[0].token
straight, curly = (len(tokenizers.pre_tokenize(text)) for text in ("don't", "don’t"))
lab.conventions(
    ("WordPiece's next merge", *next_by_both(right)),
    (
        "A pair that overlaps itself: “aa” in “aaaaa”",
        f"counted {counted} times, replaced {replaced} times",
        f"counted {replaced} times, as often as it can be replaced",
    ),
    (
        "A tie: the first merge of “bbbaaaddddcccc”",
        f"older symbols first: “{tie}”",
        f"the pair read first: “{''.join(max(runs, key=runs.get))}”",
    ),
    (
        "Smallest count that merges",
        f"1: {len(bpe.steps)} merges on this table",
        f"subword-nmt, 2: it stops after {bpe.merges_with_count(2)}",
    ),
    (
        f"What {quoted(word)} starts from",
        f"its code points, nothing normalised: {len(facts.code_points)} (seen as {len(facts.characters)})",
        f"GPT-2, its bytes, so that nothing is unknown: {facts.n_bytes}",
    ),
    (
        "Apostrophes before any merge",
        "part of the word: 1 piece",
        f"GPT-2 cuts “don't” into {straight} pieces and “don’t” into {curly}",
    ),
)
split = {"bpe_split": by_bpe.tokens, "wordpiece_split": by_wordpiece.tokens}
lab.take_away(taken(sides) | split, words=list(table), counts=list(table.values()), n_merges=MOST)
lab.source(train_bpe, train_wordpiece, trace_bpe, trace_wordpiece, tokenizers.explain_pair)

"""What does it change to merge the most frequent pair, as BPE does, or the one with the highest score, as WordPiece does?"""

from engine.tokenizers import (
    MAX_CHARACTERS,
    MAX_MERGES,
    explain_pair,
    growth,
    pair_counts,
    pre_tokenize,
    trace_bpe,
    trace_wordpiece,
    train_bpe,
    train_wordpiece,
    unicode_facts,
)
from ui import charts
from ui.charts import Mark, Series
from ui.labs import bpe_against_wordpiece as merging
from ui.labs.bpe_against_wordpiece import RANKS, pair, quoted
from ui.page import controls, lab, parse
from ui.words import number

TABLE = "hug 10\npug 5\npun 12\nbun 4\nhugs 5\nlow 5\nlower 2\nnew 4\nnewest 6\nwidest 3"
TEXTBOOK = "hug 10\npug 5\npun 12\nbun 4\nhugs 5"
UNICODE = "café 3\ncafe\u0301 3\ndon't 4\ndon’t 2\n👍 2\n👍🏽 2\n👨\u200d👩\u200d👧 2"
MOST = 20

lab.begin(__file__)
with lab.panel():
    merges = controls.slider(
        "merges", "Merges done", 0, MOST, 8, help="How many pairs both rules have merged. A click on a curve sets it."
    )
    word = controls.text(
        "word", "Unseen word", "lowest", parse.word, limit=60, help="Split by both rules with what they know so far."
    )
    rank = controls.choice(
        "candidate", "Candidate worked out", RANKS, help="1st merges next. A click on a bar sets it."
    )
    table = controls.text("table", "Words and counts", TABLE, parse.word_table, height=310, limit=800, help="A word and its count on each line; a word alone counts once.")  # fmt: skip

bpe, wordpiece = lab.attempt(train_bpe, table, MOST), lab.attempt(train_wordpiece, table, MOST)
left = merging.side("BPE", "count", "", "way_2", bpe, growth(bpe), merges)
right = merging.side("WordPiece", "score", "##", "way_1", wordpiece, growth(wordpiece), merges)
sides = [left, right]

charts.show(
    "corpus",
    merging.corpus(sides),
    f"The words after {merges} merges. BPE: {'; '.join(map(' '.join, left.words.values()))}. WordPiece: {'; '.join(map(' '.join, right.words.values()))}.",
)
lab.say(
    ":gray[A tile is a token: grey for a character, coloured for a merge (eight colours in turn), outlined for the newest.]"
)
charts.show(
    "candidates",
    merging.candidates(sides, rank),
    "; ".join(f"{side.name} merges by {side.rule}, candidates: {len(side.candidates)}" for side in sides) + ".",
    candidate="point",
)
for side in sides:
    if side.candidates:
        place = merging.place(side, rank)
        found = explain_pair(table, side.words, side.candidates[place].pair)
        lab.step(f"{side.name}: the sums behind its {RANKS[place]} candidate", *merging.sums_behind(table, found))
        lab.say(
            f"{pair(side.candidates[place])} stands in {', '.join(map(quoted, found.by_word))}. By its {side.rule} it {merging.fate(side, rank)}."
        )
    else:
        lab.say(
            f"**{side.name}**: no pair of neighbours is left, every word is one token. Training ends after {side.done} merges."
        )

by_bpe = trace_bpe(word, [step.pair for step in bpe.steps[: left.done]])
by_wordpiece = trace_wordpiece(word, right.known)
lab.step("A word neither rule has seen" if word not in table else "A word of the table")
charts.show(
    "word",
    merging.walk(sides, word, by_bpe, by_wordpiece),
    f"{word} split step by step: BPE ends with {' '.join(by_bpe.tokens)}, WordPiece with {' '.join(by_wordpiece.tokens)}.",
)
for column, told in zip(lab.columns(2), (merging.merged_by(by_bpe), merging.cut_by(by_wordpiece)), strict=True):
    with column:
        lab.say(told)
for column, (what, title) in zip(
    lab.columns(2), {"vocabulary_size": "Vocabulary size", "tokens_per_word": "Tokens per word"}.items(), strict=True
):
    curves = [getattr(side.growth, what) for side in sides]
    with column:
        charts.show(what, charts.lines(
                range(MOST + 1),
                [Series(side.name, curve, side.colour, x=range(len(curve))) for side, curve in zip(sides, curves, strict=True)],
                title=title, x_title="merges", x_range=(0, MOST), y_range=(0, 1.15 * max(max(curve) for curve in curves)),
                marks=[Mark(side.done, curve[side.done]) for side, curve in zip(sides, curves, strict=True)], height=250,
            ), f"{title} against merges; today BPE {number(curves[0][left.done], 2)}, WordPiece {number(curves[1][right.done], 2)}.", merges="x")  # fmt: skip

pieces = [[token.removeprefix("##") for token in tokens] for tokens in right.words.values()]
different = sum(list(a) != b for a, b in zip(left.words.values(), pieces, strict=True))
strangers = sorted({symbol for symbol in by_bpe.tokens if symbol not in left.known})
unknown = by_wordpiece.steps[-1].piece is None
lab.notice(
    f"Merged so far: {left.done} pairs by BPE, {right.done} by WordPiece. They cut **{different} of {len(table)}** words differently.",
    *(f"{side.name} merges {pair(side.candidates[0])} next: count {side.candidates[0].count:,}, score {number(side.candidates[0].score)}."
      + (f" {side.candidates.tied} pairs tie at that {side.rule}: the older first symbol wins, then the older second." if side.candidates.tied > 1 else "")
      for side in sides if side.candidates),
    f"BPE's vocabulary has **{len(left.known)}** tokens, WordPiece's **{len(right.known)}**, of which {sum(token.startswith('##') for token in right.known)} with ## stand inside words only.",
    f"{quoted(word)} becomes **{len(by_bpe.tokens)}** tokens with BPE and " + ("is **unknown** to WordPiece: at one place no piece fits." if unknown else f"**{len(by_wordpiece.tokens)}** with WordPiece.")
    + (f" BPE keeps {', '.join(map(quoted, strangers))} as it is, outside its vocabulary." if strangers else ""),
    f"Limits: 24 words of 24 characters, counts to 1,000,000, {MOST} merges. The code behind it takes {MAX_CHARACTERS:,} characters and {MAX_MERGES:,} merges.",
)  # fmt: skip
lab.try_this(
    ("Rare but certain", "“gs” stands in one word only. Which rule wants it first, and why?", {"merges": 0, "table": TEXTBOOK, "word": "bugs"}),
    ("A stranger at the door", "No word of the table starts with s. Which rule can still write “slug”?", {"word": "slug"}),
    ("Repeated letters", "How often is a followed by a in “aaaaa”, and how many of these pairs can merge?", {"merges": 1, "table": "aaaaa 3\naaab 2\nabc 1", "word": "aaaa"}),
    ("Accents, emoji, apostrophes", "Are the two “café” one word? How many symbols is a family?", {"merges": 4, "table": UNICODE, "word": "👨\u200d👩\u200d👦"}),
)  # fmt: skip
facts = unicode_facts(word)
doubled, runs = pair_counts("aaaaa")["a", "a"], pair_counts("bbbaaaddddcccc")
stop = next((i for i, step in enumerate(bpe.steps) if step.count < 2), len(bpe.steps))
by_count = max(right.candidates, key=lambda one: one.count, default=None)
apostrophes = [len(pre_tokenize(text)) for text in ("don't", "don’t")]
lab.conventions(
    ("WordPiece's next merge", f"by score: {pair(right.candidates[0])}, {number(right.candidates[0].score)}" if by_count else "no pair is left", f"the trainer of the tokenizers library merges by count: {pair(by_count)}, {by_count.count:,}" if by_count else "no pair is left there either"),
    ("A pair that overlaps itself: “aa” in “aaaaa”", f"counted {doubled[0]} times, replaced {doubled[1]} times", f"counted {doubled[1]} times, as often as it can be replaced"),
    ("A tie: the first merge of “bbbaaaddddcccc”", f"older symbols first: “{train_bpe({'bbbaaaddddcccc': 1}, 1).steps[0].token}”", f"the pair read first: “{''.join(max(runs, key=runs.get))}”"),
    ("Smallest count that merges", f"1: {len(bpe.steps)} merges on this table", f"subword-nmt, 2: it stops after {stop}"),
    (f"What {quoted(word)} starts from", f"its code points, nothing normalised: {len(facts.code_points)} (seen as {len(facts.characters)})", f"GPT-2, its bytes, so that nothing is unknown: {facts.n_bytes}"),
    ("Apostrophes before any merge", "part of the word: 1 piece", f"GPT-2 cuts “don't” into {apostrophes[0]} pieces and “don’t” into {apostrophes[1]}"),
)  # fmt: skip
lab.take_away({f"{side.name.lower()}_{what}": part for side in sides for what, part in (*side.growth._asdict().items(), ("merges", [step.token for step in side.trace.steps]))}
    | {"bpe_split": by_bpe.tokens, "wordpiece_split": by_wordpiece.tokens}, code="""
from collections import Counter
from itertools import pairwise

def train(mark, by_score):
    cut = [[c if i == 0 else mark + c for i, c in enumerate(word)] for word in words]
    age = {symbol: i for i, symbol in enumerate(sorted(set().union(*cut)))}
    sizes, tokens = [len(age)], [sum(n * len(symbols) for n, symbols in zip(counts, cut))]
    for _ in range(n_merges):
        single, pairs = Counter(), Counter()
        for n, symbols in zip(counts, cut):
            for s in symbols:
                single[s] += n
            for pair in pairwise(symbols):
                pairs[pair] += n
        if not pairs:
            break
        worth = {(a, b): n / (single[a] * single[b]) if by_score else n for (a, b), n in pairs.items()}
        a, b = min(pairs, key=lambda pair: (-worth[pair], age[pair[0]], age[pair[1]]))
        token = a + b[len(mark):]
        age.setdefault(token, len(age))
        for symbols in cut:
            i = 0
            while i < len(symbols) - 1:
                if symbols[i:i + 2] == [a, b]:
                    symbols[i:i + 2] = [token]
                i += 1
        sizes.append(len(age))
        tokens.append(sum(n * len(symbols) for n, symbols in zip(counts, cut)))
    return np.array(sizes), np.array(tokens), np.array(tokens) / sum(counts)

bpe_vocabulary_size, bpe_n_tokens, bpe_tokens_per_word = train("", by_score=False)
wordpiece_vocabulary_size, wordpiece_n_tokens, wordpiece_tokens_per_word = train("##", by_score=True)
""", words=list(table), counts=list(table.values()), n_merges=MOST)  # fmt: skip
lab.source(train_bpe, train_wordpiece, trace_bpe, trace_wordpiece, explain_pair)

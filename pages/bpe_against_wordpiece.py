"""What changes if the most frequent pair merges, as in BPE, or the one with the highest score, as in WordPiece?"""

from engine import tokenizers
from engine.tokenizers import trace_bpe, trace_wordpiece, train_bpe, train_wordpiece
from ui import charts
from ui.labs.bpe_against_wordpiece.drawn import RANKS, candidates, corpus, grown, place, side, word_split
from ui.labs.bpe_against_wordpiece.written import (
    cut_by,
    ended,
    libraries_differ,
    merged_by,
    noticed,
    sums_behind,
    taken,
    worked_out,
)
from ui.page import controls, lab, parse
from ui.page.recall import recall
from ui.questions.bpe_against_wordpiece import QUESTIONS
from ui.words import counted, told

TABLE = "hug 10\npug 5\npun 12\nbun 4\nhugs 5\nlow 5\nlower 2\nnew 4\nnewest 6\nwidest 3"
MOST = 20

lab.begin(__file__, QUESTIONS)
with lab.panel():
    about = "How many pairs both rules have merged. A click on a curve sets it."
    merges = controls.slider("merges", "Merges done", 0, MOST, 8, help=about)
    about = "Split by both rules with what they know so far."
    word = controls.text("word", "Unseen word", "lowest", parse.word, limit=60, help=about)
    about = "1st merges next. A click on a bar sets it."
    rank = controls.choice("candidate", "Candidate worked out", RANKS, help=about)
    about = "A word and its count on each line; a word alone counts once."
    table = controls.text("table", "Words and counts", TABLE, parse.word_table, height=310, limit=800, help=about)

bpe, wordpiece = (lab.attempt(recall, train, table, MOST) for train in (train_bpe, train_wordpiece))
left = side("BPE", "count", "", "way_2", bpe, tokenizers.growth(bpe), merges)
right = side("WordPiece", "score", "##", "way_1", wordpiece, tokenizers.growth(wordpiece), merges)
sides = [left, right]
by_bpe = trace_bpe(word, [step.pair for step in bpe.steps[: left.done]])
by_wordpiece = trace_wordpiece(word, right.known)

lab.shape(f"{counted(len(table), 'word', 'words')} · {MOST} merges")
alt = f"The words after {counted(merges, 'merge', 'merges')}. BPE: {'; '.join(map(' '.join, left.words.values()))}. "
alt += f"WordPiece: {'; '.join(map(' '.join, right.words.values()))}."
charts.show("corpus", corpus(sides), alt, plays=("merges", 0, MOST))
alt = "; ".join(f"{one.name} merges by {one.rule}, candidates: {len(one.candidates)}" for one in sides) + "."
charts.show("candidates", candidates(sides, rank), alt, candidate="point")
alt = f"{word!s} split step by step: BPE ends with {counted(len(by_bpe.tokens), 'token', 'tokens')}, "
alt += f"{' '.join(by_bpe.tokens)}, WordPiece with {len(by_wordpiece.tokens)}, {' '.join(by_wordpiece.tokens)}."
charts.show("word", word_split(sides, word, by_bpe, by_wordpiece), alt)
lab.say(
    ":gray[A tile is a token: grey for a character, coloured for a merge (eight colours in turn), "
    "outlined for the newest.]"
)
for one in sides:
    if one.candidates:
        at = place(one, rank)
        found = tokenizers.explain_pair(table, one.words, one.candidates[at].pair)
        lab.step(f"{one.name}: the sums behind its {RANKS[at]} candidate", *sums_behind(table, found))
        lab.say(worked_out(one, rank, found))
    else:
        lab.say(ended(one))

lab.step("A word neither rule has seen" if word not in table else "A word of the table")
for column, sentences in zip(lab.columns(2), (merged_by(by_bpe), cut_by(by_wordpiece)), strict=True):
    with column:
        lab.say(sentences)
measured = {"vocabulary_size": "Vocabulary size", "tokens_per_word": "Tokens per word"}
for column, (what, title) in zip(lab.columns(2), measured.items(), strict=True):
    with column:
        now = told(**{one.rule: getattr(one.growth, what)[one.done] for one in sides})
        alt = f"{title} against merges; now BPE {now.count}, WordPiece {now.score}."
        charts.show(what, grown(sides, what, title, MOST), alt, merges="x")

facts, alike = tokenizers.unicode_facts(word), tokenizers.look_alikes(table)
newest = bpe.steps[left.done - 1].pair if left.done else None
cut = bpe.steps[left.done - 2].words if left.done > 1 else bpe.start
found = {name: tokenizers.pair_counts(symbols).get(newest, (0, 0)) for name, symbols in cut.items()}
limits = f"The code behind it takes {tokenizers.MAX_CHARACTERS:,} characters and {tokenizers.MAX_MERGES:,} merges."
lab.notice(
    *noticed(left, right, word, by_bpe, by_wordpiece, facts, alike, newest, found),
    f"Limits: 24 words of 24 characters, counts to 1,000,000, {MOST} merges. {limits}",
)


def elsewhere():
    """What others make of this table and this word, for the conventions."""
    runs, aaaaa = tokenizers.pair_counts("bbbaaaddddcccc"), tokenizers.pair_counts("aaaaa")["a", "a"]
    now = told(
        word=word,
        ours=len(bpe.steps),
        most=MOST,
        theirs=len(tokenizers.train_subword_nmt(table, 100).steps),
        overlapping=aaaaa[0],
        replaced=aaaaa[1],
        older=train_bpe({"bbbaaaddddcccc": 1}, 1).steps[0].token,
        read_first="".join(max(runs, key=runs.get)),
        code_points=len(facts.code_points),
        characters=len(facts.characters),
        bytes=facts.n_bytes,
        straight=len(tokenizers.pre_tokenize("don't")),
        curly=len(tokenizers.pre_tokenize("don’t")),
    )
    return libraries_differ(now, right, by_wordpiece)


lab.conventions(elsewhere)
split = {"bpe_split": by_bpe.tokens, "wordpiece_split": by_wordpiece.tokens}
given = {"words": list(table), "counts": list(table.values()), "n_merges": MOST, "n_done": merges}
lab.take_away(taken(sides) | split, **given, unseen=str(word))
lab.source(train_bpe, train_wordpiece, trace_bpe, trace_wordpiece, tokenizers.explain_pair)

"""Tokens that merge in words: the sums behind a candidate, what merges next, and what becomes of a word."""

from typing import Any

from ui.charts.tiles import visible
from ui.labs.bpe_against_wordpiece.drawn import Side, place
from ui.words import agree, bare, counted, number, plain, terms


def quoted(token: str) -> str:
    """A token for a sentence, in quotation marks and harmless."""
    return f"“{plain(visible(token, '##'))}”"


def pair(candidate) -> str:
    """The two halves of a candidate or a step for a sentence."""
    return f"{quoted(candidate.pair[0])} + {quoted(candidate.pair[1])}"


def sums_behind(counts: dict[str, int], found) -> tuple[str, str]:
    """The count and the score of a pair as formulas; `found` says where it stands."""
    parts = terms([rf"{counts[word]} \cdot {n}" for word, n in found.by_word.items()])
    fraction = r"\frac{\mathrm{count}(ab)}{\mathrm{count}(a) \cdot \mathrm{count}(b)}"
    numbers = rf"\frac{{{found.count}}}{{{found.first} \cdot {found.second}}} = {bare(found.score)}"
    return rf"\mathrm{{count}}(ab) = {parts} = {found.count}", rf"\mathrm{{score}}(ab) = {fraction} = {numbers}"


def fate(one: Side, rank: str) -> str:
    """What becomes of the candidate that is worked out."""
    at, tied = place(one, rank), one.candidates.tied
    if at == 0:
        return f"wins, the oldest of the {tied} that tie" if tied > 1 else "wins"
    return "ties with the winner but is younger" if at < tied else "loses"


def worked_out(one: Side, rank: str, found) -> str:
    """Where the candidate that is worked out stands, and what becomes of it."""
    where = ", ".join(map(quoted, found.by_word))
    return f"{pair(one.candidates[place(one, rank)])} stands in {where}. By its {one.rule} it {fate(one, rank)}."


def ended(one: Side) -> str:
    """What to say of a rule that has nothing left to merge."""
    told = f"**{one.name}**: no pair of neighbours is left, every word is one token."
    return f"{told} Training ends after {counted(one.done, 'merge', 'merges')}."


def merged_by(split) -> str:
    """The walk of BPE in words, a numbered list."""
    told = [
        f"1. Of its pairs {len(step.options)} {'is a merge' if len(step.options) == 1 else 'are merges'} already "
        f"learned; the first learned was number {step.rank + 1}: {pair(step)}."
        for step in split.steps
    ]
    return "\n".join([*told, "1. No pair of it is a merge: done."])


def cut_by(split) -> str:
    """The walk of WordPiece in words, a numbered list."""
    told = []
    for step in split.steps:
        tried = ", ".join(map(quoted, step.tried[:3])) + (" …" if len(step.tried) > 3 else "")
        end = f"{quoted(step.piece)} is known" if step.piece else "none is known, so the whole word is unknown"
        told.append(f"1. Longest first, {tried}: {end}.")
    return "\n".join(told)


def cut_differently(left: Side, right: Side) -> int:
    """How many words the two rules cut at different places."""
    pieces = [[token.removeprefix(right.mark) for token in tokens] for tokens in right.words.values()]
    return sum(list(a) != b for a, b in zip(left.words.values(), pieces, strict=True))


def next_merge(one: Side) -> str:
    """What a rule merges next, and who wins if several tie."""
    best, tied = one.candidates[0], one.candidates.tied
    told = f"{one.name} merges {pair(best)} next: count {best.count:,}, score {number(best.score)}."
    if tied > 1:
        told += f" {tied} pairs tie at that {one.rule}: the older first symbol wins, then the older second."
    return told


def taken(sides: list[Side]) -> dict[str, Any]:
    """The numbers of both rules to take away: how they grew, and their merges."""
    return {
        f"{one.name.lower()}_{what}": part
        for one in sides
        for what, part in (one.growth._asdict() | {"merges": [step.token for step in one.trace.steps]}).items()
    }


def noticed(
    left: Side, right: Side, word: str, bpe: Any, wordpiece: Any, facts: Any, alike: list, newest: Any, found: dict
) -> list[str | tuple[Any, str]]:
    """What to notice, each sentence with its claim.

    `facts` are those of the unseen word, `alike` the groups of words that look the same; `found` says for each word how
    often BPE's `newest` pair stood in it, and how many of these could merge.
    """
    inside = sum(token.startswith(right.mark) for token in right.known)
    overlapping = [(name, stands, merged) for name, (stands, merged) in found.items() if stands != merged]
    return [
        f"Merged so far: {counted(left.done, 'pair', 'pairs')} by BPE, {right.done} by WordPiece. They cut "
        f"**{cut_differently(left, right)} of {counted(len(left.words), 'word', 'words')}** differently.",
        *((one.candidates, next_merge(one)) for one in (left, right) if one.candidates),
        *preferred(left, right),
        *(
            (
                True,
                f"In {quoted(name)} {quoted(newest[0])} was followed by {quoted(newest[1])} "
                f"{counted(stands, 'time', 'times')}, but these pairs overlap: only {merged} could merge.",
            )
            for name, stands, merged in overlapping[:1]
        ),
        f"BPE's vocabulary has **{counted(len(left.known), 'token', 'tokens')}**, WordPiece's **{len(right.known)}**; "
        f"{inside} of these {agree(inside, 'begins', 'begin')} with {plain(right.mark)} and "
        f"{agree(inside, 'stands', 'stand')} inside words only.",
        *split_of(word, bpe, wordpiece, left.known),
        *(
            (
                True,
                f"{' and '.join(map(quoted, group))} look alike but are {len(group)} words to both rules, of "
                f"{' and '.join(str(len(one)) for one in group)} code points: nothing is normalised.",
            )
            for group in alike[:2]
        ),
        (
            len(facts.characters) != len(facts.code_points),
            f"{quoted(word)} is seen as {counted(len(facts.characters), 'character', 'characters')}, but merging "
            f"starts from its {len(facts.code_points)} code points.",
        ),
    ]


def preferred(left: Side, right: Side) -> list[tuple[Any, str]]:
    """Why the two rules want different pairs next, where they do."""
    if not left.candidates or not right.candidates:
        return []
    by_count, by_score = left.candidates[0], right.candidates[0]
    bare_pair = tuple(half.removeprefix(right.mark) for half in by_score.pair)
    return [
        (
            bare_pair != by_count.pair and by_score.count < by_count.count,
            f"WordPiece's choice occurs less often, {counted(by_score.count, 'time', 'times')} against "
            f"{by_count.count:,}, but its score divides by the product of its halves' counts, which is smaller.",
        ),
        (bare_pair == by_count.pair, "Both rules want the same pair next."),
    ]


def split_of(word: str, bpe: Any, wordpiece: Any, known: tuple[str, ...]) -> list[tuple[Any, str]]:
    """What both rules make of a word; `known` is the vocabulary of BPE."""
    strangers = sorted({symbol for symbol in bpe.tokens if symbol not in known})
    unknown = wordpiece.steps[-1].piece is None
    tokens = f"{quoted(word)} becomes **{counted(len(bpe.tokens), 'token', 'tokens')}** with BPE"
    stopped = quoted(wordpiece.steps[-1].tried[-1])
    n = len(strangers)
    return [
        (unknown, f"{tokens} and is **unknown** to WordPiece: no piece it knows starts with {stopped}."),
        (not unknown, f"{tokens} and **{len(wordpiece.tokens)}** with WordPiece."),
        (
            n > 0,
            f"BPE keeps {', '.join(map(quoted, strangers))} as {agree(n, 'it is', 'they are')}, outside its "
            "vocabulary.",
        ),
    ]


def libraries_differ(now: Any, right: Side, wordpiece: Any) -> list[tuple[str, str, str]]:
    """Where libraries merge or cut in another way, with both numbers: rows of a table."""
    by_score, by_count = "no pair is left", "no pair is left there either"
    if right.candidates:
        best, most = right.candidates[0], max(right.candidates, key=lambda candidate: candidate.count)
        by_score = f"by score: {pair(best)}, {number(best.score)}"
        by_count = (
            f"by count, as the WordPieceTrainer of tokenizers; from this state that is {pair(most)}, {most.count:,}"
        )
    return [
        ("WordPiece's next merge", by_score, by_count),
        (
            "A pair that overlaps itself: “aa” in “aaaaa”",
            f"counted {now.overlapping} times, replaced {now.replaced} times, as tokenizers and subword-nmt",
            f"YouTokenToMe counts {now.replaced}, as often as it can be replaced",
        ),
        (
            "A tie: the first merge of “bbbaaaddddcccc”",
            f"older symbols first, as tokenizers: “{now.older}”",
            f"the pair read first, as minbpe: “{now.read_first}”",
        ),
        (
            "Smallest count that merges, and the mark of a word's end",
            f"1, no mark: {now.ours} of at most {now.most} merges on this table",
            f"subword-nmt: 2, with {quoted('</w>')} after the last character: it "
            f"{f'stops after {now.theirs}' if now.theirs < 100 else 'has not stopped after 100'}",
        ),
        (
            f"Where {quoted(now.word)} shows that it begins or ends",
            f"BPE nowhere; WordPiece marks what continues, as BERT: {', '.join(map(quoted, wordpiece.tokens))}",
            f"subword-nmt {quoted(now.word + '</w>')}; SentencePiece {quoted('▁' + now.word)}; GPT-2 after a blank "
            f"{quoted('Ġ' + now.word)}",
        ),
        (
            f"What {quoted(now.word)} starts from",
            f"its code points, nothing normalised: {now.code_points} (seen as {now.characters})",
            f"GPT-2, its bytes, so that nothing is unknown: {now.bytes}",
        ),
        (
            "A character that is not in the vocabulary",
            "BPE keeps it as it is; WordPiece, as BERT, makes the whole word one “[UNK]”",
            f"Llama 2's SentencePiece model writes its bytes: {counted(now.bytes, 'token', 'tokens')} for "
            f"{quoted(now.word)} if it knew nothing of it",
        ),
        (
            "Apostrophes before any merge",
            "part of the word: 1 piece",
            f"GPT-2 cuts “don't” into {now.straight} pieces and “don’t” into {now.curly}",
        ),
    ]

"""The lab reaches the states that surprise, and what people write in it comes back unchanged."""

import pytest

from ui.page.parse import word, word_table

SLUG = "bpe_against_wordpiece"


def cut(chart, panel):
    """The tokens of each row of a panel of tiles."""
    bars = chart.data[panel]
    return [[t for t, y in zip(bars["text"], bars["y"], strict=True) if y == row] for row in range(max(bars["y"]) + 1)]


def test_the_rarest_pair_wins_by_score(app):
    at = app(SLUG).click("Rare but certain").set(merges=0)
    bpe, wordpiece = at.charts["candidates"].data[:2]
    assert (bpe["text"][0], wordpiece["text"][0]) == ("count 20 · score 0.028", "count 5 · score 0.050")
    assert wordpiece["customdata"][0] == "##g + ##s"
    assert "“##g” + “##s”" in at.words()


def test_every_word_is_spelt_by_its_tiles(app):
    for merges in (0, 1, 8, 20):
        at = app(SLUG, {f"{SLUG}.merges": str(merges)})
        for panel in (0, 1):
            rows = ["".join(t.removeprefix("##") for t in row) for row in cut(at.charts["corpus"], panel)]
            assert rows == ["hug", "pug", "pun", "bun", "hugs", "low", "lower", "new", "newest", "widest"]


def test_a_word_that_starts_with_a_stranger_is_unknown_to_wordpiece_only(app):
    at = app(SLUG).click("A stranger at the door")
    assert [cut(at.charts["word"], panel)[-1] for panel in (0, 1)] == [["s", "l", "ug"], ["[UNK]"]]


def test_repeated_letters_merge_left_to_right(app):
    at = app(SLUG).click("Repeated letters")
    assert cut(at.charts["corpus"], 0)[0] == ["aa", "aa", "a"]


def test_accents_and_emoji_stay_what_they_are(app):
    at = app(SLUG).click("Accents, emoji, apostrophes")
    assert cut(at.charts["word"], 0)[0] == ["👨", "U+200D", "👩", "U+200D", "👦"]
    assert len(cut(at.charts["corpus"], 0)) == 7


def test_training_that_ends_early_says_so(app):
    at = app(SLUG, {f"{SLUG}.table": "abc 1", f"{SLUG}.merges": "20"})
    assert at.words().count("Training ends after 2 merges") == 2
    at = app(SLUG, {f"{SLUG}.table": "ab 1", f"{SLUG}.merges": "20"})
    assert at.words().count("Training ends after 1 merge.") == 2
    assert "1 of these begins with ## and stands inside words only." in at.words()


def test_markup_is_only_text(app):
    at = app(SLUG, {f"{SLUG}.table": "<b>x</b> 3\n![a](http://a.b/c) 2", f"{SLUG}.word": "<script>"})
    assert not at.exception
    assert all("<b>" not in m.value.replace("\\<", "") for m in at.markdown)
    assert "<" not in "".join(at.charts["corpus"].data[0]["text"])


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "No words"),
        ("hug 1.5", "whole"),
        ("a b 3", "3 entries"),
        ("x" * 25, "longer"),
        ("##a 1", "continuation"),
        ("a 0", "outside"),
        ("a 999999\na 2", "add up"),
        ("\n".join(map(str, range(25))), "at most 24"),
    ],
)
def test_a_table_that_cannot_be_read_gets_a_sentence(text, sentence):
    with pytest.raises(ValueError, match=sentence):
        word_table(text)


def test_one_word_and_one_only():
    assert word(" don’t\n") == "don’t"
    for bad in ("", "two words"):
        with pytest.raises(ValueError, match="word"):
            word(bad)


@pytest.mark.parametrize(("preset", "n"), [(None, 23), ("Rare but certain", 9), ("Repeated letters", 5)])
def test_subword_nmt_stops_where_it_really_does(app, preset, n):
    at = app(SLUG).click(preset) if preset else app(SLUG)
    assert f"after the last character: it stops after {n} |" in at.words()


def test_each_question_is_answered_where_it_leads(app):
    at = app(SLUG)
    assert (
        "WordPiece's choice occurs less often, 5 times against 20,"
        in at.click("Rare but certain").set(merges=0).words()
    )
    assert (
        "is **unknown** to WordPiece: no piece it knows starts with “s”" in at.click("A stranger at the door").words()
    )
    repeated = at.click("Repeated letters").words()
    assert "In “aaaaa” “a” was followed by “a” 4 times, but these pairs overlap: only 2 could merge." in repeated
    accents = at.click("Accents, emoji, apostrophes").words()
    assert "“café” and “cafe\u0301” look alike but are 2 words to both rules, of 4 and 5 code points" in accents
    assert "is seen as 1 character, but merging starts from its 5 code points" in accents


def test_what_is_counted_agrees_with_its_number(app):
    said = app(SLUG, {f"{SLUG}.merges": "1", f"{SLUG}.word": "xyz"}).words()
    assert "Merged so far: 1 pair by BPE" in said
    assert "BPE keeps “x”, “y”, “z” as they are, outside its vocabulary." in said
    assert "becomes **1 token** with BPE" in app(SLUG, {f"{SLUG}.merges": "20", f"{SLUG}.word": "hug"}).words()


def test_other_libraries_are_named(app):
    said = app(SLUG).words()
    assert "YouTokenToMe counts 2, as often as it can be replaced" in said
    assert "by count, as the WordPieceTrainer of tokenizers; from this state that is “p” + “##u”, 17" in said.replace(
        "\\", ""
    )
    assert "the pair read first, as minbpe: “dd”" in said
    for mark in ("“lowest</w>”", "“▁lowest”", "“Ġlowest”"):
        assert mark in said.replace("\\", "")


def test_the_answers_are_those_worked_out_by_hand(app):
    rare = app(SLUG).ask("Rare but certain").predict("WordPiece").press("ask_show").words()
    assert "**Right.** BPE first makes “ug”, which stands there 20 times; WordPiece first makes “##gs”" in rare
    assert "**Right.**" in app(SLUG).ask("Repeated letters").predict("two").press("ask_show").words()


def test_a_covered_word_does_not_tell_its_tokens(app):
    at = app(SLUG).ask("Accents, emoji, apostrophes")
    assert "U+200D" not in at.charts["word"].text
    assert "start" not in at.charts["word"].text

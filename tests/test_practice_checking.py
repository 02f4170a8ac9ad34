import pytest

from engine.practice import COMMA, KINDS, MAX_SEED, check, practice

TWO = practice("document", 0)  # 0.6698, 0.3302
WHOLE = next(q for q in (practice("scores", seed) for seed in range(50)) if q.answer.size == 4)
COUNT = next(q for q in (practice("parameters", seed) for seed in range(50)) if q.answer >= 1000)
ONE = practice("cross_entropy", 0)  # 1.5514


@pytest.mark.parametrize(
    "text",
    ["0.670 0.330", "0.6698, 0.3302", "0.67,0.33", "[0.670; 0.330]", "[[.670 .330]]", "0.67\n0.33\n", "67e-2 +3.3e-1"],
)
def test_right_however_it_is_typed(text):
    assert check(TWO, text)[0::2] == (True, "Right: 0.6698, 0.3302.")


def test_whole_numbers_need_no_point():
    plain = [str(int(value)) for value in WHOLE.answer.ravel()]
    for text in ",".join(plain), f"[[{plain[0]}, {plain[1]}], [{plain[2]}, {plain[3]}]]", " ".join(plain):
        assert check(WHOLE, text).correct
        assert check(WHOLE, text.replace("-", "−")).correct
    assert check(WHOLE, ",".join(plain[:3])).message == "4 numbers are needed; got 3."


def test_a_large_count_may_have_thousands_apart():
    for form in "{:.0f}", "{:,.0f}", "{:.1f}":
        assert check(COUNT, form.format(COUNT.answer)).correct
    assert check(COUNT, f"{COUNT.answer:,.0f}".replace(",", " ")).correct
    assert not check(COUNT, f"{COUNT.answer + 1:,.0f}").correct


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "Nothing to check yet: 2 numbers are needed."),
        (" [ ] ", "Nothing to check yet: 2 numbers are needed."),
        ("0.67", "2 numbers are needed; got 1."),
        ("0.67 0.33 0", "2 numbers are needed; got 3."),
        ("0.67,0.33,0.1", "2 numbers are needed; got 3."),
        ("0,670 0,330", COMMA),
        ("0,670; 0,330", COMMA),
        ("about half 0.5", "“about” is not a number I can read: write it as in 0.25 or −3."),
        ("67% 33%", "“67%” is not a number I can read: write it as in 0.25 or −3."),
        ("2/3 1/3", "“2/3” is not a number I can read: write it as in 0.25 or −3."),
        ("nan inf", "“nan” is not a number I can read: write it as in 0.25 or −3."),
        ("1e999 0", "“1e999” is not a number I can read: write it as in 0.25 or −3."),
        ("0_1 0", "“0_1” is not a number I can read: write it as in 0.25 or −3."),
        ("٣ ٤", "“٣” is not a number I can read: write it as in 0.25 or −3."),
        ("x" * 99, f"“{'x' * 20}” is not a number I can read: write it as in 0.25 or −3."),
        ("1 " * 5000, "That is too long to read: 2 numbers are needed."),
    ],
)
def test_what_cannot_be_read_gets_a_sentence(text, says):
    assert check(TWO, text) == (False, None, says)


def test_decimal_commas_are_named_even_where_the_count_fits():
    assert check(ONE, "1,551") == (False, None, COMMA)
    four = practice("masked", 0)
    assert check(four, "0,042 0,114").message == COMMA
    assert "0 of 4 are right" in check(four, "1,2,3,4").message


def test_what_is_wrong_is_said():
    assert check(TWO, "0.668 0.332").message.startswith("Not yet. That is what the course's text prints: a slip")
    assert check(TWO, "0.731 0.269").message.startswith("Not yet. That is softmax of the scores as they are")
    assert check(TWO, "0.330 0.670").message == "Not yet: 0 of 2 are right; look again at number 1, 2, read row by row."
    assert check(TWO, "0.670 0.3").message == "Not yet: 1 of 2 are right; look again at number 2, read row by row."
    assert check(ONE, "1.6").message == "Not yet: off by more than 0.001."
    assert check(TWO, "0.668 0.332").values.tolist() == [0.668, 0.332]


def test_refuses_bad_kinds_seeds_and_arguments():
    assert len(KINDS) >= 9
    assert practice("softmax", MAX_SEED).kind == "softmax"
    for kind in "sums", None, 3, ["softmax"]:
        with pytest.raises(ValueError, match="kind must be one of document, scores"):
            practice(kind, 0)
    for seed in -1, MAX_SEED + 1, 0.5, "1", None, True:
        with pytest.raises(ValueError, match="seed"):
            practice("softmax", seed)
    with pytest.raises(ValueError, match="question must be"):
        check(None, "1")
    with pytest.raises(ValueError, match="text must be"):
        check(TWO, 0.67)

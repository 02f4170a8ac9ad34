import numpy as np
import pytest

from ui import words


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0.000"),
        (-0.0, "0.000"),
        (1.0005, "1.000"),
        (-2.5, "−2.500"),
        (999_999.9994, "999999.999"),
        (1e6, "1.00e+06"),
        (-3.2e-9, "−3.20e−09"),
        (0.0005, "0.001"),
        (0.00049, "4.90e−04"),
        (5e-324, "4.94e−324"),
        (float("inf"), "∞"),
        (float("-inf"), "−∞"),
        (float("nan"), "undefined"),
        (np.float32(0.5), "0.500"),
        (7, "7.000"),
    ],
)
def test_numbers_as_people_write_them(value, text):
    assert words.number(value) == text


def test_digits_and_formulas():
    assert words.number(1 / 3, 7) == "0.3333333"
    assert words.tex(-1.23e-7) == r"(-1.230 \cdot 10^{-7})"
    assert words.tex(float("nan")) == r"\text{undefined}"
    assert words.bare(-1.5) == "-1.500"
    assert words.row([1, -2]) == r"\left[1.000,\; -2.000\right]"


@pytest.mark.parametrize("n", [1, 8, 9, 100])
def test_long_sums_leave_out_their_middle(n):
    parts = words.terms([str(i) for i in range(n)]).split(" + ")
    assert len(parts) == min(n, 8)
    assert (parts[0], parts[-1]) == ("0", str(n - 1))
    assert (r"\dots" in parts) == (n > 8)


def test_sums_written_out():
    assert words.weighted_sum("o", [0.5], [[1, 2]], [0.5, 1]) == (
        r"o = 0.500\,\left[1.000,\; 2.000\right] = \left[0.500,\; 1.000\right]"
    )
    assert words.softmax("p", [0, -np.inf], 0, 1.0, "/ T") == (
        r"p = \frac{e^{0.000/ T}}{e^{0.000/ T} + e^{-\infty/ T}} = 1.000"
    )
    with pytest.raises(ValueError, match="zip"):
        words.dot("x", [1], [1, 2], 3)


def test_nothing_a_visitor_types_is_markdown():
    typed = "![x](http://y) <script> `a` $x$ :red[b] | # * _ ~\r\n- &amp;"
    shown = words.plain(typed)
    assert "\n" not in shown
    assert "\r" not in shown
    for i, letter in enumerate(shown):
        if letter in "![](<>`$:|#*_~&-":
            assert shown[i - 1] == "\\", shown[i - 5 : i + 5]
    assert shown.replace("\\", "").replace("\u2060", "") == typed.replace("\r\n", "  ")


def test_no_address_becomes_a_link_and_no_line_turns_round():
    assert words.plain("HTTPS://a www.b c@d.e") == "HTTPS\u2060\\:\\/\\/a www\u2060\\.b c\\@\u2060d\\.e"
    assert words.plain("a\u202eb\u2067c\u200d") == "abc\u200d"


def test_a_chart_shows_a_text_literally():
    typed = '<b>"cat"</b> &copy; don\'t \u202eabc'
    assert words.literal(typed) == '&lt;b&gt;"cat"&lt;/b&gt; &amp;copy; don\'t abc'


def test_a_strangers_text_is_short_and_harmless():
    assert words.shown("![x](http://e.com)") == "“??x??http\u2060???e\\.com?”"
    assert words.shown("www.evil.example log in") == "“www\u2060\\.evil\\.example log in”"
    assert words.shown("a" * 100) == "“" + "a" * 24 + "…”"
    assert "<" not in words.shown("<script>alert(1)</script>")
    assert words.shown("a_b") == "“a\\_b”"


@pytest.mark.parametrize("value", [0.0010023, 0.5, 12.5, 123456.789, 4.9e-5, 0.000499, 9.9999, 1e6, -7e-12])
def test_formulas_keep_four_significant_digits(value):
    text = words.significant(value)
    assert abs(float(text) / value - 1) < 6e-4
    assert "e" in text or len(text.partition(".")[2]) >= 3


def test_counts_and_verbs_agree():
    assert [words.counted(n, "kink", "kinks") for n in (0, 1, 2)] == ["0 kinks", "1 kink", "2 kinks"]
    assert f"1 of 16 {words.agree(1, 'does', 'do')} not" == "1 of 16 does not"


def test_rounding_noise_is_called_what_it_is():
    assert words.noise(3.6e-19) == "0 up to rounding"
    assert (words.noise(0.0), words.noise(1e-9)) == ("0.000", "1.00e−09")


def test_a_softmax_of_huge_logits_can_be_computed():
    written = words.softmax("p", [41183.0, 41180.0], 0, 0.9525741268)
    assert written == (
        r"p = \frac{e^{z_{0} - \max z}}{\sum e^{z - \max z}} = \frac{e^{0.000}}{e^{0.000} + e^{-3.000}} = 0.9526"
    )

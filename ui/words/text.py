"""Numbers and words as a sentence, a chart or a formula writes them."""

import math
import re
from collections.abc import Iterable
from html import escape

TURNS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")  # signs that set the direction
MARKED = re.compile(f"[<>&{TURNS.pattern[1:]}")  # what a chart must not be given as it is

ADDRESS = re.compile("(?i)https?|www|@")  # what a bare address has, which Markdown makes a link of


def shown(text: str) -> str:
    """A stranger's text, short and harmless, for a sentence about it."""
    kept = "".join(c if c.isalnum() or c in " .,+-=_" else "?" for c in text[:24])
    return f"“{plain(kept)}{'…' if len(text) > 24 else ''}”"


def literal(text: str) -> str:
    """Any text as a chart shows it literally: plotly.js reads tags, and of entities only a few, &quot; not among them.

    >>> literal("<b> & 'cat'")
    "&lt;b&gt; &amp; 'cat'"
    """
    return escape(TURNS.sub("", text), quote=False) if MARKED.search(text) else text


def number(value: float, digits: int = 3) -> str:
    """A number for the screen: three decimals, a true minus sign, −∞ and "undefined" in place of inf and NaN.

    Very large and very small numbers keep three significant digits: 1.23e−07.

    >>> number(-0.12345), number(float("-inf")), number(0.0), number(1.23e-7), number(-0.0001)
    ('−0.123', '−∞', '0.000', '1.23e−07', '−1.00e−04')
    """
    if not math.isfinite(value):
        return "undefined" if math.isnan(value) else "∞" if value > 0 else "−∞"
    small = 0 < abs(value) < 0.5 * 10.0**-digits
    text = f"{value:.2e}" if small or abs(value) >= 1e6 else f"{value + 0.0:.{digits}f}"
    return text.replace("-", "−")


def size(n_bytes: float, binary: bool = False) -> str:
    """Bytes in steps of 1,000 (kB, MB, GB) or, binary, of 1,024 (KiB, MiB, GiB): the unit always says which.

    >>> size(107_814_649_856), size(107_814_649_856, binary=True), size(174), size(2**80, binary=True)
    ('107.81 GB', '100.41 GiB', '174 B', '1,073,741,824 PiB')
    """
    step, units = (1024, ("KiB", "MiB", "GiB", "TiB", "PiB")) if binary else (1000, ("kB", "MB", "GB", "TB", "PB"))
    if n_bytes < step:
        return f"{n_bytes:.0f} B"
    power = next((i for i in range(1, 5) if n_bytes < step ** (i + 1)), 5)
    return f"{n_bytes / step**power:,.2f}".removesuffix(".00") + f" {units[power - 1]}"


def short(n: float) -> str:
    """A large count in thousands, millions and on: for a chart; sums on the page are exact.

    >>> short(284_812_800), short(174), short(6_738_415_616), short(1e18)
    ('284.81 M', '174', '6.74 B', '1,000,000.00 T')
    """
    power = next((i for i in range(5) if n < 1000 ** (i + 1)), 4)
    return f"{n / 1000**power:,.2f} {'KMBT'[power - 1]}" if power else f"{n:.4g}"


def power(value: float) -> str:
    """A power of ten, or 0, as short as it is typed.

    >>> power(1e-5), power(0.01), power(0.0)
    ('1e-5', '0.01', '0')
    """
    return f"{value:g}".replace("e-0", "e-")


def significant(value: float, digits: int = 3, least: int = 4) -> str:
    """A number for a formula: at least `digits` decimals, and more where `least` significant digits need them.

    >>> significant(0.0010023), significant(0.05), significant(-2.5), significant(1.11e-5), significant(0.7764571)
    ('0.001002', '0.050', '-2.500', '1.110e-05', '0.7765')
    """
    value = float(value)
    if value == 0 or not math.isfinite(value):
        return f"{abs(value):.{digits}f}" if value == 0 else str(value)
    power = math.floor(math.log10(abs(value)))
    if not -5 < power < 6:
        return f"{value:.{least - 1}e}"
    decimals = max(digits, least - 1 - power)
    whole, _, tail = f"{value:.{decimals}f}".partition(".")
    tail = tail[:digits] + tail[digits:].rstrip("0")
    return f"{whole}.{tail}" if tail else whole


def tex(value: float, digits: int = 3) -> str:
    """A number as a formula writes it (`significant`), in brackets when it is negative.

    >>> tex(-0.5), tex(2), tex(float("-inf")), tex(0.00123456)
    ('(-0.500)', '2.000', '(-\\\\infty)', '0.001235')
    """
    text = significant(value, digits).replace("inf", r"\infty").replace("nan", r"\text{undefined}")
    if "e" in text and "undefined" not in text:
        mantissa, exponent = text.split("e")
        text = rf"{mantissa} \cdot 10^{{{int(exponent)}}}"
    return f"({text})" if text.startswith("-") else text


def counted(n: int, one: str, many: str) -> str:
    """A count and what it counts.

    >>> counted(1, "token", "tokens"), counted(0, "token", "tokens"), counted(1200, "draw", "draws")
    ('1 token', '0 tokens', '1,200 draws')
    """
    return f"{n:,} {agree(n, one, many)}"


def agree(n: int, one: str, many: str) -> str:
    """The form that agrees with a count: agree(1, "does", "do") is "does"."""
    return one if n == 1 else many


def together(names: Iterable[str]) -> str:
    """Names in one breath: commas, and "and" before the last.

    >>> together(["a"]), together(["a", "b"]), together(["a", "b", "c"]), together([])
    ('a', 'a and b', 'a, b and c', '')
    """
    *first, last = [*names] or [""]
    return f"{', '.join(first)}{' and ' if first else ''}{last}"


def noise(value: float, scale: float = 1.0) -> str:
    """A result that should be 0, said to be so where only rounding keeps it from it.

    >>> noise(-2.8e-17), noise(0.0), noise(0.25), noise(3e-9, 1e5)
    ('0 up to rounding', '0.000', '0.250', '0 up to rounding')
    """
    return number(value) if cleared(value, scale) == value else "0 up to rounding"


def cleared(value: float, scale: float = 1.0) -> float:
    """The value, or 0 where only rounding keeps it from that: of terms of the size `scale` that cancel.

    >>> cleared(-2.8e-17), cleared(0.25), cleared(3e-9, 1e5)
    (0.0, 0.25, 0.0)
    """
    return 0.0 if abs(value) < 1e-12 * max(scale, 1e-300) else value


def bare(value: float, digits: int = 3) -> str:
    """`tex` without brackets, for a number that stands alone."""
    return tex(value, digits).strip("()")


def plain(text: str) -> str:
    """Any text as literal Markdown: what a visitor typed never becomes a picture, a link or HTML, nor turns a line.

    >>> plain("![x](//y) <b>"), plain("www.y")
    ('\\\\!\\\\[x\\\\]\\\\(\\\\/\\\\/y\\\\) \\\\<b\\\\>', 'www\\u2060\\\\.y')
    """
    text = ADDRESS.sub("\\g<0>\u2060", TURNS.sub("", text))  # a joiner, unseen, and it is no address
    return "".join(f"\\{c}" if c in r"\`*_{}[]()<>#+-.!|~$:/&@" else " " if c in "\r\n" else c for c in text)

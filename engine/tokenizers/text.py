"""Text before any merge: code points and bytes, GPT-2's split into pieces, words counted."""

import re
import unicodedata
from collections import Counter
from typing import NamedTuple

from engine import checks
from engine.tokenizers.graphemes import MAX_TEXT, characters, check_text


class CodePoint(NamedTuple):
    """One code point: the character, its number ("U+00E9"), its Unicode name, its bytes in UTF-8."""

    character: str
    number: str
    name: str
    utf8: tuple[int, ...]


class UnicodeFacts(NamedTuple):
    """What a reader sees (`characters`), what Python counts (`code_points`), what is stored (`n_bytes`)."""

    characters: tuple[str, ...]
    code_points: tuple[CodePoint, ...]
    n_bytes: int


def unicode_facts(text: str) -> UnicodeFacts:
    """Take a text apart into the characters a reader sees, their code points and their bytes.

    A code point takes 1 to 4 bytes in UTF-8 (RFC 3629). A character is a code point with what attaches to it: accents
    and other marks, variation selectors, skin tones, tags, pictures on either side of a zero-width joiner, two regional
    indicators as one flag, Hangul jamo of one syllable, consonants that a virama joins, a line feed after a carriage
    return: the rules of Unicode Annex 29, as `graphemes.characters` has them.

    Raises ValueError for anything but a text, half a surrogate pair, or more than `MAX_TEXT` characters.

    >>> [(len(f.characters), len(f.code_points), f.n_bytes) for f in map(unicode_facts, ["é", "e\u0301", "👍"])]
    [(1, 1, 2), (1, 2, 3), (1, 1, 4)]
    """
    points = tuple(
        CodePoint(char, f"U+{ord(char):04X}", unicodedata.name(char, "unnamed"), tuple(char.encode()))
        for char in check_text("text", text)
    )
    return UnicodeFacts(characters(text), points, sum(len(point.utf8) for point in points))


def look_alikes(words) -> list[tuple[str, ...]]:
    """Groups of different words that look the same: one text once composed (Unicode Annex 15, form NFC).

    words: texts of at most `MAX_TEXT` characters in all, else ValueError.

    >>> [tuple(map(len, group)) for group in look_alikes(["caf\u00e9", "cafe\u0301", "cafe"])]
    [(4, 5)]
    """
    groups: dict[str, list[str]] = {}
    size = 0
    for word in checks.items("words", words, "texts", most=MAX_TEXT):
        size += len(check_text("a word", word))
        checks.integer("the characters of all words", size, 0, MAX_TEXT)
        groups.setdefault(unicodedata.normalize("NFC", word), []).append(word)
    return [tuple(group) for group in groups.values() if len(group) > 1]


def pre_tokenize(text: str) -> list[str]:
    """Split a text the way GPT-2 does before any merge: no token ever crosses one of these cuts.

    In this order at each place: 's 't 'd 'm 'll 've 're; letters; numbers; anything else that is not white space (each
    run may take one blank before it); white space up to the last before a word; white space
    (Radford et al. 2019; the pattern of the released encoder is
    's|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+).
    The pieces joined give the text back. Letters and numbers are those of Python's Unicode tables. Raises ValueError
    as `unicode_facts`.

    >>> pre_tokenize("I don't  know 123abc")
    ['I', ' don', "'t", ' ', ' know', ' 123', 'abc']
    """
    kinds = "".join(map(_kind, check_text("text", text)))
    pieces, at = [], 0
    while at < len(text):
        found = _CONTRACTION.match(text, at) or _RUN.match(kinds, at)
        assert found, "every kind of character begins a run"
        pieces.append(text[at : found.end()])
        at = found.end()
    return pieces


def byte_level(text: str) -> str:
    """Write every UTF-8 byte as one visible character, the alphabet GPT-2's merges work on.

    The printable bytes of Latin-1 stand for themselves, the other 68 become U+0100 onwards, so a blank is Ġ and a line
    feed Ċ (Radford et al. 2019, bytes_to_unicode of the released encoder). Raises ValueError as `unicode_facts`.

    >>> byte_level(" don’t"), byte_level("é")
    ('ĠdonâĢĻt', 'Ã©')
    """
    return "".join(_BYTE_SYMBOLS[byte] for byte in check_text("text", text).encode())


def word_counts(text: str) -> dict[str, int]:
    """Count the words of a text, in the order they first appear.

    A word is what stands between white space: case and punctuation stay as they are. Raises ValueError as
    `unicode_facts`.

    >>> word_counts("to be or not to be")
    {'to': 2, 'be': 2, 'or': 1, 'not': 1}
    """
    return dict(Counter(check_text("text", text).split()))


def _kind(char: str) -> str:
    """L letter, N number, O other; a blank stays itself and W is any other white space (Unicode's White_Space)."""
    if char == " ":
        return char
    if char.isspace() and not "\x1c" <= char <= "\x1f":
        return "W"
    major = unicodedata.category(char)[0]
    return major if major in "LN" else "O"


def _byte_symbols() -> tuple[str, ...]:
    visible = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    others = [byte for byte in range(256) if byte not in visible]
    return tuple(chr(byte) if byte in visible else chr(256 + others.index(byte)) for byte in range(256))


_CONTRACTION = re.compile("'(?:[sdmt]|ll|ve|re)")
_RUN = re.compile(" ?L+| ?N+| ?O+|[ W]+(?![^ W])|[ W]+")
_BYTE_SYMBOLS = _byte_symbols()

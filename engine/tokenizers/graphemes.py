"""The characters a reader sees: which code points belong to one, by the rules of Unicode Annex 29."""

import re
import unicodedata

MAX_TEXT = 100_000  # characters: what a text box may hand over

# Consonants that a linker (a virama) joins into one character, and the linkers: Indic_Conjunct_Break of Unicode 17 for
# the scripts of the basic plane, Devanagari to Meetei Mayek. A letter of another script between two of them (Tamil,
# Kannada, Sinhala) is not listed there: its virama ends a character.
_CONSONANTS = (
    "\u0915-\u0939\u0958-\u095f\u0978-\u097f\u0995-\u09b9\u09dc-\u09df\u09f0\u09f1\u0a95-\u0ab9\u0af9"
    "\u0b15-\u0b39\u0b5c-\u0b5f\u0b71\u0c15-\u0c39\u0c58-\u0c5a\u0d15-\u0d3a\u1000-\u102a\u103f\u1050-\u1055"
    "\u105a-\u105d\u1061\u1065\u1066\u106e-\u1070\u1075-\u1081\u108e\u1780-\u17b3\u1a20-\u1a54\u1b0b\u1b0c"
    "\u1b13-\u1b33\u1b45-\u1b4c\u1b83-\u1ba0\u1bae\u1baf\u1bbb-\u1bbd\ua989-\ua98b\ua98f-\ua9b2\ua9e0-\ua9e4"
    "\ua9e7-\ua9ef\ua9fa-\ua9fe\uaa60-\uaa6f\uaa71-\uaa73\uaa7a\uaa7e\uaa7f\uaae0-\uaaea\uabc0-\uabda"
)
_LINKERS = "\u094d\u09cd\u0acd\u0b4d\u0c4d\u0d4d\u1039\u17d2\u1a60\u1b44\u1bab\ua9c0\uaaf6"
_LINKER = re.compile(f"[{_LINKERS}]")
_CONSONANT = re.compile(f"[{_CONSONANTS}]")
_FLAG_LETTER = re.compile("[\U0001f1e6-\U0001f1ff]")
# What extends a character without being a mark: joiner and non-joiner, skin tones, tags, halfwidth voicing marks, and
# the vowel signs am of Thai and Lao, letters that are written around what stands before them.
_EXTENDER = re.compile("[\u200c\u200d\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f\uff9e\uff9f\u0e33\u0eb3]")
# Marks that stand for themselves, in Myanmar and its neighbours.
_APART = re.compile(
    "[\u102b\u102c\u1038\u1062-\u1064\u1067-\u106d\u1083\u1087-\u108c\u108f\u109a-\u109c\u1a61\u1a63\u1a64\uaa7b\uaa7d"
    "\U00011720\U00011721]"
)
_PREFIX = re.compile("[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u0d4e]")
_SYLLABLE = re.compile(
    "[\u1100-\u115f][\u1100-\u11a7\uac00-\ud7a3]|[\u1160-\u11a7\uac00-\ud7a3][\u1160-\u11ff]|[\u11a8-\u11ff]{2}"
)


def characters(text: str) -> tuple[str, ...]:
    """Cut a text into the characters a reader sees; joined they give the text back.

    The rules of Unicode Annex 29 for extended grapheme clusters: a line feed stays with a carriage return (GB3),
    nothing attaches to a control (GB4, GB5), Hangul jamo of one syllable (GB6 to GB8), marks, joiners and tags attach
    to what stands before (GB9), so do spacing vowel signs (GB9a), a prefix to what follows (GB9b), consonants that a
    linker joins (GB9c), pictures around a zero-width joiner (GB11), two regional indicators as one flag (GB12, GB13).

    Raises ValueError for anything but a text of at most `MAX_TEXT` characters.

    >>> characters("नमस्ते"), characters("น้ำ")
    (('न', 'म', 'स्ते'), ('น้ำ',))
    """
    found: list[str] = []
    for char in check_text("text", text):
        if found and _attaches(found[-1], char):
            found[-1] += char
        else:
            found.append(char)
    return tuple(found)


def check_text(name: str, value, limit: int = MAX_TEXT) -> str:
    """`value` itself if it is a text of at most `limit` characters that UTF-8 can write.

    >>> check_text("word", "hug")
    'hug'
    """
    if not isinstance(value, str):
        raise ValueError(f"{name} must be a text; got {type(value).__name__}")
    if len(value) > limit:
        raise ValueError(f"{name} may have at most {limit:,} characters; got {len(value):,}: shorten it")
    lone = re.search("[\ud800-\udfff]", value)
    if lone:
        raise ValueError(f"{name} holds half a surrogate pair at position {lone.start()}: type the character again")
    return value


def _attaches(before: str, char: str) -> bool:
    last = before[-1]
    if _is_control(last) or _is_control(char):
        return last + char == "\r\n"
    if _FLAG_LETTER.match(char) and len(before) == 1 and _FLAG_LETTER.match(before):
        return True
    kind = unicodedata.category(char)
    return bool(
        (kind[0] == "M" and not _APART.match(char))
        or _EXTENDER.match(char)
        or _PREFIX.match(last)
        or (last == "\u200d" and kind == "So")
        or (_CONSONANT.match(char) and _is_linked(before))
        or _SYLLABLE.match(last + char)
    )


def _is_linked(before: str) -> bool:
    """Whether a character ends in a consonant, a linker, and no more than marks and joiners between and after them."""
    for char in reversed(before):
        if _LINKER.match(char):
            break
        if not _is_between(char):
            return False
    else:
        return False
    rest = before[: before.rindex(char)]
    while rest and (_LINKER.match(rest[-1]) or _is_between(rest[-1])):
        rest = rest[:-1]
    return bool(rest and _CONSONANT.match(rest[-1]))


def _is_between(char: str) -> bool:
    return char == "\u200d" or unicodedata.category(char) == "Mn"


def _is_control(char: str) -> bool:
    kind = unicodedata.category(char)
    return kind in ("Cc", "Zl", "Zp") or (kind == "Cf" and not _EXTENDER.match(char) and not _PREFIX.match(char))

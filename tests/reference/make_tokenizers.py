"""Frozen merges, tokens, splits and characters: python tests/reference/make_tokenizers.py.

First pip install tokenizers==0.23.3 subword-nmt==0.3.8 regex.
"""

import io
import json
import random
import unicodedata

import regex
import tokenizers
from store import store
from subword_nmt import learn_bpe
from tokenizers import Regex, Tokenizer, models, pre_tokenizers, trainers

GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
TABLES = [
    {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5},
    {"ab": 1, "ba": 1},
    {"ba": 1, "ab": 1},
    {"bbbaaaddddcccc": 1},
    {"aaabbbccccdddd": 1},
    {"aaabdaaabac": 1},
    {"abc": 1},
    {"aaaaa": 1, "aaa": 1, "aaaa": 2},
    {"111121212": 1},
    {"a": 3, "b": 1},
    {"été": 3, "e\u0301te\u0301": 2, "thé": 4, "theé": 1},
    {"👍👍": 2, "👨‍👩‍👧": 3, "👨‍👩‍👧‍👧": 1, "👍🏽": 1},
    {"don't": 3, "don’t": 3, "won't": 2, "o'clock": 1},
    {"low": 5, "lower": 2, "newest": 6, "widest": 3},
    {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5, "low": 5, "lower": 2, "new": 4, "newest": 6, "widest": 3},
    {"aaaaa": 3, "aaab": 2, "abc": 1},
]
TEXTS = [
    "I don't  know 👍 123abc",
    "don't don’t DON'T they'll they'LL we've I'd'd 's 'twas rock 'n' roll''s",
    " leading and trailing  ",
    "tab\tand\n\nlines \n end\r\n",
    "a  b   c\u00a0d\u3000e\u2009 f\u200bg \x0b\x0c\x85h\u2028\u2029i\x1cj \x1f k",
    "q \x1cr.\x1d! \x85t",
    "½ ² Ⅷ ٣ 一二三 3,14 1e-5 x² 100%",
    "é e\u0301 ñ n\u0303o Ωmega кот 東京都 हिन्दी ไทย",
    "👨‍👩‍👧 👍🏽 🇩🇪 ❤️!",
    "snake_case __init__ a_b2 C++ #tag @you ... --- \\ \x00",
    "",
    " ",
    "   ",
    "'",
    "'ll 'lll 'S 's's",
    "ª º ʰ ǅ ſ ﬁ ◌́",
]
rng = random.Random(0)
for alphabet, longest in [("ab", 12), ("abc", 8), ("éeèß", 6), ("hugspnb", 7), ("👍👎a", 9)]:
    for _ in range(4):
        words = ("".join(rng.choices(alphabet, k=rng.randint(1, longest))) for _ in range(rng.randint(2, 9)))
        TABLES.append({word: rng.randint(1, 4) for word in words})


def bpe(table):
    tokenizer = Tokenizer(models.BPE())
    trainer = trainers.BpeTrainer(vocab_size=10_000, min_frequency=0, special_tokens=[], show_progress=False)
    tokenizer.train_from_iterator([word for word, count in table.items() for _ in range(count)], trainer)
    known = sorted(set("".join(table)))
    unseen = ["".join(rng.choices(known, k=9)) for _ in range(3)]
    return {
        "table": table,
        "merges": json.loads(tokenizer.to_str())["model"]["merges"],
        "tokens": {word: tokenizer.encode(word).tokens for word in [*table, *unseen]},
    }


PIECES = [
    "[UNK]",
    "h",
    "##u",
    "##g",
    "hu",
    "hug",
    "##gs",
    "##s",
    "un",
    "##aff",
    "##able",
    "a",
    "##a",
    "##aa",
    "é",
    "##👍",
]
model = models.WordPiece({piece: i for i, piece in enumerate(PIECES)}, unk_token="[UNK]", max_input_chars_per_word=100)
wordpiece = Tokenizer(model)
WORDS = ["hugs", "hug", "hut", "unaffable", "aaaaaa", "a" * 100, "a" * 101, "é👍", "👍é", "hé", "u", "huu", "unaffablé"]

WRITTEN = [
    "अनुच्छेद",
    "नमस्ते",
    "क्षमा",
    "हिन्दी",
    "क्\u200dष",
    "क्\u200cष",
    "स्त्री",
    "संस्कृत",
    "ক্ষমা",
    "বাংলা",
    "স্ত্রী",
    "ક્ષમા",
    "ગુજરાતી",
    "ଓଡ଼ିଆ",
    "ସ୍ତ୍ରୀ",
    "క్షమ",
    "తెలుగు",
    "മലയാളം",
    "ക്ഷ",
    "സ്ത്രീ",
    "தமிழ்",
    "க்ஷ",
    "ನಮಸ್ಕಾರ",
    "ਪੰਜਾਬੀ",
    "සිංහල",
    "ක්\u200dෂ",
    "น้ำ",
    "ไทย",
    "กำลัง",
    "เก้า",
    "ນ້ຳ",
    "ກໍາ",
    "ລາວ",
    "ភាសាខ្មែរ",
    "ស្រី",
    "မြန်မာ",
    "ကျွန်တော်",
    "ဗုဒ္ဓ",
    "ꦗꦮ",
    "ꦲꦏ꧀ꦱꦫ",
    "ᬩᬮᬶ",
    "ᬅᬓ᭄ᬱᬭ",
    "བོད་ཡིག",
    "한국",
    "\u1112\u1161\u11ab",
    "e\u0301té",
    "שָׁלוֹם",
    "عَرَبِيّ",
    "\u0600١٢",
    "👨\u200d👩\u200d👧",
    "🇩🇪🇫🇷",
    "👍🏽",
    "1\ufe0f\u20e3",
    "ﾊﾞ",
]
BLOCKS = [
    "\u0900-\u0dff",
    "\u0e00-\u0eff",
    "\u1000-\u109f",
    "\u1780-\u17dd",
    "\u1b00-\u1b4c",
    "\ua980-\ua9c0",
    "क-ह\u094d\u093c\u200d\u200c",
]


def letters(block):
    """The code points of a block that Python knows, or listed one by one."""
    inside = regex.compile(f"[{block}]")
    return [c for c in map(chr, range(0x10000)) if unicodedata.category(c)[0] in "LMC" and inside.match(c)]


for block in BLOCKS:
    known = [c for c in letters(block) if unicodedata.name(c, "")]
    WRITTEN += ["".join(rng.choices(known, k=12)) for _ in range(60)]
# The regex module joins a consonant to every linker; rule GB9c asks for a consonant before the linker too.
BETWEEN = r"[\p{InCB=Extend}\p{InCB=Linker}]*"
loose = regex.compile(rf"(?<!\p{{InCB=Consonant}}{BETWEEN})\p{{InCB=Linker}}{BETWEEN}\p{{InCB=Consonant}}")
WRITTEN = [text for text in WRITTEN if not loose.search(text)]


def subword_nmt(table):
    """The merges of the real subword-nmt: a word ends in </w>, a pair seen once does not merge."""
    text, found = io.StringIO("\n".join(f"{word} {count}" for word, count in table.items())), io.StringIO()
    learn_bpe.learn_bpe(text, found, 500, is_dict=True)
    return {"table": table, "merges": [line.split(" ") for line in found.getvalue().splitlines()[1:]]}


PLAIN = [table for table in TABLES if max(map(len, table)) > 1 and not set("".join(table)) & set("\u200d")]
split = pre_tokenizers.Split(Regex(GPT2), behavior="isolated")
byte_level = pre_tokenizers.ByteLevel(add_prefix_space=False)
store(
    "tokenizers",
    {
        "tokenizers": tokenizers.__version__,
        "regex": regex.__version__,
        "characters": [regex.findall(r"\X", text) for text in WRITTEN],
        "subword_nmt": [subword_nmt(table) for table in PLAIN],
        "bpe": [bpe(table) for table in TABLES],
        "wordpiece": {"vocabulary": PIECES, "tokens": {word: wordpiece.encode(word).tokens for word in WORDS}},
        "splits": [
            {
                "text": text,
                "pieces": [piece for piece, _ in split.pre_tokenize_str(text)],
                "bytes": [piece for piece, _ in byte_level.pre_tokenize_str(text)],
            }
            for text in TEXTS
        ],
    },
)

from collections import Counter
from itertools import pairwise

import numpy as np

words, counts, n_merges, n_done, unseen = ["hug", "pug", "hugs"], [10, 5, 5], 3, 2, "bugs"
# --- The inputs above are examples; the program begins here.


def train(mark, by_score):
    cut = [[c if i == 0 else mark + c for i, c in enumerate(word)] for word in words]
    age = {symbol: i for i, symbol in enumerate(sorted(set().union(*cut)))}
    merges, sizes, tokens = [], [len(age)], [sum(n * len(symbols) for n, symbols in zip(counts, cut))]
    for _ in range(n_merges):
        single: Counter = Counter()
        pairs: Counter = Counter()
        for n, symbols in zip(counts, cut):
            for s in symbols:
                single[s] += n
            for pair in pairwise(symbols):
                pairs[pair] += n
        if not pairs:
            break
        worth = {(a, b): n / (single[a] * single[b]) if by_score else n for (a, b), n in pairs.items()}
        a, b = min(pairs, key=lambda pair: (-worth[pair], age[pair[0]], age[pair[1]]))
        token = a + b[len(mark) :]
        age.setdefault(token, len(age))
        merges.append((a, b, token))
        for symbols in cut:
            i = 0
            while i < len(symbols) - 1:
                if symbols[i : i + 2] == [a, b]:
                    symbols[i : i + 2] = [token]
                i += 1
        sizes.append(len(age))
        tokens.append(sum(n * len(symbols) for n, symbols in zip(counts, cut)))
    return merges, list(age), np.array(sizes), np.array(tokens), np.array(tokens) / sum(counts)


def merged(word, pairs):
    symbols = [*word]
    while found := [pairs.index(pair) for pair in pairwise(symbols) if pair in pairs]:
        a, b = pairs[min(found)]
        i = 0
        while i < len(symbols) - 1:
            if (symbols[i], symbols[i + 1]) == (a, b):
                symbols[i : i + 2] = [a + b]
            i += 1
    return symbols


def cut_off(word, known):
    pieces, at = [], 0
    while at < len(word):
        tried = (("##" if at else "") + word[at:end] for end in range(len(word), at, -1))
        piece = next((piece for piece in tried if piece in known), None)
        if piece is None:
            return ["[UNK]"]
        pieces.append(piece)
        at += len(piece) - (2 if at else 0)
    return pieces


steps, _, bpe_vocabulary_size, bpe_n_tokens, bpe_tokens_per_word = train("", by_score=False)
bpe_merges = [token for _, _, token in steps]
bpe_split = merged(unseen, [(a, b) for a, b, _ in steps[:n_done]])
steps, known, wordpiece_vocabulary_size, wordpiece_n_tokens, wordpiece_tokens_per_word = train("##", by_score=True)
wordpiece_merges = [token for _, _, token in steps]
wordpiece_split = cut_off(unseen, known[: wordpiece_vocabulary_size[min(n_done, len(steps))]])

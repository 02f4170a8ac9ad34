"""Six words and four matrices made by hand, so that one head looks for a kind of word and the other for a place."""

import numpy as np

TOKENS = ["the", "cat", "saw", "a", "big", "dog"]
# Columns 0–3: noun, verb, determiner, adjective. Columns 4–7: the place, as two hands of a clock with six hours.
X = [[0, 0, 1, 0, 1, 0, 1, 0], [1, 0, 0, 0, 0.5, 0.87, -0.5, 0.87], [0, 1, 0, 0, -0.5, 0.87, -0.5, -0.87],
     [0, 0, 0.8, 0.2, -1, 0, 1, 0], [0, 0, 0, 1, -0.5, -0.87, -0.5, 0.87],
     [0.9, 0, 0, 0.2, 0.5, -0.87, -0.5, -0.87]]  # fmt: skip
# Nouns ask for what describes them, all others ask for nouns; the clock is turned back by one hour.
W_Q = np.array([[0, 0, 4, 4, 0, 0, 0, 0], [4, 0, 0, 0, 0, 0, 0, 0], [4, 0, 0, 0, 0, 0, 0, 0],
                [4, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 1.5, -2.61, 0, 0], [0, 0, 0, 0, 2.61, 1.5, 0, 0],
                [0, 0, 0, 0, 0, 0, -1.5, -2.61], [0, 0, 0, 0, 0, 0, 2.61, -1.5]])  # fmt: skip
W_K = np.eye(8)
W_V = np.eye(8)[:, [0, 1, 2, 3, 0, 1, 2, 3]]
MIXING = np.array([[0.7, -0.8, -0.6, 0.6, 0.2, -0.3, 0.8, 0.5], [-0.4, 0.9, 0.1, -0.7, 0.5, 0.3, -0.2, 0.6],
                   [0.3, 0.2, -0.9, 0.4, -0.5, 0.8, 0.1, -0.3], [0.6, -0.1, 0.5, 0.9, -0.4, -0.7, 0.3, 0.2],
                   [-0.5, 0.7, 0.4, -0.2, 0.9, 0.1, -0.8, 0.3], [0, 0, 0, 0, 0, 0, 0, 0],
                   [0.8, 0.3, -0.4, 0.5, -0.1, 0.6, 0.9, -0.7],
                   [0.1, -0.6, 0.8, -0.3, 0.7, -0.9, 0.2, 0.4]])  # fmt: skip
FEATURES = ["noun", "verb", "det", "adj", "6x", "6y", "3x", "3y"]  # the columns of X
READING = (
    "The first four columns of X say what kind a word is, the last four its place: the hands of two clocks, one turn "
    "in 6 words and one in 3. W_Q makes nouns ask for determiners and adjectives and all others for nouns, and turns "
    "both hands back by one word: by place, every word looks for the one before it, the first for the last."
)
YOURS = "These tokens are your own. W_Q still pairs the first four columns with each other and turns the last four."

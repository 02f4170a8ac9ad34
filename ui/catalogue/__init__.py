"""The one table of labs: it drives the menu, the cards on Home and the tests.

A lab appears as soon as `pages/<slug>.py` exists, and nowhere before.
"""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from ui.catalogue.purposes import PURPOSES

PAGES = Path(__file__).parents[2] / "pages"


class Lab(NamedTuple):
    """One row: `slug` is the file's name and the path in the link; `idea` the one-liner; `icon` a Material symbol."""

    slug: str
    section: str
    title: str
    idea: str
    shape: str
    icon: str

    @property
    def file(self) -> Path:
        return PAGES / f"{self.slug}.py"

    @property
    def purpose(self) -> str:
        """What it is for in a transformer."""
        return PURPOSES[self.slug]


def _section(name: str, *rows: tuple[str, str, str, str, str]) -> list[Lab]:
    return [Lab(slug, name, title, idea, shape, f":material/{icon}:") for slug, icon, title, shape, idea in rows]


LABS: tuple[Lab, ...] = (
    *_section(
        "Start",
        (
            "architecture_ingredients",
            "dataset",
            "Architecture ingredients",
            "11 matrices · every weight of the toy model",
            "The eleven matrices of the toy model: what each does, where it sits, and what happens when you change it.",
        ),
        (
            "forward_pass",
            "conversion_path",
            "The forward pass",
            "1–5 tokens · d_model = 3 · 3 heads of d_k = 2",
            "Follow every number from token ids to the next-token distribution, and change what you like on the way.",
        ),
        (
            "transformer_deep_dive",
            "school",
            "Transformer deep dive",
            "2 words · d_k = 3 · endless practice",
            "Attention, heads, positions and masking worked by hand, then practice until it sticks.",
        ),
    ),
    *_section(
        "Vectors",
        (
            "dot_product_and_cosine",
            "arrow_outward",
            "Dot product and cosine",
            "2 vectors × 2 dims",
            "Two vectors, one number: how much they point the same way, with and without their lengths.",
        ),
        (
            "matrix_multiplication",
            "grid_on",
            "Matrix multiplication",
            "m × k times k × n · sizes 1–6",
            "Every cell of the product is one dot product — rows of A against columns of B.",
        ),
        (
            "dot_product_against_cosine",
            "compare_arrows",
            "Dot product against cosine",
            "8 vectors × 4 dims · two clusters",
            "Both measures on the same vectors, and anisotropy: a shared offset that makes every cosine high until the "
            "mean is subtracted.",
        ),
        (
            "pooling",
            "compress",
            "Pooling with and without the mask",
            "8 rows × 4 dims · 2 of them padding",
            "One sentence vector from a batch's token rows — [CLS], mean or max — and what the padding rows do "
            "to it unless the "
            "mask keeps them out.",
        ),
    ),
    *_section(
        "Attention",
        (
            "attention_matrix",
            "center_focus_strong",
            "The attention matrix",
            "6 tokens · d_k = d_v = 4",
            "Each query scores every key, the scores become weights, and the weights mix the values.",
        ),
        (
            "softmax",
            "equalizer",
            "Softmax",
            "8 logits",
            "Logits become probabilities; temperature, masking and scale decide how peaked they are and whether "
            "a gradient "
            "survives.",
        ),
        (
            "heads_split_and_mixed",
            "view_column",
            "Heads split and mixed",
            "6 tokens · d_model = 8 · 2 heads of d_k = 4",
            "One attention split into heads by slicing the projections, each head's map on its own, the contexts "
            "concatenated "
            "and mixed back by W_O.",
        ),
    ),
    *_section(
        "Positions",
        (
            "sinusoidal_table",
            "waves",
            "The sinusoidal table",
            "positions × d_model",
            "Position as a fingerprint of sines and cosines at geometrically spaced frequencies.",
        ),
        (
            "rope_and_alibi",
            "rotate_right",
            "RoPE and ALiBi",
            "one query–key pair · 1 to 16 heads",
            "Position as a rotation of the query–key pair, or as a penalty on distance — the two modern answers.",
        ),
        (
            "positions_compared",
            "stacked_line_chart",
            "Positions encoded and compared",
            "32 positions × d_model = 16",
            "The sinusoidal table and why PE·PEᵀ depends only on the offset; the same property as a rotation "
            "(RoPE) and as a "
            "penalty on distance (ALiBi).",
        ),
    ),
    *_section(
        "The block",
        (
            "layer_normalisation",
            "straighten",
            "Layer normalisation",
            "one row of 6",
            "Centre and scale one row to zero mean and unit variance, then let γ and β undo what training wants "
            "undone.",
        ),
        (
            "rows_normalised",
            "table_rows",
            "Rows normalised",
            "4 rows × 8 features",
            "Each row to mean 0 and variance 1 on its own, then γ and β; where ε matters, and what batch norm "
            "would have done to "
            "the same matrix instead.",
        ),
        (
            "tokens_expanded",
            "expand",
            "Tokens expanded and projected",
            "4 rows · d_model = 4 → d_ff = 16 → 4",
            "The feed-forward sublayer one position at a time: widen to d_ff, activate, narrow back — and what "
            "the activation "
            "and the expansion each buy.",
        ),
        (
            "dropout",
            "blur_on",
            "Dropout",
            "one row of activations · 1,000 masks",
            "Zero a random share of activations while training, and scale the rest so the sum holds.",
        ),
    ),
    *_section(
        "Learning",
        (
            "perceptron",
            "linear_scale",
            "The perceptron",
            "2 inputs · 1 threshold",
            "A weighted sum, a threshold, and the smallest unit that can learn a line.",
        ),
        (
            "cross_entropy_against_mse",
            "balance",
            "Cross-entropy against MSE",
            "5 classes · a batch of 4",
            "The same batch of predictions scored two ways — how hard each loss punishes a confident mistake, "
            "what a batch mean "
            "hides, and which positions a mask lets count.",
        ),
        (
            "forward_and_backward",
            "sync_alt",
            "Forward and backward",
            "3 → 4 → 4 → 3 · a batch of 4",
            "A small MLP run forward, its loss sent back through the chain rule, every gradient checked against "
            "the definition "
            "of a derivative, and one step taken.",
        ),
        (
            "optimizers",
            "landscape",
            "SGD, momentum and Adam",
            "a 2-D surface · 60 steps",
            "The same gradient taken three ways across a drawn surface: plain descent, descent with velocity, and a "
            "per-coordinate step — and what the learning rate does to each.",
        ),
        (
            "model_learns",
            "trending_down",
            "The toy model learns",
            "all 174 parameters",
            "The whole toy transformer trained on a few sentences: every weight's gradient, the loss on its way down, "
            "and what attention has learned to look at.",
        ),
        (
            "gradient_by_depth",
            "layers",
            "A gradient down twelve layers",
            "12 layers × width 8 · a batch of 4",
            "What the backward pass still carries at each depth — with the residual path, without it, and with "
            "LayerNorm before "
            "or after.",
        ),
    ),
    *_section(
        "Sizes, sampling, text",
        (
            "parameters_flops_memory",
            "memory",
            "Parameters, FLOPs and memory",
            "this platform's model, up to a 7B decoder",
            "A model's size from its dials — every parameter counted by the platform's own derivation, the FLOPs "
            "a token costs, "
            "and what training it holds in memory.",
        ),
        (
            "one_distribution_one_token",
            "casino",
            "One distribution, one token",
            "12 candidates · 1,000 draws",
            "Greedy, temperature, top-k and top-p on one next-token distribution, with a thousand seeded draws "
            "to show what each "
            "keeps and what each throws away.",
        ),
        (
            "bpe_against_wordpiece",
            "content_cut",
            "BPE against WordPiece",
            "10 words · 20 merges",
            "Two merge rules on one editable word table — the most frequent pair against the highest-scoring one "
            "— and how each "
            "then splits a word it has never seen.",
        ),
    ),
)

BY_SLUG = {lab.slug: lab for lab in LABS}


def shown() -> list[Lab]:
    """The labs that have a page."""
    return [lab for lab in LABS if lab.file.exists()]


def sections(labs: list[Lab]) -> dict[str, list[Lab]]:
    """The labs by section, in the order of the table."""
    grouped: dict[str, list[Lab]] = {}
    for lab in labs:
        grouped.setdefault(lab.section, []).append(lab)
    return grouped


def menu(home: Callable[[], None]) -> dict[str, list[StreamlitPage]]:
    """The menu's sections with their pages, `home` first: at / as Streamlit has it, and unseen at /home."""
    also = st.Page(home, title="Home", url_path="home", visibility="hidden")
    pages = {"Start": [st.Page(home, title="Home", default=True), also]}
    for lab in shown():
        pages.setdefault(lab.section, []).append(st.Page(lab.file, title=lab.title))
    return pages

import re

from ui import catalogue

# Titles as the product names its labs, in their order.
TITLES = {
    "Start": ["Architecture ingredients", "The forward pass", "Transformer deep dive"],
    "Vectors": [
        "Dot product and cosine",
        "Matrix multiplication",
        "Dot product against cosine",
        "Pooling with and without the mask",
    ],
    "Attention": ["The attention matrix", "Softmax", "Heads split and mixed"],
    "Positions": ["The sinusoidal table", "RoPE and ALiBi", "Positions encoded and compared"],
    "The block": ["Layer normalisation", "Rows normalised", "Tokens expanded and projected", "Dropout"],
    "Learning": [
        "The perceptron",
        "Cross-entropy against MSE",
        "Forward and backward",
        "SGD, momentum and Adam",
        "The toy model learns",
        "A gradient down twelve layers",
    ],
    "Sizes, sampling, text": ["Parameters, FLOPs and memory", "One distribution, one token", "BPE against WordPiece"],
}
IDEAS = {
    "pooling": (
        "One sentence vector from a batch's token rows — [CLS], mean or max — and what the padding rows do "
        "to it unless the mask keeps them out."
    ),
    "softmax": (
        "Logits become probabilities; temperature, masking and scale decide how peaked they are and whether "
        "a gradient survives."
    ),
    "positions_compared": (
        "The sinusoidal table and why PE·PEᵀ depends only on the offset; the same property as a rotation "
        "(RoPE) and as a penalty on distance (ALiBi)."
    ),
    "optimizers": (
        "The same gradient taken three ways across a drawn surface: plain descent, descent with velocity, "
        "and a per-coordinate step — and what the learning rate does to each."
    ),
    "model_learns": (
        "The whole toy transformer trained on a few sentences: every weight's gradient, the loss on its way "
        "down, and what attention has learned to look at."
    ),
    "gradient_by_depth": (
        "What the backward pass still carries at each depth — with the residual path, without it, and with "
        "LayerNorm before or after."
    ),
    "bpe_against_wordpiece": (
        "Two merge rules on one editable word table — the most frequent pair against the highest-scoring one "
        "— and how each then splits a word it has never seen."
    ),
}
SHAPES = {
    "pooling": "8 rows × 4 dims · 2 of them padding",
    "tokens_expanded": "4 rows · d_model = 4 → d_ff = 16 → 4",
    "optimizers": "a 2-D surface · 60 steps",
    "model_learns": "all 174 parameters · up to 400 steps",
    "one_distribution_one_token": "12 candidates · 1,000 draws",
}


def test_titles_and_sections_in_the_products_own_words():
    grouped = catalogue.sections(list(catalogue.LABS))
    assert {name: [lab.title for lab in labs] for name, labs in grouped.items()} == TITLES
    assert list(grouped) == list(TITLES)


def test_one_liners_and_shapes_in_the_products_own_words():
    assert {slug: catalogue.BY_SLUG[slug].idea for slug in IDEAS} == IDEAS
    assert {slug: catalogue.BY_SLUG[slug].shape for slug in SHAPES} == SHAPES


def test_every_lab_is_a_sentence_a_shape_and_an_icon():
    for lab in catalogue.LABS:
        assert re.fullmatch(r"[a-z][a-z_]*", lab.slug)
        assert re.fullmatch(r":material/[a-z_]+:", lab.icon)
        assert lab.idea.endswith(".")
        assert lab.idea[0].isupper()
        assert lab.shape
        assert "  " not in lab.idea + lab.title + lab.shape
    assert len({lab.icon for lab in catalogue.LABS}) == len(catalogue.LABS)


def test_a_page_without_a_row_or_a_row_without_a_page_shows_nothing(monkeypatch, tmp_path):
    pages = {p.stem for p in catalogue.PAGES.glob("*.py")}
    assert pages == {lab.slug for lab in catalogue.shown()} <= set(catalogue.BY_SLUG)
    monkeypatch.setattr(catalogue, "PAGES", tmp_path)
    (tmp_path / "softmax.py").touch()
    (tmp_path / "stranger.py").touch()
    assert [lab.slug for lab in catalogue.shown()] == ["softmax"]

"""What the tables of conventions say: each row names who does otherwise, and mistakes stand apart."""

import re

import pytest
from streamlit.testing.v1 import AppTest
from test_pages import SLUGS

from ui.labs.forward_pass import notes

NAMED = re.compile(
    r"PyTorch|torch|transformers|Hugging Face|tokenizers|NumPy|SciPy|scikit-learn|Keras|TensorFlow|JAX|jax|ONNX|FAISS|"
    r"FlashAttention|NVIDIA|fairseq|tensor2tensor|sentence-transformers|subword-nmt|SentencePiece|llama\.cpp|vLLM|"
    r"nanoGPT|Megatron|DeepSpeed|"
    r"GPT|BERT|Llama|Mistral|T5|Gemma|Qwen|BLOOM|Annotated Transformer|PaLM|Chinchilla|MATLAB|spaCy|micrograd|"
    r"et al\.|(?:19|20)\d\d|Raschka|Kaplan|Hoffmann|textbook|EleutherAI|ZeRO|OpenAI|CTRL|fvcore|Jacobi|Caffe"
)


def rows(at, title: str) -> list[list[str]]:
    """The rows of the table under this heading, as people read them."""
    heads = {"Conventions": "| Question | Here | Elsewhere |", "Common slips": "| Question | Right | The slip |"}[title]
    tables = [text for text in at.texts("markdown") if text.startswith(heads)]
    return [[cell.strip() for cell in line[1:-1].split("|")] for text in tables for line in text.split("\n")[2:]]


@pytest.mark.parametrize("slug", SLUGS)
def test_every_convention_names_who_does_otherwise_and_nothing_is_compared_with_itself(app, slug):
    at = app(slug)
    for state in [None, *at.presets]:
        at = at.stand(state) if state else at
        found = rows(at, "Conventions")
        assert found or at.error or "Practice" in at.words()  # a question is no convention
        for row in found:
            assert NAMED.search(" ".join(row[1:])), f"nobody is named: {row}"
            assert "slip" not in " ".join(row), f"a slip is no convention: {row}"
        for row in [*found, *rows(at, "Common slips")]:
            ends = {side.split(": ")[-1] for side in row[1:]}
            assert len(row) < 3 or len(ends) > 1 or not re.search(r"\d", *ends), f"compared with itself: {row}"


def test_a_preset_keeps_the_model_a_visitor_made(app):
    at = app("architecture_ingredients")
    at.set(value=2.5)
    code = at.control("model").value
    assert code
    at.click(at.presets[0])
    assert at.control("model").value == code
    at.click("start_over")
    assert at.control("model").value == code
    assert "A model of your own is in use" in at.words()
    at.click("model.drop")
    assert not at.control("model").value


def test_a_refusal_speaks_the_pages_language(app):
    at = app("rows_normalised", {"rows_normalised.eps": "0"}).set(x="\n".join(["1 1 1 1 1 1 1 1"] * 4))
    (refused,) = at.texts("error")
    assert "ε must be above 0" in refused
    assert "eps" not in refused


@pytest.mark.parametrize(
    ("slug", "preset"),
    [
        ("cross_entropy_against_mse", None),
        ("one_distribution_one_token", "Peaked"),
        ("pooling", None),
        ("sinusoidal_table", "Seven turns later"),
    ],
)
def test_a_slip_that_makes_no_difference_says_so(app, slug, preset):
    at = app(slug)
    at = at.click(preset) if preset else at
    numbers = [[cell.rpartition(": ")[2] for cell in row[1:]] for row in rows(at, "Common slips")]
    assert any(slip == f"{right}, the same in this state" for right, slip in numbers)
    assert not any(right == slip for right, slip in numbers)


def test_rows_are_worked_out_once_somebody_reads_or_keeps_them(app, monkeypatch):
    asked = []
    row = ("The question", "here: 1", "there: 2")
    monkeypatch.setattr(notes, "libraries_differ", lambda *_, **__: asked.append(row) or asked[-1:])
    at = app("forward_pass")
    assert asked == [row]
    at.session_state["forward_pass.Conventions"] = False
    AppTest.run(at)
    assert asked == [row]
    next(button for button in at.button if button.key == "keep").click()
    AppTest.run(at)
    assert asked == [row, row]

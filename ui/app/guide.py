"""What a visitor is told of a lab besides its row in the catalogue: how long it takes, and which words find it."""

from typing import NamedTuple

from ui.catalogue import Lab


class Guide(NamedTuple):
    """Minutes for someone new to it, and the field's words for what is in it."""

    minutes: int
    words: str


GUIDES = {
    "architecture_ingredients": Guide(
        8, "weights parameters embedding embeddings W_E W_Q projection language model head block encoder decoder"
    ),
    "forward_pass": Guide(
        16,
        "embedding multi-head self-attention masked causal decoder residual feed-forward FFN ReLU GELU layer norm "
        "pre-norm post-norm inference generation GPT logits prediction",
    ),
    "transformer_deep_dive": Guide(
        30,
        "exercise exercises quiz practice questions self-attention multi-head positional encoding causal mask "
        "encoder decoder worked example",
    ),
    "dot_product_and_cosine": Guide(8, "inner scalar product angle length norm projection similarity embedding"),
    "matrix_multiplication": Guide(6, "matmul product linear layer FLOPs shape dimension row column broadcasting"),
    "dot_product_against_cosine": Guide(
        10, "similarity search retrieval nearest neighbour embedding embeddings anisotropy cluster"
    ),
    "pooling": Guide(8, "sentence embedding embeddings CLS mean max last token padding encoder BERT"),
    "attention_matrix": Guide(
        14, "self-attention scaled dot-product query key value causal mask masking padding encoder decoder entropy map"
    ),
    "softmax": Guide(10, "probability temperature overflow saturation derivative gradient Jacobian stable exp logits"),
    "heads_split_and_mixed": Guide(
        10, "multi-head self-attention MHA grouped-query GQA concatenate reshape output projection W_O"
    ),
    "sinusoidal_table": Guide(8, "positional encoding position embedding sine cosine frequency wavelength order"),
    "rope_and_alibi": Guide(8, "positional encoding rotary position embedding relative bias distance Llama BLOOM"),
    "positions_compared": Guide(
        10, "positional encoding rotary relative offset shift invariance RoPE ALiBi sinusoidal"
    ),
    "layer_normalisation": Guide(6, "layernorm LN mean variance gamma beta epsilon standardise"),
    "rows_normalised": Guide(8, "layernorm batchnorm RMSNorm batch norm normalisation epsilon mean variance"),
    "tokens_expanded": Guide(
        8, "feed-forward FFN MLP position-wise ReLU GELU SiLU SwiGLU activation function hidden units width"
    ),
    "dropout": Guide(6, "regularisation overfitting inverted mask training evaluation random"),
    "perceptron": Guide(8, "neuron classifier linear separable XOR decision boundary learning rule bias"),
    "cross_entropy_against_mse": Guide(
        8, "loss function negative log-likelihood NLL perplexity mean squared error label smoothing mask gradient"
    ),
    "forward_and_backward": Guide(
        12, "backprop backpropagation back-propagation chain rule gradient check MLP neural network ReLU learning step"
    ),
    "optimizers": Guide(
        10, "optimiser SGD gradient descent Adam AdamW RMSProp momentum Nesterov learning rate training"
    ),
    "model_learns": Guide(
        14,
        "train training language model backprop backpropagation gradient loss curve Adam AdamW SGD overfitting "
        "memorise teacher forcing next-token prediction fine-tuning frozen weights entropy floor perplexity",
    ),
    "gradient_by_depth": Guide(
        8, "vanishing exploding gradient backprop backpropagation residual skip connection pre-norm post-norm deep init"
    ),
    "parameters_flops_memory": Guide(
        10, "KV cache GPU size compute cost training inference scaling GPT-2 BERT Llama encoder decoder embedding"
    ),
    "one_distribution_one_token": Guide(
        10, "sampling nucleus top-k top-p min-p greedy decoding generation temperature random seed text"
    ),
    "bpe_against_wordpiece": Guide(
        10,
        "tokenizer tokenizers tokenization tokeniser subword vocabulary byte-pair encoding merges Unicode GPT-2 BERT",
    ),
}


def minutes(lab: Lab) -> str:
    """How long a lab takes, for its card; nothing where nobody has tried."""
    guide = GUIDES.get(lab.slug)
    return f" · about\N{NO-BREAK SPACE}{guide.minutes}\N{NO-BREAK SPACE}min" if guide else ""


FILLING = {
    "a",
    "an",
    "and",
    "are",
    "do",
    "does",
    "for",
    "how",
    "in",
    "is",
    "it",
    "of",
    "on",
    "the",
    "to",
    "what",
    "why",
}


def asked_for(wanted: str) -> str:
    """A search without the words that only make a question of it.

    >>> asked_for("What is attention?"), asked_for("how does the KV cache work"), asked_for("is")
    ('attention', 'KV cache work', 'is')
    """
    words = wanted.strip(" ?!.").split()
    return " ".join(word for word in words if word.casefold() not in FILLING) or wanted.strip()


def matches(lab: Lab, wanted: str) -> bool:
    """Whether every word looked for is in what a lab says of itself or is found by, in British or American spelling."""
    guide = GUIDES.get(lab.slug)
    text = f"{lab.title} {lab.idea} {lab.shape} {lab.section} {guide.words if guide else ''}"
    return all(_is_in(word, folded(text)) for word in asked_for(wanted).split())


def _is_in(word: str, text: str) -> bool:
    """Whether a word is in a folded text, in the plural too, or each part of it: KV-cache finds the KV cache."""
    parts = word.split("-")
    return any(
        all(folded(part).removesuffix("s") in text for part in parts if part) for parts in ([word], parts) if any(parts)
    )


def folded(text: str) -> str:
    """Text in which spellings that mean the same are the same.

    >>> folded("Self-attention, normalisation"), folded("selfattention, normalization")
    ('selfattention, normalization', 'selfattention, normalization')
    """
    return text.casefold().replace("-", "").replace("our", "or").replace("is", "iz")

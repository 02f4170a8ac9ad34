"""The costliest state of every page that one visitor may ask for, as a long search over its controls found it.

Each is what a link says for the page's controls; the boxes that open on a click are open in it. Where every state of a
page takes about as long, it is the one that draws and writes most. "The numbers as a table" is made in the browser.
"""

import random

from driven import HOME, Driven

from ui.page.model import pack

WORDS = ("a0", "b0")


def model(positions: int, d_model: int, d_k: int, d_ff: int, n_layers: int, n_heads: int) -> str:
    """A model of the most legal sizes that one link may hold, as its code: one digit a number."""
    draw = random.Random(0)
    row = lambda n: f"[{','.join(str(draw.randint(0, 9)) for _ in range(n))}]"
    matrix = lambda n, m: f"[{','.join(row(m) for _ in range(n))}]"
    norm = lambda: f"{{gamma={row(d_model)},beta={row(d_model)}}}"
    heads = lambda: ",".join(
        f'{{name="{h}",source="a",{",".join(f"W_{x}={matrix(d_model, d_k)}" for x in "QKV")}}}' for h in range(n_heads)
    )
    layer = lambda: (
        f"{{W_O={matrix(n_heads * d_k, d_model)},W_1={matrix(d_model, d_ff)},b_1={row(d_ff)},"
        f"W_2={matrix(d_ff, d_model)},b_2={row(d_model)},norm_1={norm()},norm_2={norm()},heads=[{heads()}]}}"
    )
    return pack(
        f"vocabulary={list(WORDS)}\nW_E={matrix(2, d_model)}\nW_P={matrix(positions, d_model)}\n"
        f"W_LM_head={matrix(d_model, 2)}\nlayers=[{','.join(layer() for _ in range(n_layers))}]"
    )


def signs(n: int, start: int) -> str:
    """A word of signs that no other one shares."""
    return "".join(chr(0x4E00 + start + i) for i in range(n))


def numbers(n: int, m: int) -> str:
    """A matrix of small whole numbers, none alike its neighbours, as its field holds it."""
    return "\n".join(" ".join(str((3 * r + 5 * c) % 7 - 3) for c in range(m)) for r in range(n))


COSTLIEST: dict[str, dict[str, str]] = {
    "architecture_ingredients": {"model": model(64, 2, 2, 64, 1, 12), "matrix": "W_LM_head"},
    "forward_pass": {
        "model": model(64, 3, 1, 256, 1, 12),
        "tokens": " ".join(WORDS * 32),
        "layers": "12",
        "norm": "pre",
        "final": "true",
        "activation": "gelu",
        "temperature": "0.1",
        "gradients": "true",
    },
    "transformer_deep_dive": {"own_scores": "2 0\n3 1", "q": numbers(2, 3), "k": numbers(2, 3)},
    "dot_product_and_cosine": {"angle_a": "98", "length_a": "1", "angle_b": "0"},
    "matrix_multiplication": {"m": "6", "k": "6", "n": "6", "A": numbers(6, 6), "B": numbers(6, 6)},
    "dot_product_against_cosine": {"row": "v7", "column": "v1", "vectors": numbers(8, 4)},
    "pooling": {"n_padding": "6", "rows": numbers(6, 4), "seed": "92", "method": "max"},
    "attention_matrix": {"query": "0", "scale": "false", "q": numbers(6, 4), "causal": "false"},
    "softmax": {"scale": "13.75", "shift": "770", "logits": "-3 0 -3 2 -3 -1 -2 1"},
    "heads_split_and_mixed": {"heads": "8", "query": "a", "key": "big", "x": numbers(6, 8)},
    "sinusoidal_table": {"positions": "64", "width": "64", "position": "47", "other_position": "63"},
    "rope_and_alibi": {"key": "24", "heads": "16", "base": "500,000"},
    "positions_compared": {"width": "32", "end": "31", "base": "100"},
    "layer_normalisation": {"scale": "0.35", "shift": "2", "feature": "5", "eps": "0"},
    "rows_normalised": {"norm": "Batch", "x": numbers(4, 8)},
    "tokens_expanded": {"expansion": "8", "bias": "-1.6", "activation": "gelu", "curve": "hat"},
    "dropout": {"p": "0.95", "seed": "99"},
    "perceptron": {"problem": "two clouds", "w_1": "3", "w_2": "0.5", "bias": "-3", "rate": "2", "distance": "3"},
    "cross_entropy_against_mse": {"of_class": "C", "targets": "A D A C", "smoothing": "0.5", "logits": numbers(4, 5)},
    "forward_and_backward": {"steps": "20", "seed": "57", "h": "1e-01", "activation": "gelu", "x": numbers(4, 3)},
    "optimizers": {"surface": "Styblinski–Tang", "beta": "0.99", "decay": "1", "x_styblinski_tang": "-3.48"},
    "model_learns": {
        "model": model(13, 2, 2, 2, 12, 2),
        "steps": "70",
        "sentences": "\n".join([" ".join((WORDS * 7)[:13])] * 2),
        "norm": "pre",
        "optimizer": "AdamW",
        "causal": "false",
    },
    "gradient_by_depth": {"gain": "2", "depth": "48", "seeds": "16", "activation": "silu"},
    "parameters_flops_memory": {
        "dials": "true",
        "toy.n_layers": "200",
        "toy.n_heads": "512",
        "toy.vocab_size": "1000000",
        "toy.positions": "learned",
        "scores": "stored",
        "batch": "1024",
    },
    "one_distribution_one_token": {"temperature": "0.5", "k": "6", "p": "0.78", "seed": "17"},
    "bpe_against_wordpiece": {
        "merges": "15",
        "candidate": "8th",
        "word": signs(24, 0),
        "table": "\n".join(signs(24, 24 * i) for i in range(24)),
    },
}


def opened(slug: str, link: dict[str, str]) -> Driven:
    """A page at the state of a link, with every box open that is filled only then."""
    at = Driven(HOME, default_timeout=30)
    at.query_params |= {f"{slug}.{name}": value for name, value in link.items()}
    for box in ("take_away", "source"):
        at.session_state[f"{slug}.{box}"] = True
    return at.go(slug)

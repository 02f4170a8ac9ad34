"""Frozen forward passes of PyTorch, for the repository's model and for a bigger one drawn at random.

pip install torch==2.13.0, then cd tests/reference && python make_transformer.py.
"""

import tomllib
from pathlib import Path

import torch
from store import store
from torch.nn import functional

torch.manual_seed(0)
torch.set_default_dtype(torch.float64)
ACTIVATIONS = {
    "relu": functional.relu,
    "gelu": functional.gelu,
    "silu": functional.silu,
    "tanh": torch.tanh,
    "identity": lambda x: x,
}
ACTIVATIONS["gelu_tanh"] = lambda x: functional.gelu(x, approximate="tanh")


def forward(
    model, ids, *, causal=True, norm_placement="post", activation="relu", n_layers=None, scale=True, final_norm=False
):
    t = torch.tensor
    x = functional.embedding(t(ids), t(model["W_E"])) + t(model["W_P"])[: len(ids)]
    layers = model["layers"]
    blocks = []
    for i in range(len(layers) if n_layers is None else n_layers):
        layer = layers[i % len(layers)]

        def norm(y, name, layer=layer):
            return functional.layer_norm(y, y.shape[-1:], t(layer[name]["gamma"]), t(layer[name]["beta"]), eps=1e-5)

        def attend(y, layer=layer):
            heads = [[y @ t(head[name]) for name in ("W_Q", "W_K", "W_V")] for head in layer["heads"]]
            q, k, v = (torch.stack(part)[None] for part in zip(*heads, strict=True))
            mixed = functional.scaled_dot_product_attention(q, k, v, is_causal=causal, scale=None if scale else 1.0)[0]
            return torch.cat(tuple(mixed), dim=-1) @ t(layer["W_O"])

        def widen(y, layer=layer):
            hidden = ACTIVATIONS[activation](functional.linear(y, t(layer["W_1"]).T, t(layer["b_1"]).double()))
            return functional.linear(hidden, t(layer["W_2"]).T, t(layer["b_2"]).double())

        if norm_placement == "post":
            x = norm(x + attend(x), "norm_1")
            x = norm(x + widen(x), "norm_2")
        elif norm_placement == "pre":
            x = x + attend(norm(x, "norm_1"))
            x = x + widen(norm(x, "norm_2"))
        else:
            x = x + attend(x)
            x = x + widen(x)
        blocks.append(x)
    logits = (functional.layer_norm(x, x.shape[-1:]) if final_norm else x) @ t(model["W_LM_head"])
    return {"blocks": torch.stack(blocks), "logits": logits, "probs": torch.softmax(logits, -1)}


def toml(words, positions, d, n_layers, n_heads, d_k, d_ff):
    """A model of two-digit random numbers as the text of a weights.toml."""

    def rows(name, *shape):
        return f"{name} = {(torch.randn(*shape)).mul(100).round().div(100).tolist()}"

    lines = [f"vocabulary = {[f'w{i}' for i in range(words)]}"]
    lines += [rows("W_E", words, d), rows("W_P", positions, d), rows("W_LM_head", d, words)]
    for _ in range(n_layers):
        lines += ["[[layers]]", rows("W_O", n_heads * d_k, d), rows("W_1", d, d_ff), rows("b_1", d_ff)]
        lines += [rows("W_2", d_ff, d), rows("b_2", d)]
        for name in ("norm_1", "norm_2"):
            lines += [f"[layers.{name}]", rows("gamma", d), rows("beta", d)]
        for h in range(n_heads):
            lines += ["[[layers.heads]]", f'name = "Head {h + 1}"', 'source = "random"']
            lines += [rows(name, d, d_k) for name in ("W_Q", "W_K", "W_V")]
    return "\n".join(lines) + "\n"


own = (Path(__file__).parents[2] / "weights.toml").read_text(encoding="utf-8")
drawn = toml(7, 6, 4, 2, 2, 3, 5)
cases = []
for name, text, ids, options in [
    ("own", own, [0, 1, 2, 3, 4], {}),
    ("own", own, [4, 4, 0], {"causal": False}),
    ("own", own, [0, 1, 2, 3, 4], {"norm_placement": "pre", "activation": "gelu"}),
    ("own", own, [0, 1, 2, 3, 4], {"norm_placement": "pre", "final_norm": True}),
    ("own", own, [4, 0, 4], {"norm_placement": "post", "final_norm": True, "n_layers": 2}),
    ("own", own, [3, 1, 2], {"norm_placement": "none", "activation": "tanh", "scale": False}),
    ("own", own, [2], {"n_layers": 5, "activation": "silu"}),
    ("drawn", drawn, [6, 0, 3, 3, 1, 5], {}),
    ("drawn", drawn, [6, 0, 3], {"norm_placement": "pre", "n_layers": 3, "activation": "gelu_tanh"}),
    ("drawn", drawn, [1, 2], {"norm_placement": "none", "causal": False, "activation": "identity", "n_layers": 1}),
]:
    cases.append({"model": name, "ids": ids, "options": options, **forward(tomllib.loads(text), ids, **options)})
store("transformer", {"torch": torch.__version__, "drawn": drawn, "cases": cases})

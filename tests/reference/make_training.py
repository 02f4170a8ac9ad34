"""Frozen gradients and training runs of PyTorch's autograd in float64, for two models drawn at random.

pip install torch==2.13.0, then cd tests/reference && python make_training.py.
"""

import torch
from store import store
from torch.nn import functional

torch.set_default_dtype(torch.float64)
ACTIVATIONS = {"relu": functional.relu, "gelu": functional.gelu, "silu": functional.silu, "tanh": torch.tanh}
WORDS, POSITIONS = 5, 5


def cut(theta, d_model, n_heads, d_k, d_ff, n_layers):
    """The matrices as pieces of one vector, in the order of the forward pass."""
    start = 0

    def piece(*shape):
        nonlocal start
        size = torch.Size(shape).numel()
        start += size
        return theta[start - size : start].reshape(shape)

    def layer():
        heads = [[piece(d_model, d_k) for _ in range(3)] for _ in range(n_heads)]
        W_O, norm_1 = piece(n_heads * d_k, d_model), (piece(d_model), piece(d_model))
        dense = piece(d_model, d_ff), piece(d_ff), piece(d_ff, d_model), piece(d_model)
        return heads, W_O, norm_1, dense, (piece(d_model), piece(d_model))

    W_E, W_P = piece(WORDS, d_model), piece(POSITIONS, d_model)
    layers = [layer() for _ in range(n_layers)]
    return W_E, W_P, layers, piece(d_model, WORDS)


def logits(theta, sizes, ids, *, causal=True, norm_placement="post", activation="relu", n_layers=None, **more):
    W_E, W_P, layers, W_LM_head = cut(theta, **sizes)
    x = functional.embedding(torch.tensor(ids), W_E) + W_P[: len(ids)]
    for i in range(len(layers) if n_layers is None else n_layers):
        heads, W_O, norm_1, (W_1, b_1, W_2, b_2), norm_2 = layers[i % len(layers)]

        def norm(y, parameters):
            return functional.layer_norm(y, y.shape[-1:], *parameters, eps=1e-5)

        def attend(y, heads=heads, W_O=W_O):
            q, k, v = (torch.stack([y @ head[j] for head in heads]) for j in range(3))
            scale = None if more.get("scale", True) else 1.0
            mixed = functional.scaled_dot_product_attention(q, k, v, is_causal=causal, scale=scale)
            speaks = torch.tensor(more.get("active_heads", [True] * len(heads)))
            return torch.cat(tuple(mixed * speaks[:, None, None]), dim=-1) @ W_O

        def widen(y, dense=(W_1, b_1, W_2, b_2)):
            W_1, b_1, W_2, b_2 = dense
            return functional.linear(ACTIVATIONS[activation](functional.linear(y, W_1.T, b_1)), W_2.T, b_2)

        if norm_placement == "post":
            x = norm(x + attend(x), norm_1)
            x = norm(x + widen(x), norm_2)
        elif norm_placement == "pre":
            x = x + attend(norm(x, norm_1))
            x = x + widen(norm(x, norm_2))
        else:
            x = x + attend(x)
            x = x + widen(x)
    return (functional.layer_norm(x, x.shape[-1:]) if more.get("final_norm") else x) @ W_LM_head


def rounded(tensor):
    """Twelve significant digits: more than the tests ask for."""
    return [float(f"{x:.12g}") for x in tensor.detach().ravel().tolist()]


def gradient(model, ids, targets, options):
    theta = torch.tensor(model["numbers"], requires_grad=True)
    loss = functional.cross_entropy(logits(theta, model["sizes"], ids, **options), torch.tensor(targets))
    loss.backward()
    return {"loss": loss.item(), "grads": rounded(theta.grad)}


def run(model, sequences, make, steps=60):
    theta = torch.tensor(model["numbers"], requires_grad=True)
    optimizer, losses = make([theta]), []
    for step in range(steps + 1):
        optimizer.zero_grad()
        rows = torch.cat([logits(theta, model["sizes"], s[:-1]) for s in sequences])
        loss = functional.cross_entropy(rows, torch.tensor([token for s in sequences for token in s[1:]]))
        losses.append(loss.detach())
        loss.backward()
        if step < steps:
            optimizer.step()
    return {"losses": rounded(torch.stack(losses)), "last": rounded(theta)}


def drawn(**sizes):
    total = cut(torch.zeros(10_000), **sizes)
    size = sum(part.numel() for part in (total[0], total[1], total[3]))
    for heads, W_O, norm_1, dense, norm_2 in total[2]:
        size += sum(part.numel() for part in (*sum(heads, []), W_O, *norm_1, *dense, *norm_2))
    return {"sizes": sizes, "numbers": torch.randn(size).mul(70).round().div(100).tolist()}


torch.manual_seed(7)
models = {
    "one": drawn(d_model=4, n_heads=2, d_k=2, d_ff=5, n_layers=1),
    "two": drawn(d_model=3, n_heads=2, d_k=3, d_ff=4, n_layers=2),
}
cases = []
for placement in ("post", "pre", "none"):
    for activation in ("relu", "gelu", "silu"):
        for causal in (True, False):
            for n_layers in (1, 3):
                silent = (placement, activation) in {("post", "relu"), ("pre", "gelu"), ("none", "silu")}
                options = {"norm_placement": placement, "activation": activation, "causal": causal}
                options |= {"n_layers": n_layers, **({"active_heads": [True, False]} if silent else {})}
                name = "two" if n_layers == 3 and causal else "one"
                cases.append({"model": name, "ids": [3, 1, 3, 3], "targets": [1, 3, 3, 0], "options": options})
for name, ids, targets, options in [
    ("one", [2], [2], {"final_norm": True}),
    ("two", [0, 4, 2], [4, 2, 2], {"norm_placement": "pre", "final_norm": True}),
    ("one", [0, 4, 2], [4, 2, 1], {"scale": False, "activation": "tanh"}),
    ("one", [0, 4], [4, 4], {"n_layers": 0}),
]:
    cases.append({"model": name, "ids": ids, "targets": targets, "options": options})
for case in cases:
    case |= gradient(models[case["model"]], case["ids"], case["targets"], case["options"])
sequences = [[0, 1, 2, 3, 4, 0], [1, 1, 3], [4, 2, 0, 1]]
makers = {
    "sgd": lambda p: torch.optim.SGD(p, lr=0.1),
    "momentum": lambda p: torch.optim.SGD(p, lr=0.03, momentum=0.9),
    "adam": lambda p: torch.optim.Adam(p, lr=0.02),
    "adamw": lambda p: torch.optim.AdamW(p, lr=0.02, weight_decay=0.1),
}
runs = {name: run(models["one"], sequences, make) for name, make in makers.items()}
store("training", {"torch": torch.__version__, "models": models, "cases": cases, "sequences": sequences, "runs": runs})

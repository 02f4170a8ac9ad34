"""NumPy code to take away that more than one lab needs, or that is too long to stand in a page."""

from typing import Any

ACTIVATION = {  # name: the function and its slope, {z} is what goes in
    "relu": ("np.maximum({z}, 0)", "({z} > 0)"),
    "gelu": (
        "({z} * (1 + np.vectorize(math.erf)({z} / 2**0.5)) / 2)",
        "((1 + np.vectorize(math.erf)({z} / 2**0.5)) / 2 + {z} * np.exp(-({z}**2) / 2) / (2 * np.pi) ** 0.5)",
    ),
    "gelu_tanh": ("({z} * (1 + np.tanh((2 / np.pi) ** 0.5 * ({z} + 0.044715 * {z}**3))) / 2)", None),
    "silu": (
        "({z} / (1 + np.exp(np.minimum(-({z}), 700))))",
        "((1 + {z} * (1 - 1 / (1 + np.exp(np.minimum(-({z}), 700))))) / (1 + np.exp(np.minimum(-({z}), 700))))",
    ),
    "tanh": ("np.tanh({z})", "(1 - np.tanh({z}) ** 2)"),
    "identity": ("{z}", "1"),
}


def activation(name: str, z: str) -> str:
    """The activation as code on the variable z.

    >>> activation("relu", "hidden")
    'np.maximum(hidden, 0)'
    """
    return ACTIVATION[name][0].format(z=z)


def slope(name: str, z: str) -> str:
    """Its derivative as code on the variable z.

    >>> slope("tanh", "h")
    '(1 - np.tanh(h) ** 2)'
    """
    return ACTIVATION[name][1].format(z=z)


def forward(name: str) -> str:
    """The forward pass of the toy model with the activation `name`; its inputs are those of `model_inputs` and the settings."""
    return f"""
import math

def norm(x, gamma, beta):
    return gamma * (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + 1e-5) + beta

def softmax(z):
    e = np.exp(z - z.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)

h = W_E[ids] + W_P[: len(ids)]
for i in range(n_layers):
    L = {{name: np.array(value) for name, value in layers[i % len(layers)].items()}}
    a, contexts = norm(h, L["gamma_1"], L["beta_1"]) if placement == "pre" else h, []
    for W_Q, W_K, W_V, speaks in zip(L["W_Q"], L["W_K"], L["W_V"], active):
        scores = (a @ W_Q) @ (a @ W_K).T / (np.sqrt(W_Q.shape[1]) if scale else 1)
        if causal:
            scores = np.where(np.tri(len(ids), dtype=bool), scores, -np.inf)
        contexts.append(softmax(scores) @ (a @ W_V) * speaks)
    h = h + np.hstack(contexts) @ L["W_O"]
    h = norm(h, L["gamma_1"], L["beta_1"]) if placement == "post" else h
    a = norm(h, L["gamma_2"], L["beta_2"]) if placement == "pre" else h
    z = a @ L["W_1"] + L["b_1"]
    h = h + {activation(name, "z")} @ L["W_2"] + L["b_2"]
    h = norm(h, L["gamma_2"], L["beta_2"]) if placement == "post" else h
logits = h @ W_LM_head
probs = softmax(logits)
"""


def model_inputs(weights) -> dict[str, Any]:
    """The model's weights as `forward` wants them: three arrays and a list of layers."""
    layers = [
        {name: [getattr(head, name).tolist() for head in layer.heads] for name in ("W_Q", "W_K", "W_V")}
        | {name: getattr(layer, name).tolist() for name in ("W_O", "W_1", "b_1", "W_2", "b_2")}
        | {
            f"{part}_{i}": getattr(norm, part).tolist()
            for i, norm in ((1, layer.norm_1), (2, layer.norm_2))
            for part in ("gamma", "beta")
        }
        for layer in weights.layers
    ]
    return {"W_E": weights.W_E, "W_P": weights.W_P, "W_LM_head": weights.W_LM_head, "layers": layers}

"""The activations as NumPy code, for the programs of all labs that have them."""

FUNCTIONS = {  # {z} is what goes in
    "relu": "np.maximum({z}, 0)",
    "gelu": "({z} * (1 + np.vectorize(math.erf)({z} / 2**0.5)) / 2)",
    "gelu_tanh": "({z} * (1 + np.tanh((2 / np.pi) ** 0.5 * ({z} + 0.044715 * {z}**3))) / 2)",
    "silu": "({z} / (1 + np.exp(np.minimum(-({z}), 700))))",
    "tanh": "np.tanh({z})",
    "identity": "{z}",
}
SLOPES = {  # of those that a program differentiates
    "relu": "({z} > 0)",
    "gelu": "((1 + np.vectorize(math.erf)({z} / 2**0.5)) / 2 + {z} * np.exp(-({z}**2) / 2) / (2 * np.pi) ** 0.5)",
    "gelu_tanh": "((1 + np.tanh((2 / np.pi) ** 0.5 * ({z} + 0.044715 * {z}**3))) / 2 + {z} / 2"
    " * (1 - np.tanh((2 / np.pi) ** 0.5 * ({z} + 0.044715 * {z}**3)) ** 2)"
    " * (2 / np.pi) ** 0.5 * (1 + 3 * 0.044715 * {z}**2))",
    "silu": "((1 + {z} * (1 - 1 / (1 + np.exp(np.minimum(-({z}), 700))))) / (1 + np.exp(np.minimum(-({z}), 700))))",
    "tanh": "(1 - np.tanh({z}) ** 2)",
    "identity": "1",
}


def activation(name: str, z: str) -> str:
    """The activation as code on the variable z.

    >>> activation("relu", "hidden")
    'np.maximum(hidden, 0)'
    """
    return FUNCTIONS[name].format(z=z)


def slope(name: str, z: str) -> str:
    """Its derivative as code on the variable z.

    >>> slope("tanh", "h")
    '(1 - np.tanh(h) ** 2)'
    """
    return SLOPES[name].format(z=z)

import numpy as np

seed, seeds, depth, gain = 0, 8, 12, 1.0


# --- The inputs above are examples; the program begins here.
def spread(x):
    return np.sqrt(x.var(-1, keepdims=True) + 1e-5)


def layer_norm(x):
    return (x - x.mean(-1, keepdims=True)) / spread(x)


def layer_norm_back(d, x):
    n = layer_norm(x)
    return (d - d.mean(-1, keepdims=True) - n * (d * n).mean(-1, keepdims=True)) / spread(x)


def norms(kind, number):
    rng = np.random.default_rng([seed, number])
    x, g = rng.normal(size=(2, 4, 8))
    q, r = np.linalg.qr(rng.normal(size=(depth, 8, 8)))
    weights = gain * q * np.where(np.diagonal(r, axis1=1, axis2=2) < 0, -1, 1)[:, None, :]
    layers, down, up = [], [np.linalg.norm(g)], [np.linalg.norm(x)]
    for W in weights:
        h = (layer_norm(x) if kind == "pre_norm" else x) @ W
        total = np.maximum(h, 0) + (0 if kind == "plain" else x)
        layers.append((W, x, h, total))
        x = layer_norm(total) if kind == "post_norm" else total
        up.append(np.linalg.norm(x))
    for W, x, h, total in reversed(layers):
        g = layer_norm_back(g, total) if kind == "post_norm" else g
        branch = (g * (h > 0)) @ W.T
        branch = layer_norm_back(branch, x) if kind == "pre_norm" else branch
        g = branch if kind == "plain" else g + branch
        down.append(np.linalg.norm(g))
    return np.array(down[::-1]) / down[0], np.array(up)


both = {
    kind: [norms(kind, number) for number in range(seeds)] for kind in ("plain", "residual", "pre_norm", "post_norm")
}
plain, residual, pre_norm, post_norm = (np.array([down for down, _ in found]) for found in both.values())
up = {kind: np.array([up for _, up in found]) for kind, found in both.items()}

import numpy as np

logits, T, k, p, min_p = np.array([2.0, 1.0, 0.5, 0.0]), 1.0, 12, 0.8, 0.0
order, n, seed = ("temperature", "top_k", "top_p", "min_p"), 1000, 0
# --- The inputs above are examples; the program begins here.
kept, heat = np.ones(logits.size, bool), 1.0
for name in order:
    ranked = np.argsort(np.where(kept, -logits, np.inf), kind="stable")[: kept.sum()]
    exps = np.exp((logits[ranked] - logits[ranked[0]]) / heat)
    before = np.cumsum(np.append(0, exps / exps.sum()))[:-1]
    if name == "temperature":
        heat, left = T or 1.0, len(ranked) if T > 0 else 1
    elif name == "top_k":
        left = k
    elif name == "min_p":
        left = int(np.count_nonzero(exps >= min_p * exps[0] * (1 - 1e-12)))
    else:
        left = len(ranked) if p == 1 else max(1, int(np.count_nonzero(before < p - 1e-12)))
    kept = np.isin(np.arange(logits.size), ranked[:left])
out = np.where(kept, np.exp((logits - logits[kept].max()) / heat), 0)
out /= out.sum()
entropy = -(out[out > 0] * np.log(out[out > 0])).sum()
mean, deviation = n * out, np.sqrt(n * out * (1 - out))
low, high = mean - 2 * deviation, mean + 2 * deviation
drawn = np.searchsorted(np.cumsum(out) / np.cumsum(out)[-1], np.random.default_rng(seed).random(n), side="right")
counts = np.bincount(drawn, minlength=out.size)
slack = 1e-12 * n
outside = (counts < low - slack) | (counts > high + slack)

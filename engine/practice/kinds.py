"""The kinds of practice question: each draws small numbers, lets the engine answer, and writes the way there."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from engine import checks
from engine.accounting import ModelConfig, parameters_by_part
from engine.losses import cross_entropy
from engine.normalization import layer_norm_stages
from engine.positions import rope_angles, sinusoidal_table
from engine.practice import attention
from engine.practice.solutions import Question, Slip, figure, row, small_numbers, softmax_lines, total
from engine.softmax import softmax


class Kind(NamedTuple):
    """A menu entry: its title, the function that draws a question from a generator, the answer as NumPy code.

    `code` computes `answer` from the numbers given, under their own names.
    """

    title: str
    draw: Callable[[np.random.Generator], Question]
    code: str


def _softmax(rng) -> Question:
    checks.generator("rng", rng)
    z = np.zeros(3)
    while not 1 <= np.ptp(z) <= 4:
        z = small_numbers(rng, 3)
    probs = softmax(z)
    return Question(
        "softmax",
        "Turn these logits into probabilities, to three decimals.",
        {"logits": z},
        probs,
        "Take exp of each, then divide each by their sum.",
        softmax_lines(z, probs),
        (Slip(np.exp(z), "These are the exponentials: divide each by their sum."),),
    )


def _position(rng) -> Question:
    checks.generator("rng", rng)
    value = 0.0
    while not 0.02 < abs(value) < 0.98:  # else 0 or 1 would be a lucky guess
        d_model = int(rng.choice([4, 6, 8, 16, 512]))
        pos, column = int(rng.integers(1, 10)), int(rng.integers(0, min(d_model, 12)))
        encoding = sinusoidal_table(pos + 1, d_model)[pos]
        value = float(encoding[column])
    i, name, other = column // 2, *(("cos", "sin") if column % 2 else ("sin", "cos"))
    angle = rope_angles(pos, d_model)[i]  # RoPE turns by the same angles
    return Question(
        "position",
        "Compute this entry of the sinusoidal positional encoding (positions and columns count from 0, angles are in "
        "radians), to three decimals.",
        {"pos": pos, "column": column, "d_model": d_model},
        value,
        "Even columns 2i hold sin(pos / 10000^(2i/d_model)), odd columns 2i + 1 the cosine of the same angle.",
        (
            f"column {column} is {'odd' if column % 2 else 'even'}: {name}, with 2i = {2 * i}",
            f"angle = {pos} / 10000^({2 * i}/{d_model}) = {figure(angle)}",
            f"{name}({figure(angle)}) = {figure(value)}",
        ),
        (
            Slip(
                float(encoding[column ^ 1]), f"That is the {other} of this angle: even columns hold sin, odd ones cos."
            ),
        ),
    )


def _parameters(rng) -> Question:
    checks.generator("rng", rng)
    n_heads, d_k = int(rng.choice([2, 3, 4, 8, 12, 16])), int(rng.choice([2, 4, 8, 16, 32, 64]))
    d_model, biases = n_heads * d_k, bool(rng.integers(2))
    config = ModelConfig(
        vocab_size=1,
        d_model=d_model,
        n_layers=1,
        n_heads=n_heads,
        d_ff=1,
        context=1,
        biases="all" if biases else "none",
    )
    parts = parameters_by_part(config)
    matrices, vectors = parts["attention matrices"], parts.get("attention biases", 0)
    count = matrices + vectors
    return Question(
        "parameters",
        f"How many parameters does this multi-head attention block have, {'with' if biases else 'without'} biases? "
        "Count W_Q, W_K, W_V and W_O, with d_k = d_v = d_model / n_heads.",
        {"d_model": d_model, "n_heads": n_heads, "biases": biases},
        float(count),
        "All heads together, W_Q, W_K and W_V are d_model × d_model each; do not forget W_O."
        + (" Each has a bias for every column." if biases else ""),
        (
            f"d_k = {d_model} / {n_heads} = {d_k}; the heads side by side are {n_heads} × {d_k} = {d_model} wide",
            f"W_Q, W_K, W_V, W_O: 4 × {d_model} × {d_model} = {matrices:,}",
            f"biases: 4 × {d_model} = {vectors:,}" if biases else "biases: none",
            f"{matrices:,} + {vectors:,} = {count:,}",
        ),
        (
            Slip(count * 3 / 4, "You left out W_O, which mixes the heads."),
            Slip(float(count * n_heads), "The heads share the width: each has only d_model / n_heads."),
            Slip(float(matrices if biases else matrices + 4 * d_model), "Look again at the biases."),
        ),
    )


def _layer_norm(rng) -> Question:
    checks.generator("rng", rng)
    x = np.zeros(4)
    while np.var(x) < 1:
        x = rng.integers(-3, 8, 4).astype(float)
    stages = layer_norm_stages(x, eps=0)
    mean, variance, deviation = stages.mean[0], stages.variance[0], stages.deviation[0]
    return Question(
        "layer_norm",
        "Normalise this row by layer norm with γ = 1, β = 0 and ε = 0, to three decimals.",
        {"x": x},
        stages.out,
        "Subtract the mean, then divide by the square root of the variance, the mean of the squared differences.",
        (
            f"mean = ({total(x)}) / 4 = {figure(mean)}",
            f"differences: {row(stages.centred)}",
            f"variance = ({total(stages.centred**2)}) / 4 = {figure(variance)}",
            f"divide by √{figure(variance)} = {figure(deviation)}: {row(stages.out)}",
        ),
        (
            Slip(stages.out * np.sqrt(3 / 4), "You divided the squares by n − 1: layer norm divides by n."),
            Slip(stages.centred / variance, "You divided by the variance: take its square root first."),
            Slip(stages.centred, "These are the differences from the mean: divide by the standard deviation."),
        ),
    )


def _cross_entropy(rng) -> Question:
    checks.generator("rng", rng)
    z, loss = np.zeros(3), 0.0
    while not 0.1 < loss < 4 or np.ptp(z) == 0:
        z, target = small_numbers(rng, 3), int(rng.integers(3))
        trace = cross_entropy([z], [target])
        loss = trace.loss
    p = trace.probs[0, target]
    return Question(
        "cross_entropy",
        f"Compute the cross-entropy of this row in nats; the right class is number {target}, counting from 0. Give "
        "three decimals.",
        {"logits": z, "target": target},
        loss,
        "Softmax first, then minus the natural logarithm of the right class's probability.",
        (*softmax_lines(z, trace.probs[0]), f"−ln {figure(p)} = {figure(loss)}"),
        (
            Slip(float(loss / np.log(2)), "That is in bits: take the natural logarithm."),
            Slip(float(loss / np.log(10)), "You took the logarithm to base 10: take the natural one."),
            Slip(float(p), "That is the probability of the right class: take minus its logarithm."),
            Slip(-loss, "The sign: a loss is minus the logarithm, and never negative."),
        ),
    )


_SOFTMAX = "exps = np.exp({logits})\nanswer = exps / exps.sum()"
_WEIGHTS = "logits = K @ q / np.sqrt(d_k)\n" + _SOFTMAX.format(logits="logits")
_OUTPUT = _WEIGHTS.replace("answer", "weights") + "\nanswer = weights @ V"
_HEADS = """contexts = []
for h in range(n_heads):
    exps = np.exp(K[:, h] * q[h])
    contexts.append(exps @ V[:, h] / exps.sum())
answer = np.array(contexts) @ W_O"""
_LAYER_NORM = "centred = x - x.mean()\nanswer = centred / np.sqrt((centred**2).mean())"
_CROSS_ENTROPY = "answer = np.log(np.exp(logits).sum()) - logits[target]"
_MASKED = "seen = np.where(np.arange(len(scaled)) <= query, scaled, -np.inf)\n" + _SOFTMAX.format(logits="seen")
_POSITION = """angle = pos / 10_000 ** ((column - column % 2) / d_model)
answer = np.cos(angle) if column % 2 else np.sin(angle)"""
KINDS: dict[str, Kind] = {  # a kind's place here is part of its seed: add at the end
    "document": Kind("The course's own question", attention.document_question, _WEIGHTS),
    "scores": Kind("Scores", attention.scores_question, "answer = Q @ K.T"),
    "scaled": Kind("Scaled scores", attention.scaled_question, "answer = K @ q / np.sqrt(d_k)"),
    "softmax": Kind("Softmax", _softmax, _SOFTMAX.format(logits="logits")),
    "weights": Kind("Attention weights", attention.weights_question, _WEIGHTS),
    "output": Kind("Attention output", attention.output_question, _OUTPUT),
    "position": Kind("Positional encoding", _position, _POSITION),
    "masked": Kind("A masked row", attention.masked_question, _MASKED),
    "parameters": Kind("Parameters of a block", _parameters, "answer = 4 * d_model**2 + biases * 4 * d_model"),
    "layer_norm": Kind("Layer norm of a row", _layer_norm, _LAYER_NORM),
    "cross_entropy": Kind("Cross-entropy of a row", _cross_entropy, _CROSS_ENTROPY),
    "heads": Kind("Two heads", attention.heads_question, _HEADS),
}

"""What can be predicted of a model's account: its own head, a step in training, fewer KV heads, a long sequence."""

import numpy as np

from ui.page.ask import Answer, Endless, Question
from ui.run import Seen
from ui.words import counted, number, size

GIB, MIB = 2**30, 2**20


def own_head(before: Seen, after: Seen) -> Answer:
    was, now = (seen.numbers["parameters"] for seen in (before, after))
    table = f"{after.inputs['vocab_size']:,} · {after.inputs['d_model']:,}"
    return now / 1e6, f"From {was:,} to {now:,}: a table of its own for the output is {table} = {now - was:,} more."


def one_step(before: Seen, after: Seen) -> Answer:
    held = after.numbers["memory"]
    total, kept = after.numbers["memory_total"], held["activations"] + held["recomputed layer"]
    n = after.numbers["parameters"]
    state = sum(held[part] for part in ("weights", "gradients", "master weights", "optimizer"))
    return total / GIB, (
        f"{size(state, binary=True)} go to {state / n:g} bytes for each of {n / 1e9:.3g} billion parameters, "
        f"{size(kept, binary=True)} to what the layers keep: {size(total, binary=True)} in all."
    )


def fewer_heads(before: Seen, after: Seen) -> Answer:
    (n, cache), (n_now, cache_now) = (
        (seen.numbers["parameters"], seen.numbers["kv_cache"]) for seen in (before, after)
    )
    by, by_cache = n_now / n - 1, cache_now / cache - 1
    right = "both alike" if abs(by - by_cache) < 1e-9 else "the KV cache" if by_cache < by else "the parameters"
    change = lambda share: f"{share:+.1%}".replace("-", "−")
    return right, (
        f"The cache goes from {size(cache, binary=True)} to {size(cache_now, binary=True)} ({change(by_cache)}), the "
        f"parameters by {change(by)}: the cache is keys and values only."
    )


def long_sequence(before: Seen, after: Seen) -> Answer:
    was, now = (100 * _mixing(seen.numbers["forward"]) for seen in (before, after))
    return now, (
        f"From {number(was, 1)} % to {number(now, 1)} %: each token is scored against all {after.inputs['sequence']:,} "
        "tokens, the matrices cost it the same as ever."
    )


def _mixing(forward: dict) -> float:
    return (forward["scores q·k"] + forward["weights × values"]) / sum(forward.values())


def stored_scores(before: Seen, after: Seen) -> Answer:
    was, now = (seen.numbers["memory"] for seen in (before, after))
    grown = {part: now[part] - was[part] for part in now}
    most = max(grown, key=lambda part: grown[part])
    return {"panel": 0, "point": list(now).index(most)}, (
        f"It is “{most}”, from {size(was[most], binary=True)} to {size(now[most], binary=True)}: scores are kept for "
        f"the way back, {after.inputs['sequence']:,} for each token and head."
    )


def a_cache(rng: np.random.Generator) -> Question:
    layers, heads, tokens = (int(2 ** rng.integers(low, high)) for low, high in ((2, 6), (0, 4), (8, 13)))
    expected = 2 * layers * heads * 64 * tokens * 2 / MIB

    def answer(before: Seen, after: Seen) -> Answer:
        of, cache = after.inputs, after.numbers["kv_cache"]
        product = (2, of["n_layers"], of["n_kv_heads"], of["head_dim"], of["sequence"], of["batch"], of["width"])
        return cache / MIB, (
            f"Keys and values, layers, KV heads, width, tokens, sequences, bytes: {' · '.join(map(str, product))} = "
            f"{counted(cache, 'byte', 'bytes')}."
        )

    ask = (
        f"{layers} layers, {heads} KV heads of 64 numbers each, 2 bytes a number: how many MiB of keys and values are "
        f"kept after {tokens:,} tokens, to within 5 %?"
    ).replace(" 1 KV heads of 64 numbers each", " one KV head of 64 numbers")
    dials = {"n_layers": layers, "n_heads": heads, "n_kv_heads": heads, "head_dim": 64}
    state = {"preset": "gpt2", "gpt2.sequence": str(tokens), "dials": True} | {f"gpt2.{k}": v for k, v in dials.items()}
    near, shown = 0.05 * expected, ("cache",)
    return Question("A cache by hand", ask, answer, state, within=near, look=shown, cover=shown)


QUESTIONS = (
    Question(
        "124 or 163 million?",
        "GPT-2's output head is its token table again. With a head of its own, how many million parameters has it, to "
        "within 2?",
        own_head,
        {"preset": "gpt2", "dials": True},
        {"gpt2.tied": False},
        within=2,
        look=("parameters", "flops"),
    ),
    Question(
        "Training a 7B decoder",
        "Its weights take 12.6 GiB in 16 bit. How many GiB does a step with Adam hold, on 4,096 tokens, to within 30?",
        one_step,
        {"preset": "llama-2-7b"},
        within=30,
        look=("memory",),
        cover=("memory",),
    ),
    Question(
        "Eight KV heads, not 32",
        "Which shrinks by the larger share: the parameters or the KV cache?",
        fewer_heads,
        {"preset": "llama-2-7b", "dials": True},
        {"llama-2-7b.n_kv_heads": 8},
        ("the parameters", "both alike", "the KV cache"),
        look=("cache",),
    ),
    Question(
        "A long sequence",
        "GPT-2 on 131,072 tokens: what share of a token's FLOPs goes to scores and mixing, in percent, to within 10?",
        long_sequence,
        {"preset": "gpt2"},
        {"gpt2.sequence": "131072"},
        within=10,
        look=("flops", "parameters"),
    ),
    Question(
        "Scores are kept",
        "Attention scores are stored in place of a fused kernel. Click on the bar of the part that grows most.",
        stored_scores,
        {"preset": "llama-2-7b"},
        {"scores": "stored"},
        click="memory",
        look=("memory",),
    ),
    Endless("A cache by hand", a_cache),
)

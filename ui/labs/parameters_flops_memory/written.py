"""A language model's account in words: the sums behind it, its tables, and what to notice."""

from collections.abc import Callable, Sequence
from typing import Any

from ui.words import agree, counted, plain, size, together


def binary(n_bytes: float) -> str:
    """Bytes in KiB, MiB, GiB.

    >>> binary(2**31)
    '2 GiB'
    """
    return size(n_bytes, binary=True)


def exact(n: float) -> str:
    """A count with all its digits, for a formula.

    >>> exact(1234567), exact(1234.0), exact(1179.648)
    ('1{,}234{,}567', '1{,}234', '1{,}179.648')
    """
    return (f"{n:,.0f}" if float(n).is_integer() else f"{n:,.3f}").replace(",", "{,}")


def cost_of_a_token(trace: Any, config: Any, sequence: int) -> str:
    """The sum behind a token's way through the model, with the numbers of `config`."""
    pooled, pooling = (r" + 2 d^2 / s", rf" + 2 \cdot {config.d_model}^2 / {sequence}") if config.pooler else ("", "")
    seen = "s" if config.window is None else r"\min(s, w)"
    names = rf"2 N + 4 \cdot \text{{layers}} \cdot {seen} \cdot \text{{heads}} \cdot d_\text{{head}}{pooled}"
    sizes = [config.n_layers, config.seen(sequence), config.n_heads, config.head_dim]
    mixing = r" \cdot ".join(map(str, [4, *sizes]))
    return rf"{names} = 2 \cdot {exact(trace.multiplying)} + {mixing}{pooling} = {exact(trace.forward_total)}"


def kept_by_a_layer(trace: Any, config: Any, tokens: int, sequence: int, width: int, *, stored: bool) -> list[str]:
    """What one layer keeps for its way back: the formula, and the same with its numbers; `width` is w, in bytes."""
    c, rows = config, (4 if config.gated else 2) * config.n_active_experts
    scores = (r" + (2w + 1) \cdot \text{heads} \cdot s", f" + {2 * width + 1} \\cdot {c.n_heads} \\cdot {sequence}")
    letters, numbers = scores if stored else ("", "")
    first = rf"{4 * width + 2} \cdot {c.d_model} + {2 * width} \cdot {(c.n_heads + c.n_kv_heads) * c.head_dim}"
    return [
        r"\text{tokens} \cdot ((4w + 2) \cdot d + 2w \cdot (\text{heads} + \text{KV heads}) \cdot d_\text{head}"
        rf"{letters} + {rows} \cdot w \cdot d_\text{{ff}})",
        rf"= {tokens} \cdot ({first}{numbers} + {rows * width} \cdot {c.d_ff}) = {exact(trace.layer_activations)}"
        r"\text{ bytes}",
    ]


def cached(trace: Any, config: Any, sequence: int, batch: int, width: int) -> str:
    """The product behind the KV cache; `width` is the bytes of a number."""
    seen = "s" if config.window is None else r"\min(s, w)"
    names = [r"\text{layers}", r"\text{KV heads}", r"d_\text{head}", seen, r"\text{batch}", r"\text{bytes}"]
    sizes = [config.n_layers, config.n_kv_heads, config.head_dim, config.seen(sequence), batch, width]
    product = r" \cdot{} ".join(["2", *names])  # which may go on in the next line, wider than a phone as it is
    numbers = r" \cdot ".join(map(str, [2, *sizes]))
    return rf"{product} = {numbers} = {exact(trace.kv_cache)}\text{{ bytes}}"


def parameter_sums(trace: Any) -> str:
    """A table of every matrix and the sum behind its count."""
    table = ["| Matrix | Sum |", "|---|---|"]
    for row, times, total in trace.rows:
        folded = f", times {times} layers = {total:,}" if times > 1 else ""
        table.append(f"| {plain(row.name)}, {row.part} | {plain(row.formula)}{folded} |")
    return "\n".join([*table, f"| **parameters in all** | **{trace.parameters:,}** |"])


def bytes_held(trace: Any) -> str:
    """A table of what a training step holds: in bytes, and in both kinds of units."""
    three = lambda held: f"{counted(held, 'byte', 'bytes')} = {size(held)} = {binary(held)}"
    table = [f"| {part} | {three(held)} |" for part, held in trace.memory.items()]
    in_all = f"| **a training step in all** | **{three(trace.memory_total)}** |"
    return "\n".join(["| In training | Held |", "|---|---|", *table, in_all])


def noticed(trace: Any, config: Any, sequence: int, batch: int, at: int) -> list[str | tuple[Any, str]]:
    """What to notice about size, FLOPs and memory, each sentence with its claim; `at` is the sequence in the sweep."""
    largest, most = max(trace.parts.values()), max(trace.memory.values())
    parts = together(part for part, n in trace.parts.items() if n == largest)
    held = together(part for part, n in trace.memory.items() if n == most)
    alone = lambda gpus: sum(gpu.cards == 1 for gpu in gpus)
    training, writing, n = alone(trace.gpus), alone(trace.inference_gpus), len(trace.gpus)
    in_all = binary(trace.inference_total)
    share, half = trace.sweep.attention_share[at], trace.sweep.half_from
    shared = config.n_heads // config.n_kv_heads
    tokens = f"{batch} × {counted(sequence, 'token', 'tokens')}"
    return [
        f"The largest part of the **{trace.parameters:,}** parameters: {parts}, {largest:,}.",
        (
            config.n_experts > 1,
            f"A token meets {trace.active:,} of them: {config.n_active_experts} of {config.n_experts} experts a layer.",
        ),
        f"At {counted(sequence, 'token', 'tokens')} a token costs **{trace.forward_total:,.0f}** FLOPs forward and "
        f"{trace.training_total:,.0f} in training; scores and mixing are **{share:.1%}** of it.",
        (half is not None, f"Scores and mixing are half of it from {half or 0:,} tokens on."),
        (half is None, "However long the sequence, the window keeps scores and mixing below half of it."),
        f"A training step holds **{size(trace.memory_total)}**, which is {binary(trace.memory_total)}; its largest "
        f"part: {held}, {binary(most)}. {training} of the {n} GPUs {agree(training, 'holds', 'hold')} it alone. No KV "
        "cache is in it: that is for generating.",
        (
            not config.has_head,
            "No output head and no logits are counted: the head that predicts words in pre-training is not part of it.",
        ),
        (config.encoder, "An encoder reads all tokens at once and writes none: it keeps no KV cache."),
        (
            not config.encoder,
            f"Generating after {tokens} holds the weights and a KV cache of {binary(trace.kv_cache)}, together "
            f"**{in_all}**: {writing} of the {n} GPUs {agree(writing, 'holds', 'hold')} that alone.",
        ),
        (
            not config.encoder and shared > 1,
            f"{counted(config.n_kv_heads, 'KV head', 'KV heads')}, each shared by {shared} query heads.",
        ),
        (not config.encoder and shared == 1, "Each query head has keys and values of its own."),
        (
            sequence > config.context,
            f"The model has {counted(config.context, 'position', 'positions')}, fewer than the sequence: counted as if "
            "it had more.",
        ),
    ]


def by_scores(held: dict[str, int], scores: str, sequence: int) -> list[tuple[Any, str]]:
    """What keeping the attention scores costs; `held` is a whole step by the way they are handled."""
    fused, stored, selective = (binary(held[way]) for way in ("fused", "stored", "selective"))
    differ = fused != stored
    kept = f"stored they make it {stored}" if stored != selective else "stored they make it no more"
    asked = f"scores grow with the square of the {counted(sequence, 'token', 'tokens')}"
    return [
        (not differ, f"Stored or not, attention scores make no difference at these digits: {fused} in all."),
        (
            differ and scores == "fused",
            f"A fused kernel keeps no attention scores: {fused} in all. Stored, they make it **{stored}**: {asked}.",
        ),
        (
            differ and scores == "stored",
            f"Stored attention scores make it {stored}: {asked}. A fused kernel keeps none: **{fused}**.",
        ),
        (
            differ and scores == "selective",
            f"Attention scores are computed again on the way back, one layer's at a time: {selective} in all; {kept}, "
            f"and a fused kernel keeps none: **{fused}**.",
        ),
    ]


def against(name: str, before: Any, now: Any) -> tuple[Any, str]:
    """What turned dials did to a model: before, after, and by how much."""
    counts = went(before.parameters, now.parameters, "{:,}".format, "go", "stay")
    cache = f"; the KV cache {went(before.kv_cache, now.kv_cache, binary, 'goes', 'stays')}"
    if not (before.kv_cache or now.kv_cache):
        cache = ""
    turned = (before.rows, before.kv_cache, before.forward) != (now.rows, now.kv_cache, now.forward)
    return (
        turned,
        f"Against {plain(name)} as it is, the parameters {counts}{cache}.",
    )


def went(before: int, now: int, shown: Callable[[int], str], goes: str, stays: str) -> str:
    """Where a size went, with the change in percent; one that did not change is compared with nothing.

    >>> went(200, 150, str, "goes", "stays"), went(200, 200, str, "goes", "stays")
    ('goes from 200 to **150** (−25.0%)', 'stays 200')
    """
    if before == now:
        return f"{stays} {shown(now)}"
    change = f"{now / before - 1:+.1%}".replace("-", "−") if before else "from none"
    return f"{goes} from {shown(before)} to **{shown(now)}** ({change})"


def power(n: float) -> str:
    """A large count in powers of ten.

    >>> power(6.2108e21), power(1480)
    ('6.21 · 10²¹', '1.48 · 10³')
    """
    mantissa, exponent = f"{n:.2e}".split("e")
    return f"{mantissa} · 10{str(int(exponent)).translate(str.maketrans('0123456789', '⁰¹²³⁴⁵⁶⁷⁸⁹'))}"


def budgeted(budget: Any) -> str:
    """A whole training: its tokens, its FLOPs, the days of a card where these are worth a number."""
    said = (
        "A whole training, by the rule of 20 tokens a parameter (Hoffmann et al. 2022, Chinchilla): "
        f"{counted(budget.tokens, 'token', 'tokens')}, {power(budget.flops)} FLOPs"
    )
    days = "" if budget.days < 0.01 else f", **{budget.days:,.2f} days** of an H100 at 40 % of its data sheet's speed"
    return f"{said}{days}."


def shared_out(held: dict[str, int], n_cards: int) -> tuple[str, str, str]:
    """What each of several cards holds, by how the state is shared: a row of a table."""
    ddp, *others = held.items()
    return (
        f"What each of {n_cards} cards holds, each with a batch of its own",
        f"a copy of everything, as PyTorch's DDP: {binary(ddp[1])}",
        "; ".join(f"{way}: {binary(each)}" for way, each in others) + " (DeepSpeed; stage 3 is PyTorch's FSDP)",
    )


def ways_of_counting(
    question: str, ways: Sequence[Any], here: int, show: Callable[[float], str] = "{:,}".format
) -> list[tuple[str, str, str]]:
    """Rows of a table: the way of this page, the one at `here`, and everybody else's beside it, by name."""
    own = f"{ways[here].name}: {show(ways[here].value)}"
    others = [way for i, way in enumerate(ways) if i != here and not way.who.startswith("this page")]
    return [
        (question if not i else "", own if not i else "", f"{way.name}: {show(way.value)}; {way.source}")
        for i, way in enumerate(others)
    ]

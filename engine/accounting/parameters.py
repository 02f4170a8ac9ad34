"""Every parameter of a transformer, matrix by matrix."""

from math import prod
from typing import NamedTuple

from engine import checks
from engine.accounting.config import ModelConfig, checked
from engine.weights import Weights, check_weights, matrices

LAYER_MATRICES = ("attention matrices", "router", "feed-forward matrices")


class ParameterRow(NamedTuple):
    """One matrix or vector: where it stands, its name, shape, count, the sum written out, and what it is part of."""

    block: str
    name: str
    shape: tuple[int, ...]
    count: int  # type: ignore[assignment]  # a tuple has a method of that name
    formula: str
    part: str


class FoldedRow(NamedTuple):
    """A row of the table, how many times the model has it, and what that makes."""

    row: ParameterRow
    times: int
    total: int


class Convention(NamedTuple):
    """One way of counting that is in use: its name, the number, the parts that sum to it, and who counts like this.

    `who` is the short name for a table, `source` the whole sentence.
    """

    name: str
    value: int
    parts: dict[str, int]
    source: str
    who: str


def parameter_table(config: ModelConfig) -> tuple[ParameterRow, ...]:
    """Every matrix and vector of a model in the order of the forward pass, one row each.

    Token, position and segment tables; in each layer W_Q (d_model, n_heads·head_dim), W_K and W_V (d_model,
    n_kv_heads·head_dim), W_O (n_heads·head_dim, d_model), two feed-forward matrices (Vaswani et al. 2017, §3) or three
    where gated (Shazeer 2020), those of all experts stacked in one and a router before them, biases and norms as the
    config says; a pooler; an output head that is not tied.
    block: "embedding", "layer 1" …, "output"; part: one of a dozen kinds, for sums. Raises ValueError unless config is
    a ModelConfig.

    >>> from engine.accounting import PRESETS
    >>> parameter_table(PRESETS["gpt2"])[0].formula
    'vocab_size × d_model = 50,257 × 768 = 38,597,376'
    """
    config = checked(config)
    layers = tuple(row for number in range(1, config.n_layers + 1) for row in _layer(config, f"layer {number}"))
    return (*_embedding(config), *layers, *_output(config))


def folded_table(config: ModelConfig) -> tuple[FoldedRow, ...]:
    """The table with its equal layers told once: a row of "each layer" stands for n_layers of its kind.

    block: "embedding", "each layer", "output". Raises ValueError as `parameter_table`.

    >>> from engine.accounting import PRESETS
    >>> queries = folded_table(PRESETS["gpt2"])[2]  # W_Q of twelve layers
    >>> queries.times, queries.total
    (12, 7077888)
    """
    config = checked(config)
    layers = [FoldedRow(row, config.n_layers, config.n_layers * row.count) for row in _layer(config, "each layer")]
    once = [[FoldedRow(row, 1, row.count) for row in rows] for rows in (_embedding(config), _output(config))]
    return (*once[0], *layers, *once[1])


def count_parameters(config: ModelConfig) -> int:
    """How many parameters a model has: the sum of its table, exactly. Raises ValueError unless config is a ModelConfig.

    >>> from engine.accounting import PRESETS
    >>> count_parameters(PRESETS["llama-2-7b"])
    6738415616
    """
    return sum(row.total for row in folded_table(config))


def parameters_by_part(config: ModelConfig) -> dict[str, int]:
    """The table summed by part, parts in the order of the forward pass. Raises ValueError as `parameter_table`.

    >>> from engine.accounting import PRESETS
    >>> parameters_by_part(PRESETS["gpt2"])["attention matrices"]  # 12 layers of 4 matrices of 768 × 768
    28311552
    """
    totals: dict[str, int] = {}
    for folded in folded_table(config):
        totals[folded.row.part] = totals.get(folded.row.part, 0) + folded.total
    return totals


def active_parameters(config: ModelConfig) -> int:
    """The parameters that one token meets: all but the experts it is not sent through (Jiang et al. 2024, Mixtral).

    Raises ValueError as `parameter_table`.

    >>> from engine.accounting import PRESETS
    >>> active_parameters(PRESETS["mixtral-8x7b"]), active_parameters(PRESETS["gpt2"])
    (12879925248, 124439808)
    """
    total, experts = count_parameters(config), parameters_by_part(config)
    asleep = config.n_experts - config.n_active_experts
    own = experts["feed-forward matrices"] + experts.get("feed-forward biases", 0)
    return total - own // config.n_experts * asleep


def multiplying_parameters(config: ModelConfig) -> dict[str, int]:
    """The parameters every token is multiplied with, the N of 6N: the layers' matrices and the output head.

    A tied head multiplies though it has no row of its own; embedding tables are looked up; norms and biases are left
    out (Kaplan et al. 2020, table 1). Of several experts the active ones count, and the router. An encoder, or a model
    with a pooler, ends without a head unless it has one of its own. Raises ValueError as `parameter_table`.

    >>> from engine.accounting import PRESETS
    >>> sum(multiplying_parameters(PRESETS["gpt2"]).values())
    123532032
    """
    layers = _layer_matrices(config)
    return {**layers, "output head": config.vocab_size * config.d_model} if config.has_head else layers


def parameter_conventions(config: ModelConfig) -> tuple[Convention, ...]:
    """The size of one model as different people state it, side by side; a model of experts has one more.

    Raises ValueError as `parameter_table`.

    >>> from engine.accounting import PRESETS
    >>> [convention.value for convention in parameter_conventions(PRESETS["gpt2"])]
    [124439808, 163037184, 123653376, 84934656, 123532032]
    """
    parts, multiplying = parameters_by_part(config), multiplying_parameters(config)
    head = {"output head": config.vocab_size * config.d_model} if config.has_head else {}
    no_positions = {name: count for name, count in parts.items() if name != "position embedding"}
    ways = [
        ("all parameters", parts, "PyTorch's model.parameters(): a tied head counts once", "PyTorch"),
        (
            "with a head of its own",
            parts | head,
            "the sum over PyTorch's state_dict(), which lists a tied head twice",
            "PyTorch",
        ),
        ("without the position table", no_positions, "nanoGPT's get_num_params", "nanoGPT"),
        ("matrices of the layers", _layer_matrices(config), "Kaplan et al. 2020: N without embeddings", "Kaplan"),
        ("matrices that multiply", multiplying, "the N of 6N here: with the output head, tied or not", "this page"),
    ]
    if config.n_experts > 1:
        active = active_parameters(config)
        ways.append(
            ("active parameters", {"active": active}, "Mixtral's paper: without the sleeping experts", "Mixtral")
        )
    return tuple(convention(*way) for way in ways)


def convention(name: str, parts: dict[str, int], source: str, who: str = "") -> Convention:
    """A convention whose value is the sum of its parts, a dict of whole numbers.

    >>> convention("two", {"a": 1, "b": 1}, "arithmetic").value
    2
    """
    checks.instance("parts", parts, dict, "a dict of numbers by name")
    return Convention(name, sum(parts.values()), parts, source, who)


def config_of(weights: Weights) -> ModelConfig:
    """The dials of this platform's own model, read off its matrices.

    Learned positions, biases in the feed-forward only, two layer norms a block and none after the last, a head of its
    own. Raises ValueError for anything but Weights whose shapes agree.

    >>> from engine.weights import load_weights
    >>> config_of(load_weights()).head_dim
    2
    """
    weights = check_weights(weights)
    layer = weights.layers[0]
    config = ModelConfig(
        vocab_size=len(weights.vocabulary),
        d_model=weights.W_E.shape[1],
        n_layers=len(weights.layers),
        n_heads=len(layer.heads),
        d_ff=layer.W_1.shape[1],
        context=len(weights.W_P),
        head_dim=layer.heads[0].W_Q.shape[1],
        biases="feed_forward",
        final_norm=False,
        tied=False,
    )
    held = sum(matrix.size for matrix in matrices(weights).values())
    if held != count_parameters(config):
        raise ValueError(f"weights must hold {count_parameters(config)} numbers for these sizes; got {held}")
    return config


def _layer_matrices(config: ModelConfig) -> dict[str, int]:
    """The layers' matrices that a token is multiplied with, by part: of several experts the active ones."""
    parts = parameters_by_part(config)
    experts = parts["feed-forward matrices"] // config.n_experts * config.n_active_experts
    found = parts | {"feed-forward matrices": experts}
    return {name: found[name] for name in LAYER_MATRICES if name in found}


def _row(block: str, part: str, name: str, *axes: tuple[str, int]) -> ParameterRow:
    shape = tuple(size for _, size in axes)
    count = prod(shape)
    steps = [" × ".join(symbol for symbol, _ in axes), " × ".join(f"{size:,}" for size in shape), f"{count:,}"]
    return ParameterRow(block, name, shape, count, " = ".join(steps if len(axes) > 1 else steps[:2]), part)


def _embedding(c: ModelConfig):
    d = ("d_model", c.d_model)
    yield _row("embedding", "token embedding", "W_E", ("vocab_size", c.vocab_size), d)
    if c.positions == "learned":
        yield _row("embedding", "position embedding", "W_P", ("context", c.context), d)
    if c.token_types:
        yield _row("embedding", "segment embedding", "W_S", ("token_types", c.token_types), d)
    if c.embedding_norm:
        yield from _norm_rows(c, "embedding", "norm")


def _layer(c: ModelConfig, block: str):
    d, ff = ("d_model", c.d_model), ("d_ff", c.d_ff)
    queries = ("n_heads·head_dim", c.n_heads * c.head_dim)
    keys = ("n_kv_heads·head_dim", c.n_kv_heads * c.head_dim)
    attention = {"Q": (d, queries), "K": (d, keys), "V": (d, keys), "O": (queries, d)}
    biased = {"all": "QKVO", "qkv": "QKV"}.get(c.biases, "")
    yield from _matrices(block, "attention", attention, biased)
    if c.qk_norm:
        for name in ("q_norm", "k_norm"):
            yield from _norm_rows(c, block, name, ("head_dim", c.head_dim))
    yield from _norm_rows(c, block, "norm_1")
    if c.n_experts > 1:
        yield _row(block, "router", "W_router", d, ("n_experts", c.n_experts))
    experts = (("n_experts", c.n_experts),) if c.n_experts > 1 else ()
    gated = {"gate": (*experts, d, ff), "up": (*experts, d, ff), "down": (*experts, ff, d)}
    plain = {"1": (*experts, d, ff), "2": (*experts, ff, d)}
    widened = gated if c.gated else plain
    yield from _matrices(block, "feed-forward", widened, widened if c.biases in ("all", "feed_forward") else ())
    yield from _norm_rows(c, block, "norm_2")


def _output(c: ModelConfig):
    d = ("d_model", c.d_model)
    if c.final_norm:
        yield from _norm_rows(c, "output", "final_norm")
    if c.pooler:
        yield from _matrices("output", "pooler", {"pooler": (d, d)}, ("pooler",) if c.biases == "all" else ())
    if not c.tied:
        yield _row("output", "output head", "W_LM_head", d, ("vocab_size", c.vocab_size))


def _matrices(block, part, matrices, biased):
    """A row for each matrix, and one for its bias where its name is among `biased`; several experts in one row."""
    for name, axes in matrices.items():
        yield _row(block, f"{part} matrices", f"W_{name}", *axes)
        if name in biased:
            yield _row(block, f"{part} biases", f"b_{name}", *axes[:-2], axes[-1])


def _norm_rows(c: ModelConfig, block: str, name: str, width: tuple[str, int] | None = None):
    for vector in ("gamma", "beta") if c.norm == "layer_norm" else ("gamma",):
        yield _row(block, "norms", f"{name}.{vector}", width or ("d_model", c.d_model))

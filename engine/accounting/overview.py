"""One model's whole account: parameters, the FLOPs a token costs, and memory."""

from typing import Any, NamedTuple

import numpy as np

from engine.accounting.config import ModelConfig, contexts_of
from engine.accounting.flops import FlopsSweep, forward_flops_per_token, sweep_context, training_flops_per_token
from engine.accounting.gpus import GIB, Gpu, cards_needed
from engine.accounting.inference import inference_memory, kv_cache_sweep
from engine.accounting.memory import PRECISIONS, activation_bytes_per_layer, training_memory
from engine.accounting.parameters import (
    FoldedRow,
    active_parameters,
    count_parameters,
    folded_table,
    multiplying_parameters,
    parameters_by_part,
)


class AccountTrace(NamedTuple):
    """One model's whole account; what is in FLOPs is for one token, what is in memory in bytes."""

    rows: tuple[FoldedRow, ...]
    blocks: dict[str, int]  # parameters of the embedding, the layers, the output
    parts: dict[str, int]  # parameters by kind
    parameters: int
    active: int  # those one token meets: fewer with experts
    multiplying: int  # those every token is multiplied with, N
    forward: dict[str, int | float]
    forward_total: int | float
    training_total: int | float
    sweep: FlopsSweep
    memory: dict[str, int]
    memory_share: tuple[float, ...]  # of memory_total
    memory_total: int
    memory_gib: float
    layer_activations: int  # what one layer keeps for its way back
    gpus: tuple[Gpu, ...]
    kv_cache: int
    kv_sweep: dict[int, np.ndarray]  # of one sequence, against contexts
    inference: dict[str, int]  # weights and KV cache, while it writes
    inference_total: int
    inference_gpus: tuple[Gpu, ...]

    @property
    def layer_activations_as_numbers(self) -> int:
        """What a layer would keep if the bytes of `layer_activations` were numbers of 4 bytes each: a common slip."""
        return 4 * self.layer_activations


def account(
    config: ModelConfig,
    *,
    sequence: int,
    batch: int,
    precision: str,
    optimizer: str,
    checkpointing: str,
    contexts,
    scores: str = "fused",
) -> AccountTrace:
    """Parameters, FLOPs and memory of a model that trains on batch sequences, or keeps the cache of as many.

    While it writes, a weight and a cached key or value have the width of `precision`. Shapes: contexts (n,) whole
    numbers, for both sweeps.
    Raises ValueError as `training_memory`.

    >>> from engine.accounting import PRESETS
    >>> settings = {"sequence": 1024, "batch": 1, "precision": "mixed", "optimizer": "adam", "checkpointing": "none"}
    >>> trace = account(PRESETS["gpt2"], **settings, contexts=[1024])
    >>> trace.parameters, trace.memory_total, trace.kv_cache
    (124439808, 2521686016, 37748736)
    """
    contexts = contexts_of(contexts)
    size: dict[str, Any] = {"precision": precision, "batch": batch, "sequence": sequence, "scores": scores}
    memory = training_memory(config, optimizer=optimizer, checkpointing=checkpointing, **size)
    layer = activation_bytes_per_layer(config, **size)
    rows, total, width = folded_table(config), sum(memory.values()), PRECISIONS[precision]
    forward = forward_flops_per_token(config, sequence)
    writing = inference_memory(config, sequence, batch=batch, bytes_per_weight=width, bytes_per_value=width)
    blocks = {
        row.block: sum(r.total for r in rows if r.row.block == row.block) for row in (folded.row for folded in rows)
    }
    return AccountTrace(
        rows=rows,
        blocks=blocks,
        parts=parameters_by_part(config),
        parameters=count_parameters(config),
        active=active_parameters(config),
        multiplying=sum(multiplying_parameters(config).values()),
        forward=forward,
        forward_total=sum(forward.values()),
        training_total=sum(training_flops_per_token(config, sequence).values()),
        sweep=sweep_context(config, contexts),
        memory=memory,
        memory_share=tuple(part / total for part in memory.values()),
        memory_total=total,
        memory_gib=total / GIB,
        layer_activations=sum(layer.values()),
        gpus=cards_needed(total),
        kv_cache=writing["KV cache"],
        kv_sweep=kv_cache_sweep(config, contexts, bytes_per_value=width),
        inference=writing,
        inference_total=sum(writing.values()),
        inference_gpus=cards_needed(sum(writing.values())),
    )

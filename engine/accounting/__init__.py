"""A model's size from its dials: parameters, the FLOPs a token costs, and memory.

Read config, presets, parameters, flops, memory, inference, gpus, scale; overview puts them into one account.
"""

from engine.accounting.config import BIASES, NORMS, POSITIONS, ModelConfig, dials_of, llama_ffn_width
from engine.accounting.flops import (
    FlopsSweep,
    flops_conventions,
    forward_flops_per_token,
    sweep_context,
    training_flops_per_token,
)
from engine.accounting.gpus import GIB, GPU_MEMORY, GPU_MIB, Gpu, cards_needed
from engine.accounting.inference import inference_memory, kv_cache_bytes, kv_cache_sweep
from engine.accounting.memory import (
    ADAM_BYTES,
    CHECKPOINTING,
    OPTIMIZER_STATES,
    PRECISIONS,
    SCORES,
    STATE_WIDTHS,
    activation_bytes_per_layer,
    memory_conventions,
    training_memory,
)
from engine.accounting.overview import AccountTrace, account
from engine.accounting.parameters import (
    Convention,
    FoldedRow,
    ParameterRow,
    active_parameters,
    config_of,
    count_parameters,
    folded_table,
    multiplying_parameters,
    parameter_conventions,
    parameter_table,
    parameters_by_part,
)
from engine.accounting.presets import PRESETS
from engine.accounting.scale import SHARDED, Budget, sharded_memory, training_budget

__all__ = [
    "ADAM_BYTES",
    "AccountTrace",
    "BIASES",
    "Budget",
    "CHECKPOINTING",
    "Convention",
    "FlopsSweep",
    "FoldedRow",
    "GIB",
    "GPU_MEMORY",
    "GPU_MIB",
    "Gpu",
    "ModelConfig",
    "NORMS",
    "OPTIMIZER_STATES",
    "POSITIONS",
    "PRECISIONS",
    "PRESETS",
    "SCORES",
    "SHARDED",
    "STATE_WIDTHS",
    "ParameterRow",
    "account",
    "active_parameters",
    "activation_bytes_per_layer",
    "cards_needed",
    "config_of",
    "count_parameters",
    "dials_of",
    "flops_conventions",
    "folded_table",
    "forward_flops_per_token",
    "inference_memory",
    "kv_cache_bytes",
    "kv_cache_sweep",
    "llama_ffn_width",
    "memory_conventions",
    "multiplying_parameters",
    "parameter_conventions",
    "parameter_table",
    "parameters_by_part",
    "sharded_memory",
    "sweep_context",
    "training_budget",
    "training_flops_per_token",
    "training_memory",
]

"""Frozen position values: python tests/reference/make_positions.py.

First pip install torch==2.13.0 transformers==5.24.0.
"""

import torch
import transformers
from store import store
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS
from transformers.models.bloom.modeling_bloom import build_alibi_tensor
from transformers.models.gpt_neox import modeling_gpt_neox as neox
from transformers.models.gptj import modeling_gptj as gptj
from transformers.models.llama import modeling_llama as llama
from transformers.models.m2m_100.modeling_m2m_100 import M2M100SinusoidalPositionalEmbedding

torch.manual_seed(0)
rope = []
for n, d, base in [(1, 2, 10_000.0), (5, 4, 10_000.0), (6, 8, 500_000.0)]:
    x = torch.randn(n, d, dtype=torch.float64)
    positions = torch.randint(0, 200, (n,))
    angles = positions[:, None] * base ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)  # (n, d / 2)
    whole = torch.cat([angles, angles], -1)[None]  # (1, n, d), as LlamaRotaryEmbedding lays them out
    halves, _ = llama.apply_rotary_pos_emb(x[None, None], x[None, None], whole.cos(), whole.sin())
    pairs = gptj.apply_rotary_pos_emb(x[None, :, None], angles.sin()[None], angles.cos()[None])
    rope.append(
        {"x": x, "positions": positions, "base": base, "halves": halves[0, 0], "pairs": pairs[0, :, 0]},
    )

# GPT-NeoX turns the first quarter of a head, GPT-J the first rotary_dim numbers; the code that splits stands in their
# attention, so the split is made here and the turning is theirs.
partial = []
for d, rotary in [(8, 2), (8, 4), (12, 6)]:
    x, positions = torch.randn(5, d, dtype=torch.float64), torch.randint(0, 200, (5,))
    angles = positions[:, None] * 10_000.0 ** (-torch.arange(0, rotary, 2, dtype=torch.float64) / rotary)
    whole = torch.cat([angles, angles], -1)[None]
    halves, _ = neox.apply_rotary_pos_emb(x[None, None], x[None, None], whole.cos(), whole.sin())
    pairs = gptj.apply_rotary_pos_emb(x[None, :, None, :rotary], angles.sin()[None], angles.cos()[None])
    pairs = torch.cat([pairs[0, :, 0], x[:, rotary:]], -1)
    partial.append({"x": x, "positions": positions, "rotary_dim": rotary, "halves": halves[0, 0], "pairs": pairs})


def frequencies(kind, factor, length=None):
    """The angles per position of a scaled RoPE of transformers, head width 16, float32."""
    parameters = {"rope_type": kind, "factor": factor, "rope_theta": 10_000.0}
    config = transformers.LlamaConfig(hidden_size=64, num_attention_heads=4, max_position_embeddings=100)
    config.rope_parameters = parameters
    return ROPE_INIT_FUNCTIONS[kind](config, "cpu", seq_len=length)[0]


scaled = {
    "linear": {factor: frequencies("linear", float(factor)) for factor in (1, 2, 8)},
    "ntk": {factor: frequencies("dynamic", 1.0, 100 * factor) for factor in (1, 2, 8)},  # at `factor` times the context
}
alibi = {n: build_alibi_tensor(torch.ones(1, 2), n, torch.float32)[:, 0, 1] for n in range(1, 21)}
table = gptj.create_sinusoidal_positions(12, 8)  # float32, all sines before all cosines
# fairseq's table, as M2M100 in transformers has taken it over, float32.
fairseq = {d: M2M100SinusoidalPositionalEmbedding.get_embedding(31, d) for d in (4, 5, 16, 32)}
versions = {"torch": torch.__version__, "transformers": transformers.__version__}
store(
    "positions",
    versions
    | {
        "rope": rope,
        "partial": partial,
        "scaled": scaled,
        "fairseq": fairseq,
        "alibi_slopes": alibi,
        "sinusoidal_halves": table,
    },
)

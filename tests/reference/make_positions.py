"""Frozen position values: python tests/reference/make_positions.py.

First pip install torch==2.13.0 transformers==5.24.0.
"""

import torch
import transformers
from store import store
from transformers.models.bloom.modeling_bloom import build_alibi_tensor
from transformers.models.gptj import modeling_gptj as gptj
from transformers.models.llama import modeling_llama as llama

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

alibi = {n: build_alibi_tensor(torch.ones(1, 2), n, torch.float32)[:, 0, 1] for n in range(1, 21)}
table = gptj.create_sinusoidal_positions(12, 8)  # float32, all sines before all cosines
versions = {"torch": torch.__version__, "transformers": transformers.__version__}
store("positions", versions | {"rope": rope, "alibi_slopes": alibi, "sinusoidal_halves": table})

"""Frozen attention of PyTorch: python tests/reference/make_attention.py.

First pip install torch==2.13.0 transformers==5.24.0.
"""

import torch
from store import store
from torch.nn.functional import scaled_dot_product_attention
from transformers.masking_utils import and_masks, causal_mask_function, sliding_window_overlay

torch.manual_seed(0)
torch.set_default_dtype(torch.float64)


def single(n_q, n_k, d_k, d_v, *, mask=None, bias=None, scale=None):
    q, k, v = torch.randn(n_q, d_k), torch.randn(n_k, d_k), torch.randn(n_k, d_v)
    both = mask if bias is None else bias if mask is None else bias.masked_fill(~mask, -torch.inf)
    one = torch.eye(n_k)
    weights = scaled_dot_product_attention(q[None], k[None], one[None], attn_mask=both, scale=scale)[0]
    out = scaled_dot_product_attention(q[None], k[None], v[None], attn_mask=both, scale=scale)[0]
    return {"q": q, "k": k, "v": v, "mask": mask, "bias": bias, "scale": scale, "weights": weights, "out": out}


def several(n, d_model, n_heads, mask):
    layer = torch.nn.MultiheadAttention(d_model, n_heads, bias=False, batch_first=True)
    x = torch.randn(n, d_model)
    blocked = None if mask is None else ~mask
    out, weights = layer(x[None], x[None], x[None], attn_mask=blocked, average_attn_weights=False)
    W_Q, W_K, W_V = (W.T for W in layer.in_proj_weight.detach().chunk(3))
    W_O = layer.out_proj.weight.detach().T
    matrices = {"W_Q": W_Q, "W_K": W_K, "W_V": W_V, "W_O": W_O}
    return {
        "x": x,
        **matrices,
        "n_heads": n_heads,
        "mask": mask,
        "weights": weights[0].detach(),
        "out": out[0].detach(),
    }


def grouped(n, d_model, n_heads, n_kv_heads):
    x, W_Q, W_O = torch.randn(n, d_model), torch.randn(d_model, d_model), torch.randn(d_model, d_model)
    d_k = d_model // n_heads
    W_K, W_V = torch.randn(2, d_model, n_kv_heads * d_k)
    q, k, v = ((x @ W).reshape(n, -1, d_k).transpose(0, 1)[None] for W in (W_Q, W_K, W_V))
    mixed = scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)[0].transpose(0, 1).reshape(n, -1)
    matrices = {"W_Q": W_Q, "W_K": W_K, "W_V": W_V, "W_O": W_O}
    return {"x": x, **matrices, "n_heads": n_heads, "n_kv_heads": n_kv_heads, "out": mixed @ W_O}


def is_causal(n_q, n_k):
    """Which keys take part when scaled_dot_product_attention is told is_causal."""
    q, k = torch.zeros(1, n_q, 2), torch.zeros(1, n_k, 2)
    return scaled_dot_product_attention(q, k, torch.eye(n_k)[None], is_causal=True)[0] > 0


def in_window(n, window):
    """The mask of transformers for a sliding window."""
    seen = and_masks(causal_mask_function, sliding_window_overlay(window))
    return [[bool(seen(0, 0, torch.tensor(i), torch.tensor(j))) for j in range(n)] for i in range(n)]


causal = torch.ones(6, 6).tril().bool()
late = torch.ones(3, 5).tril(2).bool()
holes = torch.rand(5, 4) > 0.4
holes[2] = False
store(
    "attention",
    {
        "torch": torch.__version__,
        "single": [
            single(6, 6, 4, 4),
            single(6, 6, 4, 4, mask=causal),
            single(3, 5, 2, 3, mask=late),
            single(5, 4, 3, 2, mask=holes),
            single(4, 4, 3, 3, bias=torch.randn(4, 4), mask=causal[:4, :4]),
            single(4, 4, 16, 2, scale=1.0),
        ],
        "grouped": [grouped(5, 8, 4, 2), grouped(4, 12, 6, 3), grouped(3, 8, 4, 1)],
        "is_causal": [{"shape": shape, "mask": is_causal(*shape)} for shape in [(2, 4), (3, 5), (4, 4)]],
        "window": [{"n": n, "window": window, "mask": in_window(n, window)} for n, window in [(6, 3), (5, 1), (4, 9)]],
        "several": [several(6, 8, h, m) for h, m in [(1, None), (2, causal), (4, None), (8, causal)]],
    },
)

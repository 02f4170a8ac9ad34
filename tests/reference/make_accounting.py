"""Parameter counts of transformers, models built empty from the published sizes, nothing downloaded.

pip install torch==2.13.0 transformers==5.24.0, then python tests/reference/make_accounting.py.
"""

import torch
import transformers as hf
from store import store


def gpt2(d_model, n_layers, n_heads):
    return hf.GPT2LMHeadModel, hf.GPT2Config(n_embd=d_model, n_layer=n_layers, n_head=n_heads)


def bert(d_model, n_layers, n_heads):
    sizes = {"num_hidden_layers": n_layers, "num_attention_heads": n_heads, "intermediate_size": 4 * d_model}
    return hf.BertModel, hf.BertConfig(vocab_size=30522, hidden_size=d_model, max_position_embeddings=512, **sizes)


def llama(vocab, d_model, n_layers, n_heads, n_kv_heads, d_ff, *, kind="Llama", **more):
    config = getattr(hf, f"{kind}Config")(
        vocab_size=vocab,
        hidden_size=d_model,
        num_hidden_layers=n_layers,
        num_attention_heads=n_heads,
        num_key_value_heads=n_kv_heads,
        intermediate_size=d_ff,
        **more,
    )
    return getattr(hf, f"{kind}ForCausalLM"), config


MODELS = {
    "gpt2": gpt2(768, 12, 12),
    "gpt2-medium": gpt2(1024, 24, 16),
    "gpt2-large": gpt2(1280, 36, 20),
    "gpt2-xl": gpt2(1600, 48, 25),
    "distilgpt2": gpt2(768, 6, 12),
    "bert-base": bert(768, 12, 12),
    "bert-large": bert(1024, 24, 16),
    "distilbert-base": (hf.DistilBertModel, hf.DistilBertConfig(vocab_size=30522)),
    "llama-2-7b": llama(32000, 4096, 32, 32, 32, 11008),
    "llama-2-13b": llama(32000, 5120, 40, 40, 40, 13824),
    "llama-2-70b": llama(32000, 8192, 80, 64, 8, 28672),
    "llama-3-8b": llama(128256, 4096, 32, 32, 8, 14336),
    "llama-3-70b": llama(128256, 8192, 80, 64, 8, 28672),
    "llama-3.2-1b": llama(128256, 2048, 16, 32, 8, 8192, tie_word_embeddings=True),
    "mistral-7b": llama(32000, 4096, 32, 32, 8, 14336, kind="Mistral"),
    "mistral-7b-v0.1": llama(32000, 4096, 32, 32, 8, 14336, kind="Mistral", sliding_window=4096),
    "mixtral-8x7b": llama(32000, 4096, 32, 32, 8, 14336, kind="Mixtral", num_local_experts=8, num_experts_per_tok=2),
    "qwen2.5-0.5b": llama(151936, 896, 24, 14, 2, 4864, kind="Qwen2", tie_word_embeddings=True),
    "qwen3-4b": llama(151936, 2560, 36, 32, 8, 9728, kind="Qwen3", head_dim=128, tie_word_embeddings=True),
    "tinyllama-1.1b": llama(32000, 2048, 22, 32, 4, 5632),
    "smollm-135m": llama(49152, 576, 30, 9, 3, 1536, tie_word_embeddings=True),
    "gemma-7b": llama(256000, 3072, 28, 16, 16, 24576, kind="Gemma", head_dim=256, tie_word_embeddings=True),
    "pythia-160m": (
        hf.GPTNeoXForCausalLM,
        hf.GPTNeoXConfig(
            vocab_size=50304, hidden_size=768, num_hidden_layers=12, num_attention_heads=12, intermediate_size=3072
        ),
    ),
    "bloom-560m": (hf.BloomForCausalLM, hf.BloomConfig(vocab_size=250880, hidden_size=1024, n_layer=24, n_head=16)),
}

counts = {}
for name, (kind, config) in MODELS.items():
    with torch.device("meta"):
        model = kind(config)
    model.tie_weights()
    counts[name] = sum(parameter.numel() for parameter in model.parameters())

# The keys and values that a cache of transformers holds after 20 tokens: a window keeps no more than its own (less the
# token at work), an encoder has no cache.
cached = {}
for window in (None, 8):
    config = hf.MistralConfig(
        vocab_size=10,
        hidden_size=8,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        intermediate_size=8,
        sliding_window=window,
    )
    model = hf.MistralForCausalLM(config).eval()
    cache = None
    for token in range(20):
        cache = model(torch.tensor([[token % 10]]), past_key_values=cache, use_cache=True).past_key_values
    cached[str(window)] = [list(layer.keys.shape) for layer in cache.layers]
store("accounting", {"transformers": hf.__version__, "counts": counts, "cached": cached})

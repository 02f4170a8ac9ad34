"""Where published models set the dials."""

from dataclasses import replace

from engine.accounting.config import ModelConfig


def _gpt2(d_model: int, n_layers: int, n_heads: int) -> ModelConfig:
    return ModelConfig(
        vocab_size=50_257, d_model=d_model, n_layers=n_layers, n_heads=n_heads, d_ff=4 * d_model, context=1_024
    )


def _bert(d_model: int, n_layers: int, n_heads: int) -> ModelConfig:
    return ModelConfig(
        vocab_size=30_522,
        d_model=d_model,
        n_layers=n_layers,
        n_heads=n_heads,
        d_ff=4 * d_model,
        context=512,
        final_norm=False,
        embedding_norm=True,
        token_types=2,
        pooler=True,
        encoder=True,
    )


def _llama(
    vocab_size: int,
    d_model: int,
    n_layers: int,
    n_heads: int,
    n_kv_heads: int,
    d_ff: int,
    context: int,
    *,
    tied: bool = False,
) -> ModelConfig:
    return ModelConfig(
        vocab_size=vocab_size,
        d_model=d_model,
        n_layers=n_layers,
        n_heads=n_heads,
        n_kv_heads=n_kv_heads,
        d_ff=d_ff,
        context=context,
        gated=True,
        biases="none",
        norm="rms_norm",
        positions="rope",
        tied=tied,
    )


PRESETS: dict[str, ModelConfig] = {  # each model's published config.json; tests hold the counts of transformers
    "gpt2": _gpt2(768, 12, 12),
    "gpt2-medium": _gpt2(1_024, 24, 16),
    "gpt2-large": _gpt2(1_280, 36, 20),
    "gpt2-xl": _gpt2(1_600, 48, 25),
    "distilgpt2": _gpt2(768, 6, 12),
    "bert-base": _bert(768, 12, 12),
    "bert-large": _bert(1_024, 24, 16),
    "distilbert-base": replace(_bert(768, 6, 12), token_types=0, pooler=False),
    "llama-2-7b": _llama(32_000, 4_096, 32, 32, 32, 11_008, 4_096),
    "llama-2-13b": _llama(32_000, 5_120, 40, 40, 40, 13_824, 4_096),
    "llama-2-70b": _llama(32_000, 8_192, 80, 64, 8, 28_672, 4_096),
    "llama-3-8b": _llama(128_256, 4_096, 32, 32, 8, 14_336, 8_192),
    "llama-3-70b": _llama(128_256, 8_192, 80, 64, 8, 28_672, 8_192),
    "llama-3.2-1b": _llama(128_256, 2_048, 16, 32, 8, 8_192, 131_072, tied=True),
    "mistral-7b": _llama(32_000, 4_096, 32, 32, 8, 14_336, 32_768),
    "mistral-7b-v0.1": replace(_llama(32_000, 4_096, 32, 32, 8, 14_336, 32_768), window=4_096),
    "mixtral-8x7b": replace(_llama(32_000, 4_096, 32, 32, 8, 14_336, 32_768), n_experts=8, n_active_experts=2),
    "qwen2.5-0.5b": replace(_llama(151_936, 896, 24, 14, 2, 4_864, 32_768, tied=True), biases="qkv"),
    "qwen3-4b": replace(_llama(151_936, 2_560, 36, 32, 8, 9_728, 40_960, tied=True), head_dim=128, qk_norm=True),
    "tinyllama-1.1b": _llama(32_000, 2_048, 22, 32, 4, 5_632, 2_048),
    "smollm-135m": _llama(49_152, 576, 30, 9, 3, 1_536, 2_048, tied=True),
    "gemma-7b": replace(_llama(256_000, 3_072, 28, 16, 16, 24_576, 8_192, tied=True), head_dim=256),
    "pythia-160m": ModelConfig(
        vocab_size=50_304,
        d_model=768,
        n_layers=12,
        n_heads=12,
        d_ff=3_072,
        context=2_048,
        positions="rope",
        tied=False,
    ),
    "bloom-560m": ModelConfig(
        vocab_size=250_880,
        d_model=1_024,
        n_layers=24,
        n_heads=16,
        d_ff=4_096,
        context=2_048,
        embedding_norm=True,
        positions="alibi",
    ),
}

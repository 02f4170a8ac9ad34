import numpy as np
import pytest

from engine.accounting import config_of
from engine.flops import forward_flops_per_token, sweep_context
from engine.presets import PRESETS
from engine.weights import load_weights

GPT2, BERT, LLAMA = PRESETS["gpt2"], PRESETS["bert-base"], PRESETS["llama-2-7b"]


@pytest.mark.parametrize("config", [GPT2, BERT, LLAMA, config_of(load_weights())])
def test_a_sweep_is_the_tokens_cost_at_each_length(config):
    sweep = sweep_context(config, [1, 7, 4096])
    for i, context in enumerate([1, 7, 4096]):
        forward = forward_flops_per_token(config, context)
        assert sweep.total[i] == pytest.approx(sum(forward.values()), rel=1e-15)
        attention = forward["scores q·k"] + forward["weights × values"]
        assert sweep.parts["scores and mixing"][i] == attention
        assert sweep.attention_share[i] == pytest.approx(attention / sum(forward.values()), rel=1e-15)
    assert np.sum(list(sweep.parts.values()), axis=0) == pytest.approx(sweep.total, rel=1e-15)


def test_scores_cost_half_at_the_crossing():
    assert sweep_context(LLAMA, [25_204]).attention_share == pytest.approx(0.5, abs=1e-4)
    assert round(sweep_context(LLAMA, [1]).crossing) == 25_204
    assert sweep_context(GPT2, [6702]).attention_share == pytest.approx(0.5, abs=1e-4)
    assert sweep_context(BERT, [100_000]).parts["pooler"] == 2 * 768**2 / 100_000


def test_lengths_must_be_whole():
    with pytest.raises(ValueError, match="context"):
        sweep_context(GPT2, [0])

import pytest

from engine.accounting import PRESETS, sharded_memory, training_budget, training_memory

SETTINGS = {"precision": "mixed", "optimizer": "adam", "batch": 1, "sequence": 1024, "checkpointing": "none"}


def test_zero_cuts_what_its_table_says():  # Rajbhandari et al. 2020, figure 1: 7.5 B parameters on 64 cards
    n = 7_500_000_000
    state = {"weights": 2 * n, "gradients": 2 * n, "master weights": 4 * n, "optimizer": 8 * n}
    held = sharded_memory(state, 64)
    assert [round(one / 1e9, 1) for one in held.values()] == [120.0, 31.4, 16.6, 1.9]


def test_one_card_holds_everything_and_activations_are_never_cut():
    memory = training_memory(PRESETS["gpt2"], **SETTINGS)
    assert set(sharded_memory(memory, 1).values()) == {sum(memory.values())}
    least = sharded_memory(memory, 10**6)["ZeRO 3"]
    assert least >= memory["activations"] + memory["embedding and logits"]


@pytest.mark.parametrize("n", [0, -1, 1.5, "8", 10**7])
def test_refuses_what_is_no_number_of_cards(n):
    with pytest.raises(ValueError, match="n_cards"):
        sharded_memory({"weights": 1}, n)


def test_a_training_is_its_tokens_times_the_flops_of_one():
    budget = training_budget(PRESETS["gpt2"], 1024)
    assert budget.tokens == 20 * 124_439_808
    assert budget.flops == budget.tokens * 854_438_400
    assert budget.days == pytest.approx(budget.flops / 4e14 / 86_400)
    assert training_budget(PRESETS["mixtral-8x7b"], 1024).tokens == 20 * 12_879_925_248
    assert training_budget(PRESETS["gpt2"], 1024, tokens_per_parameter=200).tokens == 10 * budget.tokens
    for wrong in ({"tokens_per_parameter": 0}, {"flops_per_second": 0}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            training_budget(PRESETS["gpt2"], 1024, **wrong)

import pytest

from engine.accounting import GIB, GPU_MEMORY, GPU_MIB, cards_needed


def test_memory_is_what_the_driver_reports():  # modal-labs/modal-client#2797, ROCm/ROCm#4750
    in_gib = {name: round(gib, 1) for name, gib in GPU_MEMORY.items()}
    assert (in_gib["T4 16 GB"], in_gib["L40S 48 GB"], in_gib["H100 80 GB"]) == (15.0, 45.0, 79.6)
    assert (in_gib["A100 80 GB"], in_gib["H200 141 GB"], in_gib["MI300X 192 GB"]) == (80.0, 140.4, 192.0)
    assert list(GPU_MIB.values()) == sorted(GPU_MIB.values())


def test_a_card_that_seems_to_hold_it():
    needed = {gpu.name: gpu.cards for gpu in cards_needed(round(15.08 * GIB))}
    assert (needed["T4 16 GB"], needed["RTX 4090 24 GB"]) == (2, 1)
    assert {gpu.name: gpu.cards for gpu in cards_needed(round(45.7 * GIB))}["L40S 48 GB"] == 2


def test_cards_needed():
    assert {gpu.cards for gpu in cards_needed(0)} == {1}
    exactly = {gpu.name: gpu.cards for gpu in cards_needed(80 * GIB)}
    assert (exactly["A100 80 GB"], exactly["A100 40 GB"], exactly["H100 80 GB"]) == (1, 2, 2)
    assert {gpu.name: gpu.cards for gpu in cards_needed(80 * GIB + 1)}["A100 80 GB"] == 2
    with pytest.raises(ValueError, match="n_bytes"):
        cards_needed(1.5)

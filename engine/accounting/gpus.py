"""The memory of common graphics cards, and how many of them hold a number of bytes."""

from typing import NamedTuple

from engine import checks

GIB = 2**30
# The name with the size on the vendor's data sheet, and the MiB of which nvidia-smi (rocm-smi) reports a total; what
# the driver keeps for itself is part of that.
GPU_MIB: dict[str, int] = {
    "RTX 3060 12 GB": 12_288,
    "T4 16 GB": 15_360,
    "RTX 4090 24 GB": 24_564,
    "V100 32 GB": 32_768,  # from memory: older drivers report less
    "A100 40 GB": 40_960,
    "L40S 48 GB": 46_068,
    "H100 80 GB": 81_559,
    "A100 80 GB": 81_920,
    "H200 141 GB": 143_771,
    "MI300X 192 GB": 196_592,
}
GPU_MEMORY = {name: mib / 1024 for name, mib in GPU_MIB.items()}  # GiB


class Gpu(NamedTuple):
    """A graphics card, its memory in GiB, and how many of them a number of bytes takes at the least."""

    name: str
    gib: float
    cards: int  # 1: one card holds it


def cards_needed(n_bytes: int) -> tuple[Gpu, ...]:
    """How many of each common GPU hold n_bytes, if these could be cut evenly: ⌈n_bytes / memory⌉, at least 1.

    More in practice: whatever is not cut is held by every card. n_bytes from 0 to 10⁵⁰, else ValueError.

    >>> [(gpu.name, gpu.cards) for gpu in cards_needed(100 * GIB)][-3:]
    [('A100 80 GB', 2), ('H200 141 GB', 1), ('MI300X 192 GB', 1)]
    """
    n_bytes = checks.integer("n_bytes", n_bytes, 0, 10**50)
    return tuple(Gpu(name, mib / 1024, max(1, -(-n_bytes // (mib * 2**20)))) for name, mib in GPU_MIB.items())

"""Training at scale: what each of several cards holds, and what a whole training costs."""

from math import ceil
from typing import NamedTuple

from engine import checks
from engine.accounting.config import ModelConfig
from engine.accounting.flops import training_flops_per_token
from engine.accounting.parameters import active_parameters

SHARDED = {  # what is cut into as many parts as there are cards (Rajbhandari et al. 2020, ZeRO, §5)
    "DDP": (),
    "ZeRO 1": ("master weights", "optimizer"),
    "ZeRO 2": ("master weights", "optimizer", "gradients"),
    "ZeRO 3": ("master weights", "optimizer", "gradients", "weights"),
}


class Budget(NamedTuple):
    """What a whole training costs: the tokens it reads, its FLOPs, and the days of one card at a given speed."""

    tokens: int
    flops: int | float
    days: float


def sharded_memory(memory: dict[str, int], n_cards: int) -> dict[str, int]:
    """What each of n_cards holds of a training step, in bytes, by how its state is shared; each has a batch of its own.

    "DDP" keeps a copy of everything on every card (PyTorch's DistributedDataParallel); ZeRO cuts the optimizer's state
    and the master weights (stage 1), the gradients too (stage 2), the weights too (stage 3, PyTorch's FSDP).
    Activations belong to a card's own batch and are not cut. memory as from `training_memory`, n_cards 1 … 10⁶, else
    ValueError.

    >>> sharded_memory({"weights": 8, "gradients": 8, "master weights": 16, "optimizer": 32, "activations": 5}, 8)
    {'DDP': 69, 'ZeRO 1': 27, 'ZeRO 2': 20, 'ZeRO 3': 13}
    """
    n_cards = checks.integer("n_cards", n_cards, 1, 10**6)
    checks.instance("memory", memory, dict, "a dict of bytes by part, as training_memory gives it")
    memory = {part: checks.integer(f"memory[{checks.shown(part)}]", n, 0, 10**50) for part, n in memory.items()}
    return {
        way: sum(-(-held // n_cards) if part in cut else held for part, held in memory.items())
        for way, cut in SHARDED.items()
    }


def training_budget(
    config: ModelConfig, context: int, *, tokens_per_parameter: float = 20, flops_per_second: float = 4e14
) -> Budget:
    """A whole training by the rule of thumb of 20 tokens a parameter (Hoffmann et al. 2022, "Chinchilla", table 3).

    The tokens times the FLOPs of learning from one; of several experts the active parameters count. 4·10¹⁴ FLOPs a
    second is what an H100 reaches at 40 % of its 9.89·10¹⁴ in 16 bit. context as in `training_flops_per_token`,
    tokens_per_parameter in (0, 10¹²], flops_per_second from 1 to 10³⁰, else ValueError.

    >>> from engine.accounting import PRESETS
    >>> budget = training_budget(PRESETS["llama-2-7b"], 4096)
    >>> budget.tokens, round(budget.days)
    (134768312320, 180)
    """
    each = checks.number("tokens_per_parameter", tokens_per_parameter, 0, 1e12, open_low=True)
    speed = checks.number("flops_per_second", flops_per_second, 1, 1e30)
    tokens = ceil(each * active_parameters(config))
    flops = tokens * sum(training_flops_per_token(config, context).values())
    return Budget(tokens, flops, flops / speed / 86_400)

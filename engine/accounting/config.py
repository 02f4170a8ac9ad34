"""A model's size in its dials."""

from dataclasses import dataclass
from math import ceil
from typing import cast

from engine import checks

BIASES = ("all", "qkv", "feed_forward", "none")
NORMS = ("layer_norm", "rms_norm")
POSITIONS = ("learned", "sinusoidal", "rope", "alibi")
LARGEST_SIZE = 10**9  # of any size: a slip of the keyboard, not a model


@dataclass(frozen=True, kw_only=True)
class ModelConfig:
    """Everything that decides how many parameters a transformer has and what it costs; the defaults are GPT-2's kind.

    vocab_size, d_model, n_layers (1 … 1,000), n_heads, d_ff, context: sizes, whole numbers from 1 to 10⁹;
    n_kv_heads: heads that keep keys and values, n_heads where None, which must be a multiple of it (1: multi-query);
    head_dim: width of one head, d_model / n_heads where None (replace(config, d_model=…, head_dim=None) divides anew);
    gated: a third feed-forward matrix, W_gate;
    biases: "all" matrices of the layers, those of W_Q, W_K and W_V ("qkv", as in Qwen2.5), those of the "feed_forward"
    only, or "none";
    norm: "layer_norm" (γ and β) or "rms_norm" (γ); two a layer, one more with final_norm, one with embedding_norm;
    positions: "learned" has a table of context rows, "sinusoidal", "rope" and "alibi" have no parameters;
    token_types: rows of the segment table (2 in BERT, 0 for none); pooler: a dense layer over the first token;
    tied: the output head is the token table again, or there is no head (`has_head`);
    qk_norm: a norm over the head_dim numbers of each query and each key, shared by the heads (Qwen3);
    n_experts, n_active_experts: feed-forward networks side by side in each layer, and how many of them a token goes
    through, chosen by a router (d_model, n_experts); 1 is a dense model without a router (Shazeer et al. 2017);
    window: a token attends to that many tokens at most, itself included (Child et al. 2019; Mistral 7B); None for all;
    encoder: attention looks both ways, so that nothing is written token by token, no cache is kept, and a tied head is
    no head (BERT).
    Raises ValueError for anything else, and for d_model not divisible by n_heads where head_dim is None.

    >>> ModelConfig(vocab_size=50_257, d_model=768, n_layers=12, n_heads=12, d_ff=3_072, context=1_024).head_dim
    64
    """

    vocab_size: int
    d_model: int
    n_layers: int
    n_heads: int
    n_kv_heads: int = cast(int, None)  # None only until it is filled in below
    d_ff: int
    context: int
    head_dim: int = cast(int, None)  # None only until it is filled in below
    gated: bool = False
    biases: str = "all"
    norm: str = "layer_norm"
    final_norm: bool = True
    embedding_norm: bool = False
    positions: str = "learned"
    token_types: int = 0
    pooler: bool = False
    tied: bool = True
    qk_norm: bool = False
    n_experts: int = 1
    n_active_experts: int = 1
    window: int | None = None
    encoder: bool = False

    def __post_init__(self):
        for name in ("vocab_size", "d_model", "n_heads", "d_ff", "context"):
            self._set(name, checks.integer(name, getattr(self, name), 1, LARGEST_SIZE))
        self._set("n_layers", checks.integer("n_layers", self.n_layers, 1, 1_000))
        self._set("token_types", checks.integer("token_types", self.token_types, 0, LARGEST_SIZE))
        kv_heads = self.n_heads if self.n_kv_heads is None else self.n_kv_heads
        self._set("n_kv_heads", checks.integer("n_kv_heads", kv_heads, 1, self.n_heads))
        if self.n_heads % self.n_kv_heads:
            raise ValueError(f"n_heads must be a multiple of n_kv_heads; got {self.n_heads} and {self.n_kv_heads}")
        self._set("head_dim", checks.integer("head_dim", self._head_dim(), 1, LARGEST_SIZE))
        self._set("n_experts", checks.integer("n_experts", self.n_experts, 1, 10_000))
        active = checks.integer("n_active_experts", self.n_active_experts, 1, self.n_experts)
        self._set("n_active_experts", active)
        if self.window is not None:
            self._set("window", checks.integer("window", self.window, 1, LARGEST_SIZE))
        for name, known in (("biases", BIASES), ("norm", NORMS), ("positions", POSITIONS)):
            checks.one_of(name, getattr(self, name), known)
        for name in ("gated", "final_norm", "embedding_norm", "pooler", "tied", "qk_norm", "encoder"):
            self._set(name, checks.flag(name, getattr(self, name)))
        if self.positions == "rope" and self.head_dim % 2:
            raise ValueError(f"head_dim must be even for rope, which turns pairs; got {self.head_dim}")

    @property
    def has_head(self) -> bool:
        """Whether every token meets an output head: one of its own, or in a decoder the token table again."""
        return not self.tied or not (self.encoder or self.pooler)

    def seen(self, n_tokens: int) -> int:
        """How many of n_tokens the last of them attends to, all but for a window."""
        return n_tokens if self.window is None else min(n_tokens, self.window)

    def _head_dim(self):
        if self.head_dim is not None:
            return self.head_dim
        if self.d_model % self.n_heads:
            raise ValueError(
                f"d_model must be divisible by n_heads, or head_dim given; got {self.d_model} and {self.n_heads}"
            )
        return self.d_model // self.n_heads

    def _set(self, name, value):
        object.__setattr__(self, name, value)


def dials_of(config: ModelConfig) -> dict[str, int | str | bool | None]:
    """The dials that make `config`, None for a head_dim and n_kv_heads that follow from the others.

    replace(config, …) keeps head_dim when d_model changes; ModelConfig(**dials_of(config) | {…}) divides anew.

    >>> from engine.accounting import PRESETS
    >>> dials_of(PRESETS["gpt2"])["head_dim"], dials_of(PRESETS["gemma-7b"])["head_dim"]
    (None, 256)
    """
    config = checked(config)
    implied = {
        "n_kv_heads": None if config.n_kv_heads == config.n_heads else config.n_kv_heads,
        "head_dim": None if config.n_heads * config.head_dim == config.d_model else config.head_dim,
    }
    return vars(config) | implied


def llama_ffn_width(d_model: int, *, multiple_of: int = 256, multiplier: float = 1.0) -> int:
    """The feed-forward width of the Llama models: two thirds of 4·d_model, rounded up to a round number.

    d_ff = m·⌈ ⌊multiplier·⌊2·4·d_model/3⌋⌋ / m ⌉, m = multiple_of: a gated layer has three matrices, and 3·(2/3) keeps
    the size of two at 4·d_model (Shazeer 2020, "GLU variants improve transformer"; Meta's published model.py).
    d_model and multiple_of whole numbers from 1 to 10⁹, multiplier in (0, 100], else ValueError.

    >>> llama_ffn_width(4_096), llama_ffn_width(8_192, multiple_of=4_096, multiplier=1.3)
    (11008, 28672)
    """
    two_thirds = 8 * checks.integer("d_model", d_model, 1, LARGEST_SIZE) // 3
    multiple_of = checks.integer("multiple_of", multiple_of, 1, LARGEST_SIZE)
    width = int(checks.number("multiplier", multiplier, 0, 100, open_low=True) * two_thirds)
    return multiple_of * max(1, ceil(width / multiple_of))


def checked(config) -> ModelConfig:
    """`config` itself if it is a ModelConfig, else ValueError.

    >>> checked("gpt2")
    Traceback (most recent call last):
    ValueError: config must be a ModelConfig, such as PRESETS['gpt2']; got str
    """
    if not isinstance(config, ModelConfig):
        raise ValueError(f"config must be a ModelConfig, such as PRESETS['gpt2']; got {type(config).__name__}")
    return config


def contexts_of(value) -> tuple[int, ...]:
    """The lengths of sequences to look at, at most 10,000 of them.

    >>> contexts_of([1024, 2048])
    (1024, 2048)
    """
    return tuple(count_of("a context", one, 0) for one in checks.items("contexts", value, "whole numbers"))


def count_of(name: str, value, low: int = 1) -> int:
    """A number of tokens or sequences, low … 10¹².

    >>> count_of("context", 1024)
    1024
    """
    return checks.integer(name, value, low, 10**12)

"""One head of one layer of a trace, what its parts read and hand on, and the sum behind any cell of those."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from ui.labs.forward_pass import sums


class View(NamedTuple):
    """What is looked at: a head of a layer. `mask` True = may attend; `settings` are those of the engine's forward."""

    trace: Any
    weights: Any
    layers: Sequence[Any]
    at: int
    head: int
    tokens: list[str]
    mask: Any
    settings: dict[str, Any]

    @property
    def layer(self) -> Any:
        """The layer's matrices."""
        return self.layers[self.at]

    @property
    def block(self) -> Any:
        """What the layer computed."""
        return self.trace.blocks[self.at]

    @property
    def placement(self) -> str:
        """Where the norms sit."""
        return self.settings["norm_placement"]

    @property
    def x(self) -> Any:
        """What the layer reads."""
        return self.trace.blocks[self.at - 1].out if self.at else self.trace.x

    @property
    def read(self) -> Any:
        """What attention reads: a norm of it, where norms come first."""
        return self.block.norm_1.out if self.placement == "pre" else self.x

    @property
    def middle(self) -> Any:
        """What goes round the feed-forward."""
        return self.block.norm_1.out if self.placement == "post" else self.block.after_attention

    @property
    def wide(self) -> Any:
        """What the feed-forward reads."""
        return self.block.norm_2.out if self.placement == "pre" else self.middle

    def x_sum(self) -> sums.How:
        """Behind `x`: the embeddings, or what the layer before hands on."""
        if self.at:
            return self._replace(at=self.at - 1).out_sum("x")
        return sums.added("x", [self.trace.token_embeddings, self.trace.position_embeddings], self.trace.x)

    def read_sum(self) -> sums.How:
        """Behind `read`."""
        return self.norm_1_sum("x", self.x) if self.placement == "pre" else self.x_sum()

    def attended_sum(self) -> sums.How:
        """Behind attention's output."""
        attention = self.block.attention
        return sums.product("O", attention.concat, self.layer.W_O, attention.out)

    def after_attention_sum(self, name: str) -> sums.How:
        """Behind the first residual sum."""
        return sums.added(name, [self.x, self.block.attention.out], self.block.after_attention)

    def middle_sum(self, name: str) -> sums.How:
        """Behind `middle`."""
        if self.placement == "post":
            return self.norm_1_sum(name, self.block.after_attention)
        return self.after_attention_sum(name)

    def wide_sum(self, name: str) -> sums.How:
        """Behind `wide`."""
        return self.norm_2_sum(name, self.middle) if self.placement == "pre" else self.middle_sum(name)

    def expanded_sum(self, name: str) -> sums.How:
        """Behind the feed-forward's output."""
        part = self.block.feed_forward
        return sums.product(name, part.activated, self.layer.W_2, part.out, self.layer.b_2)

    def after_feed_forward_sum(self, name: str) -> sums.How:
        """Behind the second residual sum."""
        return sums.added(name, [self.middle, self.block.feed_forward.out], self.block.after_feed_forward)

    def out_sum(self, name: str) -> sums.How:
        """Behind what the layer hands on."""
        if self.placement == "post":
            return self.norm_2_sum(name, self.block.after_feed_forward)
        return self.after_feed_forward_sum(name)

    def norm_1_sum(self, name: str, before: Any) -> sums.How:
        """Behind the first norm."""
        return sums.normalised(name, before, self.block.norm_1, *self.layer.norm_1)

    def norm_2_sum(self, name: str, before: Any) -> sums.How:
        """Behind the second norm."""
        return sums.normalised(name, before, self.block.norm_2, *self.layer.norm_2)

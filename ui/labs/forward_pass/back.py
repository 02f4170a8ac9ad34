"""What comes back to the parts of one layer: the gradient of each, and the chain behind any cell of it."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from ui.labs.forward_pass import chains
from ui.labs.forward_pass.chains import Chain
from ui.labs.forward_pass.view import View

RESIDUAL = "residual path"


class Back(NamedTuple):
    """What comes back: the view, the engine's backward trace, an activation's slope, the tokens, the right next one."""

    view: View
    trace: Any
    derivative: Any
    ids: Sequence[int]
    right: int

    def at(self, layer: int) -> "Back":
        """The same at another layer."""
        return self._replace(view=self.view._replace(at=layer))

    @property
    def block(self) -> Any:
        """The gradients of the block that is looked at."""
        return self.trace.blocks[self.view.at]

    @property
    def grads(self) -> Any:
        """The gradients of its layer's matrices."""
        return self.trace.grads.layers[self.view.at % len(self.trace.grads.layers)]

    @property
    def users(self) -> list["Back"]:
        """Every block that works with the matrices of this one's layer."""
        own, n = len(self.trace.grads.layers), len(self.trace.blocks)
        return [self.at(i) for i in range(self.view.at % own, n, own)]

    def silent_head(self) -> str:
        """Why nothing comes back to the head that is looked at; "" where something does."""
        active = self.view.settings["active_heads"]
        return "" if active is None or active[self.view.head] else f"head {self.view.head} is silent"

    def _pre(self) -> bool:
        return self.view.placement == "pre"

    def x(self, name: str = "x") -> tuple[Any, Chain]:
        """What the block reads: round the attention, and through it."""
        inner = ("through norm 1", self.block.norm_1.d_x) if self._pre() else self._attention()
        return self.block.d_x, chains.together(name, [(RESIDUAL, self.block.d_after_attention), inner], self.block.d_x)

    def _attention(self) -> tuple[str, Any]:
        return "through Q, K and V", self.block.attention.d_x

    def read(self, name: str = "x") -> tuple[Any, Chain]:
        """What Q, K and V are made from."""
        if not self._pre():
            return self.x(name)
        attention, heads = self.block.attention, self.view.layer.heads
        parts = [
            (f"through {kind}", sum(d @ getattr(head, f"W_{kind}").T for d, head in zip(each, heads, strict=True)))
            for kind, each in (("Q", attention.d_q), ("K", attention.d_k), ("V", attention.d_v))
        ]
        return attention.d_x, chains.together(name, parts, attention.d_x)

    def attended(self) -> tuple[Any, Chain]:
        """What attention hands on: the sum after it hands its gradient to both sides."""
        d = self.block.attention.d_out
        return d, chains.handed("O", "that of the residual sum", d)

    def after_attention(self, name: str) -> tuple[Any, Chain]:
        """The first residual sum."""
        d = self.block.d_after_attention
        if self.view.placement == "post":
            return d, chains.normalised(name, self.view.block.norm_1, self.block.norm_1)
        inner = ("through norm 2", self.block.norm_2.d_x) if self._pre() else self._dense()
        return d, chains.together(name, [(RESIDUAL, self.block.d_after_feed_forward), inner], d)

    def _dense(self) -> tuple[str, Any]:
        return "through the feed-forward", self.block.feed_forward.d_x

    def middle(self, name: str) -> tuple[Any, Chain]:
        """What goes round the feed-forward."""
        if self.view.placement != "post":
            return self.after_attention(name)
        d = self.block.norm_1.d_out
        return d, chains.together(name, [(RESIDUAL, self.block.d_after_feed_forward), self._dense()], d)

    def wide(self, name: str) -> tuple[Any, Chain]:
        """What the feed-forward reads."""
        if not self._pre():
            return self.middle(name)
        dense = self.block.feed_forward
        return dense.d_x, chains.through(name, dense.d_hidden, self.view.layer.W_1, dense.d_x)

    def expanded(self) -> tuple[Any, Chain]:
        """What the feed-forward hands on."""
        d = self.block.feed_forward.d_out
        return d, chains.handed("F", "that of the residual sum", d)

    def after_feed_forward(self, name: str) -> tuple[Any, Chain]:
        """The second residual sum."""
        if self.view.placement == "post":
            norm = chains.normalised(name, self.view.block.norm_2, self.block.norm_2)
            return self.block.d_after_feed_forward, norm
        return self.out(name)

    def out(self, name: str) -> tuple[Any, Chain]:
        """What the block hands on: to the next one, to the last norm, or to the head."""
        d, last = self.block.d_out, self.view.at == len(self.trace.blocks) - 1
        if not last:
            return d, self.at(self.view.at + 1).x(name)[1]
        if self.trace.final_norm is not None:
            return d, chains.normalised(name, self.view.trace.final_norm, self.trace.final_norm)
        return d, self._from_logits(name, d)

    def _from_logits(self, name: str, d: Any) -> Chain:
        return chains.through(name, self.trace.d_logits, self.view.weights.W_LM_head, d)

    def final(self, name: str) -> tuple[Any, Chain]:
        """What the head reads."""
        if self.trace.final_norm is None:
            return self.last.out(name)
        d = self.trace.final_norm.d_out
        return d, self._from_logits(name, d)

    @property
    def last(self) -> "Back":
        """The last block."""
        return self.at(len(self.trace.blocks) - 1)

"""What stands for a lab where not all of it does: on the stage, on top of a phone, in another page."""

from typing import NamedTuple


class Shown(NamedTuple):
    """The first of `pictures` that a lab has drawn and its main controls, by their short names: what the stage shows.

    ↓ moves the control `rows` on. Of a picture in `panels` only these matrices are shown there, line by line: all
    would be too small. On a phone and in another page stand the first of `small`, or of `pictures` where that is
    empty, and the first control, or `dial`; where the picture is taller than its place, the matrix whose title begins
    with `panel` is in sight.
    """

    pictures: tuple[str, ...]
    controls: tuple[str, ...]
    rows: str = ""
    panels: dict[str, tuple[tuple[int, ...], ...]] = {}
    small: tuple[str, ...] = ()
    dial: str = ""
    panel: str = ""

    @property
    def main(self) -> tuple[str, ...]:
        """The pictures of which the first stands where there is little room."""
        return self.small or self.pictures

    @property
    def staged(self) -> tuple[str, ...]:
        """The same in another page, which has pictures laid out as on the stage: with some of their panels only."""
        return self.pictures if set(self.pictures) & set(self.panels) else self.main

    @property
    def lever(self) -> str:
        """The control that moves it."""
        return self.dial or self.controls[0]


LABS = {
    "architecture_ingredients": Shown(("diagram",), ("matrix",)),
    "forward_pass": Shown(("step", "next"), ("step",), "row", small=("next",), dial="layers"),
    "transformer_deep_dive": Shown(
        ("steps", "maps", "waves", "mask", "given"),
        ("part",),
        small=("steps", "mixed", "waves", "mask", "given"),
        panel="Weights",
    ),
    "dot_product_and_cosine": Shown(("arrows",), ("angle_a", "length_a")),
    "matrix_multiplication": Shown(("product",), ("step",), "step", {"product": ((0, 1, 2),)}, panel="AB"),
    "dot_product_against_cosine": Shown(
        ("similarity",), ("offset", "centre"), "", {"similarity": ((1, 2),)}, small=("neighbours",)
    ),
    "pooling": Shown(("pooled",), ("n_padding", "fill"), "", {"pooled": ((0, 1, 2),)}, small=("cosine",)),
    "attention_matrix": Shown(("four",), ("query", "scale"), "query", panel="Weights"),
    "softmax": Shown(("probs",), ("temperature", "scale")),
    "heads_split_and_mixed": Shown(("split",), ("heads",), "", {"split": ((4, 5), (6, 7))}, small=("mix",)),
    "sinusoidal_table": Shown(("table",), ("position", "width"), "position"),
    "rope_and_alibi": Shown(("pair0", "alibi"), ("query", "key"), small=("pair0",)),
    "positions_compared": Shown(("matrices",), ("start", "end"), "start", small=("curves",)),
    "layer_normalisation": Shown(("stages",), ("scale", "shift"), "feature"),
    "rows_normalised": Shown(("norms",), ("scale", "eps"), "row", {"norms": ((0,), (1,))}),
    "tokens_expanded": Shown(("layers",), ("activation", "bias"), "token"),
    "dropout": Shown(("masks",), ("p", "mask"), "mask"),
    "perceptron": Shown(("plane",), ("step", "rate"), "step"),
    "cross_entropy_against_mse": Shown(("cost",), ("scale",)),
    "forward_and_backward": Shown(("network",), ("steps", "rate"), "steps"),
    "optimizers": Shown(("paths",), ("lr", "step"), "step"),
    "model_learns": Shown(("loss",), ("lr", "step"), "", {"seen": ((0,), (1, 2, 3))}),
    "gradient_by_depth": Shown(("gradients",), ("gain", "depth"), "layer"),
    "parameters_flops_memory": Shown(("memory",), ("preset", "batch")),
    "one_distribution_one_token": Shown(("ways",), ("temperature", "p")),
    "bpe_against_wordpiece": Shown(("corpus",), ("merges",), "merges"),
}

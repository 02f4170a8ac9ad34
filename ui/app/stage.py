"""The stage: what of each lab a projector shows, and the corner that leads there and along a plan."""

from pathlib import Path
from typing import NamedTuple

CSS = (Path(__file__).parent / "stage.css").read_text("utf-8")


class Shown(NamedTuple):
    """What is left of a lab: the first of `pictures` that it has drawn, and its main controls, by their short names.

    ↓ moves the control `rows` on. Of a picture in `panels` only these matrices are shown, line by line:
    all would be too small.
    """

    pictures: tuple[str, ...]
    controls: tuple[str, ...]
    rows: str = ""
    panels: dict[str, tuple[tuple[int, ...], ...]] = {}


LABS = {
    "architecture_ingredients": Shown(("diagram",), ("matrix",)),
    "forward_pass": Shown(("step", "next"), ("step",), "row"),
    "transformer_deep_dive": Shown(("steps", "maps", "waves", "mask", "given"), ("part",)),
    "dot_product_and_cosine": Shown(("arrows",), ("angle_a", "length_a")),
    "matrix_multiplication": Shown(("product",), ("step",), "step", {"product": ((0, 1, 2),)}),
    "dot_product_against_cosine": Shown(("similarity",), ("offset", "centre"), "", {"similarity": ((1, 2),)}),
    "pooling": Shown(("pooled",), ("n_padding", "fill"), "", {"pooled": ((0, 1, 2),)}),
    "attention_matrix": Shown(("four",), ("query", "scale"), "query"),
    "softmax": Shown(("probs",), ("temperature", "scale")),
    "heads_split_and_mixed": Shown(("split",), ("heads",), "", {"split": ((4, 5), (6, 7))}),
    "sinusoidal_table": Shown(("table",), ("position", "width"), "position"),
    "rope_and_alibi": Shown(("pair0", "alibi"), ("query", "key")),
    "positions_compared": Shown(("matrices",), ("start", "end"), "start"),
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


def facts() -> dict:
    """What the browser half has to know, once a visit."""
    return {"css": CSS, "labs": LABS}

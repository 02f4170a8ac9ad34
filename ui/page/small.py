"""What stands for a lab where there is little room: its picture, on top of a phone, and with its dials in another page.

`?embed=true` is the framework's own word for a page inside another one; there all else is left out.
"""

from typing import NamedTuple

import streamlit as st

from ui import catalogue, run
from ui.words import plain


class Main(NamedTuple):
    """The picture of a lab, the first that it draws of these, and the controls that move it.

    Where the picture is taller than its place, the matrix whose title begins with `panel` is in sight.
    """

    pictures: tuple[str, ...]
    dials: tuple[str, ...]
    panel: str = ""


MAIN = {
    "architecture_ingredients": Main(("diagram",), ("matrix",)),
    "forward_pass": Main(("next",), ("layers",)),
    "transformer_deep_dive": Main(("steps", "mixed", "waves", "mask", "given"), ("part",), "Weights"),
    "dot_product_and_cosine": Main(("arrows",), ("angle_a",)),
    "matrix_multiplication": Main(("product",), ("step",), "AB"),
    "dot_product_against_cosine": Main(("neighbours",), ("offset",)),
    "pooling": Main(("cosine",), ("n_padding",)),
    "attention_matrix": Main(("four",), ("query",), "Weights"),
    "softmax": Main(("probs",), ("temperature",)),
    "heads_split_and_mixed": Main(("mix",), ("heads",)),
    "sinusoidal_table": Main(("table",), ("position",)),
    "rope_and_alibi": Main(("pair0",), ("query",)),
    "positions_compared": Main(("curves",), ("start",)),
    "layer_normalisation": Main(("stages",), ("scale",)),
    "rows_normalised": Main(("norms",), ("scale",)),
    "tokens_expanded": Main(("layers",), ("activation",)),
    "dropout": Main(("masks",), ("p",)),
    "perceptron": Main(("plane",), ("step",)),
    "cross_entropy_against_mse": Main(("cost",), ("scale",)),
    "forward_and_backward": Main(("network",), ("steps",)),
    "optimizers": Main(("paths",), ("lr",)),
    "model_learns": Main(("loss",), ("lr",)),
    "gradient_by_depth": Main(("gradients",), ("gain",)),
    "parameters_flops_memory": Main(("memory",), ("preset",)),
    "one_distribution_one_token": Main(("ways",), ("temperature",)),
    "bpe_against_wordpiece": Main(("corpus",), ("merges",)),
}


def begin() -> None:
    """Say which picture of this run is the main one: it sticks to the top of a phone, and fills a page in a page."""
    now = run.current()
    main = MAIN[now.slug]
    look = now.asked.look[:1] if now.asked else main.pictures
    picture = f":is({', '.join(_css(f'chart.{name}') for name in look or main.pictures)})"
    page, row = "[data-testid=stMainBlockContainer]", "[data-testid=stHorizontalBlock]:has(.st-key-panel)"
    if not st.context.is_embedded:
        above = "order: -1; position: sticky; top: 3.75rem; z-index: 10; max-height: 46vh; overflow: auto;"
        style = f"""html:not(.stage) {page} {row} :has({picture}) {{ display: contents; }}
            html:not(.stage) {picture} {{ {above} --pinned: 1; --panel: "{main.panel}"; }}"""
        st.html(f"<style>@media screen and (max-width: 640px) {{ {style} }}</style>")
        return
    kept = f":is({picture}, {', '.join(map(_css, main.dials))}, .st-key-whole, .st-key-ask_card, .stAlert)"
    parts = ".stElementContainer, .stVerticalBlock, .stHorizontalBlock, .stColumn, [data-testid=stLayoutWrapper]"
    style = f"""
        {page} :is({parts}):not({kept}, :has({kept}), {kept} *) {{ display: none !important; }}
        {page} :has({kept}):not({kept}, {kept} *) {{ display: contents !important; }}
        {page} {{ display: flex; flex-flow: column; gap: 0.25rem; }}
        {page} {{ height: 100vh; max-width: none; padding: 0.5rem 1rem; }}
        {picture} {{ order: -1; flex: 1; min-height: 0; width: auto; }}
        {picture} {{ position: relative; overflow: auto; --embedded: 1; }}
        {picture} figure {{ position: absolute; inset: 0 auto auto 0; margin: 0; transform-origin: 0 0; }}
        [data-testid=stHeader], {picture} .modebar-container {{ display: none; }}
        .st-key-whole {{ flex: none; }}"""
    st.html(f"<style>{style}</style>")


def end() -> None:
    """In another page: the way to the whole lab, in the state that is on screen."""
    if st.context.is_embedded:
        title = plain(catalogue.BY_SLUG[run.current().slug].title)
        st.container(key="whole").markdown(f"[{title}: the whole lab]({run.link()})")


def _css(name: str) -> str:
    """The element of a picture or a control."""
    return f".st-key-{run.key(name).replace('.', '-')}"

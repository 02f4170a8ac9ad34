"""The stage: what the browser needs to know to show one picture of a lab to a hall."""

from pathlib import Path

from ui.page.shown import LABS

CSS = (Path(__file__).parent / "stage.css").read_text("utf-8")


def facts() -> dict:
    """What the browser half has to know, once a visit."""
    return {"css": CSS, "labs": {slug: shown[:4] for slug, shown in LABS.items()}}

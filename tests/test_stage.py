"""What the stage shows of each lab is what that lab has."""

from pathlib import Path

import pytest

from ui import catalogue
from ui.page.shown import LABS

ROOT = Path(__file__).parent.parent


def test_every_lab_has_its_stage():
    assert set(LABS) == {lab.slug for lab in catalogue.LABS}


@pytest.mark.parametrize("slug", LABS)
def test_the_stage_of_a_lab_names_pictures_and_controls_that_it_has(slug):
    shown = LABS[slug]
    files = [
        ROOT / f"pages/{slug}.py",
        *(ROOT / "ui/labs").glob(f"{slug}.py"),
        *(ROOT / "ui/labs").glob(f"{slug}/*.py"),
    ]
    text = "".join(path.read_text("utf-8") for path in files)
    names = {*shown.pictures, *shown.controls, shown.rows} - {""}
    assert not {name for name in names if f'"{name.rstrip("0")}' not in text}
    assert 1 <= len(shown.controls) <= 2

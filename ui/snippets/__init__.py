"""The NumPy programs to take away, `<slug>.py` each: real Python with example inputs, which a page's own replace."""

from functools import cache
from pathlib import Path

FROM_HERE = "# --- The inputs above are examples; the program begins here.\n"


@cache
def program(name: str) -> tuple[list[str], str]:
    """The imports of `<name>.py`, and its text from the line that ends the example inputs."""
    head, body = (Path(__file__).parent / f"{name}.py").read_text("utf-8").split(FROM_HERE)
    return [line for line in head.splitlines() if line.startswith(("import ", "from "))], body.strip()

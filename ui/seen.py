"""What questions and comparisons are made of: a state as it was seen, the question on screen, a state that is kept."""

from collections.abc import Callable
from typing import Any, NamedTuple

from ui import words


class Seen(NamedTuple):
    """A state of a lab as a question sees it: its numbers to take away, what they were made from, its controls."""

    numbers: Any
    inputs: dict[str, Any]
    controls: dict[str, Any]

    def __getitem__(self, name):
        """A control by its short name."""
        return self.controls[name] if isinstance(name, str) else tuple.__getitem__(self, name)


class Asked(NamedTuple):
    """The question on screen: as the link says it, whether it is open, what is seen and covered, where one clicks.

    `look` names the pictures that stay, all where it is empty; `cover` those that say nothing yet, or matrices of one
    as "picture.title"; `click` the picture whose click is an answer.
    """

    ask: str
    open: bool
    look: tuple[str, ...]
    cover: tuple[str, ...]
    click: str
    answer: Callable[[dict], None]

    def hides(self, picture: str) -> tuple[str, ...] | None:
        """Which of a picture's matrices are covered, none for all of it; None if it is not."""
        if not self.open or picture not in {name.split(".")[0] for name in self.cover}:
            return None
        return tuple(name.split(".", 1)[1] for name in self.cover if name.startswith(f"{picture}."))


class Pin(NamedTuple):
    """A state that is kept, for the one on screen to be compared with: its lab, pictures, numbers told, and all else.

    `ask` is the question that it is the beginning of, as the link says it; "" for one that a visitor pinned.
    """

    slug: str
    ask: str
    figures: dict[str, dict]
    told: words.Told
    seen: Seen

"""One run of a page is one record: which lab, its controls, what was wrong with the link, the controls' column."""

import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from types import TracebackType
from typing import Any, NamedTuple, Self
from urllib.parse import quote, urlencode

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.scriptrunner import get_script_run_ctx

from ui import words
from ui.seen import Asked, Pin, Seen

FRAMES = ("view", "plan")  # what the frame keeps in the address: of the visit, not of a state
_thread = threading.local()  # .run: the record of the run this script thread is in


class Edit(NamedTuple):
    """How one number of a control that holds many is set: `put(row, column, value)`, from −limit to limit."""

    limit: float
    put: Callable[[int, int, float], None]


class Control(NamedTuple):
    """A control of this run: its widget's default, what the link says for it (None at the default), how to set it.

    `value` is what it stands at, `label` what it is called; a `kept` one holds a visitor's work, which no preset drops;
    one with `edit` holds many numbers, which a hand may change one by one.
    """

    default: Any
    in_link: list[str] | None
    set: Callable[[Any], None]
    value: Any = None
    label: str = ""
    kept: bool = False
    edit: Edit | None = None

    @property
    def brief(self) -> bool:
        """Whether a line of words has room for its value: none is long, or has several lines."""
        return not self.told(self.value).endswith(" changed")

    def told(self, value: Any) -> str:
        """A value of this control in words: "Temperature T = 10", "Causal mask off"."""
        name = words.plain(self.label)
        if isinstance(value, bool):
            return f"{name} {'on' if value else 'off'}"
        texts = [_short(one) for one in (value if isinstance(value, list) else [value])]
        short = ", ".join(texts)
        return f"{name} = {words.plain(short)}" if 0 < len(short) <= 24 and "\n" not in short else f"{name} changed"


def _short(value: Any) -> str:
    return f"{value:g}".replace("-", "−") if isinstance(value, int | float) else str(value)


class RefusedError(Exception):
    """Ends a page early: why stands on it already."""


class Run:
    """The record, opened by the frame around a page: `with Run("softmax"): page.run()`.

    Its end shows what was wrong with the link, also where the engine refused and the page stopped early; parameters
    that no control knows are taken out of the address after a whole run only, since a stopped one has not drawn all.
    """

    def __init__(self, slug: str):
        self.slug = slug
        self.controls: dict[str, Control] = {}  # by key, in the order of the page
        self.faults: list[str] = []  # keys of sentences about what was tried last: gone with the next preset
        self.ticks: list[str] = []  # keys of boxes that a visitor ticks: off when the lab starts over
        self.panel: DeltaGenerator | None = None
        self.header: DeltaGenerator | None = None
        self.shape: str | None = None  # what the header says of it
        self.model = ""  # which model it says is in use, where that is not the course's
        self.paper: DeltaGenerator | None = None  # where a printed page says how the controls stand
        self.figures: dict[str, dict] = {}  # the parts of every picture drawn, by name
        self.seen: Seen | None = None
        self.questions: Sequence[Any] = ()
        self.asked: Asked | None = None
        self.card: DeltaGenerator | None = None  # where the question stands
        self.changes: list[tuple[float, str]] = []  # of the numbers in its pictures against what is kept
        self.keeps = False  # whether this state is to be kept, once it is known
        self.told: words.Told = {}
        self.memories = st.session_state.setdefault("run.memory", {})
        self._places, self._news = ExitStack(), False
        if st.session_state.get("run.slug") != slug:
            st.session_state["run.slug"], st.session_state["run.notices"] = slug, []
            st.session_state["run.first"], st.session_state["run.keys"] = True, None
            st.session_state["run.visits"] = st.session_state.get("run.visits", 0) + 1
            st.session_state["run.twice"] = [name for name in st.query_params if len(st.query_params.get_all(name)) > 1]

    @property
    def notices(self) -> list[str]:
        """What was wrong with the link, a sentence each; they live until another lab is opened."""
        return st.session_state["run.notices"]

    def notice(self, sentence: str) -> None:
        """Remember a sentence about the link: it stands under the header for the rest of the visit to this lab."""
        if sentence not in self.notices:
            self.notices.append(sentence)
            self._news = True

    def tell_trouble(self) -> None:
        """Draw what was wrong with the link, if anything was."""
        if self.notices:
            st.warning("  \n".join(self.notices), icon=":material/link_off:")

    def split(self, panel: DeltaGenerator, stage: DeltaGenerator) -> None:
        """Keep the column of controls, and send all that the page draws from here on to `stage`."""
        self.panel = panel
        self._places.enter_context(stage)

    @property
    def pin(self) -> Pin | None:
        """What is kept to compare with: of this lab, of the question on screen or the visitor's own."""
        asked = self.asked
        kept = not (asked and asked.open) and self.has_kept(asked.ask if asked else "")
        return st.session_state["run.pin"] if kept else None

    def has_kept(self, ask: str) -> bool:
        """Whether what is kept is the beginning of this question; "" for what a visitor pinned."""
        kept = st.session_state.get("run.pin")
        return kept is not None and (kept.slug, kept.ask) == (self.slug, ask)

    @property
    def veiled(self) -> bool:
        """Whether a question is open: nothing but its pictures may speak."""
        return self.asked is not None and self.asked.open

    def edits(self) -> dict[str, Edit]:
        """The controls of this lab whose numbers a hand may change, by their short names."""
        return {key.split(".", 1)[1]: control.edit for key, control in self.controls.items() if control.edit}

    def remember(self) -> None:
        """Note the numbers that are told from here on, and tell what they were in the state that is kept."""
        self.told = words.remember(self.pin.told if self.pin else None)

    def keep(self, ask: str = "") -> None:
        """Pin the state that is on screen."""
        seen = self.seen or Seen(None, {}, {})
        st.session_state["run.pin"] = Pin(self.slug, ask, self.figures, self.told, seen)

    def __enter__(self) -> Self:
        _thread.run = self
        self.remember()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._places.close()
        _thread.run = None
        words.forget()
        opened = {key: (control.default, control.kept) for key, control in self.controls.items()}
        st.session_state.setdefault("run.opened", {}).update(opened)
        refused = isinstance(error, RefusedError)
        if self.keeps and error is None:
            self.keep()
        if error is None or refused:
            self._look_for_strangers(refused)
            if self._news:
                renew_address()  # Streamlit writes a text that it cut to its length back into the address
                st.rerun()
        if refused:
            st.stop()  # not a plain end: controls that were not drawn keep their values

    def _look_for_strangers(self, refused: bool) -> None:
        """Name what the visit's first link held besides controls; after a refusal only what cannot be one of them.

        Of a control that it gave twice, one value is in use: the framework's choice, the same at each reload.
        """
        if not st.session_state["run.first"]:
            return
        for key in st.session_state["run.twice"]:
            control = self.controls.get(key)
            if control and not isinstance(control.value, list):
                used = words.shown(control.in_link[0]) if control.in_link else "its default"
                self.notice(f"The link gives {words.plain(control.label)} more than once: {used} is in use.")
        st.session_state["run.first"] = refused
        known = {*self.controls, *FRAMES}
        strange = [name for name in st.query_params if name not in known and not name.startswith("embed")]
        own = f"{self.slug}."
        strange = [name for name in strange if not name.startswith(own)] if refused else _taken_out(strange)
        if strange and not _handed_on():
            names = ", ".join(map(words.shown, strange[:3])) + (" and more" if len(strange) > 3 else "")
            self.notice(f"The link also held {names}, which this page does not know: left out.")


def _taken_out(names: list[str]) -> list[str]:
    """Take parameters out of the URL in one message, but not one of a control that was on the page before.

    Each by itself would send all that are left again: 3.6 MB for the thousand that a link may hold.
    """
    context = get_script_run_ctx()
    if not names or context is None:
        return []
    with context.session_state.query_params() as known:
        free = [name for name in names if not known.is_bound(name)]
        gone = set(free[:-1])
        left = {name: known.get_all(name) for name in known if name not in gone}
        known.clear_with_no_forward_msg(preserve_embed=True)
        for name, values in left.items():
            known.set_with_no_forward_msg(name, values)
        if free:
            del known[free[-1]]  # and this one tells the browser
    return free


def let_go() -> None:
    """For a callback: nothing is kept to compare with any more."""
    st.session_state.pop("run.pin", None)


def _handed_on() -> bool:
    """Whether what the address says is the page's that was left: the browser stood there as it asked for this one.

    Streamlit leaves it out itself, but a server that has started anew does not know what that page had.
    """
    context = get_script_run_ctx()
    if context is None or context.context_info is None:
        return False
    return context.context_info.url.rstrip("/") != (st.context.url or "").rstrip("/")


def is_open() -> bool:
    """Whether the frame has opened a run in this thread."""
    return getattr(_thread, "run", None) is not None


def current() -> Run:
    """The run this thread is in."""
    return _thread.run


def key(name: str) -> str:
    """The widget key and URL parameter of a control: the lab's own, so that no two pages share one."""
    return f"{current().slug}.{name}"


def memory(key: str) -> dict[str, Any]:
    """What a visit remembers of a control; one entry of the session, as each text field copies all of it."""
    every = current().memories if is_open() else st.session_state.setdefault("run.memory", {})
    return every.setdefault(key, {})


def opening(slug: str) -> dict[str, Any]:
    """How every control of a lab opens that this visit has seen, in sight or not; a visitor's work stays readable."""
    known = {key: of for key, of in st.session_state["run.opened"].items() if key.startswith(f"{slug}.")}
    work = {key: memory(key).get("good") for key, (_, kept) in known.items() if kept}
    return {key: default for key, (default, kept) in known.items() if not kept} | {
        key: good for key, good in work.items() if good is not None and key in st.session_state
    }


def setter(name: str) -> Callable[[Any], None]:
    """How a click sets a control of this page: a function of what was clicked."""
    return current().controls[key(name)].set


def leave_out(key: str) -> None:
    """Take what the link says for a control out of the address: none of its values is in use."""
    del st.query_params[key]
    st.session_state["run.twice"] = [name for name in st.session_state["run.twice"] if name != key]


def from_link(key: str) -> list[str]:
    """What the link says for a control the first time it is drawn: its values, mostly none or one."""
    return [] if key in st.session_state else st.query_params.get_all(key)


def query() -> str:
    """What the address of this very state says after its question mark."""
    pairs = [(key, value) for key, control in current().controls.items() for value in control.in_link or ()]
    return urlencode(pairs, quote_via=quote)


def link() -> str:
    """The address of this very state."""
    base = (st.context.url or f"/{current().slug}").split("?")[0]
    return f"{base}?{query()}" if query() else base


def renew_address() -> None:
    """For what sets controls before a run: that one ends with the address brought up to date."""
    st.session_state["run.renew"] = True


def has_news() -> bool:
    """Whether the address needs to be told: after a button, or where a control that stands in the link is new."""
    before, renew = st.session_state["run.keys"], st.session_state.pop("run.renew", False)
    st.session_state["run.keys"] = list(current().controls)
    in_link = {key for key, control in current().controls.items() if control.in_link}
    return renew or not in_link <= set(st.query_params if before is None else before)

"""The model of this visit: the repository's weights.toml, or another built-in one, until someone edits or loads one.

A visitor's own lives in a text control, packed, so that it is part of the link; what a page gets is the loaded model.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ui import run, words
from ui.page import controls, lab, parse
from ui.page.codes import LONGEST_CODE, MOST_BYTES, pack, unpack

MOST_LETTERS = 4 * MOST_BYTES  # of one matrix written out: 1e15 takes sixteen
MOST_HANDED_ON = 900  # numbers of two decimals, with their names, in a file
LARGEST = 1000.0  # number of a matrix that is edited
COURSE = "course's"  # weights.toml among the built-in models
_VISIT, _SEEN = "model.of_visit", "model.seen"  # the code in use; in which visit to a lab one was last read, and which
_BUILT_IN = "model.built_in"  # the built-in model chosen last


def control(load: Callable, place: DeltaGenerator | None = None, **others: Callable[[], Any]):
    """The model in use as `load` makes it of TOML bytes (None: the repository's own file). Call inside the panel.

    `others` are built-in models beside it, by name: the choice between them stands in `place`.
    """
    key, visits, seen = run.key("model"), st.session_state["run.visits"], st.session_state.get(_SEEN)
    arrived = seen is None or seen[0] != visits
    if arrived and key not in st.query_params and _VISIT in st.session_state:
        st.session_state[key] = st.session_state[_VISIT]  # whatever this lab had when it was open before
    chosen = COURSE
    if others and place:
        with place:
            chosen = _choice([COURSE, *others], arrived)
    own = builtin(load, **others)
    model = controls.text(
        "model",
        "Model as a code",
        "",
        lambda code: _asked(load, unpack(code)) if code else own,
        limit=LONGEST_CODE,
        help="Empty is a built-in model. An edited model stands here as a code and is part of the link.",
        kept=True,
    )
    if st.session_state[key]:
        st.caption("A model of your own is in use. Presets and “Start over” keep it.")
        called = "the course's weights" if chosen == COURSE else f"the {chosen}"
        st.button(f"Back to {called}", key=run.key("model.drop"), on_click=controls.assign, args=({key: ""},))
    here = visits, run.memory(key).get("good", "")
    if st.session_state.get(_SEEN) != here:  # a model that this lab handed on may be another than the one it uses
        st.session_state[_SEEN], st.session_state[_VISIT] = here, here[1]
    run.current().model = "your own model" if here[1] else "" if chosen == COURSE else f"{chosen} model"
    lab.shape(run.current().shape or "")
    return model


def is_own() -> bool:
    """Whether this visit has a model of its own in place of the built-in ones."""
    return bool(st.session_state.get(_VISIT))


def _choice(options: list[str], arrived: bool) -> str:
    """Which built-in model; one that was chosen in another lab of this visit is the one of this lab too."""
    key = run.key("weights")
    if arrived and key not in st.query_params and _BUILT_IN in st.session_state and not run.current().asked:
        st.session_state[key] = st.session_state[_BUILT_IN]
    about = "The course's are made up; the storyteller's are trained on plain sentences. A model of your own wins."
    st.session_state[_BUILT_IN] = controls.choice("weights", "Weights", options, help=about)
    return st.session_state[_BUILT_IN]


def hand_on(dump: Callable[[int], str], n_numbers: int, about: str) -> None:
    """Buttons that make a model this visit's in every lab, and a file; `dump(decimals)` gives its TOML.

    The lab itself goes on with the model it has until it is opened again. As many decimals are kept as fit the file.
    """
    key, fault = run.key("hand_on"), run.key("hand_on.fault")
    if n_numbers > MOST_HANDED_ON:
        st.caption(
            f"{n_numbers:,} trained numbers do not fit a weights.toml of {MOST_BYTES:,} bytes: {MOST_HANDED_ON:,} do."
        )
        return

    def clicked():
        with _told(fault, ""):
            toml, decimals = _fitting(dump)
            st.session_state[_VISIT] = _packed(toml)
            st.session_state[key] = st.session_state[_VISIT], decimals

    st.button(
        "Use it in every lab",
        key=run.key("hand_on.button"),
        icon=":material/share:",
        type="primary",
        on_click=clicked,
        help=words.plain(about),
    )
    code, decimals = st.session_state.get(key) or ("", 0)
    if code and st.session_state.get(_VISIT) == code:
        st.caption(f"Every lab opened from now on has the model that was trained, rounded to {decimals} decimals.")
    if sentence := _fault(fault)[1]:
        st.error(f"{sentence} The model in use stays.", icon=":material/block:")
    download(lambda: _fitting(dump)[0])


def _fitting(dump: Callable[[int], str]) -> tuple[str, int]:
    """The TOML with the most decimals, six at most, that a file and a link can hold, and how many those are."""
    for decimals in range(6, 1, -1):
        try:
            toml = _asked(dump, decimals)
            _packed(toml)
        except ValueError:
            if decimals == 2:
                raise
        else:
            break
    return toml, decimals


def edit(name: str, values, save: Callable) -> None:
    """A text area with one matrix of the model; `save(name, array)` gives the TOML of the model that holds the new one.

    What cannot be read stays in the field with a sentence, and the model stays as it was.
    """
    key, fault, model = run.key("edit"), run.key("edit.fault"), run.key("model")
    shape = np.atleast_2d(values).shape
    about, sentence = _fault(fault)
    if about != name:
        st.session_state[key] = parse.rows(values)

    def typed():
        with _told(fault, name):
            read = parse.matrix(st.session_state[key][:MOST_LETTERS], shape=shape, limit=LARGEST, most=(64, 256))
            _keep(model, _asked(save, name, read.reshape(np.shape(values))))

    st.text_area(
        f"Edit {name}",
        key=key,
        height=28 * min(shape[0], 8) + 44,
        max_chars=MOST_LETTERS,
        on_change=typed,
        help="One row a line, as many as now. The forward pass follows at once.",
    )
    if about == name:
        st.error(f"{sentence} The model is unchanged.", icon=":material/edit_off:")


def drag(name: str, values, row: int, column: int, save: Callable, limit: float = 3.0) -> None:
    """A slider that sets one cell of a matrix of the model; a hand in its picture sets any: the control `model`."""
    key, fault, model = run.key("value"), run.key("value.fault"), run.key("model")
    written, matrix, cell = run.key("edit.fault"), np.array(np.atleast_2d(values), float), f"{name}[{row}, {column}]"
    st.session_state[key] = float(np.clip(matrix[row, column], -limit, limit))

    def put(r: int, c: int, value: float, about: str = name) -> None:
        if min(r, c) < 0 or abs(value) > LARGEST:
            raise IndexError
        matrix[r, c] = value  # the next number of the same message goes on from here
        st.session_state.pop(written, None)  # the field shows the matrix as it is now
        with _told(fault, about):
            _keep(model, _asked(save, name, matrix.reshape(np.shape(values))))

    run.current().controls[model] = run.current().controls[model]._replace(edit=run.Edit(LARGEST, put))
    st.slider(
        cell,
        -limit,
        limit,
        step=0.01,
        key=key,
        on_change=lambda: put(row, column, st.session_state[key], cell),
        help="Drag to change the outlined cell.",
    )
    about, sentence = _fault(fault)
    if about in (cell, name):
        st.error(f"{sentence} The model is unchanged.", icon=":material/edit_off:")


def upload(load: Callable, dump: Callable) -> None:
    """A weights.toml of one's own; a faulty one is refused with its sentence and changes nothing."""
    key, fault, model = run.key("upload"), run.key("upload.fault"), run.key("model")

    def chosen():
        with _told(fault, ""):
            if st.session_state[key] is not None:
                _keep(model, _asked(lambda file: dump(load(file)), st.session_state[key].getvalue()))

    st.file_uploader(
        "A weights.toml of your own",
        type="toml",
        key=key,
        on_change=chosen,
        help="At most 8 KiB; every shape and number is checked.",
    )
    if sentence := _fault(fault)[1]:
        st.error(f"{sentence} The model in use stays.", icon=":material/block:")


def as_lists(weights: Any) -> dict[str, Any]:
    """The weights as a program begins with them: three matrices, and the layers as lists, heads under each other."""
    layers = [
        {name: [getattr(head, name).tolist() for head in layer.heads] for name in ("W_Q", "W_K", "W_V")}
        | {name: getattr(layer, name).tolist() for name in ("W_O", "W_1", "b_1", "W_2", "b_2")}
        | {
            f"{part}_{i}": getattr(norm, part).tolist()
            for i, norm in ((1, layer.norm_1), (2, layer.norm_2))
            for part in ("gamma", "beta")
        }
        for layer in weights.layers
    ]
    return {"W_E": weights.W_E, "W_P": weights.W_P, "W_LM_head": weights.W_LM_head, "layers": layers}


def download(dump: Callable[[], str]) -> None:
    """The model in use as a file, weights.toml; `dump` writes it once somebody asks for it."""
    st.download_button(
        "Download weights.toml",
        dump,
        "weights.toml",
        "application/toml",
        key=run.key("download"),
        on_click="ignore",
        icon=":material/download:",
    )


def _asked(engine: Callable, *args: Any) -> Any:
    """What the engine makes of it; its refusal as a sentence for the page."""
    try:
        return engine(*args)
    except ValueError as error:
        raise ValueError(_sentence(error)) from None


def _sentence(error: ValueError) -> str:
    """What the engine says of a file, which may quote it, as literal Markdown with an end."""
    text = str(error)[0].upper() + str(error)[1:] if str(error).startswith("a ") else str(error)
    return words.plain(text) + ("" if text.endswith(("?", ".")) else ".")


def _fault(key: str) -> tuple[str | None, str]:
    """What was refused last, under this key: what it was about and why; (None, "") where nothing was."""
    run.current().faults.append(key)
    return st.session_state.get(key) or (None, "")


@contextmanager
def _told(fault: str, about: str) -> Iterator[None]:
    """Keep under the key `fault` why a change was refused, with what it was about; nothing where it was not."""
    st.session_state.pop(fault, None)
    try:
        yield
    except ValueError as error:
        st.session_state[fault] = about, str(error)


def _keep(key: str, toml: str) -> None:
    st.session_state[key] = _packed(toml)


def _packed(toml: str) -> str:
    """The code of a model that a link can bring back; a ValueError for any other."""
    code = pack(toml)
    unpack(code)
    if len(code) > LONGEST_CODE:
        raise ValueError(f"The model's code would have {len(code):,} letters, and a link takes {LONGEST_CODE:,}.")
    return code


def builtin(load: Callable, **others: Callable[[], Any]):
    """The built-in model that is chosen here; the repository's is read once a visit.

    An edited file counts from the next reload of the page.
    """
    chosen = st.session_state.get(run.key("weights"), COURSE)
    if chosen in others:
        return others[chosen]()
    if "model.builtin" not in st.session_state:
        try:
            st.session_state["model.builtin"] = load(None)
        except ValueError as error:
            st.error(
                f"The repository's weights.toml cannot be used: {words.plain(str(error))}", icon=":material/block:"
            )
            raise run.RefusedError from error
    return st.session_state["model.builtin"]

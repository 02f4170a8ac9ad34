"""The model of this visit: the repository's weights.toml until someone edits or loads another.

It lives in a text control, packed, so that it is part of the link; what a page gets is the loaded model.
"""

import base64
import zlib
from collections.abc import Callable

import streamlit as st

from ui import controls, visit, worked

MOST_BYTES = 8_000  # of TOML; the repository's file is 3 kB
_VISIT = "visit.model"


def pack(toml: str) -> str:
    """TOML as a short code for a link; "" for no text.

    >>> unpack(pack("a = 1"))
    b'a = 1'
    """
    return base64.urlsafe_b64encode(zlib.compress(toml.encode(), 9)).decode().rstrip("=")


def unpack(code: str) -> bytes:
    """The TOML of a code, at most MOST_BYTES of it.

    >>> unpack("nonsense")
    Traceback (most recent call last):
    ValueError: This is not a model code: copy it whole from a link or from the field it stands in.
    """
    try:
        inflate = zlib.decompressobj()
        toml = inflate.decompress(
            base64.b64decode(code + "=" * (-len(code) % 4), altchars=b"-_", validate=True), MOST_BYTES + 1
        )
    except (ValueError, zlib.error):
        raise ValueError(
            "This is not a model code: copy it whole from a link or from the field it stands in."
        ) from None
    if len(toml) > MOST_BYTES:
        raise ValueError(f"The model is larger than {MOST_BYTES:,} bytes.")
    return toml


def control(load: Callable):
    """Today's model as `load` makes it of TOML bytes (None: the repository's own file). Call inside the panel."""
    key = visit.key("model")
    if key not in st.session_state and key not in st.query_params and st.session_state.get(_VISIT):
        st.session_state[key] = st.session_state[_VISIT]
    builtin = _builtin(load)
    with st.expander("Model as a code"):
        model = controls.text(
            "model", "Model code", "", lambda code: load(unpack(code)) if code else builtin, limit=8_000,
            help="Empty is the repository's weights.toml. An edited model stands here as a code and is part of the link.",
        )  # fmt: skip
    st.session_state[_VISIT] = st.session_state.get(f"{key}:good", "")
    return model


def edited(toml: str) -> None:
    """Make this text the visit's model, for a callback of the page that edits it."""
    st.session_state[f"{visit.slug()}.model"] = pack(toml)


def _builtin(load: Callable):
    try:
        return load(None)
    except ValueError as error:
        st.error(f"The repository's weights.toml cannot be used: {worked.plain(str(error))}", icon=":material/block:")
        st.stop()

"""A model as a short code for a link, and back."""

import base64
import zlib

MOST_BYTES = 8_192  # of TOML, as many as the engine reads; the repository's file is 3 kB
LONGEST_CODE = 8_000  # letters; servers refuse a longer address


def pack(toml: str) -> str:
    """TOML as a short code for a link; "" for no text.

    >>> unpack(pack("a = 1"))
    b'a = 1'
    """
    return base64.urlsafe_b64encode(zlib.compress(toml.encode(), 9)).decode().rstrip("=")


def unpack(code: str, what: str = "model") -> bytes:
    """The text of a code, such as a model's TOML, at most MOST_BYTES of it.

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
            f"This is not a {what} code: copy it whole from a link or from the field it stands in."
        ) from None
    if not inflate.eof and len(toml) <= MOST_BYTES:
        raise ValueError(f"This {what} code ends too early: copy it whole from a link or from the field it stands in.")
    if len(toml) > MOST_BYTES:
        raise ValueError(f"The {what} is larger than {MOST_BYTES:,} bytes.")
    return toml

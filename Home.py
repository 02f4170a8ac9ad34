"""Transformer Labs: the file given to `streamlit run`."""

from ui.app import frame

frame.show()

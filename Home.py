"""Transformer Labs: the file given to `streamlit run`."""

from ui import frame

frame.run()

"""Transformer Labs: the file given to `streamlit run`."""

from pages.home import first, pictures
from ui.app import frame

frame.show(first.show, pictures.pictures)

"""The frame around every page, and Home."""

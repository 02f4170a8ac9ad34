"""What the pages share on screen: Streamlit and Plotly, no mathematics, and no import of the engine."""

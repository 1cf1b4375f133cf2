"""The Streamlit app: components, theme, session state, and the server that carries them."""

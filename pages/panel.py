"""Panel: who reviews what and how far they are, what to settle, and closing with the reveal."""

import streamlit as st

from comparator.ui.panel import panel

st.title("Panel", anchor=False)
panel()

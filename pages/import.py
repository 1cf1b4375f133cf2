"""Import: an experiment comes in; what was found, which pairs, what is wrong with it, what it costs, start."""

import streamlit as st

from comparator.ui.importing import page

st.title("Import", anchor=False)
page.steps()

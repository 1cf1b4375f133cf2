"""Import: an experiment comes in; what was found, which pairs, what is wrong with it, what it costs, start."""

import streamlit as st

from comparator.ui import import_page, session

WIDTH = 1080

with st.container(width=WIDTH):
    st.title("Import", anchor=False)
    import_page.steps(session.services())

"""A Streamlit page with nothing but the review of a stored pair."""

from contextlib import nullcontext

import streamlit as st

from comparator.ui.frame import session
from comparator.ui.review.parts import component
from comparator.workflow.review.sheet import read_sheet

st.set_page_config(page_title="Score sheet", layout="wide")


st.session_state["runs"] = st.session_state.get("runs", 0) + 1
st.text(f"Run {st.session_state['runs']}")
st.sidebar.text("Queue")
other = st.text_input("Another field", key="other")
# In a container, Streamlit makes the element anew.
with st.container() if other == "made anew" else nullcontext():
    component(read_sheet(session.as_me(), st.query_params["c"]))

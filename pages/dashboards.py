"""Dashboards: who wins, how sure that is, and how far to trust the judge."""

import streamlit as st

from comparator.ui.dashboards.page import dashboards
from comparator.ui.frame.notices import demo_note

st.title("Dashboards", anchor=False)
demo_note()
dashboards()

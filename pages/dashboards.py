"""Dashboards: who wins, how sure that is, and how far to trust the judge."""

import streamlit as st

from comparator.ui.dashboard_page import dashboards

st.title("Dashboards", anchor=False)
dashboards()

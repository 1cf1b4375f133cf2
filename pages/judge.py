"""Judge: its record with people and on labelled pairs, its confidence and guidance, and which judges there are."""

import streamlit as st

from comparator.ui.judge.page import judge

st.title("Judge", anchor=False)
judge()

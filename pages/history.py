"""History: every comparison, filtered and searched, to open or export."""

import streamlit as st

from comparator.ui.history_filters import filters
from comparator.ui.history_list import history_list

st.title("History", anchor=False)
history_list(filters())

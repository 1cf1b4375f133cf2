"""Queue: how much waits, one button to begin, and the list of what waits."""

import streamlit as st

from comparator.ui.queue import queue

st.title("Queue", anchor=False)
queue()

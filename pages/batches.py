"""Batches: the runs of judging, each with its progress, cost and failures."""

import streamlit as st

from comparator.ui.batch_list import batch_list

st.title("Batches", anchor=False)
batch_list()

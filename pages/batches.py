"""Batches: many pairs judged in the background, started and steered here."""

import streamlit as st

from comparator.ui.batches_list import batch_list
from comparator.ui.batches_start import start_batch

st.title("Batches", anchor=False)
start_batch()
batch_list()

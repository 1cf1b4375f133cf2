"""Batches: many pairs judged in the background, started and steered here."""

import streamlit as st

from comparator.ui.batches.office_pages import page_progress
from comparator.ui.batches.running import batch_list
from comparator.ui.batches.start import start_batch

st.title("Batches", anchor=False)
start_batch()
page_progress()
batch_list()

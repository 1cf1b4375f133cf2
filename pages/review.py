"""Review: both outputs side by side, the judge's scores, and the reviewer's own."""

import streamlit as st

from comparator.ui import output_notes, review_parts

sheet = review_parts.opened()
if sheet is not None:
    # The outputs are sent first: they are what a reviewer waits for.
    above = st.container()
    output_notes.outputs(sheet)
    with above:
        review_parts.header(sheet)
    review_parts.about_outputs(sheet)
    review_parts.scores(sheet)

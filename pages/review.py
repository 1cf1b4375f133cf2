"""Review: both outputs side by side, the judge's scores, and the reviewer's own."""

import streamlit as st

from comparator.ui.frame import session
from comparator.ui.review import outputs, parts

session.wake_worker()
sheet = parts.opened()
if sheet is not None:
    # The outputs are sent first: they are what a reviewer waits for.
    above = st.container()
    outputs.outputs(sheet)
    with above:
        parts.header(sheet)
    parts.scores(sheet)

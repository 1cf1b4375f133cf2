"""How far a model is with what it was asked in the background."""

from __future__ import annotations

from datetime import datetime

import streamlit as st

from comparator.jobs.drafting import Answered
from comparator.ui.frame import safe, session


def model_progress(doing: str, began: datetime, *, answered: Answered | None = None, then: str = "") -> None:
    """A bar of what is answered, where that is known; else only the seconds, as nobody knows how long an answer takes.

    `then` is what one can do meanwhile.
    """
    seconds = (session.services().now() - began).total_seconds()
    if answered is None or not answered.of:
        st.info(safe.text(f"{doing} ({seconds:.0f} s). {then}".strip()), icon="spinner")
        return
    so_far = f"{answered.done:,} of {answered.of:,}"
    st.progress(
        answered.done / answered.of, text=safe.text(f"{doing}: {so_far} ({seconds:.0f} s). {then}".strip())
    )

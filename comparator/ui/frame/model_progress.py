"""How far a model is with what it was asked in the background."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import streamlit as st

from comparator.domain.rights import Act
from comparator.jobs.drafting import Answered, Drafting
from comparator.ui.frame import safe, session, shell


def model_progress(doing: str, began: datetime, *, answered: Answered | None = None, then: str) -> None:
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


@st.fragment(run_every=0.5)
def follow_draft(drafting: Drafting[Any], id: str, doing: str, *, act: Act, then: str = "") -> None:
    """How far the model is with this draft, for whoever may do the act somewhere; the whole page once it is done."""
    with shell.guard():
        session.require_somewhere(act)
        begun = drafting.look(id)
        if begun is None or begun.done:
            st.rerun()
        model_progress(doing, begun.began, then=then)
        if st.button("Continue without", key=f"forget_{id}", type="tertiary"):
            drafting.forget(id)
            st.rerun()

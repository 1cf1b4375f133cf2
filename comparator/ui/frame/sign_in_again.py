"""Asks for another sign-in before acts that concern everybody: an open page proves only that somebody once came in."""

from __future__ import annotations

import streamlit as st

from comparator.settings import SIGN_IN_SETTINGS
from comparator.ui.frame import safe, session
from comparator.workflow.people.people import RECENT


def signed_in_lately(place: str) -> bool:
    """Whether whoever sits here signed in within the last minutes; if not, that is said, with the button for it."""
    if session.has_recent_sign_in():
        return True
    minutes = int(RECENT.total_seconds() // 60)
    st.info(
        safe.text(
            f"This needs a sign-in within the last {minutes} minutes. Sign in again, then come back to this page."
        ),
        icon=":material/lock_clock:",
    )
    st.button("Sign in again", key=f"sign_in_again_{place}", icon=":material/login:", on_click=st.login)
    return False


def sign_in_help() -> None:
    """Show which settings make people sign in, and where the documentation says more."""
    with st.expander("Set up sign-in", icon=":material/person_add:"):
        st.caption("An administrator sets these before the start:")
        st.code("\n".join(SIGN_IN_SETTINGS), language=None, wrap_lines=True)
        safe.write(safe.Markdown("[Operations: sign-in](help?page=operations)"))

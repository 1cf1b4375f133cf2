"""How to set up sign-in, folded away: whoever works alone needs none."""

from __future__ import annotations

import streamlit as st

from comparator.settings import SIGN_IN_SETTINGS
from comparator.ui.frame import safe


def sign_in_help() -> None:
    """Show which settings make people sign in, and where the documentation says more."""
    with st.expander("Set up sign-in", icon=":material/person_add:"):
        st.caption("An administrator sets these before the start:")
        st.code("\n".join(SIGN_IN_SETTINGS), language=None)
        safe.write(safe.Markdown("[Operations: sign-in](help?page=operations)"))

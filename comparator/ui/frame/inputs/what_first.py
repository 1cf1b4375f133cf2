"""Judge first or blind first, one click apart."""

from __future__ import annotations

import streamlit as st

from comparator.ui.frame import safe

FIRST = {False: "Judge first", True: "Blind first"}


def ask_what_first(*, blind: bool, key: str, label: str = "") -> bool:
    """The choice that is made; True for blind first. `blind` is what it begins with; a label is shown if given."""
    chosen = st.segmented_control(
        safe.text(label or "What a reviewer sees first"),
        list(FIRST),
        default=blind,
        format_func=lambda each: safe.inked(FIRST[each]),
        key=key,
        required=True,
        label_visibility="visible" if label else "collapsed",
        help="Blind first: the reviewer scores before the judge's values open.",
    )
    return bool(chosen)

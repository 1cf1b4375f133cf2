"""An empty page: a sentence of what it will hold, and a button for the next step."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePath

import streamlit as st

from comparator.ui.frame import safe, session, shell
from comparator.ui.frame.state import PageScript


def empty_page(
    title: str,
    sentence: str,
    *,
    step: tuple[str, PageScript, str],
    key: str,
    picture: Callable[[], object] | None = None,
) -> None:
    """Show it; `step` is the label, page and icon of its button, for whoever may open that page.

    `picture` draws an example of what will stand here.
    """
    label, page, icon = step
    with st.container(border=True, width=620):
        st.subheader(safe.text(title), anchor=False)
        if picture is not None:
            picture()
        safe.caption(sentence)
        if session.may_somewhere(shell.NEEDS[PurePath(page).stem]) and st.button(
            safe.text(label), key=key, type="primary", icon=icon
        ):
            session.go(page)

"""An empty page: a picture and a sentence of what it will hold, and a button for the next step."""

from __future__ import annotations

from pathlib import PurePath

import streamlit as st

from comparator.ui.frame import safe, session, shell
from comparator.ui.frame.state import PageScript

_SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="560" height="96" fill="{fill}" fill-opacity="0.3">{parts}</svg>'
_RECTANGLE = '<rect x="{}" y="{}" width="{}" height="{}" rx="4"/>'
LIST = [(8, 8 + 22 * row, width, 10) for row, width in enumerate((260, 330, 220, 290))] + [
    (440, 8 + 22 * row, 56, 10) for row in range(4)
]
"""Rows of a list: x, y, width, height."""
CHART = [
    (24 + 66 * at, 88 - height, 40, height) for at, height in enumerate((26, 34, 30, 48, 44, 62, 70, 84))
]
"""Bars of a chart."""


def empty_page(
    title: str,
    sentence: str,
    *,
    step: tuple[str, PageScript, str],
    key: str,
    picture: list[tuple[int, int, int, int]] = LIST,
) -> None:
    """Show it; `step` is the label, page and icon of its button, for whoever may open that page."""
    label, page, icon = step
    with st.container(border=True, width=620):
        fill = st.get_option(f"theme.{st.context.theme.type or 'light'}.primaryColor")
        st.image(_SVG.format(fill=fill, parts="".join(_RECTANGLE.format(*part) for part in picture)))
        st.subheader(safe.text(title), anchor=False)
        st.caption(safe.text(sentence))
        if session.may_somewhere(shell.NEEDS[PurePath(page).stem]) and st.button(
            safe.text(label), key=key, type="primary", icon=icon
        ):
            session.go(page)

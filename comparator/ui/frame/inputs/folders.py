"""Finding a path on this machine: what a typed path holds, folder by folder, and the places given last."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import streamlit as st

from comparator.ui.components.path_end.component import show_end
from comparator.ui.frame import safe
from comparator.ui.frame.state import SessionKey

MOST = 500
RECENT = 6
UP = ".."


def browse(key: str, chosen: Callable[[], object] = lambda: None) -> None:
    """A list under the path box `key`: the folder's entries to go on with, then the recent places.

    Typing in it narrows it down. What is picked becomes the box's text; a recent place is `chosen` at once. For people
    who may read files of this machine only.
    """
    typed = Path(str(st.session_state.get(key) or "").strip() or Path.home()).expanduser()
    folder = nearest(typed)
    recent = [place for place in st.session_state.get(SessionKey.PLACES, ()) if place != str(typed)]
    picker = f"{key}_browse"

    def take() -> None:
        picked = st.session_state.get(picker)
        st.session_state[picker] = None
        if picked is None:
            return
        known = picked in recent
        st.session_state[key] = picked if known else str(folder.parent if picked == UP else folder / picked)
        if known:
            chosen()

    # Names in a selectbox are shown as they are, never as Markdown.
    st.selectbox(
        "Browse",
        [*entries(folder), *recent],
        index=None,
        key=picker,
        on_change=take,
        placeholder=f"In {safe.cut(str(folder), 48)}",
        label_visibility="collapsed",
    )
    show_end(str(typed), key=f"{key}_end")


def remember(path: str) -> None:
    """Put a place that was read at the front of the recent ones of this session."""
    kept = [place for place in st.session_state.get(SessionKey.PLACES, ()) if place != path]
    st.session_state[SessionKey.PLACES] = [path, *kept][:RECENT]


def nearest(path: Path) -> Path:
    """The folder itself, or the closest one above that exists."""
    try:
        return next(each for each in (path.absolute(), *path.absolute().parents) if each.is_dir())
    except (OSError, StopIteration):
        return Path.home()


def entries(folder: Path) -> list[str]:
    """The way up, then folders with a slash, then files; without hidden ones, at most 500."""
    try:
        found = sorted(folder.iterdir(), key=lambda each: (not each.is_dir(), each.name.lower()))
    except OSError:
        found = []
    shown = [f"{each.name}/" if each.is_dir() else each.name for each in found if each.name[0] != "."]
    return [UP, *shown[:MOST]]

"""Keeps choices in the address, so that a view can be linked, reloaded and gone back to.

Pages say what belongs in the address. The frame writes all of it once, when the page is drawn, so that each click is
one step for the browser's Back. If a page finds a value that it did not leave there, the browser went back or forward.
The exception: somebody has just chosen something on the page, and the new address may not have reached the browser yet.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from comparator.ui.frame.state import SessionKey


@dataclass
class _Address:
    """What this session knows of its address."""

    page: str | None = None
    """The page that was drawn last."""
    untouched: bool = False
    """Whether that page is drawn again without a new choice on it."""
    chosen: dict[str, Any] = field(default_factory=dict)
    """The values of the widgets that are in the address, by session key."""
    left: dict[str, list[str]] = field(default_factory=dict)
    """The address after that page was drawn."""
    next: dict[str, str | None] = field(default_factory=dict)
    """What will be written into it; None removes the name."""


def begin(page: str) -> None:
    """Begin to draw a page."""
    mine = _mine()
    chosen = any(st.session_state.get(key) != value for key, value in mine.chosen.items())
    mine.untouched, mine.page = mine.page == page and not chosen, page
    mine.next.clear()
    mine.chosen.clear()


def moved(name: str) -> bool:
    """Whether the browser went back or forward to another value of this name."""
    mine = _mine()
    return mine.untouched and st.query_params.get_all(name) != mine.left.get(name, [])


def put(name: str, value: str | None, *, key: str) -> None:
    """Write the value when the page is drawn; None removes the name. `key` is the widget's."""
    _mine().next[name] = value
    _mine().chosen[key] = st.session_state.get(key)


def put_now(name: str, values: Sequence[str]) -> None:
    """Write the values at once, as callbacks must; no values remove the name."""
    if values:
        st.query_params[name] = list(values)
    else:
        st.query_params.pop(name, None)
    _mine().left[name] = list(values)


def end() -> None:
    """Write the address, now that the page is drawn."""
    mine = _mine()
    changed = {}
    for name, value in mine.next.items():
        if value is None:
            st.query_params.pop(name, None)
        elif st.query_params.get(name) != value:
            changed[name] = value
    if changed:
        st.query_params.update(changed)
    mine.left = {name: st.query_params.get_all(name) for name in st.query_params}


def _mine() -> _Address:
    found: _Address = st.session_state.setdefault(SessionKey.ADDRESS, _Address())
    return found

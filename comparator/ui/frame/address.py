"""What stands in the address, so that what is seen can be linked, reloaded and gone back to.

A page says what is to stand there, and its frame writes all of it at once when the page is drawn: one click is one step
for the browser's Back. What a page finds there otherwise than it left it, the browser brought by a step back or on;
unless something was chosen on the page, perhaps before its address had reached the browser.
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
    """Whether it is drawn again, and nothing was chosen on it."""
    chosen: dict[str, Any] = field(default_factory=dict)
    """The values of its widgets that stand in the address, by their keys in the session."""
    left: dict[str, list[str]] = field(default_factory=dict)
    """What stood in the address when it was drawn."""
    next: dict[str, str | None] = field(default_factory=dict)
    """What is to stand in it; None for nothing."""


def begin(page: str) -> None:
    """Begin to draw a page."""
    mine = _mine()
    chosen = any(st.session_state.get(key) != value for key, value in mine.chosen.items())
    mine.untouched, mine.page = mine.page == page and not chosen, page
    mine.next.clear()
    mine.chosen.clear()


def moved(name: str) -> bool:
    """Whether the browser brought another value than the page left there."""
    mine = _mine()
    return mine.untouched and st.query_params.get_all(name) != mine.left.get(name, [])


def put(name: str, value: str | None, *, key: str) -> None:
    """Have the value in the address once the page is drawn; None for nothing. `key` is that of its widget."""
    _mine().next[name] = value
    _mine().chosen[key] = st.session_state.get(key)


def put_now(name: str, values: Sequence[str]) -> None:
    """Put the values into the address at once, as a callback does; none for nothing."""
    if values:
        st.query_params[name] = list(values)
    else:
        st.query_params.pop(name, None)
    _mine().left[name] = list(values)


def end() -> None:
    """Write what is to stand in the address, now that the page is drawn."""
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

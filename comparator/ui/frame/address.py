"""Keeps choices in the address, so that a view can be linked, reloaded and gone back to.

Pages say what belongs in the address. The frame writes all of it once, when the page is drawn, so that each click is
one step for the browser's Back. If a page finds a value that it did not leave there, the browser went back or forward,
or came by a link. The exception: somebody has just chosen something on the page, and the new address may not have
reached the browser yet.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from comparator.ui.frame.state import Param, SessionKey


@dataclass
class _Address:
    """What this session knows of its address."""

    page: str | None = None
    """The page that was drawn last."""
    opened: bool = False
    """Whether another page was drawn before it."""
    untouched: bool = False
    """Whether nothing was chosen since the page before it was drawn."""
    chosen: dict[str, Any] = field(default_factory=dict)
    """The values of the widgets that are in the address, by session key."""
    names: set[str] = field(default_factory=set)
    """The names that this page put into the address. Streamlit writes those of widgets that it binds."""
    left: dict[str, list[str]] = field(default_factory=dict)
    """The address after that page was drawn."""
    next: dict[str, list[str]] = field(default_factory=dict)
    """What will be written into it; no values remove the name."""
    called_back: dict[str, list[str]] = field(default_factory=dict)
    """What callbacks chose, until the page is drawn; a run that is broken off leaves it to the next one."""


def begin(page: str) -> None:
    """Begin to draw a page."""
    mine = _mine()
    mine.untouched = all(st.session_state.get(key) == value for key, value in mine.chosen.items())
    mine.opened, mine.page = mine.page != page, page
    if mine.opened:
        mine.called_back.clear()
        mine.names.clear()
    mine.next = {**_on_the_way(mine), **mine.called_back}
    mine.chosen.clear()


def begin_part() -> None:
    """Begin to draw one part of the page, after a choice in it. Call `end` when it is drawn."""
    mine = _mine()
    mine.untouched = mine.opened = False


def values(name: str) -> list[str]:
    """What the address says of this name, or what a callback has just chosen."""
    chosen = _mine().next.get(name)
    return st.query_params.get_all(name) if chosen is None else chosen


def moved(name: str) -> bool:
    """Whether the browser brought another value of this name. A page that is opened without one keeps its own."""
    mine = _mine()
    brought = st.query_params.get_all(name)
    if not mine.untouched:
        return False
    return bool(brought) if mine.opened else brought != mine.left.get(name, [])


def put(name: str, value: str, *, usual: str = "", key: str) -> None:
    """Write the value when the page is drawn, unless the address means it already. `key` is the widget's.

    `usual` is what the page takes where the address says nothing. An address that the browser went back to stays as it
    is: a new one would discard the pages that the browser's Forward leads to.
    """
    mine = _mine()
    mine.chosen[key] = st.session_state.get(key)
    mine.names.add(name)
    now = values(name)
    if (now or [usual]) != [value] and not (moved(name) and not now):
        mine.next[name] = [] if value == usual else [value]


def with_project(**query: str) -> dict[str, str]:
    """Query parameters for a link to another page, with the project that is looked at.

    An address that changed once more when the page is drawn would be a second step for the browser's Back.
    """
    project = st.session_state.get(SessionKey.PROJECT)
    return {**query, Param.PROJECT.value: project} if project else query


def choose(name: str, chosen: Sequence[str]) -> None:
    """In a callback: choose these values. The page reads them as if they stood in the address, and then they do."""
    _mine().called_back[name] = list(chosen)


def _on_the_way(mine: _Address) -> dict[str, list[str]]:
    """What was written last but had not reached the browser when somebody chose something."""
    if mine.untouched or mine.opened:
        return {}
    wanted = {name: mine.left.get(name, []) for name in mine.names}
    return {name: given for name, given in wanted.items() if st.query_params.get_all(name) != given}


def end() -> None:
    """Write the address, now that the page is drawn, by one message: each would be a step for the browser's Back."""
    mine = _mine()
    changed = {name: wanted for name, wanted in mine.next.items() if st.query_params.get_all(name) != wanted}
    if changed:
        # An empty list stands in no address.
        st.query_params.update(changed)
    mine.next.clear()
    mine.called_back.clear()
    mine.left = {name: st.query_params.get_all(name) for name in st.query_params}


def _mine() -> _Address:
    found: _Address = st.session_state.setdefault(SessionKey.ADDRESS, _Address())
    return found

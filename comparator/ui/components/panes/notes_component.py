"""The Python side of the notes under the panes: what they show, and what the browser sent, read with distrust."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

import streamlit as st

from comparator.domain.errors import ReviewError
from comparator.domain.labels import Frozen
from comparator.ui.components import TOKENS, component
from comparator.web.saving.events import clean
from comparator.workflow.review.notes import LONGEST_COMMENT, LONGEST_PASSAGE, Passage
from comparator.workflow.review.search import LONGEST_QUERY

_ID = re.compile(r"[a-z2-7]{20}")
_MOST_EDITS = 200
_MOST_FILES = 20_000
_REMEMBERED = 400
_EDITS = frozenset({"look", "pair", "apart", "unpair", "take_back", "attach", "withdraw", "comment"})


class NoteEdit(Frozen):
    """One thing that the reviewer did; `id` is made in the browser, so that what arrives twice counts once."""

    id: str
    do: str
    files: tuple[str, ...] = ()
    on: bool = True
    target: str = ""
    passage: Passage | None = None
    text: str = ""
    evidence: str = ""
    replies_to: str | None = None


class Query(Frozen):
    """Words that the reviewer looks for in all files."""

    id: str
    text: str


class NoteEvents(Frozen):
    """What has come from the browser since the last run."""

    edits: tuple[NoteEdit, ...] = ()
    query: Query | None = None
    refused: tuple[str, ...] = ()


def given(place: str, *, key: str) -> NoteEvents:
    """What the browser has sent of this comparison and was not yet handled; `handled` says when it is."""
    state = st.session_state.get(key)
    return events_from(
        state if isinstance(state, Mapping) else {}, place=place, handled=_memory(key)["handled"]
    )


def handled(ids: Iterable[str], *, key: str) -> None:
    """Edits with these ids are stored or refused; they are not handed out again, and the browser lets go of them."""
    memory = _memory(key)
    memory["handled"] = (*memory["handled"], *ids)[-_REMEMBERED:]


def notes_box(shown: Mapping[str, Any], *, place: str, key: str, owner: str) -> None:
    """Show the notes; `shown` holds what the browser's notes draw, as plain JSON values with foreign text as text."""
    component("output_notes", "panes/notes.bundle.js", TOKENS, "panes/notes/notes.css")(
        key=key,
        data={**shown, "place": place, "owner": owner, "handled": list(_memory(key)["handled"])},
        on_outbox_change=_nothing,
        on_query_change=_nothing,
    )


def events_from(state: Mapping[Any, Any], *, place: str, handled: Iterable[str]) -> NoteEvents:
    """The events in a component's state, each once; what cannot be read is refused with a sentence."""
    known = set(handled)
    edits: dict[str, NoteEdit] = {}
    refused = []
    for raw in _items(state.get("outbox"), place):
        try:
            edit = _edit(raw)
        except (ReviewError, ValueError, TypeError):
            refused.append("A note could not be read. Reload the page.")
        else:
            if edit.id not in known:
                edits.setdefault(edit.id, edit)
    query = state.get("query")
    wanted = None
    if isinstance(query, Mapping) and query.get("place") == place and _is_id(query.get("id")):
        text = query.get("text")
        if isinstance(text, str) and len(text) <= LONGEST_QUERY and query["id"] not in known:
            wanted = Query(id=query["id"], text=clean(text))
    return NoteEvents(edits=tuple(edits.values()), query=wanted, refused=tuple(refused))


def _items(outbox: object, place: str) -> tuple[Any, ...]:
    if not isinstance(outbox, Mapping) or outbox.get("place") != place:
        return ()
    items = outbox.get("items")
    return tuple(items[:_MOST_EDITS]) if isinstance(items, list | tuple) else ()


def _edit(raw: object) -> NoteEdit:
    if not isinstance(raw, Mapping) or not _is_id(raw.get("id")) or raw.get("do") not in _EDITS:
        raise ReviewError("A note could not be read.")
    named = raw["files"] if "files" in raw else [raw[side] for side in ("a", "b") if side in raw]
    if not isinstance(named, list | tuple) or len(named) > _MOST_FILES or not all(map(_is_id, named)):
        raise ReviewError("No list of files.")
    passage = raw.get("passage")
    return NoteEdit(
        id=raw["id"],
        do=raw["do"],
        files=tuple(named),
        on=raw.get("on") is not False,
        target=_text(raw.get("target"), 200),
        passage=_passage(passage) if passage is not None else None,
        text=_text(raw.get("text"), LONGEST_COMMENT),
        evidence=_text(raw.get("evidence"), 20),
        replies_to=raw["repliesTo"] if _is_id(raw.get("repliesTo")) else None,
    )


def _passage(raw: object) -> Passage:
    if not isinstance(raw, Mapping) or not _is_id(raw.get("fileId")):
        raise ReviewError("No passage.")
    return Passage(
        file_id=raw["fileId"],
        text=_text(raw.get("text"), LONGEST_PASSAGE),
        start=_place(raw.get("start")),
        end=_place(raw.get("end")),
    )


def _text(value: object, longest: int) -> str:
    if value is None:
        return ""
    if not isinstance(value, str) or len(value) > longest:
        raise ReviewError("Too long, or no text.")
    return clean(value)


def _place(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**31 else None


def _is_id(value: object) -> bool:
    return isinstance(value, str) and _ID.fullmatch(value) is not None


def _memory(key: str) -> dict[str, Any]:
    memory: dict[str, Any] = st.session_state.setdefault(f"{key}:notes", {"handled": ()})
    return memory


def _nothing() -> None:
    """Events are read where the page reads them; Streamlit wants a callback for each name."""

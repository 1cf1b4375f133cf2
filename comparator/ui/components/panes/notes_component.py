"""The Python side of the notes under the panes: what they show, and what the browser sent, read with distrust."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Annotated, Any, Literal, NamedTuple

import streamlit as st
from pydantic import ConfigDict, Field, ValidationError

from comparator.domain.labels import Frozen
from comparator.ui.components import TOKENS, component
from comparator.web.saving import clean
from comparator.workflow.review.notes import LONGEST_COMMENT, LONGEST_PASSAGE, Passage
from comparator.workflow.review.search import LONGEST_QUERY

_MOST_EDITS = 200
_MOST_FILES = 20_000
_REMEMBERED = 400
Id = Annotated[str, Field(pattern=r"^[a-z2-7]{20}$")]


class NotePassage(Passage):
    """A passage as the browser sends it, with what it shows of the file."""

    model_config = ConfigDict(extra="ignore")
    file_id: Id = Field(validation_alias="fileId")
    text: str = Field(default="", max_length=LONGEST_PASSAGE)


class NoteEdit(Frozen):
    """One thing that the reviewer did; `id` is made in the browser, so that what arrives twice counts once."""

    model_config = ConfigDict(extra="ignore")
    id: Id
    do: Literal["look", "pair", "apart", "unpair", "take_back", "attach", "withdraw", "comment"]
    files: tuple[Id, ...] = Field(default=(), max_length=_MOST_FILES)
    on: bool = True
    target: str = Field(default="", max_length=200)
    passage: NotePassage | None = None
    text: str = Field(default="", max_length=LONGEST_COMMENT)
    """A comment, the id of a piece of evidence to withdraw, or the name of a file to take back."""
    replies_to: Id | None = Field(default=None, validation_alias="repliesTo")


class Query(Frozen):
    """Words that the reviewer looks for in all files."""

    id: Id
    text: str = Field(max_length=LONGEST_QUERY)


class NoteEvents(NamedTuple):
    """What has come from the browser since the last run."""

    edits: tuple[NoteEdit, ...] = ()
    query: Query | None = None
    refused: tuple[str, ...] = ()


def given(place: str, *, key: str) -> NoteEvents:
    """What the browser has sent of this comparison and was not yet handled, each once; `handled` says when it is.

    What cannot be read is refused with a sentence.
    """
    known = set(_handled(key))
    outbox, query = (_sent(key, name, place) for name in ("outbox", "query"))
    edits: dict[str, NoteEdit] = {}
    refused = []
    items = outbox.get("items")
    for raw in items[:_MOST_EDITS] if isinstance(items, list) else ():
        try:
            edit = NoteEdit.model_validate(raw)
        except ValidationError:
            refused.append("A note could not be read. Reload the page.")
        else:
            if edit.id not in known:
                edits.setdefault(edit.id, edit)
    wanted = None
    with suppress(ValidationError):
        wanted = Query.model_validate(
            {name: query[name] for name in query.keys() & Query.model_fields.keys()}
        )
    return NoteEvents(
        edits=tuple(edits.values()),
        query=wanted if wanted is not None and wanted.id not in known else None,
        refused=tuple(refused),
    )


def handled(ids: Iterable[str], *, key: str) -> None:
    """Edits with these ids are stored or refused; they are not handed out again, and the browser lets go of them."""
    st.session_state[f"{key}:notes"] = (*_handled(key), *ids)[-_REMEMBERED:]


def notes_box(shown: Mapping[str, Any], *, place: str, key: str, owner: str) -> None:
    """Show the notes; `shown` holds what the browser's notes draw, as plain JSON values with foreign text as text."""
    component("output_notes", "panes/notes/notes.js", TOKENS, "panes/notes/notes.css")(
        key=key,
        data={**shown, "place": place, "owner": owner, "handled": list(_handled(key))},
        on_outbox_change=lambda: None,
        on_query_change=lambda: None,
    )


def _sent(key: str, name: str, place: str) -> dict[Any, Any]:
    """A part of the component's state, if it is of this place."""
    state = st.session_state.get(key)
    raw = clean(state.get(name)) if isinstance(state, Mapping) else None
    return raw if isinstance(raw, dict) and raw.get("place") == place else {}


def _handled(key: str) -> tuple[str, ...]:
    ids: tuple[str, ...] = st.session_state.get(f"{key}:notes", ())
    return ids

"""What a person says of a comparison beside scores: notes, only ever added."""

from enum import StrEnum
from typing import Any

from pydantic import AwareDatetime, SerializerFunctionWrapHandler, model_serializer
from sqlalchemy import ColumnElement, RowMapping, exists, select, true

from comparator.domain.labels import Frozen
from comparator.store import tables
from comparator.store.core.sql import Connection, Unit, changed, insert_new, there_is


class NoteKind(StrEnum):
    """What a note is."""

    SKIP = "skip"
    FLAG = "flag"
    CANNOT_JUDGE = "cannot_judge"
    OUTSIDE_EXPERTISE = "outside_expertise"
    COMMITTED = "committed"
    """In a blind review: the own values are given, and the judge's may be shown."""
    GUESS = "guess"
    """Before the reveal: which candidate made which output."""
    EVIDENCE = "evidence"
    """A passage of a file, held against a value of the review."""
    COMMENT = "comment"
    SEEN = "seen"
    """Files, or the judge's values, were looked at."""
    WITHDRAWN = "withdrawn"


ANSWERS = (NoteKind.SKIP, NoteKind.FLAG, NoteKind.CANNOT_JUDGE, NoteKind.OUTSIDE_EXPERTISE)
"""Said of the comparison as a whole."""
PUT_ASIDE = (NoteKind.SKIP, NoteKind.CANNOT_JUDGE, NoteKind.OUTSIDE_EXPERTISE)
"""After these, the comparison does not wait for the person any more."""


class Note(Frozen):
    """One note with its author and time; which of the other fields it has depends on its kind."""

    id: str
    comparison_id: str
    person_id: str
    kind: NoteKind
    about: str | None = None
    """The note that it takes back."""
    at: AwareDatetime
    text: str = ""
    """The reason of an answer, the passage of a piece of evidence, the words of a comment."""
    file_id: str | None = None
    start: int | None = None
    """Where a passage begins in the text of the shown document, where the reviewer's page knew it."""
    end: int | None = None
    selection: str = ""
    """The passage that a comment is about."""
    target: str = ""
    """The address of the value that a piece of evidence is for, such as `score:A:content.facts`."""
    candidate_a: int | None = None
    """The neutral number of the candidate that is taken for A's; None for "no idea"."""
    sure: int | None = None
    """Of a guess, 1 to 3."""
    files: tuple[str, ...] = ()
    """Ids of the files that were ticked, or are not any more."""
    saw_judge: bool | None = None
    """The person was sent the judge's values."""

    @model_serializer(mode="wrap")
    def _without_what_it_lacks(self, dump: SerializerFunctionWrapHandler) -> dict[str, Any]:
        return {name: value for name, value in dump(self).items() if value not in (None, "", (), [])}


_note = tables.note.c
_COLUMNS = frozenset(column.name for column in _note)


def add(
    unit: Unit,
    comparison_id: str,
    kind: NoteKind,
    *,
    person_id: str,
    id: str | None = None,
    about: str | None = None,
    **content: Any,
) -> Note:
    """Store a note; with an id that is stored already nothing is. `content` has the fields of its kind."""
    note = Note(
        id=id or unit.new_id(),
        comparison_id=comparison_id,
        person_id=person_id,
        kind=kind,
        about=about,
        at=unit.at,
        **content,
    )
    row = {name: getattr(note, name) for name in _COLUMNS - {"content"}}
    body = note.model_dump(mode="json", exclude=set(_COLUMNS))
    insert_new(unit, tables.note, row | {"content": body})
    if kind is NoteKind.GUESS:
        changed(unit, comparisons=[comparison_id])
    return note


def find(connection: Connection, note_id: str, *, kind: NoteKind | None = None) -> Note | None:
    """The note under this id, of this kind or of any, taken back or not; None where there is none."""
    query = select(tables.note).where(_note.id == note_id)
    if kind is not None:
        query = query.where(_note.kind == kind)
    row = connection.execute(query).mappings().first()
    return None if row is None else _of(row)


def withdraw(unit: Unit, note: Note) -> None:
    """Take a note back; both stay known. Withdrawing twice is withdrawing once."""
    if not there_is(unit, _note.about == note.id, _note.kind == NoteKind.WITHDRAWN):
        add(unit, note.comparison_id, NoteKind.WITHDRAWN, person_id=note.person_id, about=note.id)


def standing(connection: Connection, comparison_id: str, *, person_id: str | None = None) -> tuple[Note, ...]:
    """The notes that were not taken back, oldest first; of one person or of all."""
    theirs = true() if person_id is None else _note.person_id == person_id
    query = select(tables.note).where(_note.comparison_id == comparison_id, theirs)
    every = [_of(row) for row in connection.execute(query.order_by(_note.at, _note.id)).mappings()]
    gone = {note.about for note in every if note.kind is NoteKind.WITHDRAWN}
    return tuple(note for note in every if note.kind is not NoteKind.WITHDRAWN and note.id not in gone)


def looked_at(notes: tuple[Note, ...]) -> frozenset[str]:
    """Ids of the files that were looked at by these notes of one person."""
    return frozenset(file for note in notes if note.kind is NoteKind.SEEN for file in note.files)


def is_put_aside(comparison: ColumnElement[str], person_id: str) -> ColumnElement[bool]:
    """That the person has skipped this comparison or cannot judge it."""
    back = tables.note.alias("taken_back").c
    return exists().where(
        _note.comparison_id == comparison,
        _note.person_id == person_id,
        _note.kind.in_(PUT_ASIDE),
        ~exists().where(back.about == _note.id, back.kind == NoteKind.WITHDRAWN),
    )


def _of(row: RowMapping) -> Note:
    return Note.model_validate({name: row[name] for name in _COLUMNS - {"content"}} | row["content"])

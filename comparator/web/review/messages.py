"""What a review in the browser sends: changes of values, notes on files and passages, commands; read with distrust."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import ConfigDict, Field, ValidationError

from comparator.domain.errors import ReviewError
from comparator.domain.labels import Frozen
from comparator.domain.scoring.review import Change
from comparator.workflow.review.notes import LONGEST_COMMENT, LONGEST_PASSAGE, Passage

MOST_ITEMS = 2_000
"""Changes, or notes, in one request."""
_MOST_FILES = 20_000
_MOST_COMMANDS = 2
_SENT = frozenset({"id", "target", "kind", "value", "reason", "code"})
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
    do: Literal["look", "take_back", "attach", "withdraw", "comment"]
    files: tuple[Id, ...] = Field(default=(), max_length=_MOST_FILES)
    target: str = Field(default="", max_length=200)
    passage: NotePassage | None = None
    text: str = Field(default="", max_length=LONGEST_COMMENT)
    """A comment, the id of a piece of evidence to withdraw, or the name of a file to take back."""


class CommandName(StrEnum):
    """What a reviewer can ask for beside changing values."""

    FINALISE = "finalise"
    FINALISE_NEXT = "finalise_next"
    REOPEN = "reopen"
    UNDO = "undo"
    OPEN_JUDGE = "open_judge"
    SKIP = "skip"
    FLAG = "flag"
    CANNOT_JUDGE = "cannot_judge"
    OUTSIDE_EXPERTISE = "outside_expertise"
    WITHDRAW = "withdraw"
    KNOWS = "knows"
    GUESS = "guess"
    RETRY = "retry"
    NEXT = "next"
    EXPORT = "export"
    EXPORT_PROVENANCE = "export_provenance"
    REVEAL = "reveal"
    STOP = "stop"


class Command(Frozen):
    """One press of a button. `id` is made in the browser, so that an undo that arrives twice acts once."""

    model_config = ConfigDict(extra="ignore")
    id: str = Field(pattern=r"^[A-Za-z0-9_-]{1,64}$")
    name: CommandName
    text: str = Field(default="", max_length=4_000)
    """What came with it: why the comparison is flagged, the id of an answer to take back, or a guess as
    `2:3`."""
    seen: int | None = None
    """How many changes the reviewer had in view."""


class SentChanges(NamedTuple):
    """What a page sent: the changes in its order, and by its id why one cannot be read."""

    changes: list[Change]
    unreadable: dict[str, str]


def clean(raw: Any) -> Any:
    """Anything read from JSON, its texts without what no database or answer can hold."""
    match raw:
        case str():
            return raw.encode("utf-8", "replace").decode("utf-8").replace("\x00", "\ufffd")
        case list() | tuple():
            return [clean(each) for each in raw]
        case dict():
            return {clean(name): clean(value) for name, value in raw.items()}
    return raw


def changes_from(sent: object, *, author: str, at: datetime) -> SentChanges:
    """The changes of a cleaned body, made by this person at this time. Raises ReviewError where it is no such list."""
    sent_changes = SentChanges([], {})
    for raw in _items(sent):
        stamped = {name: raw[name] for name in raw.keys() & _SENT} | {"author": author, "at": at}
        try:
            sent_changes.changes.append(Change.model_validate(stamped))
        except (ValidationError, ReviewError) as error:
            why = error.errors()[0]["msg"] if isinstance(error, ValidationError) else str(error)
            sent_changes.unreadable[str(raw.get("id"))[:64]] = (
                f"The change to {raw.get('target')} cannot be read: {why}"
            )
    return sent_changes


def notes_from(sent: object) -> tuple[list[NoteEdit], dict[str, str]]:
    """The notes of a cleaned body, and by its id why one cannot be read. Raises ReviewError where it is no list."""
    edits: list[NoteEdit] = []
    refused: dict[str, str] = {}
    for raw in _items(sent):
        try:
            edits.append(NoteEdit.model_validate(raw))
        except ValidationError:
            refused[str(raw.get("id"))[:64]] = "A note could not be read. Reload the page."
    return edits, refused


def commands_from(sent: object) -> list[Command]:
    """The commands of a cleaned body. Raises ReviewError where one is none of ours."""
    try:
        return [Command.model_validate(raw) for raw in _items(sent)[:_MOST_COMMANDS]]
    except ValidationError as error:
        raise ReviewError("The page sent an unknown command. Reload the page.") from error


def _items(sent: object) -> list[dict[str, Any]]:
    if not isinstance(sent, list) or len(sent) > MOST_ITEMS:
        raise ReviewError(f"Changes come as a list of at most {MOST_ITEMS:,}. Reload the page.")
    return [raw for raw in sent if isinstance(raw, dict)]

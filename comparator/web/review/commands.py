"""What a review in the browser sends, read with distrust: changes, notes and commands; commands are carried out."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import AwareDatetime, ConfigDict, Field, ValidationError

from comparator.domain.errors import ComparatorError, ReviewError, first_problem
from comparator.domain.labels import Frozen
from comparator.domain.pair.task import key_from
from comparator.domain.scoring.review import Change, Target
from comparator.jobs.child import app_worker
from comparator.store.reviewing.notes import NoteKind
from comparator.workflow.exporting.comparison_json import (
    ScoresGiven,
    provenance_json,
    provenance_path,
    result_json,
)
from comparator.workflow.judging import asking
from comparator.workflow.projects.reveal import reveal
from comparator.workflow.review.notes import (
    LONGEST_COMMENT,
    LONGEST_PASSAGE,
    Passage,
    attach,
    comment,
    look,
    withdraw,
)
from comparator.workflow.review.panel import Scope, take_next
from comparator.workflow.review.review import (
    answer,
    finalise,
    guess,
    guess_is_due,
    mark_knows,
    open_judge,
    reopen,
    undo,
    withdraw_answer,
)
from comparator.workflow.review.review_state import reviewing
from comparator.workflow.review.sheet import read_sheet
from comparator.workflow.services import Services
from comparator.workflow.submit.set_up import take_back

MOST_ITEMS = 2_000
"""Changes, or notes, in one request."""
_MOST_FILES = 20_000
MOST_COMMANDS = 2
_EARLIEST = datetime(2000, 1, 1, tzinfo=UTC)
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
            return [clean(item) for item in raw]
        case dict():
            return {clean(name): clean(value) for name, value in raw.items()}
    return raw


class Sent(Frozen):
    """What the component sends: of which pair, what was done there, and what it asks for."""

    model_config = ConfigDict(extra="ignore")
    owner: str = ""
    comparison: str
    scope: Scope = Scope()
    began: Annotated[AwareDatetime, Field(gt=_EARLIEST)] | None = None
    """When the reviewer first saw the pair; a year that no clock of ours has can overflow where it becomes UTC."""
    changes: tuple[dict[str, Any], ...] = Field(default=(), max_length=MOST_ITEMS)
    notes: tuple[dict[str, Any], ...] = Field(default=(), max_length=MOST_ITEMS)
    commands: tuple[Command, ...] = Field(default=(), max_length=MOST_ITEMS)
    whole: bool = False
    search: str | None = None
    ahead: bool = False

    @classmethod
    def read(cls, body: bytes) -> Sent:
        """The body, cleaned. Raises ReviewError where it is none of ours."""
        try:
            return cls.model_validate(clean(json.loads(body)))
        except (ValueError, RecursionError) as error:
            raise ReviewError("The server cannot read what the page sent. Reload the page.") from error


def changes_from(sent: Sent, *, author: str, at: datetime) -> SentChanges:
    """The changes that were sent, made by this person at this time."""
    sent_changes = SentChanges([], {})
    for raw in sent.changes:
        stamped = {name: raw[name] for name in raw.keys() & _SENT} | {"author": author, "at": at}
        try:
            sent_changes.changes.append(Change.model_validate(stamped))
        except (ValidationError, ReviewError) as error:
            why = first_problem(error).reason if isinstance(error, ValidationError) else str(error)
            sent_changes.unreadable[str(raw.get("id"))[:64]] = (
                f"The change to {raw.get('target')} cannot be read: {why}"
            )
    return sent_changes


def notes_from(sent: Sent) -> tuple[list[NoteEdit], dict[str, str]]:
    """The notes that were sent, and by its id why one cannot be read."""
    edits: list[NoteEdit] = []
    refused: dict[str, str] = {}
    for raw in sent.notes:
        try:
            edits.append(NoteEdit.model_validate(raw))
        except ValidationError:
            refused[str(raw.get("id"))[:64]] = "A note could not be read. Reload the page."
    return edits, refused


GUESS = re.compile(r"^(?:(\d{1,4})?:(\d))?$")
"""The candidate's number and how sure, such as `2:3`, `:1` or nothing for "no idea"."""
STOPPED = "Stopped. A reading already under way is kept when it arrives; nothing more is sent."


class Download(Frozen):
    """A file that the browser saves."""

    name: str
    text: str


class Reply(Frozen):
    """What comes of a command: one plain sentence, a file to save, or another comparison to open."""

    note: str = ""
    done: bool = True
    download: Download | None = None
    go_to: str | None = None
    go_home: bool = False
    undone: str = ""
    """The address of the value that an undo took back, or of the first of several."""


def carry_out(services: Services, comparison_id: str, command: Command, *, scope: Scope) -> Reply:
    """Carry out the command; own errors become the reply's sentence. `scope` has the next pair."""
    try:
        return _carry_out(services, comparison_id, command, scope)
    except ComparatorError as error:
        return Reply(note=str(error), done=False)


def _carry_out(services: Services, comparison_id: str, command: Command, scope: Scope) -> Reply:
    match command.name:
        case CommandName.FINALISE | CommandName.FINALISE_NEXT if guess_is_due(services, comparison_id):
            return Reply(note="First say which output you think came from which candidate.", done=False)
        case CommandName.FINALISE | CommandName.FINALISE_NEXT:
            finalise(services, comparison_id, seen=command.seen)
            if command.name is CommandName.FINALISE:
                return Reply()
            onward = _onward(services, comparison_id, scope)
            # The last decision stays in sight, with its export and the reveal.
            where = " in this batch" if scope.batch_id else " in this project" if scope.project_id else ""
            return Reply(note=f"No more pairs wait for you{where}.") if onward.go_home else onward
        case CommandName.NEXT:
            return _onward(services, comparison_id, scope)
        case CommandName.REOPEN:
            reopen(services, comparison_id)
        case CommandName.UNDO:
            if undone := undo(services, comparison_id, id=command.id):
                return Reply(note=f"Undone: {undone.words}", undone=undone.address)
            return Reply(note="There is nothing left to undo.")
        case CommandName.OPEN_JUDGE:
            open_judge(services, comparison_id)
        case CommandName.FLAG | CommandName.SKIP | CommandName.CANNOT_JUDGE | CommandName.OUTSIDE_EXPERTISE:
            answer(services, comparison_id, NoteKind(command.name.value), reason=command.text)
            if command.name is not CommandName.FLAG:
                return _onward(services, comparison_id, scope)
            return Reply(note="Flagged for discussion.")
        case CommandName.WITHDRAW:
            withdraw_answer(services, comparison_id, command.text)
        case CommandName.KNOWS:
            mark_knows(services, comparison_id)
            return Reply(note="Noted. Your review of this pair does not count as blind.")
        case CommandName.GUESS:
            if (match := GUESS.match(command.text)) is None:
                raise ReviewError(f"{command.text[:40]!r} is not a guess. Reload the page and choose again.")
            candidate, sure = (int(number) if number else None for number in match.groups())
            guess(services, comparison_id, candidate_a=candidate, sure=sure)
        case CommandName.RETRY:
            asking.ask(services, comparison_id)
            app_worker(services).wake()
            return Reply(note="Judging has started. Finished readings are not charged again.")
        case CommandName.STOP:
            stopped = asking.stop(services, comparison_id)
            return Reply(note=STOPPED if stopped else "The judge is not working on this pair.")
        case CommandName.REVEAL:
            reveal(services, comparison_id)
        case CommandName.EXPORT | CommandName.EXPORT_PROVENANCE:
            # So that many lie in one folder. A title is neutral until the reveal.
            path = Path(f"comparison-{key_from(read_sheet(services, comparison_id).title)}.json")
            if command.name is CommandName.EXPORT_PROVENANCE:
                text = provenance_json(services, comparison_id)
                return Reply(download=Download(name=provenance_path(path).name, text=text))
            given = ScoresGiven.read(command.text) if command.text else None
            text = result_json(services, comparison_id, given=given)
            return Reply(download=Download(name=path.name, text=text))
    return Reply()


def _onward(services: Services, comparison_id: str, scope: Scope) -> Reply:
    next_id = take_next(services, scope, after=comparison_id)
    return Reply(go_to=next_id) if next_id else Reply(go_home=True)


def store_note(services: Services, comparison_id: str, edit: NoteEdit) -> None:
    """Store one note. Raises what its use case raises."""
    if edit.do == "take_back":
        take_back(services, comparison_id, (edit.text,))
        return
    with reviewing(services, comparison_id) as state:
        match edit.do:
            case "look":
                look(state, edit.files)
            case "attach" if edit.passage is not None:
                attach(state, edit.passage, Target.parse(edit.target), id=edit.id)
            case "withdraw":
                withdraw(state, edit.text)
            case "comment":
                comment(state, edit.text, id=edit.id, about=edit.passage)

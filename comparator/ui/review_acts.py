"""Carries out what the score sheet sends: stores changes first, then does what was asked for."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from comparator.domain.errors import ComparatorError, Conflict, ReviewError
from comparator.domain.labels import Frozen
from comparator.domain.review import Change
from comparator.reporting.history import next_to_review
from comparator.store.answers import AnswerKind
from comparator.ui import session
from comparator.ui.components.sheet.component import Download
from comparator.ui.components.sheet.events import Command, CommandName, Refusal, SentChange, SheetEvents
from comparator.workflow.export import DEFAULT_NAME, provenance_json, provenance_path, result_json
from comparator.workflow.review import answer, finalise, record, reopen, undo


class Reply(Frozen):
    """What the page does next: a sentence to show, a file to hand over, another comparison to open."""

    refused: tuple[Refusal, ...] = ()
    note: str = ""
    download: Download | None = None
    go_to: str | None = None
    go_home: bool = False


def act(comparison_id: str, events: SheetEvents, *, seen: int | None = None) -> Reply:
    """Store the changes, then carry out the command; own errors become the reply's sentence.

    `seen` is the number of stored changes that the browser was last shown.
    """
    refused = (*events.refused, *_store(comparison_id, events.changes))
    if events.command is None:
        return Reply(refused=refused)
    if refused and events.command.name in (CommandName.FINALISE, CommandName.FINALISE_NEXT):
        note = f"Not finalised, since a value sent with it was not stored: {refused[0].why}"
        return Reply(refused=refused, note=note)
    try:
        reply = _carry_out(comparison_id, events.command, seen=seen and seen + len(events.changes))
    except ComparatorError as error:
        reply = Reply(note=str(error))
    return reply.model_copy(update={"refused": refused})


def _store(comparison_id: str, changes: Iterable[SentChange]) -> list[Refusal]:
    """Store all at once; where one does not fit, each by itself, so that the others are kept."""
    author, at = session.me().id, session.services().now()
    made = [
        Change(
            id=c.id,
            target=c.target,
            kind=c.kind,
            value=c.value,
            reason=c.reason,
            code=c.code,
            author=author,
            at=at,
        )
        for c in changes
    ]
    if not made:
        return []
    try:
        record(session.services(), comparison_id, made, person_id=author)
    except (ReviewError, Conflict):
        return [refusal for change in made if (refusal := _store_one(comparison_id, change)) is not None]
    return []


def _store_one(comparison_id: str, change: Change) -> Refusal | None:
    try:
        record(session.services(), comparison_id, [change], person_id=change.author)
    except (ReviewError, Conflict) as error:
        return Refusal(id=change.id, why=str(error))
    return None


def _carry_out(comparison_id: str, command: Command, *, seen: int | None) -> Reply:
    services, me = session.services(), session.me().id
    match command.name:
        case CommandName.FINALISE:
            finalise(services, comparison_id, person_id=me, seen=seen)
            return Reply()
        case CommandName.FINALISE_NEXT:
            finalise(services, comparison_id, person_id=me, seen=seen)
            return _onward(comparison_id)
        case CommandName.NEXT:
            return _onward(comparison_id)
        case CommandName.REOPEN:
            reopen(services, comparison_id, person_id=me)
            return Reply()
        case CommandName.UNDO:
            done = undo(services, comparison_id, person_id=me, id=command.id)
            return Reply(note="" if done else "There is nothing left to undo.")
        case CommandName.SKIP:
            answer(services, comparison_id, AnswerKind.SKIP, person_id=me, reason=command.text)
            return _onward(comparison_id)
        case CommandName.FLAG:
            answer(services, comparison_id, AnswerKind.FLAG, person_id=me, reason=command.text)
            return Reply(note="Flagged for discussion.")
        case CommandName.RETRY:
            session.judge(comparison_id)
            return Reply(note="Judging has started; what is done already is not paid for again.")
        case CommandName.EXPORT:
            text = result_json(services, comparison_id)
            return Reply(download=Download(id=command.id, name=DEFAULT_NAME, text=text))
        case CommandName.EXPORT_PROVENANCE:
            text = provenance_json(services, comparison_id)
            name = provenance_path(Path(DEFAULT_NAME)).name
            return Reply(download=Download(id=command.id, name=name, text=text))


def _onward(comparison_id: str) -> Reply:
    found = next_to_review(
        session.services().database,
        person_id=session.me().id,
        project_id=session.project_id(),
        after=comparison_id,
    )
    return Reply(go_to=found) if found else Reply(go_home=True)

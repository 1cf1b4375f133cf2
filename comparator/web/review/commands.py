"""Carries out what a reviewer asks for beside changing values."""

from __future__ import annotations

import re
from pathlib import Path

from comparator.domain.errors import ComparatorError, ReviewError
from comparator.domain.labels import Frozen
from comparator.domain.scoring.review import Target
from comparator.jobs.child import app_worker
from comparator.store.reviewing.notes import NoteKind
from comparator.web.review.messages import Command, CommandName, NoteEdit
from comparator.workflow.exporting.comparison_json import (
    DEFAULT_NAME,
    ScoresGiven,
    provenance_json,
    provenance_path,
    result_json,
)
from comparator.workflow.judging import asking
from comparator.workflow.projects.reveal import reveal
from comparator.workflow.review.notes import attach, comment, look, withdraw
from comparator.workflow.review.panel import take_next
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

ANSWERS = {
    CommandName.SKIP: NoteKind.SKIP,
    CommandName.FLAG: NoteKind.FLAG,
    CommandName.CANNOT_JUDGE: NoteKind.CANNOT_JUDGE,
    CommandName.OUTSIDE_EXPERTISE: NoteKind.OUTSIDE_EXPERTISE,
}

GUESS = re.compile(r"^(?:(\d{1,4})?:(\d))?$")
"""The candidate's number and how sure, such as `2:3`, `:1` or nothing for "no idea"."""
STOPPED = "Stopped. A reading already under way is kept when it arrives; nothing more is sent."


class Download(Frozen):
    """A file that the browser saves."""

    name: str
    text: str
    media_type: str = "application/json"


class Reply(Frozen):
    """What comes of a command: one plain sentence, a file to save, or another comparison to open."""

    note: str = ""
    done: bool = True
    download: Download | None = None
    go_to: str | None = None
    go_home: bool = False
    undone: str = ""
    """The address of the value that an undo took back."""


def carry_out(services: Services, comparison_id: str, command: Command, *, scope: str | None) -> Reply:
    """Carry out the command; own errors become the reply's sentence. `scope` is the project of the next pair."""
    try:
        return _carry_out(services, comparison_id, command, scope)
    except ComparatorError as error:
        return Reply(note=str(error), done=False)


def _carry_out(services: Services, comparison_id: str, command: Command, scope: str | None) -> Reply:
    match command.name:
        case CommandName.FINALISE | CommandName.FINALISE_NEXT if guess_is_due(services, comparison_id):
            return Reply(note="First say which output you think came from which candidate.", done=False)
        case CommandName.FINALISE | CommandName.FINALISE_NEXT:
            finalise(services, comparison_id, seen=command.seen)
            onward = command.name is CommandName.FINALISE_NEXT
            return _onward(services, comparison_id, scope) if onward else Reply()
        case CommandName.NEXT:
            return _onward(services, comparison_id, scope)
        case CommandName.REOPEN:
            reopen(services, comparison_id)
        case CommandName.UNDO:
            if undone := undo(services, comparison_id, id=command.id):
                return Reply(undone=undone)
            return Reply(note="There is nothing left to undo.")
        case CommandName.OPEN_JUDGE:
            open_judge(services, comparison_id)
        case CommandName.FLAG:
            answer(services, comparison_id, NoteKind.FLAG, reason=command.text)
            return Reply(note="Flagged for discussion.")
        case CommandName.SKIP | CommandName.CANNOT_JUDGE | CommandName.OUTSIDE_EXPERTISE:
            answer(services, comparison_id, ANSWERS[command.name], reason=command.text)
            return _onward(services, comparison_id, scope)
        case CommandName.WITHDRAW:
            withdraw_answer(services, comparison_id, command.text)
        case CommandName.KNOWS:
            mark_knows(services, comparison_id)
            return Reply(note="Noted. Your review of this pair does not count as blind.")
        case CommandName.GUESS:
            if (said := GUESS.match(command.text)) is None:
                raise ReviewError(f"{command.text[:40]!r} is not a guess. Reload the page and choose again.")
            candidate, sure = (int(number) if number else None for number in said.groups())
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
            if not read_sheet(services, comparison_id, files=False).opened:
                raise ReviewError("The judge's values are still hidden from you. Answer first, then export.")
            if command.name is CommandName.EXPORT:
                given = ScoresGiven.read(command.text) if command.text else None
                text = result_json(services, comparison_id, given=given)
                return Reply(download=Download(name=DEFAULT_NAME, text=text))
            text = provenance_json(services, comparison_id)
            return Reply(download=Download(name=provenance_path(Path(DEFAULT_NAME)).name, text=text))
    return Reply()


def _onward(services: Services, comparison_id: str, scope: str | None) -> Reply:
    found = take_next(services, project_id=scope, after=comparison_id)
    return Reply(go_to=found) if found else Reply(go_home=True)


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

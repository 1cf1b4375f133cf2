"""Carries out the commands of the score sheet."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path

import streamlit as st

from comparator.domain.errors import ComparatorError, ReviewError
from comparator.store.reviewing.notes import NoteKind
from comparator.ui.components.sheet.component import Command, CommandName, Download, Reply
from comparator.ui.frame import session
from comparator.ui.frame.state import SessionKey
from comparator.workflow.exporting.comparison_json import (
    DEFAULT_NAME,
    place_of,
    provenance_json,
    provenance_path,
    result_json,
    write_files,
)
from comparator.workflow.exporting.settled import ScoresGiven
from comparator.workflow.projects.reveal import reveal
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
from comparator.workflow.review.sheet import read_sheet

ANSWERS = {
    CommandName.SKIP: NoteKind.SKIP,
    CommandName.FLAG: NoteKind.FLAG,
    CommandName.CANNOT_JUDGE: NoteKind.CANNOT_JUDGE,
    CommandName.OUTSIDE_EXPERTISE: NoteKind.OUTSIDE_EXPERTISE,
}

GUESS = re.compile(r"^(?:(\d{1,4})?:(\d))?$")
"""The candidate's number and how sure, such as `2:3`, `:1` or nothing for "no idea"."""
STOPPED = "Stopped. A reading already under way is kept when it arrives; nothing more is sent."


def carry_out(comparison_id: str, command: Command) -> Reply:
    """Carry out the command; own errors become the reply's sentence."""
    try:
        return _carry_out(comparison_id, command)
    except ComparatorError as error:
        return Reply(note=str(error))


def opened_at(comparison_id: str) -> datetime:
    """When this session first showed the comparison to its reviewer; now, if that is only now."""
    key = f"{SessionKey.OPENED_PREFIX}-{comparison_id}"
    began: datetime = st.session_state.setdefault(key, session.services().now())
    return began


def _carry_out(comparison_id: str, command: Command) -> Reply:
    services, me = session.services(), session.me().id
    match command.name:
        case CommandName.FINALISE | CommandName.FINALISE_NEXT if guess_is_due(
            services, comparison_id, person_id=me
        ):
            return Reply(note="First say which output you think came from which candidate.")
        case CommandName.FINALISE:
            finalise(services, comparison_id, person_id=me, seen=command.seen)
            return Reply(anew=True)
        case CommandName.FINALISE_NEXT:
            finalise(services, comparison_id, person_id=me, seen=command.seen)
            return _onward(comparison_id)
        case CommandName.NEXT:
            return _onward(comparison_id)
        case CommandName.REOPEN:
            reopen(services, comparison_id, person_id=me)
            return Reply(anew=True)
        case CommandName.UNDO:
            done = undo(services, comparison_id, person_id=me, id=command.id)
            return Reply(note="" if done else "There is nothing left to undo.")
        case CommandName.OPEN_JUDGE:
            open_judge(services, comparison_id, person_id=me)
            return Reply()
        case CommandName.FLAG:
            answer(services, comparison_id, NoteKind.FLAG, person_id=me, reason=command.text)
            return Reply(note="Flagged for discussion.")
        case CommandName.SKIP | CommandName.CANNOT_JUDGE | CommandName.OUTSIDE_EXPERTISE:
            answer(services, comparison_id, ANSWERS[command.name], person_id=me, reason=command.text)
            return _onward(comparison_id)
        case CommandName.WITHDRAW:
            withdraw_answer(services, comparison_id, command.text, person_id=me)
            return Reply()
        case CommandName.KNOWS:
            mark_knows(services, comparison_id, person_id=me)
            return Reply(note="Noted. Your review of this pair does not count as blind.")
        case CommandName.GUESS:
            if (said := GUESS.match(command.text)) is None:
                raise ReviewError(f"{command.text[:40]!r} is not a guess. Reload the page and choose again.")
            candidate, sure = (int(number) if number else None for number in said.groups())
            guess(services, comparison_id, person_id=me, candidate_a=candidate, sure=sure)
            return Reply()
        case CommandName.RETRY:
            session.judge(comparison_id)
            return Reply(note="Judging has started. Finished readings are not charged again.")
        case CommandName.STOP:
            stopped = session.stop_judging(comparison_id)
            return Reply(note=STOPPED if stopped else "The judge is not working on this pair.")
        case CommandName.WRITE:
            path, provenance = write_files(
                services, comparison_id, target=place_of(command.text), person_id=me, replace=False
            )
            return Reply(note=f"Written: {path} and {provenance.name}")
        case CommandName.REVEAL:
            reveal(services, comparison_id, person_id=me)
            return Reply(anew=True)
        case CommandName.EXPORT | CommandName.EXPORT_PROVENANCE if not _opened(comparison_id):
            raise ReviewError("The judge's values are still hidden from you. Answer first, then export.")
        case CommandName.EXPORT:
            given = ScoresGiven.read(command.text) if command.text else None
            text = result_json(services, comparison_id, person_id=me, given=given)
            return Reply(download=Download(id=command.id, name=DEFAULT_NAME, text=text))
        case CommandName.EXPORT_PROVENANCE:
            text = provenance_json(services, comparison_id, person_id=me)
            name = provenance_path(Path(DEFAULT_NAME)).name
            return Reply(download=Download(id=command.id, name=name, text=text))


def _opened(comparison_id: str) -> bool:
    return read_sheet(session.services(), comparison_id, person_id=session.me().id, files=False).opened


def _onward(comparison_id: str) -> Reply:
    found = take_next(
        session.services(),
        person_id=session.me().id,
        project_id=session.project_id(),
        after=comparison_id,
        all_runs=session.all_runs(),
    )
    return Reply(go_to=found) if found else Reply(go_home=True)

"""The outputs on the review page: the panes, and under them what a reviewer notes of files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from comparator.domain.errors import ComparatorError
from comparator.domain.labels import PerOutput
from comparator.domain.scoring.review import Target
from comparator.outputs.preview.document import reveal
from comparator.ui.components.panes.component import Aside, EvidenceTarget, file_row, output_panes
from comparator.ui.components.panes.notes_component import NoteEdit, NoteEvents, given, handled, notes_box
from comparator.ui.frame import session, shell
from comparator.ui.frame.per_process import Once
from comparator.workflow.review.notes import (
    Notes,
    attach,
    comment,
    hand_pairs,
    look,
    pair_by_hand,
    pair_by_itself,
    read_notes,
    withdraw,
)
from comparator.workflow.review.panel import first_files
from comparator.workflow.review.search import Searcher, SearchResult
from comparator.workflow.review.sheet import Sheet, SheetFile
from comparator.workflow.submit.take_back import take_back

_PAIRING = frozenset({"pair", "apart", "unpair", "take_back"})


@Once
def searcher() -> Searcher:
    """The one searcher of this process, with the words that it has read."""
    return Searcher(session.services())


def outputs(sheet: Sheet, called: PerOutput[str] | None) -> None:
    """Both outputs side by side, and the notes under them, which run again by themselves."""
    place = f"panes-{sheet.comparison_id}"
    output_panes(
        sheet.files,
        key=place,
        by_hand=hand_pairs(session.services(), sheet.comparison_id),
        alike=_alike,
        targets=_targets(sheet),
        aside=Aside(of_both=sheet.aside_of_both, files=sheet.set_aside),
        names=called,
    )
    names = dict(_names(sheet))
    st.fragment(_guarded_notes)(sheet.comparison_id, place, {file.id: file for file in sheet.files}, names)


def _guarded_notes(
    comparison_id: str, place: str, shown: Mapping[str, SheetFile], names: Mapping[str, str]
) -> None:
    # A rerun of the fragment alone does not pass through the page's own frame.
    with shell.guard():
        _notes(comparison_id, place, shown, names)


def _notes(comparison_id: str, place: str, shown: Mapping[str, SheetFile], names: Mapping[str, str]) -> None:
    key, me = f"notes-{comparison_id}", session.me()
    events = given(place, key=key)
    refused = [*events.refused, *_carry_out(comparison_id, events)]
    handled([edit.id for edit in events.edits], key=key)
    if any(edit.do in _PAIRING for edit in events.edits):
        # Which files stand side by side is the page's matter.
        st.rerun()
    notes = read_notes(session.services(), comparison_id, person_id=me.id)
    notes_box(
        {
            **_shown(notes, shown, names, person_id=me.id),
            "refused": refused,
            "found": _found(comparison_id, events, key=key),
            "ahead": _ahead(comparison_id, key=key),
        },
        place=place,
        key=key,
        owner=me.id,
    )


def _carry_out(comparison_id: str, events: NoteEvents) -> list[str]:
    """Store what the browser sent; the sentences of what was not stored."""
    refused = []
    for edit in events.edits:
        try:
            _do(comparison_id, edit)
        except ComparatorError as error:
            refused.append(str(error))
    return refused


def _do(comparison_id: str, edit: NoteEdit) -> None:
    services, me = session.services(), session.me().id
    match edit.do:
        case "look":
            look(services, comparison_id, edit.files, person_id=me, seen=edit.on)
        case "pair" if len(edit.files) == 2:
            pair_by_hand(services, comparison_id, edit.files[0], edit.files[1], person_id=me)
        case "apart" if len(edit.files) == 2:
            pair_by_hand(services, comparison_id, edit.files[0], edit.files[1], person_id=me, together=False)
        case "unpair":
            pair_by_itself(services, comparison_id, edit.files, person_id=me)
        case "take_back":
            take_back(services, comparison_id, (edit.text,), person_id=me)
        case "attach" if edit.passage is not None:
            target = Target.parse(edit.target)
            attach(services, comparison_id, edit.passage, target, person_id=me, id=edit.id)
        case "withdraw":
            withdraw(services, comparison_id, edit.text, person_id=me)
        case "comment":
            comment(
                services,
                comparison_id,
                edit.text,
                person_id=me,
                id=edit.id,
                about=edit.passage,
                replies_to=edit.replies_to,
            )


def _found(comparison_id: str, events: NoteEvents, *, key: str) -> dict[str, Any] | None:
    """The answer to the last search; kept, since the panes may ask for everything anew."""
    memory = f"{key}:found"
    if events.query is not None and not events.query.text:
        searcher().warm(comparison_id)
        handled([events.query.id], key=key)
    elif events.query is not None:
        answer: dict[str, Any] = {"id": events.query.id, "text": events.query.text, "hits": [], "left": 0}
        try:
            found: SearchResult = searcher().search(comparison_id, events.query.text)
            answer |= {
                "hits": [[hit.file_id, hit.count] for hit in found.hits],
                "left": found.left,
                "unread": len(found.unread),
            }
        except ComparatorError as error:
            answer["problem"] = str(error)
        handled([events.query.id], key=key)
        st.session_state[memory] = answer
    kept: dict[str, Any] | None = st.session_state.get(memory)
    return kept


def _ahead(comparison_id: str, *, key: str) -> list[Any]:
    """The files that the browser may load once this pair is seen, one a side; found once."""
    memory = f"{key}:ahead"
    if memory not in st.session_state:
        found = first_files(
            session.services(),
            comparison_id,
            person_id=session.me().id,
            project_id=session.project_id(),
            all_runs=session.all_runs(),
        )
        st.session_state[memory] = [file_row(found.A), file_row(found.B)] if found else []
    return list(st.session_state.get(memory, ()))


def _shown(
    notes: Notes, files: Mapping[str, SheetFile], names: Mapping[str, str], *, person_id: str
) -> dict[str, Any]:
    def place(file_id: str | None) -> dict[str, Any]:
        file = files.get(file_id or "")
        label = file.label.value if file and file.label else None
        return {"fileId": file_id, "file": reveal(file.name) if file else "", "label": label}

    return {
        "looked": sorted(notes.looked),
        "closed": notes.closed,
        "evidence": [
            {
                **place(piece.file_id),
                "id": piece.id,
                "target": piece.target,
                "name": reveal(names.get(_key(piece.target), "a line that is gone")),
                "text": reveal(piece.text),
                "start": piece.start,
                "at": piece.at.isoformat(),
            }
            for piece in notes.evidence
        ],
        "comments": [
            {
                **place(comment.file_id),
                "id": comment.id,
                "author": reveal(notes.authors[comment.person_id]),
                "mine": comment.person_id == person_id,
                "selection": reveal(comment.selection),
                "start": comment.start,
                "text": reveal(comment.text),
                "repliesTo": comment.about,
                "at": comment.at.isoformat(),
            }
            for comment in notes.comments
        ],
    }


def _key(target: str) -> str:
    """The part of an address that does not say which output: `score:content.facts`."""
    part, _, rest = target.partition(":")
    return f"{part}:{rest.partition(':')[2]}"


def _names(sheet: Sheet) -> list[tuple[str, str]]:
    return [(f"{target.part}:{target.key}", target.name) for target in _targets(sheet)]


def _targets(sheet: Sheet) -> list[EvidenceTarget]:
    lines = sheet.rubric.lines() if sheet.rubric else ()
    targets = [EvidenceTarget(part="score", key=path, name=line.name) for path, line in lines]
    return targets + [
        EvidenceTarget(part="expectation", key=str(index), name=text)
        for index, text in enumerate(sheet.expectations)
    ]


def _alike(one: SheetFile, other: SheetFile) -> float:
    return searcher().alike(one.id, other.id)

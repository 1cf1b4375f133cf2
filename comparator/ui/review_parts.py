"""The parts of the review page around the two components: task, progress, what to do after finalising."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from comparator.domain.errors import ComparatorError, NotFound
from comparator.domain.labels import Label
from comparator.ui import safe, session
from comparator.ui.components.sheet.component import score_sheet, sent
from comparator.ui.review_acts import Reply, act
from comparator.ui.state import Key, Page, Param
from comparator.workflow.export import write_files
from comparator.workflow.reveal import reveal, revealed_names, set_size
from comparator.workflow.sheet import JudgeState, Sheet
from comparator.workflow.sheet_reading import read_sheet

LOOK_AGAIN_SECONDS = 1.0
AT_WORK = (JudgeState.RUNNING,)


def opened() -> Sheet | None:
    """The sheet of the comparison in the address; None (with a sentence on the page) where there is none."""
    comparison_id = st.query_params.get(Param.COMPARISON)
    if not comparison_id:
        st.info("No comparison is open. Choose one from the queue.")
        return None
    try:
        return read_sheet(session.services(), comparison_id, person_id=session.me().id)
    except NotFound:
        st.error("There is no such comparison. It may have been removed; choose another one from the queue.")
        return None


def header(sheet: Sheet) -> None:
    """Title, task and expectations, as short as they can be; all of the prompt on request."""
    st.subheader(safe.text(sheet.title), anchor=False)
    first = " ".join(sheet.prompt.split())
    with st.expander(f"Task: {safe.middle(first, 140)}"):
        st.code(sheet.prompt, language=None, wrap_lines=True)
        for number, line in enumerate(sheet.expectations, start=1):
            safe.write(safe.text(f"{number}. {line.text}"))
    _notices(sheet)


def scores(comparison_id: str) -> None:
    """The score sheet; reruns by itself, and looks again by itself while the judge is at work."""
    running = session.desk().progress(comparison_id).state in AT_WORK
    part = st.fragment(run_every=LOOK_AGAIN_SECONDS if running else None)(_scores)
    part(comparison_id)


def _scores(comparison_id: str) -> None:
    me = session.me()
    key = f"sheet-{comparison_id}"
    before = session.desk().progress(comparison_id).state
    reply = st.session_state.pop(Key.REPLY, None) or act(comparison_id, sent(comparison_id, key=key))
    _follow(reply)
    sheet = read_sheet(session.services(), comparison_id, person_id=me.id)
    late = score_sheet(
        sheet, key=key, owner=me.id, refused=reply.refused, note=reply.note, download=reply.download
    )
    if late:
        # A new session learns only here what the browser had kept; the next run shows what came of it.
        st.session_state[Key.REPLY] = act(comparison_id, late)
        st.rerun()
    if (session.desk().progress(comparison_id).state in AT_WORK) != (before in AT_WORK):
        # From now on (or no longer) the sheet looks again by itself.
        st.rerun()
    if sheet.finalised:
        _afterwards(sheet)


def _follow(reply: Reply) -> None:
    if reply.go_home:
        st.session_state[Key.NOTICE] = "All pairs are reviewed."
        st.switch_page(Page.QUEUE)
    if reply.go_to is not None:
        st.query_params[Param.COMPARISON] = reply.go_to
        st.rerun()


def _afterwards(sheet: Sheet) -> None:
    """What a final review offers beside its own bar: files at a chosen place, and the reveal of a lone pair."""
    services, me = session.services(), session.me()
    with st.container(border=True):
        place = st.text_input(
            "Write both files into a folder, or as this file",
            key=f"write-{sheet.comparison_id}",
            placeholder="/path/to/folder or /path/to/comparison.json",
        )
        if st.button("Write files", key=f"write-now-{sheet.comparison_id}", disabled=not place.strip()):
            try:
                path, beside = write_files(
                    services,
                    sheet.comparison_id,
                    person_id=me.id,
                    target=Path(place.strip()).expanduser(),
                )
                st.success(safe.text(f"Written: {path} and {beside.name}"))
            except ComparatorError as error:
                st.error(safe.message(error))
        _reveal(sheet)


def _reveal(sheet: Sheet) -> None:
    services, me = session.services(), session.me()
    if sheet.revealed:
        names = revealed_names(services, sheet.comparison_id)
        for label in Label:
            safe.write(safe.text(f"{label.value} was made by {names[label].name}"))
        return
    together = set_size(services, sheet.comparison_id)
    if together > 1:
        st.caption(
            f"Who made which is told for all {together:d} comparisons of these two candidates at once, by their lead."
        )
        return
    if st.button(
        "Reveal who made which", key=f"reveal-{sheet.comparison_id}", help="Later changes count as not blind."
    ):
        try:
            reveal(services, sheet.comparison_id, person_id=me.id)
            st.rerun(scope="fragment")
        except ComparatorError as error:
            st.error(safe.message(error))


def _notices(sheet: Sheet) -> None:
    for label in Label:
        lines = [*sheet.view_notes[label]]
        if sheet.set_aside[label]:
            names = ", ".join(safe.cut(entry.name, 60) for entry in sheet.set_aside[label][:8])
            lines.append(f"set aside, not judged: {names}")
        if lines:
            st.caption(safe.text(f"Output {label.value}: {' · '.join(lines)}"))

"""How many pairs have the pages of their Office files, with a way to stop making them and to make them again."""

from __future__ import annotations

import streamlit as st

from comparator.domain.rights import Act
from comparator.store.bulk.office_pages import PageCounts
from comparator.store.people.projects import Project
from comparator.ui.frame import safe, session, shell
from comparator.workflow.judging import office_pages

LOOK_AGAIN_SECONDS = 2.0


def page_progress() -> None:
    """The progress of each project that the person may steer; looks again by itself while pages are being made."""
    found = [
        (project, office_pages.progress(session.services(), project_id=project.id)) for project in _projects()
    ]
    if any(counts.total for _, counts in found):
        waits = any(counts.waiting for _, counts in found)
        st.fragment(run_every=LOOK_AGAIN_SECONDS if waits else None)(_list)()


def _projects() -> tuple[Project, ...]:
    chosen = session.project_id()
    return tuple(each for each in session.projects(Act.JUDGE) if chosen in (None, each.id))


def _list() -> None:
    with shell.guard():
        for project in _projects():
            counts = office_pages.progress(session.services(), project_id=project.id)
            if counts.total:
                _row(project, counts)


def _row(project: Project, found: PageCounts) -> None:
    with st.container(border=True, gap="small"):
        head, buttons = st.columns(2, vertical_alignment="center")
        with head:
            safe.write(safe.text(f"Pages of Office files, {project.name}"))
        if found.waiting:
            st.progress(1 - found.waiting / found.total)
        st.caption(safe.text(_facts(found)))
        with buttons, st.container(horizontal=True, horizontal_alignment="right"):
            _buttons(project.id, found)


def _facts(found: PageCounts) -> str:
    parts = [f"{found.made:,} of {found.total:,} pairs have pages"]
    if found.waiting:
        parts.append(
            f"{found.waiting:,} waiting: they can be reviewed now, and are judged once their pages are ready"
        )
    if found.text:
        parts.append(f"{found.text:,} are shown and judged as text")
    return "; ".join(parts) + "."


def _buttons(project_id: str, found: PageCounts) -> None:
    services, me = session.services(), session.me().id
    if found.waiting and st.button(
        "Stop",
        key=f"pages_stop_{project_id}",
        icon=":material/stop:",
        help="Waiting pairs are judged by their text instead.",
    ):
        office_pages.stop(services, project_id=project_id, person_id=me)
        st.rerun()
    if not found.waiting and st.button(
        "Make new pages",
        key=f"pages_again_{project_id}",
        icon=":material/refresh:",
        help="Uses the LibreOffice and fonts installed now. Pairs judged before must be judged again.",
    ):
        office_pages.make_again(services, project_id=project_id, person_id=me)
        st.rerun()

"""The steps of the page Import, each opened by the one before; ids in the address bring them back after a reload."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import streamlit as st

from comparator.domain.errors import InputError
from comparator.domain.project import ReviewMode
from comparator.domain.rights import Act
from comparator.interop.imported import Findings
from comparator.ui.frame import safe, session, shell
from comparator.ui.frame.inputs.folders import RecentPlaces, recent_places
from comparator.ui.frame.recheck_rights import require_somewhere
from comparator.ui.importing import last_place, start
from comparator.ui.importing.audit import audit_step
from comparator.ui.importing.last_place import DONE, FOUND, PLAN
from comparator.ui.importing.pairs import found_step, pairs_step
from comparator.ui.importing.source import (
    ENTERED,
    begin_with,
    columns_step,
    format_step,
    look_through,
    project_step,
    source_step,
)
from comparator.ui.importing.work import Work, works
from comparator.workflow.importing.plan import plan_import
from comparator.workflow.importing.planned import Plan, unread_members
from comparator.workflow.importing.request import ImportRequest, OnStep, Step, label_meanings
from comparator.workflow.services import Services
from comparator.workflow.submit.intake import origin_of

FORM = 1080
"""Width of the form in pixels; grid, tables and findings take what the window has."""


def steps(services: Services) -> None:
    """Where, which pairs, the audit, start."""
    st.caption(
        "A skill-creator workspace, a promptfoo run, a preference set or a table of pairs. "
        "Nothing is judged or charged until you have seen what was found."
    )
    last_place.come_back()
    _fill_in(services)
    _source(services)
    if _running_or_done(DONE):
        # What was found and planned is dropped once it is imported.
        st.subheader("4. Import", anchor=False)
        finished = _work(DONE)
        if finished is not None:
            judged, imported = finished.result
            start.done(imported, judging=judged)
        return
    looked = _work(FOUND)
    if looked is None:
        return
    given: tuple[ImportRequest, Findings] = looked.result
    request, found = given
    st.subheader("2. Choose pairs", anchor=False)
    found_step(found)
    chosen = pairs_step(found)
    if chosen is None:
        return
    request = request.model_copy(update=chosen._asdict())
    checked = works().find(st.query_params.get(PLAN), person_id=session.me().id)
    now = (
        checked is not None and checked.done.is_set() and not checked.problem and checked.result[0] == request
    )
    # Once these pairs are checked, importing them is what comes next.
    if st.button(
        "Check these pairs",
        key="import_look",
        type="secondary" if now else "primary",
        icon=":material/search:",
    ):
        last_place.forget((DONE,))
        _start(PLAN, partial(_planned, services, request))
    planned = _work(PLAN)
    if planned is None:
        return
    audited, plan = planned.result
    if audited != request:
        st.caption("Your choice has changed. Check these pairs again.")
        return
    st.subheader("3. Check", anchor=False)
    decided = audit_step(plan)
    st.subheader("4. Import", anchor=False)
    judging = start.start_step(services, plan)
    if judging is not None:
        mode = ReviewMode.of(blind=judging.blind, prefers=False)
        whole = request.model_copy(update={**decided._asdict(), "mode": mode})
        _start(DONE, partial(_imported, services, whole, judging, session.me().id), instead_of=(FOUND, PLAN))
    # Why it could not be imported.
    _work(DONE)


def _fill_in(services: Services) -> None:
    """After a reload: the path, format and project of the scan that the address names."""
    looked = works().find(st.query_params.get(FOUND), person_id=session.me().id)
    if looked is None or looked.result is None:
        return
    request: ImportRequest = looked.result[0]
    if origin_of(services, str(request.path)) == str(request.path):
        begin_with(path=str(request.path), kind=request.format, project=request.project)


def _source(services: Services) -> None:
    st.subheader("1. Scan", anchor=False)
    with st.container(width=FORM):
        source = source_step()
        path = source.path if source else None
        left, right = st.columns(2, gap="small")
        with left:
            kind = format_step()
        project = project_step(right)
        given = columns_step(path, kind)
        scan = st.button("Scan", key="import_find", icon=":material/folder_open:", disabled=source is None)
    # Enter in the box does what the button does.
    scan = st.session_state.pop(ENTERED, False) or scan
    if scan and source:
        try:
            label_values = label_meanings(given.label_values)
        except InputError as error:
            st.error(safe.message(error))
            return
        request = ImportRequest(
            path=source.path,
            left_out=tuple(unread_members(f"{source.path.name}/", source.refused)),
            format=given.format,
            project=project,
            columns=given.columns,
            label_values=label_values,
        )
        last_place.forget((PLAN, DONE))
        last_place.forget_choices()
        # An upload lies in a place of ours, which nobody would look for.
        typed = origin_of(services, str(source.path)) == str(source.path)
        _start(FOUND, partial(_found, request, recent_places() if typed else None))


def _found(
    request: ImportRequest, places: RecentPlaces | None, on_step: OnStep
) -> tuple[ImportRequest, Findings]:
    found = look_through(request, on_step)
    if places is not None:
        places.put_first(str(request.path))
    return request, found


def _planned(services: Services, request: ImportRequest, on_step: OnStep) -> tuple[ImportRequest, Plan]:
    return request, plan_import(services, request, on_step=on_step)


def _imported(
    services: Services, request: ImportRequest, judging: start.Judging, person_id: str, on_step: OnStep
) -> tuple[start.Judging, Any]:
    done = start.carry_out(services, request, judging=judging, person_id=person_id, on_step=on_step)
    return judging, done


def _start(name: str, task: Callable[[OnStep], Any], *, instead_of: Sequence[str] = ()) -> None:
    ids = {each: st.query_params[each] for each in (name, *instead_of) if each in st.query_params}
    me = session.me().id
    works().drop([ids.pop(name, "")], person_id=me)
    work = works().start(task, id=session.services().new_id(), person_id=me, instead_of=tuple(ids.values()))
    st.query_params[name] = work.id
    last_place.keep()
    st.rerun()


def _running_or_done(name: str) -> bool:
    """Whether the work of a step goes on, or has succeeded."""
    work = works().find(st.query_params.get(name), person_id=session.me().id)
    return work is not None and not work.problem


def _work(name: str) -> Work | None:
    """The finished work of a step; progress or what went wrong stands on the page instead of it."""
    work = works().find(st.query_params.get(name), person_id=session.me().id)
    if work is None:
        return None
    if not work.done.is_set():
        _follow(name)
        return None
    if work.problem:
        st.error(safe.text(work.problem), icon=":material/error:")
        return None
    return work


@st.fragment(run_every=0.7)
def _follow(name: str) -> None:
    with shell.guard():
        require_somewhere(Act.SUBMIT)
        work = works().find(st.query_params.get(name), person_id=session.me().id)
        if work is None or work.done.is_set():
            st.rerun()
        else:
            _tell(work.step)


def _tell(step: str) -> None:
    """How far it is; in words only where nobody knows how much there is to do."""
    if isinstance(step, Step):
        st.progress(step.share, text=safe.text(step))
    else:
        st.caption(f":material/hourglass_top: {safe.text(step)}")

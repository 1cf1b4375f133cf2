"""The steps of the page Import, each opened by the one before; ids in the address bring them back after a reload."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import streamlit as st

from comparator.domain.project import ReviewMode
from comparator.domain.rights import Act
from comparator.interop.imported import Findings
from comparator.ui.frame import safe, session, shell
from comparator.ui.frame.still_allowed import require_somewhere
from comparator.ui.importing import start
from comparator.ui.importing.audit import audit_step
from comparator.ui.importing.pairs import found_step, pairs_step
from comparator.ui.importing.source import ENTERED, columns_step, format_step, look_through, source_step
from comparator.ui.importing.work import Work, works
from comparator.workflow.importing.outputs import told
from comparator.workflow.importing.plan import OnStep, plan_import
from comparator.workflow.importing.planned import Plan
from comparator.workflow.importing.request import ImportRequest
from comparator.workflow.services import Services

FOUND, PLAN, DONE = "found", "plan", "done"
"""Names in the address of the works of each step."""


def steps(services: Services) -> None:
    """Where, which pairs, the audit, start."""
    st.caption(
        "A skill-creator workspace, a promptfoo run, a preference set or a table of pairs. "
        "Nothing is judged or charged until you have seen what was found."
    )
    _source()
    if _under_way(DONE):
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
        _forget(DONE)
        _start(PLAN, partial(_planned, services, request))
    planned = _work(PLAN)
    if planned is None:
        return
    audited, plan = planned.result
    if audited != request:
        st.caption("Your choice has changed. Check these pairs again.")
        return
    st.subheader("3. Check", anchor=False)
    keep, redact, set_aside = audit_step(plan)
    st.subheader("4. Import", anchor=False)
    judging = start.start_step(services, plan)
    if judging is not None:
        mode = ReviewMode.of(blind=judging.blind, prefers=False)
        decided = request.model_copy(
            update={"keep": keep, "redact": redact, "set_aside": set_aside, "mode": mode}
        )
        _start(
            DONE, partial(_imported, services, decided, judging, session.me().id), instead_of=(FOUND, PLAN)
        )
    # Why it could not be imported.
    _work(DONE)


def _source() -> None:
    st.subheader("1. Scan", anchor=False)
    source = source_step()
    path = source.path if source else None
    left, right = st.columns(2, gap="small")
    with left:
        kind = format_step()
    project = right.text_input(
        "Project",
        key="import_project",
        value=shell.project_name() or "",
        placeholder="Named after the import",
        help="The current project. Clear it to create one that is named after the import.",
    )
    given = columns_step(path, kind)
    scan = st.button("Scan", key="import_find", icon=":material/folder_open:", disabled=source is None)
    # Enter in the box does what the button does.
    scan = st.session_state.pop(ENTERED, False) or scan
    if scan and source:
        request = ImportRequest(
            path=source.path,
            left_out=tuple(told(f"{source.path.name}/", source.refused)),
            format=given.format,
            project=project.strip(),
            columns=given.columns,
        )
        _forget(PLAN, DONE)
        _start(FOUND, partial(_found, request))


def _found(request: ImportRequest, on_step: OnStep) -> tuple[ImportRequest, Findings]:
    return request, look_through(request, on_step)


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
    work = works().start(task, person_id=me, instead_of=tuple(ids.values()))
    st.query_params[name] = work.id
    st.rerun()


def _forget(*names: str) -> None:
    for name in names:
        st.query_params.pop(name, None)


def _under_way(name: str) -> bool:
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
            st.progress(0.5, text=safe.text(work.step))

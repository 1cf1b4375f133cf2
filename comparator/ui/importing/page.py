"""The steps of the page Import, each opened by the one before: scan, choose pairs, check, import and judge."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import streamlit as st

from comparator.domain.errors import ComparatorError
from comparator.domain.project import ReviewMode
from comparator.domain.rights import Act
from comparator.jobs import start_batches
from comparator.jobs.estimate_batches import estimate_import
from comparator.ui.frame import safe, session, shell, words
from comparator.ui.frame.inputs.choices import ask_what_first, result_button
from comparator.ui.frame.state import PageScript
from comparator.ui.importing.audit import ALL_RUNS, as_known, audit_step
from comparator.ui.importing.pairs import found_step, pairs_step
from comparator.ui.importing.source import begin_with, source_step
from comparator.ui.importing.work import DONE, FOUND, PLAN, Work, works
from comparator.workflow.importing.pairs import ImportRequest, OnStep, Step
from comparator.workflow.importing.plan import plan_import, scan_source
from comparator.workflow.importing.planned import Plan
from comparator.workflow.importing.run import import_path, replaced, to_judge, unmatched
from comparator.workflow.importing.store import Imported
from comparator.workflow.judging.paying import NO_PRICE, money
from comparator.workflow.projects.checks import outputs_left
from comparator.workflow.submit.intake import origin_of

FORM = 1080
"""Width of the form in pixels; grid, tables and findings take what the window has."""


STEPS = ("1. Scan", "2. Choose pairs", "3. Check", "4. Import and judge")


class Judging(NamedTuple):
    """Whether to judge the new pairs at once, also those with an unusable output, and what reviewers see first."""

    wanted: bool
    all_runs: bool
    blind: bool


def steps() -> None:
    """Show the page."""
    st.caption(
        "A skill-creator workspace, a promptfoo run, a preference set or a table of pairs. "
        "Nothing is judged or charged before the last step."
    )
    services, mine = session.services(), works().of(session.me().id)
    if FOUND in mine and mine[FOUND].succeeded:
        path = str(mine[FOUND].request.path)
        # An upload lies in a place of ours, which nobody would look for.
        if origin_of(services, path) == path:
            begin_with(mine[FOUND].request)
    _where(mine)
    st.subheader(STEPS[0], anchor=False)
    with st.container(width=FORM):
        scan = source_step(first=FOUND not in mine)
    if scan is not None:
        forget_choices()
        _start(FOUND, scan, lambda on_step: scan_source(scan, on_step))
    if DONE in mine and not mine[DONE].problem:
        st.subheader(STEPS[3], anchor=False)
        if (imported := _finished(DONE)) is not None:
            _done(*imported.result)
        return
    if (looked := _finished(FOUND)) is None:
        return
    st.subheader(STEPS[1], anchor=False)
    found_step(looked.result)
    chosen = pairs_step(looked.result)
    if chosen is None:
        return
    request = looked.request.model_copy(update=chosen._asdict())
    checked = PLAN in mine and mine[PLAN].succeeded and mine[PLAN].request == request
    # Once these pairs are checked, importing them is what comes next.
    if st.button(
        "Check these pairs",
        key="import_look",
        type="secondary" if checked else "primary",
        icon=":material/search:",
    ):
        _start(PLAN, request, lambda on_step: plan_import(services, request, on_step=on_step))
    if (planned := _finished(PLAN)) is None:
        return
    if not checked:
        st.caption("Your choice has changed. Check these pairs again.")
        return
    st.subheader(STEPS[2], anchor=False)
    decided = audit_step(planned.result)
    st.subheader(STEPS[3], anchor=False)
    judging = _start_step(planned.result)
    if judging is not None:
        mode, me = ReviewMode.of(blind=judging.blind, prefers=False), session.me().id
        whole = request.model_copy(update={**decided._asdict(), "mode": mode})
        _start(DONE, whole, lambda on_step: (_carry_out(whole, judging, me, on_step), judging))
    # Why it could not be imported.
    _finished(DONE)


def _where(mine: Mapping[str, Work]) -> None:
    """All four steps, the one that comes next in colour."""
    at = 3 if DONE in mine else 2 if _ended(mine, PLAN) else 1 if _ended(mine, FOUND) else 0
    with st.container(horizontal=True, gap="small"):
        for number, step in enumerate(STEPS):
            st.badge(safe.text(step), color="blue" if number == at else "gray")


def _ended(mine: Mapping[str, Work], name: str) -> bool:
    return name in mine and mine[name].succeeded


def forget_choices() -> None:
    """Drop the choices and decisions about one scan before the next; the form keeps its values."""
    form = ("path", "format", "project", "way", "folder", "upload", "unpacked", "column", "find", "entered")
    kept = tuple(f"import_{name}" for name in form)
    for key in [str(each) for each in st.session_state]:
        if key.startswith("import_") and not key.startswith(kept):
            del st.session_state[key]


def _start(name: str, request: ImportRequest, task: Callable[[OnStep], Any]) -> None:
    works().start(name, request, task, person_id=session.me().id)
    st.rerun()


def _finished(name: str) -> Work | None:
    """The finished work of a step; until then None, with progress or the problem shown on the page."""
    work = works().of(session.me().id).get(name)
    if work is not None and not work.done.is_set():
        _follow(name)
    elif work is not None and work.problem:
        st.error(safe.text(as_known(work.problem)), icon=":material/error:")
    return work if work is not None and work.succeeded else None


@st.fragment(run_every=0.7)
def _follow(name: str) -> None:
    with shell.guard():
        session.require_somewhere(Act.SUBMIT)
        work = works().of(session.me().id).get(name)
        if work is None or work.done.is_set():
            st.rerun()
        elif isinstance(work.step, Step):
            st.progress(work.step.share, text=safe.text(work.step))
        else:
            # Nobody knows how much there is to do.
            st.caption(f":material/hourglass_top: {safe.text(as_known(work.step))}")


def _start_step(plan: Plan) -> Judging | None:
    """Ask whether to judge at once; the answer once Import is pressed, None before."""
    judging, report = False, plan.report
    if not report.new:
        st.caption(safe.text(report.no_pairs or "No new pairs to judge."))
    elif session.may_somewhere(Act.JUDGE):
        judging = st.checkbox(
            "Judge the new pairs in the background", value=True, key="import_judge", persist_state="session"
        )
    if replacing := replaced(report):
        st.caption(safe.text(f"{replacing}."))
    # Asked beside the finding that it is about.
    all_runs = judging and bool(st.session_state.get(ALL_RUNS))
    if judging:
        st.caption(safe.text(_estimated(plan, all_runs=all_runs)))
    blind = report.project not in {each.name for each in session.projects()} and ask_what_first(
        blind=False, key="import_blind"
    )
    pressed = st.button(
        safe.text(
            f"Import {'and judge ' if judging else ''}{words.counted(report.new, 'pair')} into "
            f"{safe.cut(report.project, 60)}"
        ),
        key="import_now",
        type="primary",
        icon=":material/download:",
        disabled=not plan.adds,
    )
    return Judging(judging, all_runs, blind) if pressed else None


def _estimated(plan: Plan, *, all_runs: bool) -> str:
    """What judging will cost, or why it cannot be done."""
    try:
        judge = session.services().judge().identity
        about = estimate_import(session.services(), plan, judge, all_runs=all_runs)
    except ComparatorError as error:
        return str(error)
    if judge.kind == "offline":
        return "The offline check reads them: no cost, a few seconds. It cannot tell right from wrong."
    cost = NO_PRICE if about.cost is None else f"about {money(about.cost)}"
    return (
        f"{judge.model}: {words.counted(about.calls, 'call')}, about {about.input_tokens:,} tokens in and "
        f"{about.output_tokens:,} out, {cost}."
        + (f" Left out: {words.counted(about.void, 'pair')} with an unusable output." if about.void else "")
    )


def _carry_out(request: ImportRequest, judging: Judging, person_id: str, on_step: OnStep) -> Imported:
    """Import, and start the judging of what is new."""
    services = session.services()
    imported = import_path(services.by(person_id), request, on_step=on_step)
    chosen = to_judge(services, imported.unjudged, all_runs=judging.all_runs)
    if judging.wanted and chosen:
        on_step("Queuing the pairs for the judge")
        start_batches.start_for(services.by(person_id), chosen)
    elif outputs_left(services, imported.project_id):
        session.wake_worker()
    return imported


def _done(imported: Imported, judging: Judging) -> None:
    """Show what was imported and where to continue."""
    report, here = imported.report, (imported.project_id,)
    already = f"; already there: {report.already:,}" if report.already else ""
    st.success(safe.text(f"{words.counted(report.new, 'pair')} imported{already}."), icon=":material/check:")
    left_out = (
        f"{words.counted(len(report.left_out), 'part')} of the source left out" if report.left_out else ""
    )
    for sentence in filter(None, (replaced(report), unmatched(report), left_out)):
        st.caption(safe.text(f"{sentence}."))
    with st.container(horizontal=True):
        if st.button(
            "Go to the queue", key="import_queue", type="primary", on_click=session.look_at, args=here
        ):
            session.go(PageScript.QUEUE)
        if judging.wanted and st.button(
            "Watch the judging", key="import_batches", on_click=session.look_at, args=here
        ):
            session.go(PageScript.BATCHES)
        if session.may(Act.SEE_RESULTS, project_id=imported.project_id):
            result_button(imported.project_id, key="import_result")

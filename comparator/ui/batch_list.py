"""All batches with live progress, and what can be done with each: pause, resume, cancel, retry."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any, Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from comparator.domain.rights import Act
from comparator.jobs import manage_batches
from comparator.jobs.manage_batches import BatchReport
from comparator.judges.protocol import judge_called
from comparator.judges.stored import WRITTEN
from comparator.reporting.trust.record import VersionRecord, records
from comparator.store.bulk.batches import BatchState
from comparator.store.bulk.office_pages import PageCounts
from comparator.store.judging.budgets import Budget
from comparator.store.people.projects import Project
from comparator.ui.frame import safe, session, shell, words
from comparator.ui.frame.empty import empty_page
from comparator.ui.frame.inputs.choices import result_button
from comparator.ui.frame.start_batch import start_batch
from comparator.ui.frame.state import PageScript
from comparator.workflow.judging import office_pages
from comparator.workflow.judging.paying import money, name_of, paid

LOOK_AGAIN_SECONDS = 1.0
_BUDGET = "batch_budget_{}"
Colour = Literal["blue", "orange", "gray", "green"]
STATES: dict[BatchState, tuple[str, Colour]] = {
    BatchState.RUNNING: ("running", "blue"),
    BatchState.PAUSED: ("paused", "orange"),
    BatchState.CANCELLED: ("cancelled", "gray"),
    BatchState.DONE: ("finished", "green"),
}


def batch_list() -> None:
    """The batches that the person may steer, the newest first, then what came judged and the pages of Office files.

    Looks again by itself while anything is running. Above them what waits for a judge; where no batch ever ran
    and nothing waits, what will stand here.
    """
    reports, pages, imported = _reports(), _office_pages(), _imported()
    if not start_batch(expanded=not reports) and not reports:
        empty_page(
            "No batches yet",
            "Import pairs and have them judged. Each run stands here: how far it is, what it costs, what failed, and "
            "its result.",
            step=("Import pairs", PageScript.IMPORT, ":material/upload_file:"),
            key="batches_import",
            picture=lambda: st.progress(
                0.6, text="Example: 36 of 60 pairs, 1.20 USD so far, about 2.00 USD at the end"
            ),
        )
    if reports or pages or imported:
        running = _is_running(reports, pages)
        st.fragment(run_every=LOOK_AGAIN_SECONDS if running else None)(_list)(running, imported)


def _projects() -> list[Project]:
    """Those that are looked at and whose judging the person may steer."""
    chosen = session.project_id()
    return [each for each in session.projects(Act.JUDGE) if chosen in (None, each.id)]


def _imported() -> list[tuple[Project, VersionRecord]]:
    """By project the judges whose judgments came with the pairs: nobody paid for them here."""
    projects = _projects()
    found = records(session.services().database, [each.id for each in projects])
    return [
        (project, judge)
        for project in projects
        for judge in found[project.id]
        if judge.judged and not judge.unpriced and not any(amount for _, amount in judge.cost)
    ]


def _is_running(reports: Sequence[BatchReport], pages: Sequence[tuple[Project, PageCounts]]) -> bool:
    return any(each.batch.state is BatchState.RUNNING for each in reports) or any(
        counts.waiting for _, counts in pages
    )


def _reports() -> tuple[BatchReport, ...]:
    allowed = {each.id for each in _projects()}
    found = manage_batches.reports(session.services(), project_id=session.project_id())
    return tuple(each for each in found if each.batch.project_id in allowed)


def _office_pages() -> list[tuple[Project, PageCounts]]:
    counts = office_pages.progress(session.services())
    return [(each, counts[each.id]) for each in _projects() if each.id in counts]


def _list(running: bool, imported: Sequence[tuple[Project, VersionRecord]]) -> None:
    with shell.guard():
        reports, pages = _reports(), _office_pages()
        for report in reports:
            # What cannot be done with one leaves the others on the page.
            with shell.guard():
                _row(report)
        for project, judge in imported:
            _came_judged(project, judge)
        for project, counts in pages:
            _pages(project, counts)
        if running and not _is_running(reports, pages):
            # The last one has ended: the page needs to look again no more.
            st.rerun()


def _head(state: str, colour: Colour, name: str) -> DeltaGenerator:
    """The head of a row; where its buttons go."""
    head, buttons = st.columns(2, vertical_alignment="center")
    with head, st.container(horizontal=True, vertical_alignment="center"):
        st.badge(safe.text(state), color=colour)
        safe.write(safe.text(name))
    return buttons.container(horizontal=True, horizontal_alignment="right")


def _came_judged(project: Project, judge: VersionRecord) -> None:
    with st.container(border=True, gap="small"):
        written = judge.model in WRITTEN
        with _head("example" if written else "judged before the import", "gray", project.name):
            result_button(project.id, key=f"came_{project.id}_{judge.digest}")
        by = f"{words.counted(judge.judged, 'pair')} · {judge_called(judge.kind, judge.model)}"
        came = "written for the example" if written else "came with the pairs"
        st.caption(safe.text(f"{by} · {came}, no cost here · {_created(project)}"))


def _created(project: Project) -> str:
    return f"project created {project.created_at:%d %b %Y}"


def _pages(project: Project, counts: PageCounts) -> None:
    """How many pairs of a project have the pages of their Office files, and what can be done about it."""
    services = session.as_me()
    parts = [f"{counts.made:,} of {counts.total:,} pairs have pages"]
    if counts.waiting:
        parts.append(
            f"{counts.waiting:,} waiting; they can be reviewed now, and are judged once these are ready"
        )
    if counts.text:
        parts.append(f"{counts.text:,} are shown and judged as text")
    with st.container(border=True, gap="small"):
        state = BatchState.RUNNING if counts.waiting else BatchState.DONE
        with _head(*STATES[state], f"Pages of Office files, {project.name}"):
            if counts.waiting:
                if st.button(
                    "Stop",
                    key=f"pages_stop_{project.id}",
                    icon=":material/stop:",
                    help="Waiting pairs are judged by their text instead.",
                ):
                    office_pages.stop(services, project_id=project.id)
                    st.rerun()
            elif st.button(
                "Make again",
                key=f"pages_again_{project.id}",
                icon=":material/refresh:",
                help="Uses the LibreOffice and fonts installed now. Pairs judged before must be judged again.",
            ):
                office_pages.make_again(services, project_id=project.id)
                st.rerun()
        st.caption(safe.text(f"{'; '.join(parts)} · {_created(project)}"))


def _row(report: BatchReport) -> None:
    batch, counts = report.batch, report.counts
    with st.container(border=True, gap="small"):
        buttons = _head(*STATES[batch.state], f"{batch.name}, {report.project}")
        if batch.state in (BatchState.RUNNING, BatchState.PAUSED):
            ended = counts.done + counts.failed
            st.progress(ended / counts.total if counts.total else 0.0)
        st.caption(safe.text(f"{facts(report)} · started {batch.created_at:%d %b %Y}"))
        if batch.problem:
            st.warning(safe.text(batch.problem), icon=":material/pause_circle:")
        if batch.state is BatchState.PAUSED and report.budget is not None:
            _ceiling(report.budget, key=_BUDGET.format(batch.id))
        if counts.failed:
            _failures(report)
        # Last: the row stands as a whole where an act is refused.
        with buttons:
            _buttons(report)


def _buttons(report: BatchReport) -> None:
    services, batch = session.as_me(), report.batch
    key = f"batch_{{}}_{batch.id}"
    if batch.state is BatchState.RUNNING and st.button(
        "Pause", key=key.format("pause"), icon=":material/pause:"
    ):
        manage_batches.pause(services, batch.id)
        st.rerun()
    resumed = batch.state is BatchState.PAUSED and st.button(
        "Resume", key=key.format("resume"), icon=":material/play_arrow:"
    )
    if report.counts.failed and st.button(
        "Retry failures",
        key=key.format("retry"),
        icon=":material/refresh:",
        help="Finished readings are not charged again.",
    ):
        manage_batches.retry(services, batch.id)
        st.rerun()
    if batch.state is BatchState.DONE and report.counts.done:
        result_button(batch.project_id, key=key.format("result"))
    if batch.state in (BatchState.RUNNING, BatchState.PAUSED) and st.button(
        "Cancel",
        key=key.format("cancel"),
        icon=":material/close:",
        help="Finished readings are kept. Start another batch to judge the rest.",
    ):
        manage_batches.cancel(services, batch.id)
        st.rerun()
    if resumed:
        # Last: where the budget is refused, the other buttons stay.
        manage_batches.resume(services, batch.id, **_chosen_ceiling(report))
        st.rerun()


def _ceiling(budget: Budget, *, key: str) -> None:
    """What Resume goes on with."""
    st.number_input("Budget, USD", min_value=0.0, value=float(budget.ceiling), step=1.0, key=key, width=180)


def _chosen_ceiling(report: BatchReport) -> dict[str, Any]:
    chosen = st.session_state.get(_BUDGET.format(report.batch.id))
    return {} if chosen is None or report.budget is None else {"money": Decimal(str(chosen))}


def _failures(report: BatchReport) -> None:
    with st.expander("What failed", key=f"batch_failed_{report.batch.id}"):
        for failure in manage_batches.failures(session.services(), report.batch.id):
            with st.container(horizontal=True, vertical_alignment="center"):
                if st.button("Open", key=f"batch_open_{report.batch.id}_{failure.comparison_id}"):
                    session.go(PageScript.REVIEW, c=failure.comparison_id)
                st.caption(safe.text(f"{failure.title}: {failure.problem}"))


def facts(report: BatchReport) -> str:
    """One line: how many, by which judge, for how much, and how long it still takes."""
    counts = report.counts
    parts = [f"{counts.done:,} of {counts.total:,} done"]
    if counts.failed:
        parts.append(f"{counts.failed:,} failed")
    if counts.left and report.batch.state is not BatchState.CANCELLED:
        parts.append(f"{counts.left:,} waiting")
    if counts.out:
        parts.append(f"{counts.out:,} of them at the provider")
    if counts.cancelled:
        parts.append(f"{counts.cancelled:,} cancelled")
    judge = report.batch.judge
    parts.append(judge_called(judge.kind, judge.model))
    if judge.kind != "offline":
        parts.append(spent(report))
    if report.waits_for:
        parts.append(report.waits_for)
    if report.waits_for_worker:
        parts.append("waiting for a worker")
    elif report.seconds_left is not None and counts.left:
        parts.append(f"about {duration(report.seconds_left)} left")
    return " · ".join(parts)


def spent(report: BatchReport) -> str:
    """What was paid so far, and of which budget."""
    cost, counts = paid(report.batch, report.cost), report.counts
    if report.cost and counts.done and counts.left and report.batch.state is not BatchState.CANCELLED:
        at_the_end = report.cost / counts.done * (counts.done + counts.left)
        cost = f"{cost} so far, about {money(at_the_end)} at the end"
    if report.budget is None:
        return cost
    name = name_of(report.budget).removeprefix("The batch's ")
    return f"{cost} ({name})"


def duration(seconds: float) -> str:
    """About how long.

    >>> duration(200)
    '3 minutes'
    """
    if seconds < 90:
        return words.counted(max(1, round(seconds)), "second")
    if seconds < 5400:
        return words.counted(round(seconds / 60), "minute")
    return f"{seconds / 3600:.1f} hours"

"""All batches with live progress, and what can be done with each: pause, resume, cancel, retry."""

from collections.abc import Callable, Sequence
from datetime import datetime
from decimal import Decimal
from functools import partial
from typing import Literal, NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from comparator.domain.counted import lasting
from comparator.jobs import manage_batches
from comparator.jobs.manage_batches import BatchReport
from comparator.judges.protocol import judge_called
from comparator.judges.stored import WRITTEN
from comparator.reporting.history.conditions import HistoryFilter
from comparator.reporting.trust.record import VersionRecord, records
from comparator.store.bulk.batches import BatchState
from comparator.store.bulk.office_pages import PageCounts
from comparator.store.pairs.comparison_list import ListOrder
from comparator.store.people.projects import Project
from comparator.ui.components.listing import Column, listing
from comparator.ui.frame import safe, session, shell, words
from comparator.ui.frame.inputs import result_button
from comparator.ui.frame.lists.list_rows import HEADS, history_row, open_pair, read_page
from comparator.ui.frame.notices import empty_page
from comparator.ui.frame.start_batch import judged_here, start_batch
from comparator.ui.frame.state import PageScript, Param, SessionKey
from comparator.workflow import pictures
from comparator.workflow.judging.paying import money, name_of, paid

LOOK_AGAIN_SECONDS = 1.0
PAGE_SIZE = 20
_BUDGET = "batch_budget_{}"
HEADINGS = ("State", "Project, judge and time (UTC)", "Pairs", "Cost, including criteria", "")
WIDTHS = (1.6, 3.6, 2.4, 2.1, 2.5)
"""Of the columns of the list, in parts."""
Colour = Literal["blue", "orange", "gray", "green"]
STATES: dict[BatchState, tuple[str, Colour]] = {
    BatchState.RUNNING: ("running", "blue"),
    BatchState.PAUSED: ("paused", "orange"),
    BatchState.CANCELLED: ("cancelled", "gray"),
    BatchState.DONE: ("finished", "green"),
}
OPEN = (BatchState.RUNNING, BatchState.PAUSED)


class Row(NamedTuple):
    """A row of the list: what tells it from others, where it stands, and what draws it."""

    key: str
    state: BatchState
    began: datetime
    draw: Callable[[], None]


def batch_list() -> None:
    """The batches that the person may steer, what came judged and the pages of Office files: a row each.

    Looks again by itself while anything is running. Above them a button for what waits for a judge; where no batch
    ever ran and nothing waits, the next step.
    """
    imported = _came_judged_here()
    rows = _rows(imported)
    waits = start_batch(first=not any(row.state is BatchState.PAUSED for row in rows))
    if not waits and not rows:
        empty_page(
            "No batches yet",
            "Import pairs and have them judged. Each run is a row: how far it is, what it costs, what failed, and its "
            "result.",
            step=("Import pairs", PageScript.IMPORT, ":material/upload_file:"),
            key="batches_import",
            picture=lambda: st.progress(
                0.6, text="Example: 36 of 60 judged, 1.20 USD so far, about 2.00 USD at the end"
            ),
        )
    elif not waits:
        st.page_link(PageScript.IMPORT, label="Import pairs to judge", icon=":material/upload_file:")
    running = _is_running(rows)
    st.fragment(run_every=LOOK_AGAIN_SECONDS if running else None)(_list)(running, imported)


def _rows(imported: Sequence[Row]) -> list[Row]:
    """All rows of the projects that are looked at and whose judging the person may steer: open ones first."""
    services, projects = session.services(), {project.id: project for project in judged_here()}
    rows = [
        Row(report.batch.id, report.batch.state, report.batch.created_at, partial(_batch, report))
        for report in manage_batches.reports(services, project_id=session.project_id())
        if report.batch.project_id in projects
    ]
    for project_id, counts in pictures.progress(services).items():
        if project := projects.get(project_id):
            state = BatchState.RUNNING if counts.waiting else BatchState.DONE
            draw = partial(_pages, project, counts, state)
            rows.append(Row(f"pages_{project_id}", state, project.created_at, draw))
    return sorted([*rows, *imported], key=lambda row: (row.state in OPEN, row.began), reverse=True)


def _came_judged_here() -> list[Row]:
    """A row for each judge whose judgments came with the pairs of a project: nobody paid for them here."""
    projects = {project.id: project for project in judged_here()}
    return [
        Row(
            f"{id}_{judge.digest}",
            BatchState.DONE,
            projects[id].created_at,
            partial(_came_judged, projects[id], judge),
        )
        for id, judges in records(session.services().database, list(projects)).items()
        for judge in judges
        if judge.judged and not judge.unpriced and not judge.cost
    ]


def _is_running(rows: Sequence[Row]) -> bool:
    return any(row.state is BatchState.RUNNING for row in rows)


def _list(running: bool, imported: Sequence[Row]) -> None:
    with shell.guard():
        rows, table = _rows(imported), st.container(gap="xsmall")
        if rows:
            with table.container(key="batch_heads"):
                for column, head in zip(st.columns(WIDTHS), HEADINGS, strict=True):
                    column.caption(safe.text(head))
        for row in rows:
            # What cannot be done with one leaves the others on the page.
            with shell.guard(), table.container(key=f"batch_row_{row.key}", gap="xsmall"):
                row.draw()
        if running and not _is_running(rows):
            # The last one has ended: the page needs to look again no more.
            st.rerun()


def _line(
    state: tuple[str, Colour],
    name: str,
    about: str,
    *,
    pairs: Sequence[str],
    cost: Sequence[str],
    share: float | None = None,
) -> DeltaGenerator:
    """The line of a row, with a progress bar for a `share` done; where its buttons go.

    Of `pairs` and `cost` the first stands above the others.
    """
    badge, left, middle, right, buttons = st.columns(WIDTHS, vertical_alignment="center")
    badge.badge(safe.text(state[0]), color=state[1])
    with left:
        safe.write(_two_lines(name, about, mark="**"))
    if share is None:
        with middle:
            safe.write(_two_lines(*pairs))
    else:
        middle.progress(share, text=safe.text(" · ".join(pairs)))
    with right:
        safe.write(_two_lines(*cost))
    return buttons.container(horizontal=True, horizontal_alignment="right")


def _two_lines(first: str, *others: str, mark: str = "") -> safe.Markdown:
    below = f"  \n:small[{safe.text(' · '.join(others))}]" if others else ""
    return safe.Markdown(f"{mark}{safe.text(first)}{mark}{below}")


def _came_judged(project: Project, judge: VersionRecord) -> None:
    key, pairs = f"{project.id}_{judge.digest}", words.counted(judge.judged, "pair")
    with _line(
        ("imported", "gray"),
        project.name,
        f"{judge_called(judge.kind, judge.model)} · {_created(project)}",
        pairs=[f"{pairs}, already judged"],
        cost=["written for the example" if judge.model in WRITTEN else "no cost here"],
    ):
        result_button(project.id, key=f"came_{key}")
    _pairs(pairs, HistoryFilter(project_id=project.id, judge_model=judge.model), key=key)


def _created(project: Project) -> str:
    return f"created {project.created_at:%d %b %Y}"


def _pages(project: Project, counts: PageCounts, state: BatchState) -> None:
    """How many pairs of a project have the pages of their Office files, and what can be done about it."""
    services = session.as_me()
    waiting = "can be reviewed now, and are judged once these are ready"
    with _line(
        STATES[state] if counts.waiting else ("pages", "gray"),
        f"{project.name}: Office files as pages",
        f"{counts.waiting:,} waiting {waiting}" if counts.waiting else "Pictures for the review; no batch",
        pairs=[f"{counts.made:,} of {counts.total:,} made"],
        cost=[f"{counts.text:,} shown and judged as text" if counts.text else "no cost"],
        share=(counts.made + counts.text) / counts.total if counts.waiting else None,
    ):
        if counts.waiting:
            if st.button(
                "Stop", key=f"pages_stop_{project.id}", help="Waiting pairs are judged by their text instead."
            ):
                pictures.stop(services, project_id=project.id)
                st.rerun()
        elif st.button(
            "Make again",
            key=f"pages_again_{project.id}",
            help="Uses the LibreOffice and fonts installed now. Pairs judged before must be judged again.",
        ):
            pictures.make_again(services, project_id=project.id)
            st.rerun()


def _batch(report: BatchReport) -> None:
    batch, counts = report.batch, report.counts
    ended = counts.done + counts.failed
    name, colour = STATES[batch.state]
    if batch.judge.kind == "offline" and batch.state is BatchState.DONE:
        name, colour = "form check", "gray"
    buttons = _line(
        (name, "orange" if counts.failed else colour),
        report.project,
        _about(report),
        pairs=far(report),
        cost=spent(report) if batch.judge.kind != "offline" else ["no cost"],
        share=ended / max(counts.total, 1) if batch.state in OPEN else None,
    )
    if batch.problem:
        st.warning(safe.text(batch.problem), icon=":material/pause_circle:")
    if batch.state is BatchState.PAUSED and report.budget is not None:
        # What Resume goes on with.
        st.number_input(
            "Budget, USD",
            min_value=0.0,
            value=float(report.budget.ceiling),
            step=1.0,
            key=_BUDGET.format(batch.id),
            width=180,
        )
    if report.waits_for_worker:
        st.caption(
            "No worker is running yet. The app starts one within seconds; if it does not, its log says why. You can "
            "also start one with “comparator worker”."
        )
    failed = f", and why {counts.failed:,} failed" if counts.failed else ""
    _pairs(f"{words.counted(counts.total, 'pair')}{failed}", HistoryFilter(batch_id=batch.id), key=batch.id)
    # Last: the row stands as a whole where an act is refused.
    with buttons:
        _buttons(report)


def _buttons(report: BatchReport) -> None:
    services, batch = session.as_me(), report.batch
    key = f"batch_{{}}_{batch.id}"
    if batch.state is BatchState.RUNNING and st.button("Pause", key=key.format("pause")):
        manage_batches.move(services, batch.id, BatchState.PAUSED)
        st.rerun()
    resumed = batch.state is BatchState.PAUSED and st.button(
        "Resume", key=key.format("resume"), type="primary"
    )
    if batch.state is BatchState.DONE and report.counts.done:
        if not batch.trial:
            result_button(batch.project_id, key=key.format("result"), batch_id=batch.id)
        elif st.button(
            "Open Judge", key=key.format("result"), on_click=session.look_at, args=(batch.project_id,)
        ):
            session.go(PageScript.JUDGE)
    if batch.state in OPEN and st.button(
        "Cancel",
        key=key.format("cancel"),
        type="tertiary",
        help="Finished readings are kept. Start another batch to judge the rest.",
    ):
        manage_batches.move(services, batch.id, BatchState.CANCELLED)
        st.rerun()
    if resumed:
        # Last: where the budget is refused, the other buttons stay.
        ceiling = st.session_state.get(_BUDGET.format(batch.id)) if report.budget else None
        money = None if ceiling is None else Decimal(str(ceiling))
        manage_batches.move(services, batch.id, BatchState.RUNNING, ceiling=money)
        st.rerun()


def _pairs(label: str, history_filter: HistoryFilter, *, key: str) -> None:
    """The pairs of a row, read once they are folded out; above them those that failed in a batch, with the reason."""
    # Kept while the page is left for a pair.
    opened, name = f"batch_opened_{key}", f"batch_pairs_{key}"
    begins = st.session_state.get(opened, False)
    fold = st.expander(safe.text(label), begins, key=name, type="compact", on_change="rerun")
    st.session_state[opened] = fold.open
    if not fold.open:
        return
    with fold:
        if history_filter.batch_id:
            _failures(history_filter.batch_id)
        history_filter = history_filter.copy_with(reader=session.me().id, order=ListOrder.FAILED_FIRST)
        page, pages = read_page(history_filter, key=f"batch_page_{key}", size=PAGE_SIZE)
        listing(
            [history_row(row) for row in page.rows],
            (Column.TITLE, Column.STATUS, Column.WINNER),
            key=f"batch_list_{key}",
            labels=HEADS,
            on_open=partial(_open_of, history_filter.batch_id),
        )
        if pages > 1:
            st.pagination(pages, key=f"batch_page_{key}")


def _open_of(batch_id: str | None, comparison_id: str) -> None:
    st.session_state[SessionKey.BATCH] = batch_id
    open_pair(comparison_id)


def _failures(batch_id: str) -> None:
    failed = manage_batches.failures(session.services(), batch_id)
    for pair in failed:
        address = f"review?{Param.COMPARISON}={pair.comparison_id}"
        safe.write(safe.linked(f"{pair.title}: {pair.problem}", pair.title, address))
    if failed and st.button(
        "Retry failed",
        key=f"batch_retry_{batch_id}",
        icon=":material/refresh:",
        help="Uses the same judge; finished readings are not charged again. To use another judge, choose it above, "
        "under “Start a batch”.",
    ):
        manage_batches.retry(session.as_me(), batch_id)
        st.rerun()


def _about(report: BatchReport) -> str:
    """What is judged by whom, since when and until when."""
    batch = report.batch
    said_elsewhere = (report.project, words.counted(report.counts.total, "pair"))
    named = [] if batch.name in said_elsewhere else [batch.name]
    judge = judge_called(batch.judge.kind, batch.judge.model)
    until = f" to {batch.finished_at:%H:%M}" if batch.finished_at else ""
    return " · ".join([*named, judge, f"{batch.created_at:%d %b %H:%M}{until}"])


def far(report: BatchReport) -> list[str]:
    """How many pairs are judged and reviewed, where the others are, and how long it still takes."""
    batch, counts = report.batch, report.counts
    done = "checked for form" if batch.judge.kind == "offline" else "judged"
    parts = [f"{counts.done:,} of {counts.total:,} {done}", f"{counts.reviewed or 'none'} reviewed"]
    if counts.failed:
        parts.append(f"{counts.failed:,} failed")
    if counts.out:
        parts.append(f"{counts.out:,} at the provider")
    if counts.cancelled:
        parts.append(f"{counts.cancelled:,} cancelled")
    if report.waits_for:
        parts.append(report.waits_for)
    if not batch.finished_at and report.seconds_left is not None and counts.left:
        parts.append(f"about {lasting(report.seconds_left)} left")
    return parts


def spent(report: BatchReport) -> list[str]:
    """What was paid so far, what it will come to, and of which budget."""
    parts = [paid(report.batch, report.cost)]
    if (at_the_end := report.cost_at_the_end) is not None:
        parts = [f"{parts[0]} so far", f"about {money(at_the_end)} at the end"]
    return [*parts, name_of(report.budget).replace("The", "of the", 1)] if report.budget else parts

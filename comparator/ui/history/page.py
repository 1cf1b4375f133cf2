"""The list of all comparisons, or a grid of their outputs, with saved views; of all projects, their work by day."""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice, zip_longest
from typing import Any, NamedTuple
from urllib.parse import urlencode

import streamlit as st

from comparator.domain.rights import Act
from comparator.reporting.history.activity import activity
from comparator.reporting.history.conditions import HistoryFilter
from comparator.reporting.history.listing import HistoryPage, output_starts
from comparator.reporting.history.picture import Axis, Metric, picture
from comparator.store.pairs.comparison_list import ListOrder
from comparator.store.people.projects import Project, SavedView
from comparator.ui.components.listing import Column, Sorting, listing
from comparator.ui.frame import safe, session, shell, words
from comparator.ui.frame.charts import Chart, Lines, Multiples, show
from comparator.ui.frame.inputs import save
from comparator.ui.frame.lists.list_rows import HEADS, history_row, read_page
from comparator.ui.frame.notices import empty_page
from comparator.ui.frame.pair_result import show_opened_pair
from comparator.ui.frame.state import PageScript, Param
from comparator.ui.history.export import export_button
from comparator.ui.history.filters import (
    CHOSEN,
    ITERATION,
    ORDER,
    choices_here,
    clear_button,
    is_filtered,
    looked_at,
)
from comparator.ui.history.grid import ROWS, iterations_grid, open_row, outputs_grid, read_iterations
from comparator.workflow.exporting.comparison_json import result_json
from comparator.workflow.projects.settings import save_view, views_of

PAGE_SIZE = 25
VIEW, LIST, GRID, ITERATIONS = "view", "List", "Grid", "Iterations"
SORTED = {
    Column.TITLE: (ListOrder.TITLE, ListOrder.TITLE_BACKWARDS),
    Column.WINNER: (ListOrder.CLEAREST, ListOrder.CLOSEST),
    Column.TIME: (ListOrder.NEWEST, ListOrder.OLDEST),
}
"""The orders that a column's head offers: the one of the first click, and the other way round."""


def view_chosen() -> str:
    """Choose between the list and the grids of one project, which have no chart above them so that more outputs fit the
    screen."""
    if looked_at() is None:
        return LIST
    views = [LIST, GRID]
    if len(choices_here().by["iterations"]) > 1:
        views.append(ITERATIONS)
    elif st.session_state.get(VIEW) == ITERATIONS:
        st.session_state[VIEW] = GRID
    chosen = st.segmented_control(
        "View",
        views,
        default=LIST,
        format_func=safe.text,
        key=VIEW,
        required=True,
        label_visibility="collapsed",
        bind="query-params",
        persist_state="session",
    )
    return chosen or LIST


def history_list(history_filter: HistoryFilter, view: str) -> None:
    """Show the comparisons that fit, as a list or a grid, and above it what saves and exports them."""
    head = st.container(horizontal=True, vertical_alignment="center", key="history_count")
    page, pages = (
        read_iterations(history_filter, head)
        if view == ITERATIONS
        else read_page(history_filter, key="page", size=PAGE_SIZE if view == LIST else ROWS)
    )
    if not page.total:
        _empty(history_filter)
        return
    with head:
        safe.caption(words.counted(page.total, "comparison"), width="content")
        _saved_views_button()
        export_button(history_filter, page.total)
        clear_button(history_filter)
    if view == LIST:
        _list(history_filter, page)
    elif view == GRID:
        outputs_grid(page.rows, head)
    else:
        iterations_grid(page.rows, head)
    if pages > 1:
        st.pagination(pages, key="page", bind="query-params")
    show_opened_pair()


def _list(history_filter: HistoryFilter, page: HistoryPage) -> None:
    services = session.services()
    rows = {row.line.id: row for row in page.rows}
    starts = output_starts(services.database, services.blobs, tuple(rows))
    # A column that says the same in each row says nothing.
    dated = len({row.line.created_at.date() for row in page.rows}) > 1
    chosen = listing(
        [history_row(row, starts=starts[id], dated=dated) for id, row in rows.items()],
        tuple(Column),
        key="history_list",
        labels=HEADS,
        sorting=_sorting(history_filter.order),
        on_sort=_sort,
        on_open=lambda id: open_row(rows[id], rows.values()),
        into_view=st.session_state.pop(CHOSEN, False),
    )
    if chosen is not None and session.may_with(Act.SEE_RESULTS, chosen.id):
        name = f"comparison-{chosen.id[:8]}.json"
        save(result_json(session.as_me(), chosen.id), name=name)
        st.toast(safe.text(f"{name} was downloaded."))


def _sorting(order: ListOrder) -> Sorting:
    by = next((column for column, orders in SORTED.items() if order in orders), None)
    falls = (ListOrder.TITLE_BACKWARDS, ListOrder.CLEAREST, ListOrder.NEWEST)
    return Sorting(by=by, descending=order in falls, offered=tuple(SORTED))


def _sort(column: Column) -> None:
    """Sort by the column, the other way round where it is sorted by it already."""
    first, other = SORTED[column]
    st.session_state[ORDER] = (other if st.session_state.get(ORDER) == first.value else first).value


def _empty(history_filter: HistoryFilter) -> None:
    if is_filtered(history_filter):
        st.info("No comparisons match these filters.", icon=":material/filter_alt_off:")
        clear_button(history_filter)
        return
    empty_page(
        "No comparisons yet",
        "Every comparison will be listed here with its status, winner and scores.",
        step=("New comparison", PageScript.NEW, ":material/add_circle:"),
        key="history_new",
    )


LEFT_OUT = ("page", Param.COMPARISON, Param.PROJECT)
"""Parts of an address that belong to no view."""


def _saved_views_button() -> None:
    """List the project's views, and save what is seen now; nothing where no project is chosen."""
    project_id = looked_at()
    if project_id is None:
        return
    views = views_of(session.services(), project_id)
    label = f"Views ({len(views):d})" if views else "Views"
    with st.popover(label, key="views_button", icon=":material/bookmarks:"):
        for view in views:
            _view(project_id, view)
        with st.form("save_view", border=False):
            name = st.text_input("Name", key="view_name", max_chars=80, placeholder="Lost since iteration 27")
            if st.form_submit_button("Save this view", icon=":material/bookmark_add:"):
                _save(project_id, name or "")


def _view(project_id: str, view: SavedView) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key=f"view_{view.name}"):
        st.link_button(
            safe.middle(view.name, 60),
            f"/history?{urlencode(session.with_project())}&{view.address}",
            icon=":material/bookmark:",
            type="tertiary",
            width="stretch",
        )
        st.button(
            "",
            key=f"remove_{view.name}",
            icon=":material/delete:",
            type="tertiary",
            help=safe.text(f"Remove the view {view.name}"),
            on_click=_remove,
            args=(project_id, view),
        )


def _save(project_id: str, name: str) -> None:
    parts = [
        (key, value)
        for key in st.query_params
        if key not in LEFT_OUT
        for value in st.query_params.get_all(key)
    ]
    with shell.guard():
        save_view(session.as_me(), project_id, name=name, address=urlencode(parts))
        shell.tell_next("The view was saved.")
        st.rerun()


def _remove(project_id: str, view: SavedView) -> None:
    save_view(session.as_me(), project_id, name=view.name, address=None)


MOST = 24
"""Projects of which a small chart is drawn."""
LEAST_DAYS = 5
"""On fewer days nothing can be seen to rise or fall."""
LOW = 180
"""Pixels of a chart that stands beside another one, above the list."""


class ProjectLine(NamedTuple):
    """The first candidate's win rate in a revealed project, a share by step."""

    project: Project
    name: str
    steps: tuple[str, ...]
    shares: list[float | None]


def every_project(projects: Sequence[Project]) -> None:
    """Show what these projects did by day and, of all that are revealed, the demo too, who won more at each step."""
    days = activity(session.services().database, [project.id for project in projects])
    lines = list(islice(revealed_lines(session.projects(Act.SEE_RESULTS)), MOST))
    by_day = [
        Chart(
            name,
            f"{name} per day",
            [{"Day": day, name: int(number)} for day, number in days[name].items()],
            Lines("Day", name, list(days.index), form=",d", between=(0, 1.1 * days[name].max()), height=LOW),
            note="Days without any are left out; the demo and the examples are not counted.",
        )
        for name in days
        if (days[name] > 0).sum() >= LEAST_DAYS
    ]
    if lines:
        steps = [
            {"Step": str(at + 1), **{line.name: share for line, share in zip(lines, shares, strict=True)}}
            for at, shares in enumerate(zip_longest(*(line.shares for line in lines)))
        ]
        links = {line.name: _of_project(line.project.name) for line in lines}
        show(
            [
                Chart(
                    "project_rates",
                    "Win rates of revealed projects",
                    steps,
                    Multiples("Step", list(links), across=4, links=links),
                    help="Share of pairs won against each project's usual reference, step by step. Click a point to "
                    "list its pairs.",
                )
            ],
            partial(look_at_step, lines),
        )
    if by_day:
        for column, chart in zip(st.columns(len(by_day)), by_day, strict=True):
            with column:
                show([chart])
    elif not lines:
        st.caption(
            "Daily numbers of comparisons and reviews will appear here. The demo and the examples are not counted."
        )


def look_at_step(lines: Sequence[ProjectLine], chosen: Any) -> None:
    """In a callback: go to the project of the point that was clicked, and to its iteration."""
    point = chosen.points[0]
    line = lines[point["curve_number"]]
    session.look_at(line.project.id)
    st.session_state[ITERATION] = [line.steps[point["point_index"]]]
    st.session_state[CHOSEN] = True


def _of_project(name: str) -> str:
    # Plotly encodes an address again: these signs stay as they are, and none of them ends a value.
    if {*"&+#"} & {*name}:
        return ""
    return f"/history?{urlencode({Param.PROJECT.value: name}, safe=':/@,;?=')}"


def revealed_lines(projects: Sequence[Project]) -> Iterator[ProjectLine]:
    """The lines of the projects in which at least two iterations are revealed."""
    for project in projects:
        figure = picture(
            session.services().database,
            HistoryFilter(project_id=project.id),
            Metric.WIN_RATE,
            axis=Axis.ITERATIONS,
        )
        dots = figure.lines[0].dots if figure.lines else ()
        if sum(dot is not None for dot in dots) > 1:
            shares = [None if dot is None else round(dot.value, 4) for dot in dots]
            yield ProjectLine(project, f"{project.name}: {figure.lines[0].name}", figure.steps, shares)

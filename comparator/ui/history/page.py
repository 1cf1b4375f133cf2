"""The list of all comparisons, or a grid of their outputs, with saved views; of all projects, their work by day."""

from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from comparator.domain.labels import Label, Winner
from comparator.domain.rights import Act
from comparator.reporting.history.activity import activity
from comparator.reporting.history.conditions import HistoryFilter
from comparator.reporting.history.listing import HistoryPage, HistoryRow, neutral_rows, output_starts
from comparator.reporting.history.picture import Axis, Metric, picture
from comparator.reporting.results.candidates import natural
from comparator.store.pairs.comparison_list import ListGroup, ListOrder
from comparator.store.people.projects import Project, SavedView
from comparator.ui.components.listing import Column, Sorting, listing
from comparator.ui.frame import safe, session, shell, words
from comparator.ui.frame.charts import Chart, Lines, Multiples, show
from comparator.ui.frame.inputs import save
from comparator.ui.frame.lists.list_rows import HEADS, ListPage, history_row, open_pair, read_page
from comparator.ui.frame.notices import empty_page
from comparator.ui.frame.state import PageScript, Param
from comparator.ui.history.export import export_button
from comparator.ui.history.filters import ORDER, is_filtered, looked_at, steps_chip
from comparator.ui.history.picture import CHOSEN
from comparator.workflow.exporting.comparison_json import result_json
from comparator.workflow.projects.settings import save_view, views_of

PAGE_SIZE = 25
VIEW, LIST, GRID = "view", "List", "Grid"
SORTED = {
    Column.TITLE: (ListOrder.TITLE, ListOrder.TITLE_BACKWARDS),
    Column.WINNER: (ListOrder.CLOSEST, ListOrder.CLEAREST),
    Column.TIME: (ListOrder.OLDEST, ListOrder.NEWEST),
}
"""The orders, rising and falling, that a column's head offers."""


def view_switch() -> None:
    """Choose between the list and the grid."""
    st.segmented_control(
        "View",
        [LIST, GRID],
        default=LIST,
        format_func=safe.text,
        key=VIEW,
        required=True,
        label_visibility="collapsed",
        bind="query-params",
        persist_state="session",
    )


def chart_place(above: DeltaGenerator) -> DeltaGenerator:
    """Where the chart stands: `above` the list; beside the grid it is folded, so that fifty outputs fit the screen."""
    if st.session_state.get(VIEW) == GRID:
        return above.expander("Chart", icon=":material/monitoring:", key="folded_chart")
    return above


def history_list(history_filter: HistoryFilter, tools: DeltaGenerator) -> None:
    """Show the comparisons that fit, as a list or a grid; `tools`, above it, get what saves and exports them."""
    gridded = st.session_state.get(VIEW) == GRID
    page, pages = (
        read_grid(history_filter) if gridded else read_page(history_filter, key="page", size=PAGE_SIZE)
    )
    if not page.total:
        _empty(filtered=is_filtered(history_filter))
        return
    with tools:
        _saved_views_button()
        export_button(history_filter, page.total)
    with st.container(horizontal=True, vertical_alignment="center", key="history_count"):
        number = words.counted(page.total, "comparison")
        safe.caption(f"{number}: {LEGEND}" if gridded else number, width="content")
        steps_chip()
    if gridded:
        grid(page.rows)
    else:
        _list(history_filter, page)
    if pages > 1:
        st.pagination(pages, key="page", bind="query-params")


def _list(history_filter: HistoryFilter, page: HistoryPage) -> None:
    services = session.services()
    starts = output_starts(services.database, services.blobs, [row.line.id for row in page.rows])
    chosen = listing(
        [history_row(row, starts=starts[row.line.id]) for row in page.rows],
        tuple(Column),
        key="history_list",
        labels=HEADS,
        sorting=_sorting(history_filter.order),
        on_sort=_sort,
        on_open=open_pair,
        into_view=st.session_state.pop(CHOSEN, False),
    )
    if chosen is not None and session.may_with(Act.SEE_RESULTS, chosen.id):
        name = f"comparison-{chosen.id[:8]}.json"
        save(result_json(session.as_me(), chosen.id), name=name)
        st.toast(safe.text(f"{name} was downloaded."))


def _sorting(order: ListOrder) -> Sorting:
    for column, (rising, falling) in SORTED.items():
        if order in (rising, falling):
            return Sorting(by=column, descending=order is falling, offered=tuple(SORTED))
    return Sorting(by=None, descending=False, offered=tuple(SORTED))


def _sort(column: Column) -> None:
    """Sort by the column, the other way round where it is sorted by it already."""
    rising, falling = SORTED[column]
    now = st.session_state.get(ORDER)
    first = rising if column is Column.TITLE else falling
    other = falling if column is Column.TITLE else rising
    st.session_state[ORDER] = (other if now == first.value else first).value


def _empty(*, filtered: bool) -> None:
    if filtered:
        st.info("No comparisons match these filters. Remove one of them.", icon=":material/filter_alt_off:")
        steps_chip()
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


GRID_SIZE = 200
ROW_HEIGHT = 72
"""Pixels: the least at which Streamlit breaks lines."""
LINES, LETTER, PADDING = 3, 7, 16
"""Lines of a cell, and pixels of a letter and of the room beside the text: what is cut ends with a word and …."""
LEGEND = "✓ won, = tie, the newest iteration first. Click a cell to open its pair."


def read_grid(history_filter: HistoryFilter) -> ListPage:
    """The page of pairs that the grid shows, task by task."""
    return read_page(history_filter.copy_with(group=ListGroup.TASK), key="page", size=GRID_SIZE)


def grid(rows: Sequence[HistoryRow]) -> None:
    """Show these pairs; a click on a cell opens the pair behind it."""
    services = session.services()
    rows = neutral_rows(services.database, rows)
    starts = output_starts(services.database, services.blobs, [row.line.id for row in rows])
    cells: dict[tuple[str, str], tuple[str, str]] = {}
    titles: dict[str, str] = {}
    for row in rows:
        place = row.line.task_id if row.made_by else row.line.id
        titles[place] = row.line.title
        begin = {label: safe.visible(starts[row.line.id][label]) for label in Label}
        if row.made_by and row.iteration:
            # Of several pairs of a task and an iteration, the one that the list has first.
            cells.setdefault((place, row.iteration), (row.line.id, _verdict(row, begin)))
            continue
        for label in Label:
            column = row.made_by[label] if row.made_by else f"Output {label.value}"
            cells.setdefault((place, column), (row.line.id, f"{_mark(row, label)}{begin[label]}" or "–"))
    columns = sorted({column for _, column in cells}, key=natural, reverse=any(row.iteration for row in rows))
    places, width = list(titles), max(130, 780 // max(len(columns), 1))
    most = LINES * (width - PADDING) // LETTER
    table = pd.DataFrame(
        [
            [safe.beginning(cells.get((place, column), ("", ""))[1], most) for column in columns]
            for place in places
        ],
        index=pd.Index([titles[place] for place in places], name="Task"),
        columns=columns,
    )

    def follow() -> None:
        for at, column in st.session_state["history_grid"].selection.cells:
            if (place := (places[at], column)) in cells:
                open_pair(cells[place][0])

    st.dataframe(
        table,
        key="history_grid",
        row_height=ROW_HEIGHT,
        height="content",
        on_select=follow,
        selection_mode="single-cell",
        column_config={
            "_index": st.column_config.Column("Task", width=140, pinned=True),
            **{
                column: st.column_config.TextColumn(
                    safe.text(f"Iteration {column}" if column.isdigit() else column),
                    width=width,
                )
                for column in columns
            },
        },
    )


def _verdict(row: HistoryRow, begin: Mapping[Label, str]) -> str:
    """Who won a pair of one iteration, and how the winner's output begins."""
    winner = None if row.covered else row.line.winner
    if winner is None or row.made_by is None:
        return "–"
    if winner is Winner.TIE:
        return f"= {begin[Label.A]}"
    label = Label(winner.value)
    name = row.made_by[label].removesuffix(f" ({row.iteration})")
    return f"✓ {safe.visible(name)}: {begin[label]}"


def _mark(row: HistoryRow, label: Label) -> str:
    """Whether the output won; nothing where nobody has decided, or the reader has yet to score the pair."""
    if row.covered or row.line.winner is None:
        return ""
    return "= " if row.line.winner is Winner.TIE else "✓ " if row.line.winner.value == label.value else ""


MOST = 24
"""Projects of which a small chart is drawn."""
LOW = 180
"""Pixels of a chart that stands beside another one, above the list."""


def every_project(projects: Sequence[Project]) -> None:
    """Show what these projects did by day and, of all that are revealed, the demo too, who won more at each step."""
    database = session.services().database
    days = activity(database, [project.id for project in projects])
    rates = _rates(session.projects(Act.SEE_RESULTS))
    by_day = [
        Chart(
            name,
            f"{name} per day",
            [{"Day": day, name: int(number)} for day, number in days[name].items()],
            Lines("Day", name, list(days.index), form=",d", height=LOW),
        )
        for name in days
        if days[name].any()
    ]
    if rates:
        steps = [
            {
                "Step": f"step {at + 1}" if at else "first",
                **{name: shares[at] if at < len(shares) else None for name, shares in rates.items()},
            }
            for at in range(max(map(len, rates.values())))
        ]
        show(
            [
                Chart(
                    "project_rates",
                    "Win rates of revealed projects",
                    steps,
                    Multiples("Step", list(rates)),
                    note="Share of pairs won against each project's usual reference, step by step.",
                )
            ]
        )
    if by_day:
        for column, chart in zip(st.columns(len(by_day)), by_day, strict=True):
            with column:
                show([chart])
    elif not rates:
        st.caption(
            "Daily numbers of comparisons and reviews will appear here. The demo and the examples are not counted."
        )


def _rates(projects: Sequence[Project]) -> dict[str, list[float | None]]:
    """Of the first revealed projects, the first candidate's win rate by step."""
    rates: dict[str, list[float | None]] = {}
    for project in projects:
        if len(rates) == MOST:
            break
        history_filter = HistoryFilter(project_id=project.id)
        metric_picture = picture(
            session.services().database, history_filter, Metric.WIN_RATE, axis=Axis.ITERATIONS
        )
        dots = metric_picture.lines[0].dots if metric_picture.lines else ()
        if sum(dot is not None for dot in dots) > 1:
            rates[project.name] = [None if dot is None else round(dot.value, 4) for dot in dots]
    return rates

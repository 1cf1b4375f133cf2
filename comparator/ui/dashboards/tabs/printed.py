"""What the report prints: the charts of every tab, in the colours of paper, under the filters of the page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from comparator.reporting.results.run_usage import run_usage
from comparator.reporting.results.spending import cost
from comparator.reporting.trust.judge import trust
from comparator.reporting.trust.reviewers import people
from comparator.reporting.why.differ import how_they_differ
from comparator.reporting.why.slices import name_of_part, slices
from comparator.ui.dashboards.data import Headline, all_candidates, details
from comparator.ui.dashboards.differ.charts import measures_chart, one_chart
from comparator.ui.dashboards.differ.tab import name_of, same_in_all
from comparator.ui.dashboards.tabs.cost import cost_charts
from comparator.ui.dashboards.tabs.over_time import cell_link, since_chart, tasks_chart
from comparator.ui.dashboards.tabs.people import people_charts
from comparator.ui.dashboards.tabs.ranking import field_charts
from comparator.ui.dashboards.tabs.result import result_charts
from comparator.ui.dashboards.tabs.trust import trust_charts
from comparator.ui.dashboards.tabs.where import parts_chart
from comparator.ui.dashboards.why.charts import why_charts
from comparator.ui.dashboards.why.themes import theme_charts
from comparator.ui.frame import session
from comparator.ui.frame.charts import Chart
from comparator.ui.frame.charts.task_grid import ORDERS, grid_chart
from comparator.ui.frame.lists.narrowing import BY


def narrowed_to(top: Headline) -> tuple[str, ...]:
    """The chips of the page, such as "Tag network"; empty where it is not narrowed."""
    database, project_id = session.services().database, top.asked.project_id
    return tuple(
        f"{BY[part.by]} {name_of_part(database, part, project_id=project_id)}" for part in top.asked.within
    )


def every_chart(top: Headline) -> tuple[Chart, ...]:
    """The charts of every tab; where a tab asks for a choice, those of each."""
    database, asked = session.services().database, top.asked
    project_id = asked.project_id
    reviewers = people(database, project_id, of=asked)
    return _with_distinct_names(
        *why_charts(top),
        *theme_charts(top),
        *_where(top),
        *_how_they_differ(top),
        *_over_time(top),
        *result_charts(top, details(database, asked)),
        *field_charts(all_candidates(database, asked), asked=asked),
        *trust_charts(
            trust(database, project_id, of=asked),
            ceiling=reviewers.ceiling,
            of=asked,
        ),
        *people_charts(reviewers, of=asked),
        *cost_charts(cost(database, project_id, of=asked), run_usage(database, asked), of=asked),
    )


def _with_distinct_names(*charts: Chart) -> tuple[Chart, ...]:
    """The same, a name that two tabs use numbered: on one page a chart is drawn where its name stands."""
    used: Counter[str] = Counter()
    found = []
    for chart in charts:
        used[chart.name] += 1
        times = used[chart.name]
        found.append(replace(chart, name=f"{chart.name}-{times}") if times > 1 else chart)
    return tuple(found)


def _where(top: Headline) -> Iterator[Chart]:
    """Each property by which the pairs fall into parts."""
    if not top.result.n:
        return
    for by, name in BY.items():
        found = slices(session.services().database, top.asked, by)
        if found.parts:
            chart = parts_chart(found, asked=top.asked, names=top.names)
            yield replace(chart, name=f"{chart.name}-{by.value}", title=f"By {_low(name)}: {chart.title}")


def _how_they_differ(top: Headline) -> Iterator[Chart]:
    """All measures together, then each."""
    if not top.result.n:
        return
    found = how_they_differ(session.services().database, top.asked)
    names = {each.measure: name_of(each) for each in found.measures}
    if not names:
        return
    yield measures_chart(top, found, names, same=same_in_all(found))
    for number, each in enumerate(found.measures, start=1):
        chart = one_chart(top, each, names[each.measure])
        yield replace(chart, name=f"{chart.name}-{number}")


def _over_time(top: Headline) -> Iterator[Chart]:
    """Every task in every iteration, and what changed since the last one."""
    found = top.history
    if found is None or not found.n or not found.counted_by_task:
        return
    yield grid_chart(found, cell_link(top.asked, found), order=next(iter(ORDERS)))
    if len(found.iterations) > 1:
        yield since_chart(top.asked, found, len(found.iterations) - 2)
    yield tasks_chart(top.asked, found)


def _low(name: str) -> str:
    return name[0].lower() + name[1:]

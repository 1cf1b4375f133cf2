"""What the report prints: the charts of every tab, in the colours of paper, under the filters of the page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from comparator.reporting.findings import Findings
from comparator.reporting.results.ranking import ranking
from comparator.reporting.results.run_usage import run_usage
from comparator.reporting.results.spending import cost
from comparator.reporting.trust.judge import trust
from comparator.reporting.trust.reviewers import people
from comparator.reporting.why.differ import how_they_differ
from comparator.reporting.why.slices import name_of_part
from comparator.ui.dashboards.differ.tab import differ_charts
from comparator.ui.dashboards.tabs.cost import cost_charts
from comparator.ui.dashboards.tabs.over_time import cell_link, tasks_chart
from comparator.ui.dashboards.tabs.trust import people_charts, trust_charts
from comparator.ui.dashboards.tabs.where import parts_chart, ranking_charts
from comparator.ui.dashboards.why.charts import why_charts
from comparator.ui.dashboards.why.themes import theme_charts
from comparator.ui.frame import session
from comparator.ui.frame.charts import Chart
from comparator.ui.frame.charts.task_grid import ORDERS, grid_chart
from comparator.ui.frame.lists.narrowing import BY


def narrowed_to(top: Findings) -> tuple[str, ...]:
    """The chips of the page, such as "Tag network"; empty where it is not narrowed."""
    database, project_id = session.services().database, top.asked.project_id
    return tuple(
        f"{BY[part.by]} {name_of_part(database, part, project_id=project_id)}" for part in top.asked.within
    )


def every_chart(top: Findings) -> tuple[Chart, ...]:
    """The charts of every tab; a name that two of them use is numbered."""
    used: Counter[str] = Counter()
    found = []
    for chart in _charts(top):
        used[chart.name] += 1
        times = used[chart.name]
        found.append(replace(chart, name=f"{chart.name}-{times}") if times > 1 else chart)
    return tuple(found)


def _charts(top: Findings) -> Iterator[Chart]:
    database, asked, history = session.services().database, top.asked, top.history
    if top.result.n:
        yield from why_charts(top)
        yield from theme_charts(top)
        if top.kinds is not None:
            yield parts_chart(top.kinds, asked=asked, names=top.names)
        yield from ranking_charts(ranking(database, asked), asked=asked)
        yield from differ_charts(top, how_they_differ(database, asked))
    if history is not None and history.n and history.counted_by_task:
        at = top.now.at if top.now else len(history.iterations) - 1
        yield grid_chart(history, cell_link(asked, history), order=next(iter(ORDERS)), since=at)
        yield tasks_chart(asked, history, at)
    reviewers = people(database, asked.project_id, of=asked)
    yield from trust_charts(trust(database, asked.project_id, of=asked), ceiling=reviewers.ceiling, of=asked)
    yield from people_charts(reviewers, of=asked)
    yield from cost_charts(cost(database, asked.project_id, of=asked), run_usage(database, asked), of=asked)

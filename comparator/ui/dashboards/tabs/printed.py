"""What the report prints: the charts of every tab, in the colours of paper, under the filters of the page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from comparator.reporting.results.run_usage import run_usage
from comparator.reporting.results.spending import cost
from comparator.reporting.trust.judge import trust
from comparator.reporting.trust.reviewers import people
from comparator.reporting.why.differ import how_they_differ
from comparator.reporting.why.slices import name_of_part, slices
from comparator.ui.dashboards.data import Headline, all_candidates, details
from comparator.ui.dashboards.differ.panels import measures_panel, one_panel
from comparator.ui.dashboards.differ.tab import name_of, same_in_all
from comparator.ui.dashboards.tabs.cost import cost_panels
from comparator.ui.dashboards.tabs.over_time import cell_link, since_panel, tasks_panel
from comparator.ui.dashboards.tabs.people import people_panels
from comparator.ui.dashboards.tabs.ranking import field_panels
from comparator.ui.dashboards.tabs.result import result_panels
from comparator.ui.dashboards.tabs.trust import trust_panels
from comparator.ui.dashboards.tabs.where import parts_panel
from comparator.ui.dashboards.why.panels import why_panels
from comparator.ui.dashboards.why.themes import theme_panels
from comparator.ui.frame import session
from comparator.ui.frame.charts.panel_box import Panel
from comparator.ui.frame.charts.task_grid import ORDERS, grid_panel
from comparator.ui.frame.charts.theme import ColourTheme
from comparator.ui.frame.lists.narrowing import BY

PAPER = ColourTheme.LIGHT


def narrowed_to(top: Headline) -> tuple[str, ...]:
    """The chips of the page, such as "Tag network"; empty where it is not narrowed."""
    database, project_id = session.services().database, top.asked.project_id
    return tuple(
        f"{BY[part.by]} {name_of_part(database, part, project_id=project_id)}" for part in top.asked.within
    )


def every_panel(top: Headline) -> tuple[Panel, ...]:
    """The charts of every tab; where a tab asks for a choice, those of each."""
    database, asked = session.services().database, top.asked
    project_id, within = asked.project_id, asked.within
    reviewers = people(database, project_id, within=within)
    return _with_distinct_names(
        *why_panels(top, theme=PAPER),
        *theme_panels(top, theme=PAPER),
        *_where(top),
        *_how_they_differ(top),
        *_over_time(top),
        *result_panels(top, details(database, asked), theme=PAPER),
        *field_panels(all_candidates(database, asked), asked=asked, theme=PAPER),
        *trust_panels(
            trust(database, project_id, offline=asked.offline, within=within),
            ceiling=reviewers.ceiling,
            project_id=project_id,
            theme=PAPER,
        ),
        *people_panels(reviewers, project_id=project_id, theme=PAPER),
        *cost_panels(
            cost(database, project_id, within=within),
            run_usage(database, asked),
            project_id=project_id,
            theme=PAPER,
        ),
    )


def _with_distinct_names(*panels: Panel) -> tuple[Panel, ...]:
    """The same, a name that two tabs use numbered: on one page a chart is drawn where its name stands."""
    used: Counter[str] = Counter()
    found = []
    for panel in panels:
        used[panel.name] += 1
        times = used[panel.name]
        found.append(panel._replace(name=f"{panel.name}-{times}") if times > 1 else panel)
    return tuple(found)


def _where(top: Headline) -> Iterator[Panel]:
    """Each property by which the pairs fall into parts."""
    if not top.result.n:
        return
    for by, name in BY.items():
        found = slices(session.services().database, top.asked, by)
        if found.parts:
            panel = parts_panel(found, asked=top.asked, names=top.names, theme=PAPER)
            yield panel._replace(name=f"{panel.name}-{by.value}", title=f"By {_low(name)}: {panel.title}")


def _how_they_differ(top: Headline) -> Iterator[Panel]:
    """All measures together, then each."""
    if not top.result.n:
        return
    found = how_they_differ(session.services().database, top.asked)
    names = {each.measure: name_of(each) for each in found.measures}
    if not names:
        return
    yield measures_panel(top, found, names, same=same_in_all(found), theme=PAPER)
    for number, each in enumerate(found.measures, start=1):
        panel = one_panel(top, each, names[each.measure], theme=PAPER)
        yield panel._replace(name=f"{panel.name}-{number}")


def _over_time(top: Headline) -> Iterator[Panel]:
    """Every task in every iteration, and what changed since the last one."""
    found = top.history
    if found is None or not found.n or not found.counted_by_task:
        return
    yield grid_panel(found, cell_link(top.asked, found), theme=PAPER, order=next(iter(ORDERS)))
    if len(found.iterations) > 1:
        yield since_panel(top.asked, found, len(found.iterations) - 2)
    yield tasks_panel(top.asked, found)


def _low(name: str) -> str:
    return name[0].lower() + name[1:]

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
from comparator.ui.dashboards.differ.boxes import measures_box, one_box
from comparator.ui.dashboards.differ.tab import name_of, same_in_all
from comparator.ui.dashboards.tabs.cost import cost_boxes
from comparator.ui.dashboards.tabs.over_time import cell_link, since_box, tasks_box
from comparator.ui.dashboards.tabs.people import people_boxes
from comparator.ui.dashboards.tabs.ranking import field_boxes
from comparator.ui.dashboards.tabs.result import result_boxes
from comparator.ui.dashboards.tabs.trust import trust_boxes
from comparator.ui.dashboards.tabs.where import parts_box
from comparator.ui.dashboards.why.boxes import why_boxes
from comparator.ui.dashboards.why.themes import theme_boxes
from comparator.ui.frame import session
from comparator.ui.frame.charts.box import Box
from comparator.ui.frame.charts.task_grid import ORDERS, grid_box
from comparator.ui.frame.charts.theme import ColourTheme
from comparator.ui.frame.lists.narrowing import BY

PAPER = ColourTheme.LIGHT


def narrowed_to(top: Headline) -> tuple[str, ...]:
    """The chips of the page, such as "Tag network"; empty where it is not narrowed."""
    database, project_id = session.services().database, top.asked.project_id
    return tuple(
        f"{BY[part.by]} {name_of_part(database, part, project_id=project_id)}" for part in top.asked.within
    )


def every_box(top: Headline) -> tuple[Box, ...]:
    """The charts of every tab; where a tab asks for a choice, those of each."""
    database, asked = session.services().database, top.asked
    project_id = asked.project_id
    reviewers = people(database, project_id, of=asked)
    return _with_distinct_names(
        *why_boxes(top, theme=PAPER),
        *theme_boxes(top, theme=PAPER),
        *_where(top),
        *_how_they_differ(top),
        *_over_time(top),
        *result_boxes(top, details(database, asked), theme=PAPER),
        *field_boxes(all_candidates(database, asked), asked=asked, theme=PAPER),
        *trust_boxes(
            trust(database, project_id, of=asked),
            ceiling=reviewers.ceiling,
            of=asked,
            theme=PAPER,
        ),
        *people_boxes(reviewers, of=asked, theme=PAPER),
        *cost_boxes(cost(database, project_id, of=asked), run_usage(database, asked), of=asked, theme=PAPER),
    )


def _with_distinct_names(*boxes: Box) -> tuple[Box, ...]:
    """The same, a name that two tabs use numbered: on one page a chart is drawn where its name stands."""
    used: Counter[str] = Counter()
    found = []
    for box in boxes:
        used[box.name] += 1
        times = used[box.name]
        found.append(box._replace(name=f"{box.name}-{times}") if times > 1 else box)
    return tuple(found)


def _where(top: Headline) -> Iterator[Box]:
    """Each property by which the pairs fall into parts."""
    if not top.result.n:
        return
    for by, name in BY.items():
        found = slices(session.services().database, top.asked, by)
        if found.parts:
            box = parts_box(found, asked=top.asked, names=top.names, theme=PAPER)
            yield box._replace(name=f"{box.name}-{by.value}", title=f"By {_low(name)}: {box.title}")


def _how_they_differ(top: Headline) -> Iterator[Box]:
    """All measures together, then each."""
    if not top.result.n:
        return
    found = how_they_differ(session.services().database, top.asked)
    names = {each.measure: name_of(each) for each in found.measures}
    if not names:
        return
    yield measures_box(top, found, names, same=same_in_all(found), theme=PAPER)
    for number, each in enumerate(found.measures, start=1):
        box = one_box(top, each, names[each.measure], theme=PAPER)
        yield box._replace(name=f"{box.name}-{number}")


def _over_time(top: Headline) -> Iterator[Box]:
    """Every task in every iteration, and what changed since the last one."""
    found = top.history
    if found is None or not found.n or not found.counted_by_task:
        return
    yield grid_box(found, cell_link(top.asked, found), theme=PAPER, order=next(iter(ORDERS)))
    if len(found.iterations) > 1:
        yield since_box(top.asked, found, len(found.iterations) - 2)
    yield tasks_box(top.asked, found)


def _low(name: str) -> str:
    return name[0].lower() + name[1:]

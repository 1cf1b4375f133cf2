"""The charts of Why: behind each bar stand as many pairs as it counts."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

from comparator.domain.labels import Order, PerOutput
from comparator.domain.scoring.judgment import ExpectationMark, Mark
from comparator.reporting.findings import findings
from comparator.reporting.results.candidates import Names
from comparator.reporting.scope import Verdicts
from comparator.ui.dashboards import pairs_behind
from comparator.ui.dashboards.why.charts import why_charts
from comparator.ui.frame.charts import Chart
from comparator.ui.frame.charts.theme import ColourTheme
from comparator.workflow.services import Services
from tests.worlds.histories.history import NEW, OLD, History
from tests.worlds.histories.pairs import World, answer

MET, MISSED = ExpectationMark(passed=True), ExpectationMark(passed=False)
TURNED = "structure.schema"
"""The criterion that favours the other output in one pair."""


def listed(chart: Chart, project_id: str) -> list[list[int]]:
    """How many pairs the address behind each mark lists, one list a series."""

    def rows(link: str) -> int:
        (asked,) = parse_qs(urlsplit(link).query)["behind"]
        found = pairs_behind.listed(project_id, pairs_behind.read(project_id, asked))
        return len(found.rows) if found else 0

    return [[rows(str(link)) for link in links] for links in chart.opens.values()]


def drawn(chart: Chart) -> dict[str, list[int]]:
    """The length of each bar, by series."""
    figure = chart.figure(ColourTheme.LIGHT)
    assert figure is not None
    return {trace.name: list(trace.x) for trace in figure.data if trace.type == "bar"}


def test_each_bar_of_criteria_and_expectations_lists_the_pairs_that_it_counts(services: Services) -> None:
    history = History(World(services.database, services.blobs))
    # Each in a task of its own: only the new one meets the first expectation, only the old one, both.
    for number, (new, old) in enumerate([(5, 3)] * 5 + [(3, 5)] * 4 + [(4, 4)] * 3):
        history.task(f"Task {number}")
        comparison = history.unjudged()
        given = answer(*history.sides(comparison, new, old))
        marks = given.criteria[TURNED]
        turned = PerOutput[Mark](A=marks.B, B=marks.A) if number == 0 else marks
        given = given.model_copy(
            update={
                "criteria": {**given.criteria, TURNED: turned},
                "expectations": (given.expectations[0], PerOutput[ExpectationMark](A=MET, B=MET)),
            }
        )
        for order in Order:
            history.world.attempt(comparison, order, given)
    # Two runs of one task that differ, and one in which nobody meets any.
    history.task("Varies")
    history.pair(5, 3)
    history.pair(3, 5)
    history.task("Neither")
    neither = PerOutput[ExpectationMark](A=MISSED, B=MISSED)
    last = history.unjudged()
    for order in Order:
        given = answer(*history.sides(last, 5, 3))
        history.world.attempt(last, order, given.model_copy(update={"expectations": (neither, neither)}))
    history.reveal()
    top = findings(services.database, history.asked(Verdicts.JUDGE), Names(NEW, OLD))

    boxes = {each.name: each for each in why_charts(top)}

    criteria, expectations = drawn(boxes["criteria"]), drawn(boxes["expectations"])
    assert {name: sorted(counts) for name, counts in criteria.items()} == {
        f"led by {NEW}": [6, 7, 7, 7],
        "even": [3, 3, 3, 3],
        f"led by {OLD}": [5, 5, 5, 6],
    }
    assert expectations == {
        f"only {NEW}": [5, 0],
        "both": [3, 12],
        "varies between runs": [2, 2],
        "neither": [1, 1],
        f"only {OLD}": [4, 0],
    }
    assert listed(boxes["criteria"], history.project) == list(criteria.values())
    assert listed(boxes["expectations"], history.project) == list(expectations.values())

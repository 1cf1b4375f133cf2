"""How outputs differ: every number of a planted experiment counted again, and checks as measures and as parts."""

from __future__ import annotations

import re
from statistics import median
from typing import NamedTuple

import numpy as np
import pandas as pd
import pytest
import sqlalchemy as sa

from comparator.domain.errors import InputError
from comparator.domain.labels import Order, PerOutput
from comparator.domain.scoring.judgment import ExpectationMark
from comparator.reporting.findings import findings
from comparator.reporting.results.candidates import Names
from comparator.reporting.results.result import result
from comparator.reporting.scope import By, ResultFilter, Verdicts, Within
from comparator.reporting.why.differ import how_they_differ
from comparator.reporting.why.pairs import Slice, pairs
from comparator.reporting.why.slices import slices
from comparator.settings import Settings
from comparator.stats.figures import ENOUGH, LEAST_PAIRS, LEAST_TASKS, Estimate, TooFew
from comparator.store import tables
from comparator.store.pairs import keys
from comparator.ui.dashboards.tabs.differ import differ_charts
from comparator.ui.frame.charts.theme import ColourTheme
from comparator.workflow.projects.checks import add_check, check_some, checks_of, remove_check
from comparator.workflow.services import Services
from tests.integration.reporting.test_picture import told
from tests.integration.reporting.test_why_and_where import asked_about
from tests.unit.stats.test_shares_and_paired import by_statsmodels, numbers
from tests.worlds.histories.experiment import WITH, WITHOUT, Experiment
from tests.worlds.histories.history import NEW, OLD, History
from tests.worlds.histories.pairs import World, answer


@pytest.fixture
def experiment(world: World) -> Experiment:
    """Two iterations, of which the last one is asked about."""
    return Experiment(world, iterations=2, tasks_of=21).build()


@pytest.fixture
def services(experiment: Experiment) -> Services:
    """Services on its database."""
    world = experiment.world
    return Services(settings=Settings(), database=world.database, blobs=world.blobs)


def test_paired_differences_are_those_of_the_outputs(experiment: Experiment, services: Services) -> None:
    costs = [each.cost for each in told(experiment) if each.iteration == 1]
    database, asked = services.database, asked_about(experiment, 1)
    first = [each for each in experiment.pairs if each.iteration == 1 and each.valid]

    found = how_they_differ(database, asked)

    assert (found.pairs, found.unmeasured) == (len(first), 0)
    by_name = {each.measure: each for each in found.measures}
    items = by_name["list_items"]
    more = [one - two for one, two in (each.lengths for each in first)]
    assert (items.median, items.pairs) == (median(more), len(first))
    assert (items.one, items.two) == (
        median(each.lengths[0] for each in first),
        median(each.lengths[1] for each in first),
    )
    points = [
        1 + each.winner if by > 0 else 1 - each.winner for each, by in zip(first, more, strict=True) if by
    ]
    assert (items.more.won, items.more.tied, items.more.lost) == (
        points.count(2),
        points.count(1),
        points.count(0),
    )
    assert numbers(items.more.rate) == pytest.approx(by_statsmodels([each] for each in points))
    assert items.one_more.n + items.two_more.n == items.more.n
    listed = pairs(database, asked, only=Slice(measure="list_items", least=1e-9))
    assert len(listed) == items.one_more.n == sum(by > 0 for by in more)
    assert by_name["tokens"].median == 10 * items.median
    cost, dearer = by_name["cost"], [one - two for one, two in costs]
    assert (cost.pairs, cost.one, cost.two, cost.median) == (
        len(first),
        *(pytest.approx(median(taken)) for taken in (*zip(*costs, strict=True), dearer)),
    )
    assert (cost.one_more.n, cost.two_more.n) == (sum(by > 0 for by in dearer), sum(by < 0 for by in dearer))
    assert {"headings", "pages", "files:markdown"} <= set(found.same)
    # Seen from the other side, everything is the other way round.
    turned = how_they_differ(database, asked.model_copy(update={"one": asked.two, "two": asked.one}))
    other = {each.measure: each for each in turned.measures}["list_items"]
    assert (other.median, other.more) == (-items.median, items.more)


PARTS = {
    "headings": "## Causes",
    "list_items": "- The gateway broke.",
    "tables": "| Day | Faults |\n|---|---|\n| Monday | 3 |",
    "code_blocks": "```\nrestart gateway\n```",
    "links": "Seen at https://example.org/status today.",
    "pictures": "![Load of the gateway](load.png)",
}
"""What a text may have, by the measure that counts it and no other."""


class Made(NamedTuple):
    """An output: its text with so many of each part, how many of two expectations it meets, and what its run took."""

    text: str
    parts: dict[str, int]
    met: int
    tokens: int
    seconds: float

    def counts(self) -> dict[str, float]:
        """Each measure of it."""
        return {
            **self.parts,
            "characters": len(self.text),
            "words": len(re.findall(r"\S+", self.text)),
            "expectations": self.met / 2,
            "tokens": self.tokens,
            "seconds": self.seconds,
        }


def made(rng: np.random.Generator, number: int) -> Made:
    """An output with a few of each part."""
    parts = {name: int(rng.integers(0, 5)) for name in PARTS}
    blocks = [f"Output {number}.", *(PARTS[name] for name, n in parts.items() for _ in range(n))]
    met, tokens, tenths = (int(rng.integers(*ends)) for ends in ((0, 3), (900, 9_000), (50, 900)))
    return Made("\n\n".join(blocks), parts, met, tokens, tenths / 10)


def compared(history: History, one: Made, two: Made, points: int) -> None:
    """A pair of these outputs, which the new candidate's wins (2), ties (1) or loses (0)."""
    world, new_is_a, run = history.world, len(history.made) % 2 == 0, tables.run
    (name_a, a), (name_b, b) = ((NEW, one), (OLD, two))[:: 1 if new_is_a else -1]
    pair = world.compare(a=name_a, b=name_b, texts=(a.text, b.text))
    history.made.append(pair)
    marks = tuple(
        PerOutput[ExpectationMark](A=ExpectationMark(passed=a.met > n), B=ExpectationMark(passed=b.met > n))
        for n in range(2)
    )
    given = answer(*history.sides(pair, 2 + points, 4 - points)).model_copy(update={"expectations": marks})
    for order in Order:
        world.attempt(pair, order, given)
    with world.database.write() as connection:
        key = keys.read(connection, pair.id)
        for id, each in ((key.run_a, a), (key.run_b, b)):
            took = {"total_tokens": each.tokens, "seconds": each.seconds}
            connection.execute(run.update().where(run.c.id == id).values(took))


def test_each_measure_is_counted_again_from_texts_and_runs_by_pandas_and_statsmodels(world: World) -> None:
    history, rng = History(world), np.random.default_rng(21)
    ended: list[dict[str, int]] = []
    outputs = []
    for task in range(24):
        history.task(f"Task {task}")
        for _ in range(1 + task % 2):
            one, two = (made(rng, 2 * len(ended) + side) for side in range(2))
            points = int(rng.choice([2, 2, 1, 0]))
            if points == 1:
                # On equal scores whoever meets more wins.
                two = two._replace(met=one.met)
            compared(history, one, two, points)
            ended.append({"task": task, "points": points})
            outputs.append((one.counts(), two.counts()))
    history.reveal()
    pairs_made = pd.DataFrame(ended)
    ones, twos = (pd.DataFrame(side) for side in zip(*outputs, strict=True))

    found = how_they_differ(world.database, history.asked(Verdicts.JUDGE)).measures

    assert {each.measure for each in found} == set(ones)
    for each in found:
        mine, other = ones[each.measure], twos[each.measure]
        assert each.pairs == len(pairs_made)
        assert (each.one, each.two, each.median) == pytest.approx(
            (np.median(mine), np.median(other), np.median(mine - other))
        )
        ended_as = pairs_made.points
        for record, of, which in (
            (each.more, ended_as.where(mine > other, 2 - ended_as), mine != other),
            (each.one_more, ended_as, mine > other),
            (each.two_more, 2 - ended_as, mine < other),
        ):
            own = of[which]
            assert (record.won, record.tied, record.lost) == tuple((own == n).sum() for n in (2, 1, 0))
            tasks = [list(of_task) for _, of_task in own.groupby(pairs_made.task)]
            if len(tasks) < LEAST_TASKS or record.n < LEAST_PAIRS:
                assert record.rate == TooFew(n=len(tasks), needed=LEAST_TASKS)
            elif len(tasks) >= ENOUGH:
                assert numbers(record.rate) == pytest.approx(by_statsmodels(tasks))
    assert sum(isinstance(each.more.rate, Estimate) for each in found) > 6


def test_a_measure_that_goes_with_the_candidate_is_drawn_as_a_difference_and_is_no_finding(
    experiment: Experiment,
) -> None:
    database, asked = experiment.world.database, asked_about(experiment, 1)
    found = how_they_differ(database, asked)
    by_name = {each.measure: each for each in found.measures}
    top = findings(database, asked, Names(WITH, WITHOUT))

    medians, winning = differ_charts(top, found)

    # In each pair the skill has more lines than the other.
    assert by_name["list_items"].belongs_to == 1
    (items,) = (row for row in medians.rows if row["Measure"] == "List items")
    assert (items[WITH], items[WITHOUT]) == (by_name["list_items"].one, by_name["list_items"].two)
    drawn = medians.figure(ColourTheme.LIGHT)
    assert drawn is not None
    ratios = [row[WITH] / row[WITHOUT] for row in medians.rows]  # type: ignore[operator]
    assert list(drawn.data[0].x) == pytest.approx(ratios)
    assert set(drawn.data[1].x) == {1.0}
    names = {row["Measure"] for row in winning.rows}
    assert "List items" not in names
    assert "Expectations met (share)" in names
    assert re.search(r"list items.* cannot be told apart from the candidate", winning.note)
    assert "list items" not in winning.title
    assert "What goes with winning is not always the reason" in winning.help
    for box in (medians, winning):
        assert "because" not in str((box.title, box.words, box.help, box.rows)).lower()


def test_a_check_is_a_measure_a_part_and_a_filter(experiment: Experiment, services: Services) -> None:
    database, asked = services.database, asked_about(experiment, 1)
    name = f"1.4.{WITH}"
    check = add_check(
        services, experiment.project, name="Four", pattern=f"Run {name}", is_regex=False, match_case=True,
        person_id=None,
    )  # fmt: skip
    items = add_check(
        services, experiment.project, name="Items", pattern=r"^- It \w+", is_regex=True, match_case=True,
        person_id=None,
    )  # fmt: skip
    before = counts_anew(services, experiment.project)
    assert {count for _, _, count in before} > {0, 1}
    assert counts_anew(services, experiment.project) == before

    found = {each.name: each for each in how_they_differ(database, asked).measures}
    # Seen from the skill: once more in one pair of them all.
    assert (found["Four"].one_more.n, found["Four"].two_more.n) == (1, 0)
    assert found["Items"].median == found["list_items"].median
    parts = {each.name: each for each in slices(database, asked, By.CHECK).parts}
    assert (parts[f"Four: only {WITH}"].n, parts["Four: neither"].n) == (1, found["Four"].pairs - 1)
    only = asked.model_copy(update={"within": (Within(by=By.CHECK, value=f"{check.id}:only:{asked.one}"),)})
    (planted,) = (each for each in experiment.pairs if (each.iteration, each.task) == (1, 4))
    assert (result(database, only).n, [row.comparison_id for row in pairs(database, only)]) == (
        1,
        [planted.comparison_id],
    )
    with pytest.raises(InputError, match="already"):
        add_check(services, experiment.project, name="Items", pattern="x", is_regex=False, match_case=False,
                  person_id=None)  # fmt: skip

    remove_check(services, items.id, person_id=None)

    assert [each.name for each in checks_of(services, experiment.project)] == ["Four"]
    with database.read() as connection:
        left = sa.select(tables.check_count.c.check_id).distinct()
        assert connection.execute(left).scalars().all() == [check.id]


def counts_anew(services: Services, project_id: str) -> list[tuple[str, str, int]]:
    """All rows of `check_count` after the checks looked at every output as if they never had: check, view, count."""
    with services.database.write() as connection:
        connection.execute(tables.check_count.delete())
    while check_some(services, project_id):
        pass
    with services.database.read() as connection:
        return sorted(tuple(row) for row in connection.execute(sa.select(tables.check_count)))


def test_a_pattern_that_cannot_be_used_is_named(experiment: Experiment, services: Services) -> None:
    for pattern in (r"(?=a)", "(", ""):
        with pytest.raises(InputError):
            add_check(services, experiment.project, name="No", pattern=pattern, is_regex=True, match_case=True,
                      person_id=None)  # fmt: skip


def test_nothing_is_told_of_a_filter_that_nobody_may_see(world: World) -> None:
    experiment = Experiment(world, iterations=1, tasks_of=2, reviewed=False).build(reveal=False)
    with world.database.read() as connection:
        ids = connection.execute(sa.select(tables.candidate.c.id)).scalars().all()
    asked = ResultFilter(project_id=experiment.project, one=ids[0], two=ids[1])

    with pytest.raises(Exception, match="not revealed"):
        how_they_differ(world.database, asked)

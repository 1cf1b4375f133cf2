"""How outputs differ: every number of a planted experiment counted again, and checks as measures and as parts."""

from statistics import median

import numpy as np
import pytest
import sqlalchemy as sa

from comparator.domain.errors import InputError
from comparator.reporting.results.result import result
from comparator.reporting.scope import By, Within
from comparator.reporting.why.differ import how_they_differ
from comparator.reporting.why.pairs import Slice, pairs
from comparator.reporting.why.slices import slices
from comparator.store import tables
from comparator.store.core.sql import changed
from comparator.store.pairs import keys
from comparator.workflow.projects.checks import add_check, check_some, checks_of, remove_check
from comparator.workflow.services import Services
from tests.unit.stats.test_shares_and_paired import by_statsmodels, numbers
from tests.worlds.histories.experiment import (
    WITH,
    Experiment,
    asked_about,
)
from tests.worlds.histories.pairs import World


@pytest.fixture
def experiment(world: World) -> Experiment:
    """Two iterations, of which the last one is asked about."""
    return Experiment(world, iterations=2, tasks_of=21).build()


def costs_of_first_iteration(experiment: Experiment) -> list[tuple[float, float]]:
    """Let all runs have come with a cost in USD; with the skill and without it, of each counted pair."""
    rng, run, candidate = np.random.default_rng(5), tables.run, tables.candidate.c
    costs = []
    with experiment.world.database.write() as connection:
        skilled = set(connection.execute(sa.select(candidate.id).where(candidate.name == WITH)).scalars())
        made = {row.id: row for row in connection.execute(sa.select(run.c.id, run.c.candidate_id))}
        for pair in experiment.pairs:
            skill, without = (float(cost) for cost in rng.integers(1_000, 90_000, 2) / 1e6)
            key = keys.read(connection, pair.comparison_id)
            for id in (key.run_a, key.run_b):
                cost = skill if made[id].candidate_id in skilled else without
                connection.execute(run.update().where(run.c.id == id).values(details={"cost_usd": cost}))
            if pair.valid and pair.iteration == 1:
                costs.append((skill, without))
        changed(connection, projects=[experiment.project])
    return costs


def test_paired_differences_are_those_of_the_outputs(experiment: Experiment, services: Services) -> None:
    costs = costs_of_first_iteration(experiment)
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
        1 + each.winner if by > 0 else 1 - each.winner
        for each, by in zip(first, more, strict=True)
        if abs(by) > 0.1 * max(each.lengths)
    ]
    assert (items.more.won, items.more.tied, items.more.lost) == (
        points.count(2),
        points.count(1),
        points.count(0),
    )
    assert numbers(items.rate) == pytest.approx(by_statsmodels([each] for each in points))
    assert items.one_more.n + items.two_more.n == items.more.n
    assert items.more.n + items.alike.n == items.pairs
    listed = pairs(
        database,
        experiment.project,
        asked,
        Slice(figure="measure", where={"measure": "list_items"}),
        limit=99,
    )
    longer = [one - two > 0.1 * one for one, two in (each.lengths for each in first)]
    assert len(listed) == items.one_more.n == sum(longer)
    assert by_name["tokens"].median == 10 * items.median
    cost, dearer = by_name["cost"], [one - two for one, two in costs]
    assert (cost.pairs, cost.one, cost.two, cost.median) == (
        len(first),
        *(pytest.approx(median(taken)) for taken in (*zip(*costs, strict=True), dearer)),
    )
    apart = [one - two for one, two in costs if abs(one - two) > 0.1 * max(one, two)]
    assert (cost.one_more.n, cost.two_more.n) == (sum(by > 0 for by in apart), sum(by < 0 for by in apart))
    assert cost.alike.n == len(dearer) - len(apart) > 0
    assert {"headings", "pages", "files:markdown"} <= set(found.same)
    # Seen from the other side, everything is the other way round.
    turned = how_they_differ(database, asked.model_copy(update={"one": asked.two, "two": asked.one}))
    other = {each.measure: each for each in turned.measures}["list_items"]
    assert (other.median, other.more) == (-items.median, items.more)


def test_a_check_is_a_measure_a_part_and_a_filter(experiment: Experiment, services: Services) -> None:
    database, asked = services.database, asked_about(experiment, 1)
    name = f"1.4.{WITH}"
    check = add_check(
        services, experiment.project, name="Four", pattern=f"Run {name}", is_regex=False, match_case=True,
    )  # fmt: skip
    items = add_check(
        services, experiment.project, name="Items", pattern=r"^- It \w+", is_regex=True, match_case=True,
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
    assert (
        result(database, only).n,
        [row.comparison_id for row in pairs(database, experiment.project, only)],
    ) == (1, [planted.comparison_id])
    with pytest.raises(InputError, match="already"):
        add_check(services, experiment.project, name="Items", pattern="x", is_regex=False, match_case=False)

    remove_check(services, items.id)

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

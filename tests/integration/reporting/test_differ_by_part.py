"""One measure part by part: who has more, and whether that side wins, counted again with pandas and statsmodels."""

from __future__ import annotations

import pandas as pd
import pytest
import sqlalchemy as sa

from comparator.domain.errors import BlindnessError
from comparator.reporting.results.over_iterations import pooled
from comparator.reporting.scope import By, ResultFilter, Within
from comparator.reporting.why.differ_by_part import by_part
from comparator.stats.figures import ENOUGH, Estimate, TooFew
from comparator.store import tables
from tests.integration.reporting.test_why_and_where import asked_about
from tests.unit.stats.test_shares_and_paired import by_statsmodels, numbers
from tests.worlds.histories.experiment import REVERSED, Experiment, kind_of, model_of, title_of
from tests.worlds.histories.pairs import World

ITERATIONS = 3
PROPERTIES = {By.TAG: "tag", By.WORD: "word", By.ITERATION: "iteration", By.MODEL: "model"}


@pytest.fixture
def experiment(world: World) -> Experiment:
    """Three iterations with two kinds of tasks."""
    return Experiment(world, iterations=ITERATIONS, tasks_of=24).build()


@pytest.fixture
def asked(experiment: Experiment) -> ResultFilter:
    """All iterations."""
    return pooled(experiment.world.database, asked_about(experiment, 1))


def planted(experiment: Experiment) -> pd.DataFrame:
    """A row a counted pair of which the lengths differ, seen from the skill."""
    rows = pd.DataFrame(
        {
            "tag": kind_of(each.task),
            "word": title_of(each.task).split()[0].lower(),
            "task": each.task,
            "iteration": str(each.iteration),
            "model": model_of(each.iteration, iterations=ITERATIONS),
            "by": each.lengths[0] - each.lengths[1],
            "points": 1 + each.winner,
        }
        for each in experiment.pairs
        if each.valid
    )
    rows = rows[rows.by != 0]
    return rows.assign(ahead=rows.by > 0, more=rows.points.where(rows.by > 0, 2 - rows.points))


def test_each_part_is_as_pandas_counts_it(experiment: Experiment, asked: ResultFilter) -> None:
    rows = planted(experiment)

    found = by_part(experiment.world.database, asked, "list_items")

    assert set(found) == set(PROPERTIES)
    for by, column in PROPERTIES.items():
        groups = {str(name): own for name, own in rows.groupby(column)}
        # The word of one task alone is no part.
        if by is By.WORD:
            groups = {name: own for name, own in groups.items() if own.task.nunique() > 1}
        assert {each.part.value for each in found[by]} == set(groups)
        for each in found[by]:
            own = groups[each.part.value]
            assert each.part.by is by
            for record, points in (
                (each.more, own.more),
                (each.one_more, own.points[own.ahead]),
                (each.two_more, 2 - own.points[~own.ahead]),
            ):
                assert (record.won, record.tied, record.lost) == tuple((points == n).sum() for n in (2, 1, 0))
                tasks = [list(of_task) for _, of_task in points.groupby(own.task)]
                if len(tasks) < ENOUGH:
                    assert record.rate == TooFew(n=len(tasks))
                else:
                    assert numbers(record.rate) == pytest.approx(by_statsmodels(tasks))
    # Counts only below 20 tasks.
    assert all(isinstance(each.more.rate, TooFew) for each in found[By.TAG])
    assert all(isinstance(each.more.rate, Estimate) for each in found[By.ITERATION])
    assert [each.part.value for each in found[By.ITERATION]] == ["1", "2", "3"]
    # Longer outputs are with the candidate: on the kind that it loses, they lose.
    (reversed_kind,) = (each for each in found[By.TAG] if each.part.value == REVERSED)
    assert (reversed_kind.more.share or 0) < 0.5
    assert reversed_kind.one_more.n > 0.9 * reversed_kind.more.n


def test_the_filters_of_the_page_hold_and_a_property_with_one_part_is_left_out(
    experiment: Experiment, asked: ResultFilter
) -> None:
    only = asked.model_copy(update={"within": (Within(by=By.ITERATION, value="2"),)})

    found = by_part(experiment.world.database, only, "list_items")

    assert set(found) == {By.TAG, By.WORD}
    own = planted(experiment).query("iteration == '2'")
    assert sum(each.more.n for each in found[By.TAG]) == len(own)
    assert by_part(experiment.world.database, asked, "headings") == {}


def test_nothing_is_told_before_the_reveal(world: World) -> None:
    experiment = Experiment(world, iterations=1, tasks_of=2, reviewed=False).build(reveal=False)
    with world.database.read() as connection:
        one, two = connection.execute(sa.select(tables.candidate.c.id)).scalars()

    with pytest.raises(BlindnessError):
        by_part(world.database, ResultFilter(project_id=experiment.project, one=one, two=two), "words")

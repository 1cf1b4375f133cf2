"""Generated histories are what the app itself would have written: the rollups in them follow from the rest."""

from __future__ import annotations

import numpy as np
import pytest
import sqlalchemy as sa
from scipy import stats

from bench.made.generator import PATHS, generate
from comparator.reporting.results.candidates import project_state
from comparator.reporting.tally import refresh
from comparator.reporting.tally.scope import ResultFilter, Verdicts
from comparator.reporting.why.criteria import by_criterion
from comparator.stats.figures import TooFew
from comparator.store import tables
from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Database
from comparator.store.rollup import rollup, totals


def test_the_rollups_of_a_generated_history_follow_from_its_other_rows(
    database: Database, blobs: BlobStore
) -> None:
    project_id = generate(database, 60, blobs=blobs, made=20)
    before = _rollups(database)
    with database.write() as connection:
        s = tables.rollup.c
        for row in connection.execute(sa.select(tables.rollup)).mappings().all():
            derived = rollup.derive(connection, row["comparison_id"])
            assert {name: row[name] for name in derived} == derived
        connection.execute(tables.tally.delete())
        connection.execute(tables.outcome.delete())
        connection.execute(tables.stale.insert().from_select(["comparison_id"], sa.select(s.comparison_id)))

    refresh.bring_up(database)

    assert _rollups(database) == before
    with database.read() as connection:
        every = {each.project_id: each.number for each in totals.counted(connection) if each.reviewed}
        for table, number in (
            (tables.comparison, 60),
            (tables.task, 60),
            (tables.run, 120),
            (tables.view, 120),
        ):
            assert connection.scalar(sa.select(sa.func.count()).select_from(table)) == number
        assert (
            connection.scalar(sa.select(sa.func.count()).select_from(tables.review)) == every[project_id] > 0
        )
        if connection.dialect.name == "sqlite":
            assert connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall() == []


@pytest.mark.slow
def test_differences_by_criterion_are_those_of_a_plain_computation(
    database: Database, blobs: BlobStore
) -> None:
    project_id = generate(database, 40, blobs=blobs)
    (met,) = project_state(database, project_id).revealed_meetings
    asked = ResultFilter(project_id=project_id, one=met.two, two=met.one, verdicts=Verdicts.EITHER)

    found = by_criterion(database, asked)

    with database.read() as connection:
        rows = connection.execute(sa.select(tables.outcome.c.criteria, tables.outcome.c.one)).all()
    assert [each.path for each in found] == sorted(PATHS)
    for each in found:
        leads = [row.criteria[each.path] / 2 * (1 if row.one == asked.one else -1) for row in rows]
        assert each.difference.mean == pytest.approx(np.mean(leads))
        low, _ = stats.ttest_1samp(leads, 0).confidence_interval(0.95)
        assert not isinstance(each.difference.estimate, TooFew)
        assert each.difference.estimate.interval.low == pytest.approx(low)


def _rollups(database: Database) -> list[tuple[object, ...]]:
    t = tables.tally.c
    with database.read() as connection:
        outcomes = connection.execute(
            sa.select(tables.outcome).order_by(tables.outcome.c.comparison_id)
        ).all()
        numbers = connection.execute(
            sa.select(tables.tally)
            .where(t.number != 0, t.figure != refresh.REVISION)
            .order_by(t.figure, t.pairs, t.key)
        ).all()
    return [tuple(row) for row in (*outcomes, *numbers)]

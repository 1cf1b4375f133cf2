"""Generated histories are what the app itself would have written: the facts in them follow from the rest."""

from __future__ import annotations

import numpy as np
import pytest
import sqlalchemy as sa
from scipy import stats

from bench.made.generator import PATHS, generate
from comparator.reporting.facts import facts_of
from comparator.reporting.frames import read_json
from comparator.reporting.results.candidates import project_state
from comparator.reporting.scope import ResultFilter, Verdicts
from comparator.reporting.why.criteria import by_criterion
from comparator.stats.figures import TooFew
from comparator.store import tables
from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Database
from comparator.store.facts import fact, totals


def test_the_facts_of_a_generated_history_follow_from_its_other_rows(
    database: Database, blobs: BlobStore
) -> None:
    project_id = generate(database, 60, blobs=blobs, made=20)
    with database.read() as connection:
        for row in connection.execute(sa.select(tables.fact)).mappings().all():
            derived = fact.derive(connection, row["comparison_id"])
            assert {name: row[name] for name in derived} == derived
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

    with facts_of(database, project_id) as facts:
        pairs = facts.pairs
        criteria = read_json(pairs.criteria)
    assert [each.path for each in found] == sorted(PATHS)
    for each in found:
        signs = pairs.side.where(pairs.one == asked.one, -pairs.side)
        leads = [own[each.path] / 2 * signs[id] for id, own in criteria.items()]
        assert each.difference.mean == pytest.approx(np.mean(leads))
        low, _ = stats.ttest_1samp(leads, 0).confidence_interval(0.95)
        assert not isinstance(each.difference.estimate, TooFew)
        assert each.difference.estimate.interval.low == pytest.approx(low)

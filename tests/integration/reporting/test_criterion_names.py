"""Criteria are called what their rubrics call them, where these agree."""

from __future__ import annotations

import sqlalchemy as sa

from comparator.reporting.results.candidates import newest, project_state
from comparator.reporting.scope import By, Within
from comparator.reporting.trust.judge import trust
from comparator.reporting.why.criteria import by_criterion
from comparator.reporting.why.slices import name_of_part, slices
from comparator.store import tables
from comparator.store.core.unit import Unit, new_id
from comparator.store.judging import rubrics
from comparator.store.judging.rubrics import criterion_names
from tests.integration.reporting.test_why_and_where import asked_about
from tests.worlds.histories.experiment import RUBRIC, Experiment
from tests.worlds.histories.pairs import World


def test_a_criterion_is_called_what_the_rubrics_call_it_where_they_agree(world: World) -> None:
    experiment = Experiment(world, iterations=2, tasks_of=3).build()
    first, evidence = RUBRIC.content
    renamed = RUBRIC.model_copy(
        update={"content": (first, evidence.model_copy(update={"name": "Proof"}))},
    )
    with world.database.write() as connection:
        rubrics.add(
            Unit(connection, at=world.now(), new_id=new_id),
            renamed,
            project_id=experiment.project,
            task_version_id=connection.execute(
                sa.select(tables.rubric.c.task_version_id).limit(1)
            ).scalar_one(),
            author_kind="person",
            author="Ada",
        )

    with world.database.read() as connection:
        names = criterion_names(connection, experiment.project)
    found = {each.path: each.name for each in by_criterion(world.database, asked_about(experiment, 2))}

    assert names == {
        "content.root_cause": "Root Cause",
        "structure.layout": "Layout",
        "structure.wording": "Wording",
    }
    assert found == {**names, "content.evidence": None}
    assert {each.name: each.called for each in trust(world.database, experiment.project).criteria} == {
        "content.root_cause": "Root Cause"
    }
    assert {each.name for each in slices(world.database, asked_about(experiment, 2), By.CRITERION).parts} == {
        "Root Cause (content)",
        "Evidence (content)",
        "Layout (structure)",
        "Wording (structure)",
    }


def test_a_part_of_a_project_is_called_what_the_project_calls_it(world: World) -> None:
    experiment = Experiment(world, iterations=1, tasks_of=2).build()
    with world.database.read() as connection:
        task = connection.execute(sa.select(tables.task.c.id, tables.task.c.title).limit(1)).one()

    def called(by: By, value: str) -> str:
        return name_of_part(world.database, Within(by=by, value=value), project_id=experiment.project)

    assert called(By.TASK, task.id) == task.title
    assert called(By.REVIEWER, world.ada.id) == world.ada.name
    assert called(By.CRITERION, "structure.layout") == "Layout (structure)"
    assert called(By.TAG, "billing") == "billing"
    assert called(By.TASK, "a task that is gone") == "a task that is gone"


def test_the_newest_of_blind_sets_is_that_of_the_last_iteration(world: World) -> None:
    experiment = Experiment(world, iterations=11, tasks_of=1, reviewed=False).build(reveal=False)
    met = project_state(world.database, experiment.project).meetings
    k = tables.candidate.c
    with world.database.read() as connection:
        last = set(connection.execute(tables.candidate.select().where(k.iteration == "11")).scalars())

    found = newest(world.database, met)

    assert {found.one, found.two} == last
    assert found.iteration is None

"""The planted experiment goes the whole way: imported, judged, reviewed, revealed, and its reasons read for themes."""

from __future__ import annotations

import asyncio
import itertools
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import sqlalchemy as sa

from comparator.domain.labels import Label, Winner
from comparator.domain.project import ReviewMode
from comparator.domain.rights import Role
from comparator.domain.scoring.review import Change, ChangeKind, Target
from comparator.jobs import manage_batches, start_batches
from comparator.jobs.start_batches import BatchRequest
from comparator.jobs.worker import Worker
from comparator.reporting.results.candidates import project_state
from comparator.reporting.scope import By
from comparator.reporting.why.slices import find_topics
from comparator.store import tables
from comparator.store.bulk.batches import BatchState
from comparator.store.pairs import keys, runs
from comparator.store.people import people
from comparator.workflow.importing.pairs import ImportRequest
from comparator.workflow.importing.run import import_path
from comparator.workflow.people.people import give_role, local_person
from comparator.workflow.projects.reveal import reveal_sets
from comparator.workflow.projects.settings import change_settings
from comparator.workflow.review.panel import take_next
from comparator.workflow.review.review import finalise, record
from comparator.workflow.review.sheet import read_sheet
from comparator.workflow.services import Services
from tests.loopback.server import LoopbackServer
from tests.worlds.histories import experiment_folders
from tests.worlds.histories.experiment import DECIDES, REASON, RECURS, REVIEWERS, WITH, Experiment, planted
from tests.worlds.histories.pairs import World
from tests.worlds.histories.themed import read_reasons


def walked(services: Services, folder: Path) -> Experiment:
    """The experiment from a workspace written into this folder to the assigned themes, each step as people take it."""
    with LoopbackServer(answerer=experiment_folders.answer, remember=False) as model:
        asking = replace(
            services,
            environment={"ANTHROPIC_BASE_URL": model.base_url, "ANTHROPIC_API_KEY": "any-key"},
            settings=services.settings.model_copy(update={"slots": 12, "repetitions": 1}),
        )
        # Thousands of small files need not survive a power cut.
        with patch("os.fsync"):
            experiment = _imported(asking, folder)
            _judged(asking, experiment)
            _reviewed(asking, experiment)
            _revealed(asking, experiment)
            read_reasons(asking, experiment.project)
    return experiment


def _imported(services: Services, folder: Path) -> Experiment:
    """The experiment as it comes in from a workspace of skill-creator."""
    experiment = Experiment(World(services.database, services.blobs))
    # The folders have no tags: the kind of a task stands in its name.
    experiment.kinds = By.TOPIC
    pairs = {
        (each.iteration, each.task): each
        for each in planted(iterations=experiment.iterations, tasks_of=experiment.tasks_of)
    }
    request = ImportRequest(
        path=experiment_folders.workspace(folder, tuple(pairs.values())),
        project=experiment.world.project.name,
    )
    done = import_path(services, request, on_step=lambda _: None)
    key, run = tables.ab_key.c, tables.run.c
    with services.database.read() as connection:
        stored = connection.execute(
            sa.select(key.comparison_id, run.origin).join(tables.run, run.id == key.run_a)
        ).all()
    for comparison_id, origin in stored:
        pair = pairs.pop(experiment_folders.place_of(Path(origin)))
        experiment.pairs.append(pair._replace(comparison_id=comparison_id))
    assert (done.project_id, pairs) == (experiment.project, {})
    # A page that compares by topic does so first.
    find_topics(services.database, experiment.project)
    return experiment


def _judged(services: Services, experiment: Experiment) -> None:
    """As a batch, by a worker that asks for each pair in both orders."""
    request = BatchRequest(project_id=experiment.project, kind="anthropic")
    batch = start_batches.start(services.by(local_person(services).id), request)
    worker = Worker(services, idle_seconds=0.0, poll_seconds=0.02)
    with ThreadPoolExecutor(max_workers=1) as aside:
        # A browser that runs in this process has a loop of its own in this thread.
        aside.submit(lambda: asyncio.run(worker.run())).result()
    report = manage_batches.report(services, batch.id)
    valid = sum(each.valid for each in experiment.pairs)
    assert (report.batch.state, report.counts.done) == (BatchState.DONE, valid)


def _reviewed(services: Services, experiment: Experiment) -> None:
    """By four people in turn, each of whom takes the next pair of the queue until none is left."""
    lead = local_person(services).id
    change_settings(services.by(lead), experiment.project, mode=ReviewMode.JUDGE_FIRST)
    with services.write() as unit:
        reviewers = {
            name: people.ensure_person(unit, f"oidc:test|{name}", name=name).id for name in REVIEWERS
        }
    for who in reviewers.values():
        give_role(services.by(lead), who, Role.REVIEWER, project_id=experiment.project)
    done: dict[str, str] = {}
    for name, who in itertools.cycle(reviewers.items()):
        comparison_id = take_next(services.by(who), project_id=experiment.project)
        if comparison_id is None:
            break
        _review(services, comparison_id, who)
        done[comparison_id] = name
    assert done.keys() == {each.comparison_id for each in experiment.pairs if each.valid}
    experiment.pairs = [
        each._replace(reviewer=done.get(each.comparison_id, each.reviewer)) for each in experiment.pairs
    ]


def _review(services: Services, comparison_id: str, who: str) -> None:
    """The judge's score of the loser is kept, with a reason; in a tie, that of the output without the skill."""
    sheet = read_sheet(services.by(who), comparison_id)
    assert sheet.judgment is not None
    assert sheet.judgment.verdict is not None
    winner = sheet.judgment.verdict.winner
    if winner is Winner.TIE:
        about = Label.B if _skill_is_a(services, comparison_id) else Label.A
    else:
        about = Label(winner.value).other
    change = Change(
        id=services.new_id(),
        target=Target.parse(f"score:{about.value}:{DECIDES}"),
        kind=ChangeKind.SET,
        value=sheet.judgment.assessments[about].scores[DECIDES],
        reason=f"No {RECURS}.",
        code=REASON,
        author=who,
        at=services.now(),
    )
    record(services.by(who), comparison_id, (change,))
    finalise(services.by(who), comparison_id)


def _skill_is_a(services: Services, comparison_id: str) -> bool:
    with services.database.read() as connection:
        run = runs.get(connection, keys.read(connection, comparison_id).run_a)
        return runs.get_candidate(connection, run.candidate_id).name == WITH


def _revealed(services: Services, experiment: Experiment) -> None:
    """The whole project in one act, by the lead."""
    meetings = project_state(services.database, experiment.project).meetings
    sets = [(met.one, met.two) for met in meetings]
    told = reveal_sets(services.by(local_person(services).id), experiment.project, sets)
    assert told == len(experiment.pairs)

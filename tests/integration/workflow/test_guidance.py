"""Guidance is drafted from one half of the tasks, tried on the other, and adopted; or it is not."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from comparator.domain.errors import InputError
from comparator.domain.labels import Winner
from comparator.jobs import guidance as guiding
from comparator.jobs import worker
from comparator.jobs.drafting import with_judge
from comparator.jobs.estimate_batches import estimate_of
from comparator.jobs.guidance import Trial, adopt, project_guidance
from comparator.jobs.start_batches import start
from comparator.reporting.trust.labelled import labelled_records
from comparator.stats.proof import ProofFigures
from comparator.store.bulk.batches import BatchRequest
from comparator.store.core.database import Database
from comparator.store.facts.verdicts import judged
from comparator.store.judging import judgments
from comparator.store.people.projects import GuidanceVersion
from comparator.workflow.projects.settings import change_settings
from comparator.workflow.services import Services
from tests.loopback.bulk import services_on
from tests.loopback.server import LoopbackServer
from tests.worlds.judging.corrected import PADDED, PLAIN, Corrected, drafter, reader


@pytest.fixture
def services(
    database: Database, tmp_path: Path, model: LoopbackServer, monkeypatch: pytest.MonkeyPatch
) -> Services:
    monkeypatch.setattr(worker, "LOOK_SECONDS", 0.1)
    model.reader, model.answerer = reader, drafter
    return services_on(database, tmp_path, slots=6, repetitions=1)


def by_hand(world: Corrected, text: str) -> GuidanceVersion:
    return guiding.keep(world.services, world.project_id, text, author="Ada")


def by_model(world: Corrected) -> GuidanceVersion:
    state = project_guidance(world.services, world.project_id)
    question = guiding.draft_question(state.corrections, None)
    reply = asyncio.run(with_judge(world.services, lambda one, here: guiding.draft(here, one, question)))
    return by_hand(world, reply.value)


def trial_of(world: Corrected, number: int) -> BatchRequest:
    return BatchRequest(project_id=world.project_id, tries=number)


def tried(world: Corrected, number: int) -> Trial:
    start(world.services, trial_of(world, number))
    assert project_guidance(world.services, world.project_id).trials[number][0].figures is None
    world.work()
    (trial, *_) = project_guidance(world.services, world.project_id).trials[number]
    return trial


def titles(world: Corrected, *, held_out: bool) -> set[str]:
    """The titles of the tasks of one half."""
    learnt = {
        correction.task for correction in project_guidance(world.services, world.project_id).corrections
    }
    every = {task.prompt[:40] for task, _ in world.texts}
    return every - learnt if held_out else learnt


@pytest.mark.slow
def test_guidance_is_tried_on_the_other_half_and_adopted(services: Services, model: LoopbackServer) -> None:
    world = Corrected(services, tasks=20)
    world.judge()
    world.review()
    version = by_hand(world, PLAIN)
    before = {id: _winner(services, id) for id in world.seeded.comparison_ids}
    requests = len(model.messages)
    state = project_guidance(services, world.project_id)
    about = estimate_of(services, trial_of(world, version.number))
    records = labelled_records(services.database, [world.project_id])

    trial = tried(world, version.number)

    # Half of the tasks; the readings without guidance are there already.
    assert state.held_out == len(titles(world, held_out=True)) == 10
    assert len(model.messages) - requests == about.calls == 20
    figures = trial.figures
    assert isinstance(figures, ProofFigures)
    assert (figures.before, figures.after, figures.n, figures.passes) == (0, 10, 10, True)
    assert figures.difference.low > 0
    # A trial alters nobody's verdict, and the guidance that is tried has no record.
    assert {id: _winner(services, id) for id in world.seeded.comparison_ids} == before
    assert labelled_records(services.database, [world.project_id]) == records
    with pytest.raises(InputError, match="have been read already"):
        start(services, trial_of(world, version.number))

    adopt(services, world.project_id, version.number)
    later = Corrected(services, tasks=2, first=100)
    later.judge()
    with services.database.read() as connection:
        tries = [
            t
            for id in later.seeded.comparison_ids
            for t in judgments.tries(connection, id, judgments.Attempt)
        ]
    assert [attempt.guidance for attempt in tries] == [1] * 4
    # The longer one is A, then B.
    assert [_winner(services, id) for id in later.seeded.comparison_ids] == [Winner.A, Winner.B]


@pytest.mark.slow
def test_what_did_not_pass_is_not_adopted_and_a_lead_can_go_back(services: Services) -> None:
    world = Corrected(services, tasks=20)
    world.judge()
    world.review()
    by_hand(world, PADDED)
    by_hand(world, PLAIN)

    with pytest.raises(InputError, match="has not passed a trial"):
        adopt(services, world.project_id, 1)
    worse, better = tried(world, 1), tried(world, 2)

    assert not worse.passes
    with pytest.raises(InputError, match="has not passed a trial"):
        adopt(services, world.project_id, 1)
    assert isinstance(better.figures, ProofFigures)
    # The second draft on the same pairs has to clear a higher bar.
    assert better.figures.proofs == 2
    assert better.figures.level == pytest.approx(0.975)
    assert better.passes
    with pytest.raises(InputError, match="adopt a version"):
        change_settings(services, world.project_id, guidance=1)
    for number in (2, None, 2):
        adopt(services, world.project_id, number)
        assert project_guidance(services, world.project_id).adopted == number


@pytest.mark.slow
def test_a_model_drafts_from_the_learnt_half_only(services: Services, model: LoopbackServer) -> None:
    world = Corrected(services, tasks=20)
    world.judge()
    with pytest.raises(InputError, match="0 corrections"):
        by_model(world)
    world.review()
    requests = len(model.messages)

    version = by_model(world)

    (request,) = model.messages[requests:]
    sent = json.dumps(request.body, ensure_ascii=False)
    assert all(f"“{title}”" in sent for title in titles(world, held_out=False))
    assert not [title for title in titles(world, held_out=True) if f"“{title}”" in sent]
    assert "quillwort" not in sent
    assert version.text == f"- {PLAIN}"


@pytest.mark.slow
def test_what_was_reviewed_with_the_judges_values_in_view_proves_nothing(services: Services) -> None:
    world = Corrected(services, tasks=20)
    world.judge()
    world.review(blind=False)

    version = by_hand(world, PLAIN)
    state = project_guidance(services, world.project_id)

    assert len(state.corrections) >= 10
    assert state.held_out == 0
    with pytest.raises(InputError, match="There are 0"):
        estimate_of(services, trial_of(world, version.number))


def test_guidance_names_no_candidate_and_is_neither_empty_nor_endless(services: Services) -> None:
    world = Corrected(services, tasks=4)

    for text, message in (
        ("What Quillwort writes is thorough.", "names one of the candidates"),
        ("x" * 6001, "6,001 characters"),
        (" \n", "0 characters"),
    ):
        with pytest.raises(InputError, match=message):
            by_hand(world, text)


def _winner(services: Services, comparison_id: str) -> object:
    with services.database.read() as connection:
        verdict: Any = judged(connection, comparison_id)
    return verdict.judgment.verdict.winner

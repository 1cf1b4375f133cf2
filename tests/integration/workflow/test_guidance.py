"""Guidance is learnt from one half of the corrections, tested on the other, and adopted; or it is not."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from comparator.domain.errors import InputError, RightsError
from comparator.domain.labels import Winner
from comparator.jobs import guidance_trials as trials
from comparator.jobs import worker
from comparator.jobs.drafting import with_judge
from comparator.jobs.guidance_trials import TrialRequest, TrialResult, adopt, guided
from comparator.jobs.trial_words import trial_lines
from comparator.reporting.trust.labelled_record import labelled_records
from comparator.stats.raters.proof import ProofFigures
from comparator.store.core.database import Database
from comparator.store.core.unit import Unit
from comparator.store.facts.verdicts import judged
from comparator.store.judging import guidance, judgments
from comparator.store.judging.guidance import StoredSplit, Version
from comparator.store.pairs import comparisons
from comparator.store.people import people
from comparator.workflow.guidance import writing
from comparator.workflow.guidance.splitting import freeze
from comparator.workflow.guidance.writing import write_by_hand
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


@pytest.fixture
def sqlite(
    migrated_sqlite_url: str, tmp_path: Path, model: LoopbackServer, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Services]:
    """One kind of database is enough for what the first test does on both."""
    monkeypatch.setattr(worker, "LOOK_SECONDS", 0.1)
    model.reader, model.answerer = reader, drafter
    database = Database.open(migrated_sqlite_url)
    yield services_on(database, tmp_path, slots=6, repetitions=1)
    database.close()


def by_hand(services: Services, split: StoredSplit, text: str) -> Version:
    return write_by_hand(services, split, text, author="Ada", person_id=None)


def tried(world: Corrected, number: int) -> TrialResult:
    trials.begin(world.services, TrialRequest(project_id=world.project_id, number=number), person_id=None)
    (under_way, *_) = guided(world.services, world.project_id, person_id=None).trials
    assert under_way.result is None
    world.work()
    (trial, *_) = guided(world.services, world.project_id, person_id=None).trials
    assert trial.test.number == number
    assert trial.result is not None
    return trial.result


@pytest.mark.slow
def test_guidance_by_hand_is_tried_on_the_held_out_half_and_adopted(
    services: Services, model: LoopbackServer
) -> None:
    world = Corrected(services, tasks=20)
    world.judge()
    world.review()
    split = freeze(services, world.project_id, person_id=None)
    number = split.content.corrections[0].number
    version = by_hand(services, split, f"{PLAIN} [{number}]")
    before = {id: _winner(services, id) for id in world.seeded.comparison_ids}
    asked = len(model.messages)

    about = trials.estimate(services, TrialRequest(project_id=world.project_id, number=1))
    records = labelled_records(services.database, [world.project_id])
    result = tried(world, version.number)

    # Half of the tasks; the readings without guidance are there already.
    assert len(split.content.held_out) == 10 == about.pairs
    assert len(model.messages) - asked == about.requests == 20
    found = result.figures
    assert isinstance(found, ProofFigures)
    assert (found.before.right, found.after.right, found.n) == (0, 10, 10)
    assert (found.gained, found.lost, found.passes) == (10, 0, True)
    assert result.cost is not None
    assert result.cost > 0
    # A trial alters nobody's verdict, and the guidance that is tried has no record.
    assert {id: _winner(services, id) for id in world.seeded.comparison_ids} == before
    assert labelled_records(services.database, [world.project_id]) == records
    with pytest.raises(InputError, match="have read all held-out pairs"):
        trials.begin(services, TrialRequest(project_id=world.project_id, number=1), person_id=None)

    adopt(services, world.project_id, version.number, person_id=None)
    later = Corrected(services, tasks=2, first=100)
    later.judge()
    with services.database.read() as connection:
        tries = [t for id in later.seeded.comparison_ids for t in judgments.attempts(connection, id)]
    assert [each.guidance for each in tries] == [1] * 4
    # The longer one is A, then B.
    assert [_winner(services, id) for id in later.seeded.comparison_ids] == [Winner.A, Winner.B]


@pytest.mark.slow
def test_what_did_not_pass_is_not_adopted_and_a_lead_can_go_back(sqlite: Services) -> None:
    world = Corrected(sqlite, tasks=20)
    world.judge()
    world.review()
    split = freeze(sqlite, world.project_id, person_id=None)
    by_hand(sqlite, split, PADDED)
    by_hand(sqlite, split, PLAIN)

    with pytest.raises(InputError, match="has not passed a trial"):
        adopt(sqlite, world.project_id, 1, person_id=None)
    worse, better = tried(world, 1), tried(world, 2)

    assert not worse.passes
    with pytest.raises(InputError, match="has not passed a trial"):
        adopt(sqlite, world.project_id, 1, person_id=None)
    assert isinstance(better.figures, ProofFigures)
    # The second draft on the same pairs has to clear a higher bar.
    assert better.figures.proofs == 2
    assert better.passes
    with pytest.raises(InputError, match="Adopt a version"):
        change_settings(sqlite, world.project_id, person_id=None, guidance=1)
    for number in (2, None, 2):
        adopt(sqlite, world.project_id, number, person_id=None)
        now = guided(sqlite, world.project_id, person_id=None).adopted
        assert (now and now.number) == number
    state = guided(sqlite, world.project_id, person_id=None)
    words = "\n".join(trial_lines(state.trials[0], split))
    assert "Passed" in words
    assert "Weak: fewer than 50" in words


@pytest.mark.slow
def test_a_model_drafts_from_the_learnt_half_only_and_names_what_it_rests_on(
    sqlite: Services, model: LoopbackServer
) -> None:
    world = Corrected(sqlite, tasks=20)
    world.judge()
    world.review()
    split = freeze(sqlite, world.project_id, person_id=None)
    later = freeze(sqlite, world.project_id, person_id=None)
    judge = sqlite.judge()
    about = writing.draft_cost(sqlite, split, judge)
    asked = len(model.messages)

    reply = asyncio.run(with_judge(sqlite, lambda one, here: writing.draft(here, split, one)))
    version = writing.keep_draft(sqlite, split, reply, model="m", person_id=None)

    (request,) = model.messages[asked:]
    sent = json.dumps(request.body)
    with sqlite.database.read() as connection:
        held_out = {pair.comparison_id for pair in split.content.held_out}
        titles = {comparisons.get(connection, id).title for id in held_out}
        stored = guidance.get_split(connection, split.id)
    assert not [title for title in titles if f"“{title}”" in sent]
    assert "quillwort" not in sent
    assert about.requests == 1
    assert version.cost is not None
    assert version.cost > 0
    assert [sentence.text for sentence in version.sentences] == [PLAIN]
    assert len(version.sentences[0].rests_on) >= 10
    assert stored.digest == stored.content.digest == split.digest
    assert later.digest != split.digest


@pytest.mark.slow
def test_few_corrections_are_refused_and_what_was_seen_first_proves_nothing(sqlite: Services) -> None:
    world = Corrected(sqlite, tasks=20)
    world.judge()
    with pytest.raises(InputError, match="corrected 0 of the judge's values"):
        freeze(sqlite, world.project_id, person_id=None)
    # With the judge's values in view.
    world.review(blind=False)

    split = freeze(sqlite, world.project_id, person_id=None)
    version = by_hand(sqlite, split, PLAIN)

    assert split.content.total >= 10
    assert split.content.held_out == ()
    with pytest.raises(InputError, match="Only 0 pairs"):
        trials.estimate(sqlite, TrialRequest(project_id=world.project_id, number=version.number))


@pytest.mark.slow
def test_shuffled_corrections_do_not_pass(sqlite: Services, model: LoopbackServer) -> None:
    """People who say of each pair what they should have said of another teach nothing that holds elsewhere."""
    world = Corrected(sqlite, tasks=24)
    world.judge()
    world.review(shuffled=3)
    split = freeze(sqlite, world.project_id, person_id=None)
    reply = asyncio.run(with_judge(sqlite, lambda one, here: writing.draft(here, split, one)))
    version = writing.keep_draft(sqlite, split, reply, model="m", person_id=None)

    assert not tried(world, version.number).passes
    assert model.messages


def test_guidance_names_no_candidate_and_only_leads_write_it(sqlite: Services) -> None:
    world = Corrected(sqlite, tasks=4)
    world.judge()
    world.review()
    split = freeze(sqlite, world.project_id, person_id=None)

    with pytest.raises(InputError, match="names one of the candidates"):
        by_hand(sqlite, split, "What Quillwort writes is thorough.")
    with pytest.raises(InputError, match="There is no correction 9999"):
        by_hand(sqlite, split, f"{PLAIN} [9999]")
    with sqlite.database.write() as connection:
        someone = people.ensure_person(
            Unit(connection, at=sqlite.now(), new_id=sqlite.new_id), "oidc:someone", name="Someone"
        ).id
    for act in (
        lambda: freeze(sqlite, world.project_id, person_id=someone),
        lambda: guided(sqlite, world.project_id, person_id=someone),
        lambda: write_by_hand(sqlite, split, PLAIN, author="x", person_id=someone),
        lambda: adopt(sqlite, world.project_id, None, person_id=someone),
    ):
        with pytest.raises(RightsError):
            act()


def _winner(services: Services, comparison_id: str) -> object:
    with services.database.read() as connection:
        found = judged(connection, comparison_id)
    assert found is not None
    assert found.judgment is not None
    assert found.judgment.verdict is not None
    return found.judgment.verdict.winner

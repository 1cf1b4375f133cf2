"""How few corrections may be split, and that a trial counts the pairs whose orders name different winners."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import sqlalchemy as sa

from comparator.domain.errors import InputError
from comparator.domain.guidance import HeldOutPair, Sentence, Split
from comparator.domain.labels import Order, Winner
from comparator.domain.scoring.review import ChangeKind
from comparator.jobs.guidance_trials import guided
from comparator.settings import Settings
from comparator.store import tables
from comparator.store.bulk import batches
from comparator.store.bulk.batches import BatchState, GuidanceTest, JudgeChoice, NewBatch
from comparator.store.core.blobs import BlobStore
from comparator.store.core.unit import Unit, new_id
from comparator.store.judging import guidance
from comparator.store.judging.guidance import WrittenBy
from comparator.store.judging.judgments import StoredIdentity
from comparator.workflow.guidance.splitting import freeze
from comparator.workflow.services import Services
from tests.worlds.histories.history import History
from tests.worlds.histories.pairs import JudgeId, World, answer, rubric

SCORES = tuple(f"score:{label}:{path}" for path in rubric().paths for label in "AB")


@pytest.fixture
def services(world: World, blobs: BlobStore, tmp_path: Path) -> Services:
    return Services(
        environment=os.environ,
        settings=Settings(home=tmp_path / "home"),
        database=world.database,
        blobs=blobs,
    )


def corrected(world: World, numbers: tuple[int, ...]) -> History:
    """A pair in each task, so many scores of which a person changed."""
    history = History(world)
    for task, number in enumerate(numbers):
        correct(history, f"Task {task}", number)
    return history


def correct(history: History, title: str, number: int) -> None:
    history.task(title)
    said = tuple((address, ChangeKind.SET) for address in SCORES[:number])
    history.review(history.pair(5, 3), 4, 4, said=said)
    r, j = tables.review.c, tables.judgment.c
    with history.world.database.write() as connection:
        # They had the judge's values beside the review.
        read = sa.select(j.set_digest).where(j.comparison_id == r.comparison_id).limit(1).scalar_subquery()
        connection.execute(tables.review.update().values(judgment_set=read))


def test_nine_corrections_are_refused_and_ten_are_split(world: World, services: Services) -> None:
    history = corrected(world, (5, 4))
    with pytest.raises(InputError, match="have corrected 9 of the judge's values"):
        freeze(services, history.project, person_id=None)

    correct(history, "One more", 1)
    split = freeze(services, history.project, person_id=None)

    assert split.content.total == 10
    assert split.content.weak


def test_a_trial_counts_the_pairs_whose_orders_name_different_winners(
    world: World, services: Services
) -> None:
    before, after = JudgeId(digest="1" * 64), JudgeId(digest="2" * 64, guidance=1)
    pairs = [world.compare() for _ in range(3)]
    for number, pair in enumerate(pairs):
        for judge, flips in ((before, number < 2), (after, number < 1)):
            world.attempt(pair, Order.A_FIRST, answer(5, 3), judge=judge)
            world.attempt(pair, Order.B_FIRST, answer(3, 5) if flips else answer(5, 3), judge=judge)
    held_out = tuple(
        HeldOutPair(comparison_id=each.id, task_id=world.task.id, winner=Winner.A) for each in pairs
    )
    split = Split(learn=(), test=(world.task.id,), corrections=(), withheld=10, held_out=held_out)
    with world.database.write() as connection:
        unit = Unit(connection, at=world.now(), new_id=new_id)
        stored = guidance.add_split(unit, world.project.id, split, person_id=None)
        version = guidance.add(
            unit,
            stored,
            (Sentence(text="Length earns nothing."),),
            by=WrittenBy(kind="person", name="Ada"),
            person_id=None,
        )
        judges = [
            StoredIdentity(kind=each.kind, model=each.model, digest=each.digest) for each in (before, after)
        ]
        batch = batches.add(
            unit,
            NewBatch(
                project_id=world.project.id,
                name="Trial",
                judge=JudgeChoice(kind="anthropic", model="m", repetitions=1),
                trial=True,
                tests=GuidanceTest(number=version.number, baseline=None, before=judges[0], after=judges[1]),
            ),
            [],
        )
        batches.move(unit, batch.id, BatchState.CANCELLED)

    (trial,) = guided(services, world.project.id, person_id=None).trials

    assert trial.result is not None
    assert (trial.result.flipped_before, trial.result.flipped_after) == (2, 1)

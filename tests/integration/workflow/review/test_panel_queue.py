"""Who is given which pair: claims that expire, assignments, a share for all, and closed projects."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest

from comparator.domain.project import ProjectSettings, share_bound
from comparator.store.core.database import Connection
from comparator.store.core.sql import Unit, new_id
from comparator.store.pairs import reveals
from comparator.store.pairs.comparisons import Comparison
from comparator.store.people import people, projects
from comparator.store.reviewing import queue, reviews
from comparator.store.reviewing.queue import EXPIRES_AFTER
from tests.worlds.histories.pairs import START, World, add_change, prose, verdict

MIDDAY = START + timedelta(hours=3)


@pytest.fixture
def pairs(world: World) -> list[Comparison]:
    """Four judged pairs."""
    made = [world.compare() for _ in range(4)]
    for each in made:
        world.judge(each)
    return made


@pytest.fixture
def cleo(world: World) -> str:
    with world.write() as unit:
        return people.ensure_person(unit, "local:cleo", name="Cleo").id


@pytest.fixture
def put(world: World) -> Callable[..., None]:
    def change(**settings: Any) -> None:
        with world.write() as unit:
            before = projects.get(unit.connection, world.project.id).settings
            projects.save_settings(
                unit, world.project.id, ProjectSettings.model_validate({**before.model_dump(), **settings})
            )

    return change


def upcoming(world: World, person_id: str, at: datetime = MIDDAY, **more: Any) -> str | None:
    with world.database.read() as connection:
        found = queue.next_to_review(
            Unit(connection, at=at), person_id=person_id, project_id=world.project.id, **more
        )
        waiting = queue.waiting_for(Unit(connection, at=at), person_id=person_id, project_id=world.project.id)
        assert (found is None) == (waiting == 0) or "after" in more
        return found


def waiting(world: World, person_id: str, at: datetime = MIDDAY) -> int:
    with world.database.read() as connection:
        return queue.waiting_for(Unit(connection, at=at), person_id=person_id)


def hold(world: World, pair: Comparison, person_id: str, at: datetime = MIDDAY) -> bool:
    with world.database.write() as connection:
        return queue.claim(Unit(connection, at=at, new_id=new_id), pair.id, person_id=person_id)


def free(world: World, pair: Comparison, person_id: str, at: datetime = MIDDAY) -> bool:
    with world.database.write() as connection:
        return queue.is_free(Unit(connection, at=at), pair.id, person_id=person_id)


def finish(world: World, pair: Comparison, person_id: str) -> None:
    review = world.review(pair, person_id=person_id)
    with world.write() as unit:
        add_change(unit, review.id, world.change("score:A:content.correctness", 5, author=person_id))
        finalise_at(unit.connection, review.id, person_id, seen=1, at=world.now())


def finalise_at(connection: Connection, review_id: str, person_id: str, *, seen: int, at: datetime) -> None:
    reviews.finalise(
        Unit(connection, at=at, new_id=new_id).by(person_id),
        review_id,
        verdict=verdict("5", "3"),
        prose=prose(),
        changed=0,
        seen=seen,
        unblinded=False,
    )


def test_a_claimed_pair_is_not_given_to_somebody_else_until_the_claim_expires(
    world: World, pairs: list[Comparison], cleo: str
) -> None:
    assert upcoming(world, world.ben.id) == pairs[0].id
    assert hold(world, pairs[0], world.ben.id)

    assert upcoming(world, cleo) == pairs[1].id
    assert (waiting(world, cleo), waiting(world, world.ben.id)) == (3, 4)
    assert not free(world, pairs[0], cleo)
    assert upcoming(world, world.ben.id) == pairs[0].id
    later = MIDDAY + EXPIRES_AFTER
    assert upcoming(world, cleo, later) == pairs[0].id
    assert free(world, pairs[0], cleo, later)
    assert waiting(world, cleo, later) == 4


def test_what_is_enough_is_not_given_out_again(
    world: World, pairs: list[Comparison], cleo: str, put: Callable[..., None]
) -> None:
    put(reviews_needed=2)
    for pair in pairs[1:]:
        for person in (world.ada.id, world.ben.id):
            finish(world, pair, person)
    assert upcoming(world, cleo) == pairs[0].id
    finish(world, pairs[0], world.ada.id)
    assert upcoming(world, cleo) == pairs[0].id

    hold(world, pairs[0], world.ben.id)

    assert upcoming(world, cleo) is None
    assert not free(world, pairs[0], cleo)
    with world.database.write() as connection:
        queue.release(Unit(connection, at=MIDDAY), pairs[0].id, person_id=world.ben.id)
    assert upcoming(world, cleo) == pairs[0].id


def test_an_assigned_pair_comes_first_stays_and_can_be_taken_back(
    world: World, pairs: list[Comparison], cleo: str
) -> None:
    with world.database.write() as connection:
        assert queue.assign(
            Unit(connection, at=MIDDAY, new_id=new_id), pairs[2].id, person_id=cleo, by=world.ada.id
        )
        assert not queue.assign(
            Unit(connection, at=MIDDAY, new_id=new_id), pairs[2].id, person_id=cleo, by=world.ada.id
        )
    next_week = MIDDAY + timedelta(days=7)

    assert upcoming(world, cleo, next_week) == pairs[2].id
    assert waiting(world, world.ben.id, next_week) == 3
    assert not free(world, pairs[2], world.ben.id, next_week)
    with world.database.write() as connection:
        (claim,) = queue.in_force(Unit(connection, at=next_week), world.project.id)
        assert (claim.person_id, claim.by, claim.expires_at) == (cleo, world.ada.id, None)
        assert queue.release(Unit(connection, at=next_week), pairs[2].id, person_id=cleo) == 1
    assert upcoming(world, cleo, next_week) == pairs[0].id


def test_the_share_for_all_is_given_to_everybody(
    world: World, pairs: list[Comparison], cleo: str, put: Callable[..., None]
) -> None:
    for pair in pairs:
        finish(world, pair, world.ben.id)
    assert upcoming(world, cleo) is None

    put(share_to_all=1)
    assert upcoming(world, cleo) == pairs[0].id
    assert (waiting(world, cleo), waiting(world, world.ben.id)) == (4, 0)

    endings = sorted(pair.id[-3:] for pair in pairs)
    share = next(n / 1000 for n in range(1001) if share_bound(n / 1000) > endings[1])
    put(share_to_all=share)
    with world.database.read() as connection:
        settings = projects.get(connection, world.project.id).settings
    assert waiting(world, cleo) == sum(settings.is_for_all(pair.id) for pair in pairs) > 1


def test_a_closed_project_gives_nothing_out(world: World, pairs: list[Comparison]) -> None:
    with world.database.write() as connection:
        projects.set_closed(connection, world.project.id, MIDDAY)

    assert upcoming(world, world.ben.id) is None
    assert waiting(world, world.ben.id) == 0
    assert not free(world, pairs[0], world.ben.id)


def test_a_revealed_pair_is_put_to_nobody_unless_a_review_of_it_has_begun(
    world: World, pairs: list[Comparison], cleo: str
) -> None:
    first, second, third, fourth = (each.id for each in pairs)
    with world.write() as unit:
        queue.assign(unit, second, person_id=cleo, by=None)
        reveals.add(unit, (first, second, third), project_id=world.project.id)
    begun = world.review(pairs[2], person_id=cleo)
    with world.write() as unit:
        add_change(unit, begun.id, world.change("score:A:content.correctness", 5, author=cleo))

    assert (waiting(world, cleo), upcoming(world, cleo)) == (2, third)
    assert upcoming(world, cleo, after=third) == fourth
    with world.database.read() as connection:
        unit = Unit(connection, at=MIDDAY)
        assert set(queue.assignable(unit, world.project.id, person_id=cleo, limit=9)) <= {third, fourth}

"""The list of comparisons, what comes up next for review, and the facts that both rest on."""

from datetime import datetime, timedelta
from typing import Any

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from comparator.domain.labels import Order, Winner
from comparator.domain.project import ReviewMode, ReviewOrder, share_bound
from comparator.domain.scoring.review import inverse_of_last
from comparator.reporting.queue import QueueProgress, progress
from comparator.store import tables
from comparator.store.core.sql import Unit
from comparator.store.facts import fact
from comparator.store.facts.fact import Status
from comparator.store.facts.review_facts import PAUSE
from comparator.store.pairs import comparison_list, reveals
from comparator.store.pairs.comparison_list import ListFilter
from comparator.store.pairs.comparisons import Comparison
from comparator.store.people import people, projects
from comparator.store.reviewing import notes, queue, reviews
from comparator.store.reviewing.notes import NoteKind
from comparator.store.reviewing.queue import EXPIRES_AFTER
from tests.worlds.histories.pairs import JudgeId, World, add_change, answer


def begin(world: World, comparison: Comparison, *, person_id: str = "") -> reviews.Review:
    review = world.review(comparison, person_id=person_id)
    with world.write() as unit:
        change = world.change("score:A:content.correctness", 5, author=review.person_id)
        add_change(unit, review.id, change)
    return review


def finalise(world: World, comparison: Comparison, *, person_id: str = "") -> None:
    world.final(world.review(comparison, person_id=person_id))


@pytest.fixture
def pairs(world: World) -> list[Comparison]:
    """Four judged pairs."""
    pairs = [world.compare() for _ in range(4)]
    for pair in pairs:
        world.judge(pair)
    return pairs


@pytest.fixture
def cleo(world: World) -> str:
    with world.write() as unit:
        return people.ensure_person(unit, "local:cleo", name="Cleo").id


def put(world: World, **settings: Any) -> None:
    with world.write() as unit:
        before = projects.get(unit.connection, world.project.id).settings
        projects.save_settings(unit, world.project.id, before.model_copy(update=settings))


def upcoming(world: World, person_id: str = "", *, at: datetime | None = None, **options: Any) -> str | None:
    """The next pair for this person, otherwise for Ben."""
    with world.database.read() as connection:
        unit = Unit(connection, at=at or world.now())
        following = queue.next_to_review(unit, person_id=person_id or world.ben.id, **options)
    return following.comparison_id if following else None


def waiting(world: World, person_id: str, *, at: datetime | None = None) -> int:
    with world.database.read() as connection:
        return queue.waiting_for(Unit(connection, at=at or world.now()), person_id=person_id)


def free(world: World, pair: Comparison, person_id: str, *, at: datetime | None = None) -> bool:
    with world.database.read() as connection:
        return queue.is_free(Unit(connection, at=at or world.now()), pair.id, person_id=person_id)


def test_every_status_is_reached_and_counted(world: World) -> None:
    pairs = [world.compare() for _ in range(6)]
    world.judge(pairs[1])
    world.judge(pairs[5])
    with world.write() as unit:
        reveals.add(unit, (pairs[5].id,), project_id=world.project.id)
    world.attempt(pairs[2], Order.A_FIRST, None)
    world.judge(pairs[3])
    begin(world, pairs[3])
    finalise(world, pairs[4])

    with world.database.read() as connection:
        listed = [comparison_list.line(connection, pair.id).status for pair in pairs]
        counted = comparison_list.counts(connection, project_id=world.project.id)
        derived = [fact.derive(connection, pair.id)["status"] for pair in pairs]

    assert listed == derived
    assert listed[:3] == [Status.TO_JUDGE, Status.TO_REVIEW, Status.FAILED]
    assert listed[3:] == [Status.DRAFT, Status.FINALISED, Status.NOT_REVIEWED]
    assert counted == dict.fromkeys(listed, 1) | {Status.JUDGING: 0, Status.SUPERSEDED: 0, Status.VOID: 0}


def test_a_number_is_searched_as_a_whole_number(world: World) -> None:
    ids = {number: world.compare(title=f"Network {number}").id for number in (7, 17, 72)}

    with world.database.read() as connection:
        assert comparison_list.ids(connection, ListFilter(text="network 7")) == (ids[7],)


def test_pairs_of_one_import_are_listed_by_title_after_all_later_ones(world: World) -> None:
    at_once = World(world.database, world.blobs, project="At once", pace=0)
    for task in (10, 9, 1):
        at_once.compare(title=f"Task {task}")
    later = World(world.database, world.blobs, project="Later")
    later.compare(title="Task 30")

    with world.database.read() as connection:
        pages = [comparison_list.page(connection, limit=2, offset=offset) for offset in (0, 2)]

    titles = [line.title for page in pages for line in page.lines]
    assert titles == ["Task 30", "Task 1", "Task 9", "Task 10"]
    assert [page.total for page in pages] == [4, 4]


def test_the_next_pair_is_the_oldest_one_that_waits(world: World) -> None:
    first, second, third = (world.compare() for _ in range(3))
    for pair in (third, second):
        world.judge(pair)

    assert upcoming(world) == second.id
    assert upcoming(world, after=second.id) == third.id
    finalise(world, second)
    assert upcoming(world) == third.id
    finalise(world, third)
    assert upcoming(world) is None
    world.judge(first)
    assert upcoming(world, project_id=world.project.id) == first.id
    assert upcoming(world, project_id="none") is None


def test_a_reading_that_contradicts_itself_comes_first_but_for_who_has_yet_to_score(world: World) -> None:
    first, second = (world.compare() for _ in range(2))
    for one in (first, second):
        world.judge(one)
    with world.write() as unit:
        unit.update(tables.fact, tables.fact.c.comparison_id == second.id, self_consistent=False)
    assert upcoming(world) == second.id

    put(world, mode=ReviewMode.BLIND_FIRST)

    assert upcoming(world) == first.id


def test_a_review_whose_changes_are_all_undone_is_no_draft(world: World, pairs: list[Comparison]) -> None:
    review = begin(world, pairs[1])
    with world.write() as unit:
        queue.claim(unit, pairs[1].id, person_id=world.ben.id)
    assert upcoming(world) == pairs[1].id

    with world.write() as unit:
        changes = reviews.changes(unit, review.id)
        undone = inverse_of_last(changes, id="undone", author=review.person_id, at=unit.at)
        reviews.append(unit, review.id, [undone] if undone else [], after=1)

    assert upcoming(world) == pairs[0].id
    with world.database.read() as connection:
        assert comparison_list.line(connection, pairs[1].id).status is Status.TO_REVIEW
        assert not reviews.open_ones(connection, world.project.id)
    with world.write() as unit:
        add_change(unit, review.id, world.change("winner", "A", author=review.person_id))
    assert upcoming(world) == pairs[1].id


@pytest.mark.parametrize("kind", [NoteKind.SKIP, NoteKind.CANNOT_JUDGE, NoteKind.OUTSIDE_EXPERTISE])
def test_what_a_person_set_aside_does_not_come_up_again_for_them(world: World, kind: NoteKind) -> None:
    comparison = world.compare()
    world.judge(comparison)
    with world.write() as unit:
        said = notes.add(unit, comparison.id, person_id=world.ben.id, kind=kind)

    assert upcoming(world) is None
    assert upcoming(world, world.ada.id) == comparison.id
    with world.write() as unit:
        notes.withdraw(unit, said)
    assert upcoming(world) == comparison.id


def test_the_most_informative_pair_is_a_flip_then_what_stays_unsure_then_the_smallest_margin(
    world: World,
) -> None:
    clear, close, flip, thrice = (world.compare() for _ in range(4))
    world.judge(clear, 5, 1)
    world.judge(close, 3, 2)
    world.attempt(flip, Order.A_FIRST, answer(5, 1))
    world.attempt(flip, Order.B_FIRST, answer(1, 4))
    world.judge(thrice, 5, 1)
    for repetition in (1, 2):
        for order in Order:
            world.attempt(thrice, order, answer(5, 1), repetition=repetition)

    sequence = []
    while (following := upcoming(world, order=ReviewOrder.INFORMATIVE)) is not None:
        sequence.append(following)
        finalise(world, next(pair for pair in (clear, close, flip, thrice) if pair.id == following))

    assert sequence == [flip.id, thrice.id, close.id, clear.id]


def test_a_pair_whose_scores_and_verdict_disagree_comes_before_all_that_wait(world: World) -> None:
    pairs = [world.compare() for _ in range(3)]
    for pair in pairs[:2]:
        world.judge(pair)
    world.judge(pairs[2], better=Winner.B)

    for order in ReviewOrder:
        assert upcoming(world, order=order) == pairs[2].id
    with world.database.read() as connection:
        listed = comparison_list.page(connection).lines
    line = next(line for line in listed if line.id == pairs[2].id)
    assert (line.self_consistent, line.stated_confidence, line.winner) == (False, 60, Winner.A)
    finalise(world, pairs[2])
    assert upcoming(world) == pairs[0].id


def test_the_audit_sample_comes_first_but_in_the_imports_order(world: World, pairs: list[Comparison]) -> None:
    world.draw(pairs[3].id, chosen=True)

    for order in (ReviewOrder.RANDOM, ReviewOrder.INFORMATIVE):
        assert upcoming(world, order=order) == pairs[3].id
    assert upcoming(world, order=ReviewOrder.AS_IMPORTED) == pairs[0].id


def test_a_claimed_pair_is_nobody_elses_for_a_while(world: World, pairs: list[Comparison], cleo: str) -> None:
    assert upcoming(world) == pairs[0].id
    with world.write() as unit:
        assert queue.claim(unit, pairs[0].id, person_id=world.ben.id)

    assert upcoming(world, cleo) == pairs[1].id
    assert (waiting(world, cleo), waiting(world, world.ben.id)) == (3, 4)
    assert not free(world, pairs[0], cleo)
    assert upcoming(world) == pairs[0].id
    later = world.now() + EXPIRES_AFTER
    assert upcoming(world, cleo, at=later) == pairs[0].id
    assert free(world, pairs[0], cleo, at=later)
    assert waiting(world, cleo, at=later) == 4


def test_a_pace_is_told_once_reviews_take_as_long_as_reading_does(world: World) -> None:
    pairs = [world.compare() for _ in range(6)]
    for pair in pairs:
        world.judge(pair)
    for pair in pairs[:5]:
        finalise(world, pair)

    def far() -> QueueProgress:
        return progress(world.database, person_id=world.ben.id, at=world.now())

    quick = far()
    with world.write() as unit:
        unit.update(tables.review, sa.true(), opened_at=world.now() - timedelta(hours=1))
    assert (quick.done, quick.left, quick.minutes_left) == (5, 1, None)
    assert far().minutes_left == PAUSE.total_seconds() / 60


def test_what_is_enough_is_not_given_out_again(world: World, pairs: list[Comparison], cleo: str) -> None:
    put(world, reviews_needed=2)
    for pair in pairs[1:]:
        for person in (world.ada.id, world.ben.id):
            finalise(world, pair, person_id=person)
    finalise(world, pairs[0], person_id=world.ada.id)
    assert upcoming(world, cleo) == pairs[0].id

    with world.write() as unit:
        queue.claim(unit, pairs[0].id, person_id=world.ben.id)

    assert upcoming(world, cleo) is None
    assert not free(world, pairs[0], cleo)
    with world.write() as unit:
        queue.release(unit, pairs[0].id, person_id=world.ben.id)
    assert upcoming(world, cleo) == pairs[0].id


def test_the_share_for_all_is_given_to_everybody(world: World, pairs: list[Comparison], cleo: str) -> None:
    for pair in pairs:
        finalise(world, pair)
    assert upcoming(world, cleo) is None

    put(world, share_to_all=1)
    assert upcoming(world, cleo) == pairs[0].id
    assert (waiting(world, cleo), waiting(world, world.ben.id)) == (4, 0)

    endings = sorted(pair.id[-3:] for pair in pairs)
    put(world, share_to_all=next(n / 1000 for n in range(1001) if share_bound(n / 1000) > endings[1]))
    with world.database.read() as connection:
        settings = projects.get(connection, world.project.id).settings
    assert waiting(world, cleo) == sum(settings.is_for_all(pair.id) for pair in pairs) > 1


def test_a_revealed_pair_is_put_to_nobody_but_draft(world: World, pairs: list[Comparison], cleo: str) -> None:
    first, second, third, fourth = (pair.id for pair in pairs)
    with world.write() as unit:
        queue.assign(unit, second, person_id=cleo, by=None)
        reveals.add(unit, (first, second, third), project_id=world.project.id)
    begin(world, pairs[2], person_id=cleo)

    assert (waiting(world, cleo), upcoming(world, cleo)) == (2, third)
    assert upcoming(world, cleo, after=third) == fourth
    with world.write() as unit:
        assert set(queue.assignable(unit, world.project.id, person_id=cleo, limit=9)) <= {third, fourth}


@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    steps=st.lists(
        st.sampled_from(["fail", "first", "second", "judge", "change", "finalise", "other", "reopen"]),
        max_size=8,
    )
)
def test_the_fact_is_what_a_rebuild_from_the_rows_gives(world: World, steps: list[str]) -> None:
    comparison = world.compare()
    done: set[str] = set()
    for step in steps:
        if step == "fail":
            world.attempt(comparison, Order.A_FIRST, None)
        elif step in ("first", "second"):
            world.attempt(comparison, Order.A_FIRST if step == "first" else Order.B_FIRST, answer(4, 2))
        elif step == "judge":
            world.judge(comparison, 2, 5, judge=JudgeId(model="another"))
        elif step == "change" and "final" not in done:
            begin(world, comparison)
        elif step == "finalise" and "final" not in done:
            finalise(world, comparison)
            done.add("final")
        elif step == "other" and "other" not in done:
            finalise(world, comparison, person_id=world.ada.id)
            done.add("other")
        elif step == "reopen" and "final" in done:
            world.reopen(world.review(comparison))
            done.discard("final")

    with world.database.read() as connection:
        rebuilt = fact.derive(connection, comparison.id)
        s = tables.fact.c
        query = sa.select(*(s[name] for name in rebuilt)).where(s.comparison_id == comparison.id)
        kept = connection.execute(query).mappings().one()
    assert dict(kept) == rebuilt

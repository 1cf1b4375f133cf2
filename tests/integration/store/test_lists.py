"""The list of comparisons, what comes up next for review, and the facts that both rest on."""

from typing import Any

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from comparator.domain.labels import Order, Winner
from comparator.domain.project import ReviewOrder
from comparator.store import tables
from comparator.store.core.sql import Unit
from comparator.store.facts import fact
from comparator.store.facts.fact import Status
from comparator.store.pairs import comparison_list
from comparator.store.pairs.comparison_list import ListFilter
from comparator.store.pairs.comparisons import Comparison
from comparator.store.reviewing import notes, queue, reviews
from comparator.store.reviewing.notes import NoteKind
from tests.worlds.histories.pairs import JudgeId, World, add_change, answer, prose, verdict


def begin(world: World, comparison: Comparison, *, person_id: str = "") -> reviews.Review:
    review = world.review(comparison, person_id=person_id)
    with world.write() as unit:
        change = world.change("score:A:content.correctness", 5, author=review.person_id)
        add_change(unit, review.id, change)
    return review


def finalise(
    world: World, comparison: Comparison, *, person_id: str = "", a: str = "5", b: str = "3"
) -> None:
    review = world.review(comparison, person_id=person_id)
    with world.write() as unit:
        reviews.finalise(
            unit.by(review.person_id),
            review.id,
            verdict=verdict(a, b),
            prose=prose(),
            changed=0,
            seen=len(reviews.changes(unit.connection, review.id)),
            unblinded=False,
        )


def upcoming(world: World, **options: Any) -> str | None:
    with world.database.read() as connection:
        return queue.next_to_review(
            Unit(connection, at=world.now()), person_id=str(options.pop("person_id", world.ben.id)), **options
        )


def test_every_status_is_reached_and_counted(world: World) -> None:
    made = [world.compare() for _ in range(5)]
    world.judge(made[1])
    world.attempt(made[2], Order.A_FIRST, None)
    world.judge(made[3])
    begin(world, made[3])
    finalise(world, made[4])

    with world.database.read() as connection:
        found = [comparison_list.status(connection, each.id) for each in made]
        counted = comparison_list.counts(connection, project_id=world.project.id)

    assert found == [Status.TO_JUDGE, Status.TO_REVIEW, Status.FAILED, Status.DRAFT, Status.FINALISED]
    assert counted == dict.fromkeys(found, 1) | {Status.JUDGING: 0, Status.SUPERSEDED: 0, Status.VOID: 0}


def test_a_number_is_searched_as_a_whole_number(world: World) -> None:
    made = {number: world.compare(title=f"Network {number}").id for number in (7, 17, 72)}

    with world.database.read() as connection:
        assert comparison_list.ids(connection, ListFilter(text="network 7")) == (made[7],)


def test_the_next_pair_is_the_oldest_one_that_waits(world: World) -> None:
    first, second, third = (world.compare() for _ in range(3))
    for each in (third, second):
        world.judge(each)

    assert upcoming(world) == second.id
    assert upcoming(world, after=second.id) == third.id
    finalise(world, second)
    assert upcoming(world) == third.id
    finalise(world, third)
    assert upcoming(world) is None
    world.judge(first)
    assert upcoming(world, project_id=world.project.id) == first.id
    assert upcoming(world, project_id="none") is None


def test_an_own_draft_comes_first(world: World) -> None:
    first, second = world.compare(), world.compare()
    for each in (first, second):
        world.judge(each)

    begin(world, second)

    assert upcoming(world) == second.id
    assert upcoming(world, person_id=world.ada.id) == first.id


@pytest.mark.parametrize("kind", [NoteKind.SKIP, NoteKind.CANNOT_JUDGE, NoteKind.OUTSIDE_EXPERTISE])
def test_what_a_person_set_aside_does_not_come_up_for_them_until_taken_back(
    world: World, kind: NoteKind
) -> None:
    comparison = world.compare()
    world.judge(comparison)
    with world.write() as unit:
        said = notes.add(unit, comparison.id, person_id=world.ben.id, kind=kind)

    assert upcoming(world) is None
    assert upcoming(world, person_id=world.ada.id) == comparison.id
    with world.write() as unit:
        notes.withdraw(unit, said)
    assert upcoming(world) == comparison.id


def test_the_most_informative_pair_is_a_flip_then_the_smallest_margin(world: World) -> None:
    clear, close, flip = world.compare(), world.compare(), world.compare()
    world.judge(clear, 5, 1)
    world.judge(close, 3, 2)
    world.attempt(flip, Order.A_FIRST, answer(5, 1))
    world.attempt(flip, Order.B_FIRST, answer(1, 4))

    order = []
    while (found := upcoming(world, order=ReviewOrder.INFORMATIVE)) is not None:
        order.append(found)
        finalise(world, next(each for each in (clear, close, flip) if each.id == found))

    assert order == [flip.id, close.id, clear.id]


def test_what_stays_unsure_after_two_readings_comes_before_smaller_margins(world: World) -> None:
    close, thrice = world.compare(), world.compare()
    world.judge(close, 3, 2)
    world.judge(thrice, 5, 1)
    for repetition in (1, 2):
        for order in Order:
            world.attempt(thrice, order, answer(5, 1), repetition=repetition)

    assert upcoming(world, order=ReviewOrder.INFORMATIVE) == thrice.id


def test_a_pair_whose_scores_and_verdict_disagree_comes_before_all_that_wait(world: World) -> None:
    pairs = [world.compare() for _ in range(3)]
    for each in pairs[:2]:
        world.judge(each)
    world.judge(pairs[2], better=Winner.B)

    for order in ReviewOrder:
        assert upcoming(world, order=order) == pairs[2].id
    with world.database.read() as connection:
        listed = comparison_list.page(connection).lines
    line = next(line for line in listed if line.id == pairs[2].id)
    assert (line.self_consistent, line.stated_confidence, line.winner) == (False, 60, Winner.A)
    finalise(world, pairs[2])
    assert upcoming(world) == pairs[0].id


@pytest.mark.parametrize("order", [ReviewOrder.RANDOM, ReviewOrder.INFORMATIVE])
def test_the_audit_sample_comes_first_unless_the_order_is_the_imports(
    world: World, order: ReviewOrder
) -> None:
    made = [world.compare() for _ in range(6)]
    for each in made:
        world.judge(each)
    world.draw(made[4].id, chosen=True)

    assert upcoming(world, order=order) == made[4].id
    assert upcoming(world, order=ReviewOrder.AS_IMPORTED) == made[0].id


STEP = st.sampled_from(["fail", "first", "second", "judge", "change", "finalise", "other", "reopen"])


@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(STEP, max_size=8))
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
        kept = (
            connection.execute(
                sa.select(*(s[name] for name in rebuilt)).where(s.comparison_id == comparison.id)
            )
            .mappings()
            .one()
        )
    assert dict(kept) == rebuilt

"""The list of comparisons, what comes up next for review, and the facts that both rest on."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from comparator.domain.labels import Order, Winner
from comparator.domain.project import ProjectSettings, QueueOrder
from comparator.domain.scoring.verdict import VerdictSource
from comparator.store import tables
from comparator.store.core.unit import Unit, new_id
from comparator.store.facts import fact
from comparator.store.facts.fact import Status
from comparator.store.pairs import comparison_list, reveals
from comparator.store.pairs.comparison_list import EVERY, ListFilter, ListOrder, ListPage
from comparator.store.pairs.comparisons import Comparison
from comparator.store.people import projects
from comparator.store.reviewing import finalisations, notes, queue, reviews
from comparator.store.reviewing.finalisations import NewFinalisation
from comparator.store.reviewing.notes import NoteKind
from tests.worlds.histories.pairs import START, JudgeId, World, add_change, answer, prose, verdict


def page(world: World, where: ListFilter = EVERY, **how: Any) -> ListPage:
    with world.database.read() as connection:
        return comparison_list.page(connection, where, **how)


def titles(world: World, where: ListFilter = EVERY, **how: Any) -> list[str]:
    return [line.title for line in page(world, where, **how).lines]


def begin(world: World, comparison: Comparison, *, person_id: str = "") -> reviews.Review:
    review = world.review(comparison, person_id=person_id)
    with world.database.write() as connection:
        change = world.change("score:A:content.correctness", 5, author=review.person_id)
        add_change(Unit(connection, at=world.now()), review.id, change)
    return review


def finalise(
    world: World, comparison: Comparison, *, person_id: str = "", a: str = "5", b: str = "3"
) -> None:
    review = world.review(comparison, person_id=person_id)
    with world.database.write() as connection:
        finalisations.add(
            Unit(connection, at=world.now(), new_id=new_id),
            review.id,
            NewFinalisation(
                verdict=verdict(a, b),
                prose=prose(),
                changed=0,
                seen=len(reviews.changes(connection, review.id)),
                unblinded=False,
            ),
            person_id=review.person_id,
        )


def upcoming(world: World, **options: Any) -> str | None:
    with world.database.read() as connection:
        return queue.next_to_review(
            Unit(connection, at=world.now()), person_id=str(options.pop("person_id", world.ben.id)), **options
        )


def test_the_list_sorts_titles_by_their_numbers(world: World) -> None:
    for title in ("v2.0", "network 10", "v1.10", "Network 2", "v1.9"):
        world.compare(title=title)
    rising = ["Network 2", "network 10", "v1.9", "v1.10", "v2.0"]

    assert titles(world, order=ListOrder.TITLE) == rising
    assert titles(world, order=ListOrder.TITLE_BACKWARDS) == rising[::-1]


def test_a_number_is_searched_as_a_whole_number(world: World) -> None:
    for number in (7, 17, 72):
        world.compare(title=f"Network {number}")

    assert titles(world, ListFilter(text="network 7")) == ["Network 7"]
    assert titles(world, ListFilter(text="7 net")) == ["Network 7"]


def test_a_line_tells_what_the_list_shows(world: World) -> None:
    comparison = world.compare(title="T")
    world.judge(comparison, 4, 2)

    (line,) = page(world).lines

    assert (line.id, line.task_key, line.tags, line.project_name) == (
        comparison.id,
        "invoice",
        ("extraction",),
        "Invoices",
    )
    assert (line.status, line.winner, line.verdict_source) == (
        Status.TO_REVIEW,
        Winner.A,
        VerdictSource.JUDGE,
    )
    assert (line.overall_a, line.overall_b) == (Decimal("8.0"), Decimal("4.0"))
    assert (line.judge_model, line.stated_confidence) == ("claude-sonnet-5-5", 80)


def test_what_the_offline_check_finds_is_words_and_neither_winner_nor_score(world: World) -> None:
    comparison = world.compare()
    world.judge(comparison, 5, 3, judge=JudgeId(kind="offline", model="offline-check-3"))

    (line,) = page(world).lines
    assert (line.status, line.verdict_source, line.form) == (
        Status.TO_REVIEW,
        VerdictSource.OFFLINE,
        "B does not open",
    )
    assert (line.winner, line.overall_a, line.decided_by, line.judge_winner) == (None, None, None, None)
    assert (line.stated_confidence, line.position_consistent, line.left_out) == (None, None, None)


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


def test_a_panel_is_done_when_enough_have_finalised(world: World) -> None:
    with world.database.write() as connection:
        wanted = ProjectSettings(reviews_needed=2)
        projects.save_settings(
            Unit(connection, at=world.now(), new_id=new_id), world.project.id, wanted, person_id=None
        )
    comparison = world.compare()
    world.judge(comparison)

    finalise(world, comparison)
    after_one = page(world).lines[0]
    finalise(world, comparison, person_id=world.ada.id)
    after_two = page(world).lines[0]

    assert (after_one.status, after_one.verdict_source) == (Status.TO_REVIEW, VerdictSource.REVIEW)
    assert (after_two.status, after_two.verdict_source) == (Status.FINALISED, VerdictSource.PANEL)


def test_an_adjudication_goes_before_the_reviews(world: World) -> None:
    comparison = world.compare()
    finalise(world, comparison)
    with world.database.write() as connection:
        settled = verdict("1", "5")
        connection.execute(
            tables.adjudication.insert().values(
                id=new_id(),
                comparison_id=comparison.id,
                number=1,
                person_id=world.ada.id,
                winner=settled.winner.value,
                decided_by=settled.decided_by.value,
                verdict=settled.model_dump(mode="json"),
                prose=prose().model_dump(mode="json"),
                reason="B has the date.",
                blindness="blind",
                at=START,
            )
        )
        fact.refresh(Unit(connection, at=START), comparison.id)

    line = page(world).lines[0]
    assert (line.winner, line.verdict_source) == (Winner.B, VerdictSource.ADJUDICATION)


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


def test_a_pair_whose_scores_and_verdict_disagree_comes_before_all_that_wait(world: World) -> None:
    pairs = [world.compare() for _ in range(3)]
    for each in pairs[:2]:
        world.judge(each)
    world.judge(pairs[2], better=Winner.B)

    for order in QueueOrder:
        assert upcoming(world, order=order) == pairs[2].id
    line = next(line for line in page(world).lines if line.id == pairs[2].id)
    assert (line.self_consistent, line.stated_confidence, line.winner) == (False, 60, Winner.A)
    finalise(world, pairs[2])
    assert upcoming(world) == pairs[0].id


def test_revealed_pairs_come_after_all_blind_ones(world: World) -> None:
    revealed, second, third = world.compare(), world.compare(), world.compare()
    for each in (revealed, second, third):
        world.judge(each)
    with world.database.write() as connection:
        unit = Unit(connection, at=world.now(), new_id=new_id)
        reveals.add(unit, (revealed.id,), project_id=world.project.id, person_id=world.ben.id)

    listed = page(world, ListFilter(world.project.id), order=ListOrder.OLDEST, blind_first=True)
    assert [line.id for line in listed.lines] == [second.id, third.id, revealed.id]
    for order in (QueueOrder.AS_IMPORTED, QueueOrder.INFORMATIVE):
        assert upcoming(world, order=order) != revealed.id
    for each in (second, third):
        finalise(world, each)
    assert upcoming(world) == revealed.id


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
    with world.database.write() as connection:
        said = notes.add(
            Unit(connection, at=world.now(), new_id=new_id), comparison.id, person_id=world.ben.id, kind=kind
        )

    assert upcoming(world) is None
    assert upcoming(world, person_id=world.ada.id) == comparison.id
    with world.database.write() as connection:
        notes.withdraw(Unit(connection, at=world.now(), new_id=new_id), said)
    assert upcoming(world) == comparison.id


def test_the_most_informative_pair_is_a_flip_then_the_smallest_margin(world: World) -> None:
    clear, close, flip = world.compare(), world.compare(), world.compare()
    world.judge(clear, 5, 1)
    world.judge(close, 3, 2)
    world.attempt(flip, Order.A_FIRST, answer(5, 1))
    world.attempt(flip, Order.B_FIRST, answer(1, 4))

    order = []
    while (found := upcoming(world, order=QueueOrder.INFORMATIVE)) is not None:
        order.append(found)
        finalise(world, next(each for each in (clear, close, flip) if each.id == found))

    assert order == [flip.id, close.id, clear.id]


def test_what_stays_unsure_after_two_readings_or_was_looked_at_unevenly_comes_before_smaller_margins(
    world: World,
) -> None:
    close, thrice, uneven = world.compare(), world.compare(), world.compare()
    world.judge(close, 3, 2)
    for each in (thrice, uneven):
        world.judge(each, 5, 1)
    for repetition in (1, 2):
        for order in Order:
            world.attempt(thrice, order, answer(5, 1), repetition=repetition)
    with world.database.write() as connection:
        connection.execute(
            tables.fact.update().where(tables.fact.c.comparison_id == uneven.id).values(uneven_attention=True)
        )

    first = upcoming(world, order=QueueOrder.INFORMATIVE)
    finalise(world, thrice if first == thrice.id else uneven)
    second = upcoming(world, order=QueueOrder.INFORMATIVE)

    assert {first, second} == {thrice.id, uneven.id}


def test_what_several_judges_could_not_decide_comes_before_what_one_of_them_was_outvoted_on(
    world: World,
) -> None:
    outvoted, undecided = world.compare(), world.compare()
    nothing = {"judge_winner": None, "judge_overall_a": None, "judge_overall_b": None}
    for comparison, more in ((outvoted, {}), (undecided, nothing)):
        world.judge(comparison, 3, 2)
        with world.database.write() as connection:
            connection.execute(
                tables.fact.update()
                .where(tables.fact.c.comparison_id == comparison.id)
                .values(judges_agree=False, **more)
            )

    assert upcoming(world, order=QueueOrder.INFORMATIVE) == undecided.id


def test_a_low_stated_confidence_comes_before_smaller_margins(world: World) -> None:
    close, unsure = world.compare(), world.compare()
    world.judge(close, 3, 2)
    for order in Order:
        world.attempt(unsure, order, answer(5, 1).model_copy(update={"stated_confidence": 60}))

    assert upcoming(world, order=QueueOrder.INFORMATIVE) == unsure.id


def test_in_the_informative_order_what_no_judge_has_read_comes_last(world: World) -> None:
    unread, judged = world.compare(), world.compare()
    world.judge(judged, 5, 1)
    begun = world.review(unread, person_id=world.ada.id)
    with world.database.write() as connection:
        add_change(
            Unit(connection, at=world.now()), begun.id, world.change("reasoning", "By hand."), blind=False
        )

    assert upcoming(world, order=QueueOrder.INFORMATIVE) == judged.id


def test_the_random_order_stays_and_is_not_that_of_import(world: World) -> None:
    made = [world.compare() for _ in range(8)]
    for each in made:
        world.judge(each)

    order = []
    while (found := upcoming(world, order=QueueOrder.RANDOM)) is not None:
        assert upcoming(world, order=QueueOrder.RANDOM) == found
        order.append(found)
        finalise(world, next(each for each in made if each.id == found))

    assert sorted(order) == sorted(each.id for each in made)
    assert order != [each.id for each in made]


@pytest.mark.parametrize("order", [QueueOrder.RANDOM, QueueOrder.INFORMATIVE])
def test_the_audit_sample_comes_first_unless_the_order_is_the_imports(
    world: World, order: QueueOrder
) -> None:
    made = [world.compare() for _ in range(6)]
    for each in made:
        world.judge(each)
    world.draw(made[4].id, chosen=True)

    assert upcoming(world, order=order) == made[4].id
    assert upcoming(world, order=QueueOrder.AS_IMPORTED) == made[0].id


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

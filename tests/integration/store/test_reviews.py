"""Reviews: nothing that a person says is lost, doubled or reordered."""

from __future__ import annotations

import itertools
import subprocess
import sys
import threading
from decimal import Decimal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from comparator.domain.errors import Conflict, ReviewError
from comparator.domain.labels import Winner
from comparator.domain.scoring.review import Blindness, Change
from comparator.store.core.database import Database
from comparator.store.core.unit import Unit, new_id
from comparator.store.facts.fact import Status
from comparator.store.pairs import comparison_list
from comparator.store.reviewing import finalisations, notes, reviews
from comparator.store.reviewing.finalisations import Finalisation, NewFinalisation
from comparator.store.reviewing.notes import NoteKind
from comparator.store.reviewing.reviews import Review, StoredChange
from tests.worlds.histories.pairs import JudgeId, World, prose, verdict

SCORE = "score:A:content.correctness"


def store(world: World, review: Review, change: Change) -> StoredChange:
    with world.database.write() as connection:
        return reviews.add_change(Unit(connection, at=world.now()), review.id, change)


def stored(world: World, review: Review) -> tuple[Change, ...]:
    with world.database.read() as connection:
        return reviews.changes(connection, review.id)


def finalise(world: World, review: Review, *, seen: int, a: str = "5", b: str = "3") -> Finalisation:
    with world.database.write() as connection:
        return finalisations.add(
            Unit(connection, at=world.now(), new_id=new_id),
            review.id,
            NewFinalisation(
                verdict=verdict(a, b),
                prose=prose(),
                changed=seen,
                seen=seen,
                unblinded=False,
            ),
            person_id=review.person_id,
        )


def test_knowing_cannot_be_unlearned(world: World) -> None:
    comparison = world.compare()
    world.review(comparison)
    world.review(comparison, blindness=Blindness.KNOWN)

    assert world.review(comparison, blindness=Blindness.SIDES_HIDDEN).blindness is Blindness.KNOWN


def test_a_review_stays_with_the_judgment_it_was_begun_on(world: World) -> None:
    comparison = world.compare()
    early = world.review(comparison)
    world.judge(comparison, 5, 3)
    judged = world.review(comparison)
    store(world, judged, world.change(SCORE, 4))
    world.judge(comparison, 1, 5, judge=JudgeId(model="another"))
    later = world.review(comparison)

    assert early.judgment_set is None
    assert judged.judgment_set is not None
    assert later.judgment_set == judged.judgment_set


def test_sending_a_change_twice_stores_it_once(world: World) -> None:
    review = world.review(world.compare())
    change = world.change(SCORE, 4, id="sent")

    first, second = store(world, review, change), store(world, review, change)

    assert (first.seq, first.already) == (1, False)
    assert (second.seq, second.already) == (1, True)
    assert stored(world, review) == (change,)


def test_another_change_under_a_known_id_is_not_swallowed(world: World) -> None:
    review = world.review(world.compare())
    store(world, review, world.change(SCORE, 4, id="sent"))

    with pytest.raises(Conflict, match="another content"):
        store(world, review, world.change(SCORE, 5, id="sent"))

    assert len(stored(world, review)) == 1


def test_the_same_id_in_another_review_is_another_change(world: World) -> None:
    comparison = world.compare()
    mine, other = world.review(comparison), world.review(comparison, person_id=world.ada.id)

    store(world, mine, world.change(SCORE, 4, id="sent"))
    result = store(world, other, world.change(SCORE, 2, id="sent", author=world.ada.id))

    assert not result.already
    assert [c.value for c in stored(world, other)] == [Decimal(2)]


def test_two_tabs_writing_at_once_lose_nothing_and_keep_an_order(world: World) -> None:
    review = world.review(world.compare())
    results: list[StoredChange | Exception] = []

    def tab(name: str) -> None:
        for number in range(15):
            try:
                results.append(
                    store(world, review, world.change(SCORE, 1 + number % 5, id=f"{name}-{number:02}"))
                )
            except Exception as error:  # noqa: BLE001  # whatever it is, the test shows it
                results.append(error)

    threads = [threading.Thread(target=tab, args=(name,)) for name in "abc"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)

    assert sorted(r.seq for r in results if isinstance(r, StoredChange)) == list(range(1, 46))
    ids = [change.id for change in stored(world, review)]
    for name in "abc":
        assert [id for id in ids if id.startswith(name)] == [f"{name}-{number:02}" for number in range(15)]
    assert [change.id for change in stored(world, review)] == ids


def test_two_processes_writing_at_once_lose_nothing(world: World, database_url: str) -> None:
    review = world.review(world.compare())
    code = (
        "import sys\n"
        "from datetime import datetime, UTC\n"
        "from comparator.domain.scoring.review import Blindness, Change, ChangeKind, Target\n"
        "from comparator.store.reviewing import reviews\n"
        "from comparator.store.core.unit import Unit\n"
        "from comparator.store.core.database import Database\n"
        "database = Database.open(sys.argv[1])\n"
        "target = Target.parse('score:A:content.correctness')\n"
        "for number in range(20):\n"
        "    now = datetime.now(UTC)\n"
        "    change = Change(id=f'{sys.argv[4]}-{number}', target=target, kind=ChangeKind.SET, value=3,\n"
        "                    author=sys.argv[3], at=now)\n"
        "    with database.write() as connection:\n"
        "        reviews.add_change(Unit(connection, at=now), sys.argv[2], change)\n"
        "database.close()\n"
    )

    processes = [
        subprocess.Popen(
            [sys.executable, "-c", code, database_url, review.id, review.person_id, name],
            stderr=subprocess.PIPE,
            text=True,
        )
        for name in ("x", "y")
    ]
    errors = [process.communicate(timeout=90)[1] for process in processes]

    assert [process.returncode for process in processes] == [0, 0], errors
    assert {change.id for change in stored(world, review)} == {f"{n}-{i}" for n in "xy" for i in range(20)}


def test_finalising_keeps_everything_that_held_then(world: World) -> None:
    comparison = world.compare()
    world.judge(comparison, 3, 5)
    review = world.review(comparison)
    store(world, review, world.change(SCORE, 5))

    made = finalise(world, review, seen=1)

    with world.database.read() as connection:
        (version,) = finalisations.versions(connection, review.id)
        line = comparison_list.line(connection, comparison.id)
        assert reviews.is_final(connection, review.id)
    assert version == made
    assert (version.number, version.last_change, version.winner) == (1, 1, Winner.A)
    assert version.verdict == verdict("5", "3")
    assert version.prose == prose()
    assert (line.status, line.winner, line.judge_winner) == (Status.FINALISED, Winner.A, Winner.B)
    assert (line.overall_a, line.overall_b) == (Decimal("10.0"), Decimal("6.0"))


def test_a_finalised_review_takes_no_change_until_it_is_reopened_and_every_version_stays(
    world: World,
) -> None:
    comparison = world.compare()
    review = world.review(comparison)
    store(world, review, world.change(SCORE, 5))
    finalise(world, review, seen=1)

    with pytest.raises(ReviewError, match="Reopen"):
        store(world, review, world.change(SCORE, 4))
    world.reopen(review)
    store(world, review, world.change(SCORE, 1))
    finalise(world, review, seen=2, a="1", b="5")

    with world.database.read() as connection:
        versions = finalisations.versions(connection, review.id)
        events = finalisations.events(connection, review.id)
        line = comparison_list.line(connection, comparison.id)
    assert [(v.number, v.winner) for v in versions] == [(1, Winner.A), (2, Winner.B)]
    assert [(event.kind, event.number) for event in events] == [("final", 1), ("reopened", 1), ("final", 2)]
    assert line.winner is Winner.B


def test_a_repeated_change_is_acknowledged_even_after_finalising(world: World) -> None:
    review = world.review(world.compare())
    change = world.change(SCORE, 5)
    store(world, review, change)
    finalise(world, review, seen=1)

    assert store(world, review, change).already


def test_finalising_what_somebody_changed_meanwhile_is_a_conflict(world: World) -> None:
    review = world.review(world.compare())
    store(world, review, world.change(SCORE, 5))
    store(world, review, world.change(SCORE, 2))

    with pytest.raises(Conflict, match="another window"):
        finalise(world, review, seen=1)


def test_finalising_or_reopening_twice_is_a_conflict(world: World) -> None:
    review = world.review(world.compare())
    with pytest.raises(Conflict, match="open already"):
        world.reopen(review)
    finalise(world, review, seen=0)

    with pytest.raises(Conflict, match="finalised already"):
        finalise(world, review, seen=0)


def test_answers_stand_until_they_are_taken_back_and_both_stay_known(world: World) -> None:
    comparison = world.compare()
    with world.database.write() as connection:

        def say(kind: NoteKind, person_id: str) -> notes.Note:
            return notes.add(
                Unit(connection, at=world.now(), new_id=new_id),
                comparison.id,
                person_id=person_id,
                kind=kind,
                text="Not my field.",
            )

        skip = say(NoteKind.SKIP, world.ben.id)
        flag = say(NoteKind.FLAG, world.ben.id)
        other = say(NoteKind.OUTSIDE_EXPERTISE, world.ada.id)
        assert notes.standing(connection, comparison.id) == (skip, flag, other)
        notes.withdraw(Unit(connection, at=world.now(), new_id=new_id), skip)

        assert notes.standing(connection, comparison.id) == (flag, other)
        assert notes.standing(connection, comparison.id, person_id=world.ada.id) == (other,)
        assert other.text == "Not my field."


STEPS = st.lists(
    st.sampled_from(["change", "repeat", "finalise", "reopen"]) | st.integers(1, 5), min_size=1, max_size=25
)


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
def test_no_sequence_of_changes_finalisations_and_reopenings_loses_one(
    world: World, steps: list[object]
) -> None:
    review = world.review(world.compare())
    sent: list[Change] = []
    final, versions = False, 0
    for step, number in zip(steps, itertools.count(), strict=False):
        if step == "repeat" and sent:
            assert store(world, review, sent[number % len(sent)]).already
        elif step == "finalise" and not final:
            finalise(world, review, seen=len(sent))
            final, versions = True, versions + 1
        elif step == "reopen" and final:
            world.reopen(review)
            final = False
        elif step not in ("repeat", "finalise", "reopen") and not final:
            change = world.change(SCORE, step if isinstance(step, int) else 3)
            assert store(world, review, change).seq == len(sent) + 1
            sent.append(change)

    assert stored(world, review) == tuple(sent)
    with world.database.read() as connection:
        assert len(finalisations.versions(connection, review.id)) == versions
        assert reviews.is_final(connection, review.id) == final


def test_a_change_is_there_for_another_connection_as_soon_as_it_is_acknowledged(
    world: World, database_url: str
) -> None:
    review = world.review(world.compare())
    store(world, review, world.change(SCORE, 5, id="sent"))

    other = Database.open(database_url)
    with other.read() as connection:
        assert [change.id for change in reviews.changes(connection, review.id)] == ["sent"]
    other.close()

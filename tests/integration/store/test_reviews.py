"""Reviews: nothing that a person says is lost, doubled or reordered."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import strategies as st

from comparator.domain.errors import Conflict
from comparator.domain.scoring.review import Blindness, Change
from comparator.store.core.database import Database
from comparator.store.core.unit import Unit, new_id
from comparator.store.reviewing import finalisations, reviews
from comparator.store.reviewing.finalisations import Finalisation, NewFinalisation
from comparator.store.reviewing.reviews import Review
from tests.worlds.histories.pairs import JudgeId, World, add_change, prose, verdict

SCORE = "score:A:content.correctness"


def store(world: World, review: Review, change: Change) -> None:
    with world.database.write() as connection:
        add_change(Unit(connection, at=world.now()), review.id, change)


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


def test_processes_and_tabs_that_write_at_once_lose_nothing(
    world: World, database_url: str, tmp_path: Path
) -> None:
    comparison = world.compare()
    world.judge(comparison, 5, 3)
    review = world.review(comparison)
    code = (
        "import sys\n"
        "from datetime import datetime, UTC\n"
        "from pathlib import Path\n"
        "from threading import Thread\n"
        "from comparator.domain.scoring.review import Change, ChangeKind, Target\n"
        "from comparator.settings import Settings\n"
        "from comparator.store.core.blobs import BlobStore\n"
        "from comparator.store.core.database import Database\n"
        "from comparator.workflow.review.review import record\n"
        "from comparator.workflow.services import Services\n"
        "url, pair, person, folder, name = sys.argv[1:]\n"
        "services = Services(settings=Settings(home=Path(folder)), database=Database.open(url),\n"
        "                    blobs=BlobStore.at(folder))\n"
        "target = Target.parse('score:A:content.correctness')\n"
        "def tab(letter):\n"
        "    for number in range(10):\n"
        "        change = Change(id=f'{name}{letter}{number}', target=target, kind=ChangeKind.SET, value=3,\n"
        "                        author=person, at=datetime.now(UTC))\n"
        "        record(services, pair, [change], person_id=person)\n"
        "tabs = [Thread(target=tab, args=(letter,)) for letter in 'ab']\n"
        "[each.start() for each in tabs]\n"
        "[each.join() for each in tabs]\n"
        "services.close()\n"
    )

    processes = [
        subprocess.Popen(
            [sys.executable, "-c", code, database_url, comparison.id, review.person_id, str(tmp_path), name],
            stderr=subprocess.PIPE,
            text=True,
        )
        for name in ("x", "y")
    ]
    errors = [process.communicate(timeout=120)[1] for process in processes]

    assert [process.returncode for process in processes] == [0, 0], errors
    ids = [change.id for change in stored(world, review)]
    assert len(ids) == 40
    for tab in ("xa", "xb", "ya", "yb"):
        assert [id for id in ids if id.startswith(tab)] == [f"{tab}{number}" for number in range(10)]


def test_finalising_or_reopening_twice_is_a_conflict(world: World) -> None:
    review = world.review(world.compare())
    with pytest.raises(Conflict, match="open already"):
        world.reopen(review)
    finalise(world, review, seen=0)

    with pytest.raises(Conflict, match="finalised already"):
        finalise(world, review, seen=0)


STEPS = st.lists(
    st.sampled_from(["change", "repeat", "finalise", "reopen"]) | st.integers(1, 5), min_size=1, max_size=25
)


def test_a_change_is_there_for_another_connection_as_soon_as_it_is_acknowledged(
    world: World, database_url: str
) -> None:
    review = world.review(world.compare())
    store(world, review, world.change(SCORE, 5, id="sent"))

    other = Database.open(database_url)
    with other.read() as connection:
        assert [change.id for change in reviews.changes(connection, review.id)] == ["sent"]
    other.close()

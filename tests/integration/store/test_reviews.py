"""Reviews: nothing that a person says is lost, doubled or reordered."""

import subprocess
import sys
from pathlib import Path

from comparator.domain.scoring.review import Change
from comparator.store.core.database import Database
from comparator.store.reviewing import reviews
from comparator.store.reviewing.reviews import Review
from tests.worlds.histories.pairs import World, add_change

SCORE = "score:A:content.correctness"


def store(world: World, review: Review, change: Change) -> None:
    with world.write() as unit:
        add_change(unit, review.id, change)


def stored(world: World, review: Review) -> tuple[Change, ...]:
    with world.database.read() as connection:
        return reviews.changes(connection, review.id)


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
        "        record(services.by(person), pair, [change])\n"
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


def test_a_change_is_there_for_another_connection_as_soon_as_it_is_acknowledged(
    world: World, database_url: str
) -> None:
    review = world.review(world.compare())
    store(world, review, world.change(SCORE, 5, id="sent"))

    other = Database.open(database_url)
    with other.read() as connection:
        assert [change.id for change in reviews.changes(connection, review.id)] == ["sent"]
    other.close()

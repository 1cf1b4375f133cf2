"""Every act that changes something stands in the audit log with who and when."""

import re
from pathlib import Path

from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Database
from comparator.store.people import people
from comparator.store.reviewing.notes import NoteKind
from comparator.workflow.review.review import answer, finalise, record, reopen, undo
from tests.worlds.workbench import Workbench

WRITES = re.compile(r"database\.write\(\)|services\.write\(|\breviewing\(services")


def test_nothing_is_written_but_by_use_cases(repository: Path) -> None:
    # The figures that dashboards read are worked out when they are read; nobody acts.
    figures = {"slices"}
    writing = {
        path.stem
        for room in ("ui", "cli", "reporting")
        for path in (repository / "comparator" / room).rglob("*.py")
        if WRITES.search(path.read_text(encoding="utf-8"))
    }

    assert writing == figures


def test_a_review_leaves_its_acts_in_the_log(database: Database, blobs: BlobStore, tmp_path: Path) -> None:
    workbench = Workbench(database, blobs, tmp_path / "sources")
    comparison_id = workbench.submitted(workbench.pair())
    workbench.judged(comparison_id)
    services, me = workbench.services, workbench.person
    record(services.by(me), comparison_id, [workbench.change("reasoning", "Mine.")])
    undo(services.by(me), comparison_id)
    answer(services.by(me), comparison_id, NoteKind.SKIP, reason="later")
    record(services.by(me), comparison_id, [workbench.change("reasoning", "Mine.")])
    finalise(services.by(me), comparison_id)
    reopen(services.by(me), comparison_id)

    with database.read() as connection:
        noted = [each for each in people.recent_acts(connection) if each.subject_id == comparison_id]

    assert [event.kind for event in reversed(noted)] == [
        "comparison_created",
        "review_changed",
        "review_change_undone",
        "answered",
        "review_changed",
        "review_finalised",
        "review_reopened",
    ]
    assert {event.person_id for event in noted} == {me}
    assert all(event.at for event in noted)

"""Every act that changes something stands in the audit log with who and when."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Database
from comparator.store.people import people
from comparator.store.reviewing.notes import NoteKind
from comparator.workflow.review.review import answer, finalise, record, reopen, undo
from tests.worlds.workbench import Workbench

NOTING = {"authorise", "log", "authorise_batch", "save_settings", "purge_output", "purge_project"}
"""What puts an act into the log."""
NOT_ACTS = {
    "services.write": "opens the transaction of whoever acts",
    "review_state.reviewing": "opens the transaction of whoever reviews",
    "rubrics.store_drafted": "a rubric that a judge drafts, with judge and time in the rubric and its attempts",
    "registry._commit": "what judges answered in a batch, with judge and time; who started the batch is noted",
    "worker._pause_all": "batches that nobody can work at, with the reason in each; no person acts",
    "sign_in.note_seen": "a sign that somebody is at work, which keeps their sign-in from ending",
    "worker.run": "batches are stopped because the queue cannot be used; no person acts",
    "pictures.make_next": "pages that a worker makes of files that somebody submitted; no person acts",
    "settings.delete_bytes": "bytes of what a purge removed; the purge is noted",
    "settings.check_some": "what a check finds in outputs; who added the check is noted",
    "themes.collect": "words that somebody stated before, kept for a draft; who has them read is noted",
    "people.local_person": "the person at this machine is met, not changed",
}


def functions(folder: Path) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield f"{path.stem}.{node.name}", node


def notes(
    name: str, every: dict[str, ast.FunctionDef | ast.AsyncFunctionDef], seen: frozenset[str] = frozenset()
) -> bool:
    """Whether the function notes an act, by itself or by a function of its own module."""
    calls = (node.func for node in ast.walk(every[name]) if isinstance(node, ast.Call))
    names = {getattr(call, "id", getattr(call, "attr", "")) for call in calls}
    module, own = name.split(".")
    inner = ({f"{module}.{other}" for other in names - {own}} & every.keys()) - seen
    return bool(names & NOTING) or any(notes(other, every, seen | {name}) for other in inner)


WRITES = re.compile(r"database\.write\(\)|services\.write\(|\breviewing\(services")


def test_every_use_case_that_writes_notes_who_did_it(repository: Path) -> None:
    rooms = ("workflow", "jobs")
    every = {
        name: function for room in rooms for name, function in functions(repository / "comparator" / room)
    }
    writing = {name for name, function in every.items() if WRITES.search(ast.unparse(function))}

    silent = {
        name
        for name in writing
        if not notes(name, every) and not {name, name.partition(".")[0]} & NOT_ACTS.keys()
    }

    assert len(writing) > 30
    assert not silent


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
        noted = [act for act in people.recent_acts(connection) if act.subject_id == comparison_id]

    assert [event.kind for event in reversed(noted)] == [
        *("comparison_created", "review_changed", "review_change_undone", "answered"),
        *("review_changed", "review_finalised", "review_reopened"),
    ]
    assert {event.person_id for event in noted} == {me}
    assert all(event.at for event in noted)

"""A pair is readable, pictured, judged; its pages are made once, survive a kill, can be stopped and made again."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Coroutine
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
import sqlalchemy as sa

from comparator.domain.errors import NotFound
from comparator.domain.labels import PerOutput
from comparator.jobs.batches import manage_batches, start_batches
from comparator.jobs.upkeep import make_office_pages
from comparator.jobs.worker import Worker
from comparator.outputs.isolated.process import Stopped, Wanted, always
from comparator.outputs.pictures.office.looks import NOT_MADE, NOT_SHOWN
from comparator.outputs.pictures.office.printer import Pages, Printer
from comparator.outputs.view.blinding.redacting import Redactor
from comparator.store import tables
from comparator.store.bulk import office_pages as stored_pages
from comparator.store.bulk import workers
from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Database
from comparator.store.core.unit import Unit
from comparator.store.facts.fact import Status
from comparator.store.judging import judgments
from comparator.store.pairs import comparison_list, comparisons, outputs, page_views
from comparator.store.reviewing import reviews
from comparator.workflow.exporting.comparison_json import provenance_json
from comparator.workflow.judging import office_pages, registry
from comparator.workflow.judging.registry import Ledger
from comparator.workflow.projects import purging
from comparator.workflow.projects.reveal import reveal
from comparator.workflow.review.review import record
from comparator.workflow.review.sheet import NEUTRAL_PICTURES, read_sheet
from tests.integration.workflow.review.test_review import final
from tests.integration.workflow.submit.test_office_pages import PLAIN, STYLED, FixedPrinter, rows_of, views_of
from tests.worlds.files.office_documents import document, par
from tests.worlds.workbench import Workbench

WORKER = "elsewhere:1:test"


class Killed(BaseException):
    """As if the process ended here."""


class Dying(FixedPrinter):
    """Ends the worker at the first files it is given, `deaths` times."""

    def __init__(self, deaths: int) -> None:
        super().__init__()
        self.deaths = deaths

    def pages(self, name: str, data: bytes, redactor: Redactor, *, wanted: Wanted = always) -> Pages:
        if self.deaths:
            self.deaths -= 1
            raise Killed
        return super().pages(name, data, redactor, wanted=wanted)


@pytest.fixture
def workbench(database: Database, tmp_path: Path) -> Workbench:
    return Workbench(database, BlobStore.at(str(tmp_path / "blobs")), tmp_path)


def pair_of(
    workbench: Workbench, a: bytes = PLAIN, b: bytes = STYLED, *, name: str = "pair", **more: str
) -> str:
    folders = []
    for side, data in (("one", a), ("two", b)):
        folders.append(workbench.folder / name / side / "outputs")
        folders[-1].mkdir(parents=True, exist_ok=True)
        (folders[-1] / "report.docx").write_bytes(data)
    return workbench.submitted(PerOutput[Path](A=folders[0], B=folders[1]), **more)  # type: ignore[arg-type] # handed through


def with_printer(workbench: Workbench, printer: object) -> None:
    workbench.services = replace(workbench.services, printer=printer)  # type: ignore[arg-type] # has what is asked of one


def enter(workbench: Workbench, worker: str) -> None:
    with workbench.services.write() as unit:
        registry.join(unit, worker)


def lines_of(workbench: Workbench, comparison_id: str) -> tuple[str, ...]:
    printed = views_of(workbench, comparison_id).A.files[0].printed
    assert printed is not None
    return printed.lines


def project_of(workbench: Workbench, comparison_id: str) -> str:
    with workbench.services.database.read() as connection:
        return comparisons.get(connection, comparison_id).project_id


def test_a_pair_can_be_reviewed_before_its_pages_are_made_and_says_that_they_are_missing(
    workbench: Workbench,
) -> None:
    with_printer(workbench, FixedPrinter())
    comparison_id = pair_of(workbench)

    assert NOT_MADE in lines_of(workbench, comparison_id)
    rows = rows_of(workbench, comparison_id)
    assert all(NOT_MADE in row.notes and row.pages is None for row in (rows.A, rows.B))
    sheet = read_sheet(workbench.services, comparison_id, person_id=workbench.person)
    assert sheet.seen == 0
    assert [file.pages for file in sheet.files] == [None, None]


def test_a_pair_gets_its_pages_under_the_same_file_ids_and_what_it_was_stays_known(
    workbench: Workbench,
) -> None:
    with_printer(workbench, FixedPrinter())
    comparison_id = pair_of(workbench)
    before, rows = views_of(workbench, comparison_id), rows_of(workbench, comparison_id)

    assert office_pages.make_next(workbench.services, worker=WORKER)

    after = rows_of(workbench, comparison_id)
    assert (after.A.id, after.B.id) == (rows.A.id, rows.B.id)
    assert after.A.pages
    assert after.B.pages
    assert after.A.digest != after.B.digest
    with workbench.services.database.read() as connection:
        view_id = comparisons.get(connection, comparison_id).view_a
        digests = page_views.digests_seen(connection, view_id)
        assert outputs.get_view(connection, view_id).digest == views_of(workbench, comparison_id).A.digest
    assert digests == {0: before.A.digest, 1: views_of(workbench, comparison_id).A.digest}
    assert not office_pages.make_next(workbench.services, worker=WORKER)


def test_the_judge_waits_for_the_pages_and_judges_the_view_that_has_them(workbench: Workbench) -> None:
    with_printer(workbench, FixedPrinter())
    comparison_id = pair_of(workbench)

    assert workbench.judged(comparison_id).complete

    views = views_of(workbench, comparison_id)
    assert views.A.files[0].printed is not None
    assert views.A.files[0].printed.pages
    with workbench.services.database.read() as connection:
        attempts = judgments.attempts(connection, comparison_id)
        stored = connection.execute(sa.select(tables.judgment.c.view_a_digest)).scalars().all()
    assert attempts
    assert set(stored) == {views.A.digest}


@pytest.mark.slow
def test_a_batch_judges_a_pair_only_once_its_pages_are_made(workbench: Workbench) -> None:
    printer = FixedPrinter()
    with_printer(workbench, printer)
    ids = [pair_of(workbench, document(par(f"Report {n}")), name=f"pair{n}") for n in range(3)]
    project = project_of(workbench, ids[0])
    request = start_batches.BatchRequest(project_id=project, kind="offline")
    batch = start_batches.start(workbench.services, request, person_id=workbench.person)

    asyncio.run(Worker(workbench.services, idle_seconds=0.0).run())

    assert manage_batches.report(workbench.services, batch.id).counts.done == 3
    with workbench.services.database.read() as connection:
        digests = set(connection.execute(sa.select(tables.judgment.c.view_a_digest)).scalars())
        assert {comparison_list.status(connection, each) for each in ids} == {Status.TO_REVIEW}
    assert digests == {views_of(workbench, each).A.digest for each in ids}
    assert printer.made == 6
    assert office_pages.progress(workbench.services, project_id=project).made == 3


def test_a_score_names_the_view_that_its_author_saw(workbench: Workbench) -> None:
    with_printer(workbench, FixedPrinter())
    comparison_id = pair_of(workbench)
    workbench.judged(comparison_id)
    sheet = read_sheet(workbench.services, comparison_id, person_id=workbench.person)
    late = workbench.change(f"score:A:{sheet.paths[0]}", 4, reason="seen")
    early = workbench.change(f"score:B:{sheet.paths[0]}", 2, reason="read")

    record(workbench.services, comparison_id, [late], person_id=workbench.person)
    record(workbench.services, comparison_id, [early], person_id=workbench.person, seen=0)

    with workbench.services.database.read() as connection:
        (review,) = reviews.of_comparison(connection, comparison_id)
        assert [change.seen for change in reviews.changes(connection, review.id)] == [1, 0]
    told = json.loads(provenance_json(workbench.services, comparison_id))
    assert [change["seen"] for change in told["reviews"][0]["changes"]] == [1, 0]
    assert told["views"]["A"]["digests"].keys() == {"0", "1"}
    assert told["views"]["A"]["digests"]["1"] == told["views"]["A"]["digest"]


def test_what_a_killed_worker_was_at_is_made_by_another_and_at_the_third_death_it_stays_text(
    workbench: Workbench,
) -> None:
    dying = Dying(deaths=1)
    with_printer(workbench, dying)
    comparison_id = pair_of(workbench)
    enter(workbench, WORKER)
    with pytest.raises(Killed):
        office_pages.make_next(workbench.services, worker=WORKER)
    assert not office_pages.make_next(workbench.services, worker="elsewhere:2:test"), (
        "the first may still be at it"
    )

    later = workbench.services.now() + timedelta(hours=1)
    workbench.services = replace(workbench.services, now=lambda: later)
    assert office_pages.make_next(workbench.services, worker="elsewhere:2:test")
    assert rows_of(workbench, comparison_id).A.pages

    dying.deaths = 100
    office_pages.make_again(
        workbench.services, project_id=project_of(workbench, comparison_id), person_id=workbench.person
    )
    for hour in range(2, 6):
        at = later + timedelta(hours=hour)
        workbench.services = replace(
            workbench.services, now=partial(datetime.fromtimestamp, at.timestamp(), UTC)
        )
        with contextlib.suppress(Killed):
            office_pages.make_next(workbench.services, worker=f"elsewhere:{hour}:test")
    assert any("making pages was interrupted 3 times" in line for line in lines_of(workbench, comparison_id))
    assert rows_of(workbench, comparison_id).A.pages is rows_of(workbench, comparison_id).B.pages is None


def test_what_a_killed_worker_of_this_machine_was_at_is_made_by_the_next_one_at_once(
    workbench: Workbench,
) -> None:
    with_printer(workbench, Dying(deaths=1))
    comparison_id = pair_of(workbench)
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        ended.wait()
    killed = f"{socket.gethostname()}:{ended.pid}:x:y"
    enter(workbench, killed)
    with pytest.raises(Killed):
        office_pages.make_next(workbench.services, worker=killed)

    async def make_next() -> None:
        async with registry.Membership(workbench.services) as me:
            await asyncio.to_thread(office_pages.make_next, workbench.services, worker=me.id)

    asyncio.run(make_next())

    assert rows_of(workbench, comparison_id).A.pages
    with workbench.services.database.read() as connection:
        assert workers.entered(connection) == ()
        assert connection.execute(sa.select(tables.lease)).all() == []


def test_a_pair_that_a_living_worker_cannot_read_is_tried_again_after_a_while(
    workbench: Workbench, tmp_path: Path
) -> None:
    with_printer(workbench, FixedPrinter())
    comparison_id = pair_of(workbench)
    services, now = workbench.services, workbench.services.now()
    enter(workbench, WORKER)
    with pytest.raises(NotFound):
        office_pages.make_next(
            replace(services, now=lambda: now, blobs=BlobStore.at(str(tmp_path / "away"))), worker=WORKER
        )

    soon = replace(services, now=lambda: now + timedelta(seconds=20))
    later = replace(services, now=lambda: now + timedelta(seconds=31))
    with soon.write() as unit:
        workers.beat(unit, WORKER)

    assert not office_pages.make_next(soon, worker=WORKER)
    assert not office_pages.make_next(later, worker="elsewhere:2:test"), "it may be at it"
    assert office_pages.make_next(later, worker=WORKER)
    assert rows_of(workbench, comparison_id).A.pages


@pytest.mark.slow
def test_stopped_pages_are_counted_and_the_judge_is_told_that_it_has_the_text_only(
    workbench: Workbench,
) -> None:
    printer = FixedPrinter()
    with_printer(workbench, printer)
    ids = [pair_of(workbench, document(par(f"Report {n}")), name=f"pair{n}") for n in range(3)]
    project = project_of(workbench, ids[0])
    office_pages.make_next(workbench.services, worker=WORKER)

    assert office_pages.progress(workbench.services, project_id=project).waiting == 2
    assert office_pages.stop(workbench.services, project_id=project, person_id=workbench.person) == 2

    counts = office_pages.progress(workbench.services, project_id=project)
    assert (counts.made, counts.waiting, counts.text, counts.total) == (1, 0, 2, 3)
    assert all(workbench.judged(each).complete for each in ids)
    assert printer.made == 2
    assert sum(NOT_MADE in lines_of(workbench, each) for each in ids) == 2


def test_a_stop_ends_what_is_being_made_and_does_not_wait_for_it(workbench: Workbench) -> None:
    begun = threading.Event()

    class Long(FixedPrinter):
        def pages(self, name: str, data: bytes, redactor: Redactor, *, wanted: Wanted = always) -> Pages:
            begun.set()
            for _ in range(600):
                if not wanted():
                    raise Stopped
                time.sleep(0.05)
            return super().pages(name, data, redactor, wanted=wanted)

    with_printer(workbench, Long())
    comparison_id = pair_of(workbench)
    thread = threading.Thread(target=partial(office_pages.make_next, workbench.services, worker=WORKER))
    thread.start()
    assert begun.wait(10)
    office_pages.stop(
        workbench.services, project_id=project_of(workbench, comparison_id), person_id=workbench.person
    )
    thread.join(10)

    assert not thread.is_alive()
    assert office_pages.progress(workbench.services).text == 1
    assert NOT_MADE in lines_of(workbench, comparison_id)


@pytest.mark.parametrize("who", ["worker", "judge"])
def test_what_one_is_at_who_is_cancelled_waits_for_others_and_does_not_count_as_a_try(
    workbench: Workbench, who: str
) -> None:
    begun = threading.Event()

    class Endless(FixedPrinter):
        def pages(self, name: str, data: bytes, redactor: Redactor, *, wanted: Wanted = always) -> Pages:
            begun.set()
            while wanted():
                time.sleep(0.05)
            raise Stopped

    async def end_while_at_it() -> None:
        ledger = Ledger(services)
        work: dict[str, Callable[[], Coroutine[None, None, object]]] = {
            "worker": lambda: make_office_pages(services, ledger, worker=WORKER, on_made=lambda: None),
            "judge": lambda: workbench.judge(comparison_id),
        }
        task = asyncio.create_task(work[who]())
        assert await asyncio.to_thread(begun.wait, 10)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        ledger.close()

    with_printer(workbench, Endless())
    services, comparison_id = workbench.services, pair_of(workbench)

    # It waits for its threads.
    asyncio.run(end_while_at_it())

    with services.database.read() as connection:
        assert connection.execute(
            sa.select(tables.office_pages.c.state, tables.office_pages.c.tries)
        ).all() == [("waiting", 0)]
        assert connection.execute(sa.select(tables.lease)).all() == []


def test_a_converter_installed_later_changes_nothing_until_pages_are_asked_for_again(
    workbench: Workbench, tmp_path: Path
) -> None:
    with_printer(workbench, Printer(tmp_path / "printer", soffice="off"))
    comparison_id = pair_of(workbench)
    workbench.judged(comparison_id)
    before = views_of(workbench, comparison_id)
    with_printer(workbench, FixedPrinter())

    assert not office_pages.make_next(workbench.services, worker=WORKER)
    assert pair_of(workbench) == comparison_id
    assert not office_pages.make_next(workbench.services, worker=WORKER)
    assert views_of(workbench, comparison_id) == before
    assert NOT_SHOWN in lines_of(workbench, comparison_id)

    project = project_of(workbench, comparison_id)
    assert office_pages.make_again(workbench.services, project_id=project, person_id=workbench.person) == 1
    assert office_pages.make_next(workbench.services, worker=WORKER)
    assert rows_of(workbench, comparison_id).A.pages
    with workbench.services.database.read() as connection:
        assert comparison_list.status(connection, comparison_id) is Status.TO_JUDGE
        digests = page_views.digests_seen(connection, comparisons.get(connection, comparison_id).view_a)
        assert judgments.attempts(connection, comparison_id)
    assert digests[0] == before.A.digest


@pytest.mark.slow
def test_after_the_reveal_pages_that_keep_neutral_words_say_so(workbench: Workbench) -> None:
    with_printer(workbench, FixedPrinter())
    comparison_id = workbench.pictured(pair_of(workbench, document(par("By zebrafinch-prompt, in short"))))
    assert workbench.judged(comparison_id).complete
    before = read_sheet(workbench.services, comparison_id, person_id=workbench.person).files

    final(workbench, comparison_id)
    reveal(workbench.services, comparison_id, person_id=workbench.person)
    after = read_sheet(workbench.services, comparison_id, person_id=workbench.person).files

    assert not any(NEUTRAL_PICTURES in file.notes for file in before)
    assert [NEUTRAL_PICTURES in file.notes for file in after] == [True, False]


def test_a_purged_output_leaves_no_pages_no_earlier_view_and_no_print_job_behind(
    workbench: Workbench,
) -> None:
    with_printer(workbench, FixedPrinter())
    comparison_id = workbench.pictured(pair_of(workbench))
    held = [rows_of(workbench, comparison_id).A.pages, rows_of(workbench, comparison_id).A.blob]
    project = project_of(workbench, comparison_id)
    office_pages.make_again(workbench.services, project_id=project, person_id=workbench.person)
    workbench.pictured(comparison_id)

    purging.purge_project(workbench.services, project, reason="test", person_id=workbench.person)

    with workbench.services.database.read() as connection:
        for table in (tables.office_pages, tables.view, tables.view_file, tables.blob):
            assert connection.execute(sa.select(sa.func.count()).select_from(table)).scalar() == 0, table.name
    for blob in held:
        assert blob is not None
        assert not workbench.services.blobs.exists(blob)


def test_one_of_two_that_take_a_pair_at_once_gets_it(workbench: Workbench) -> None:
    with_printer(workbench, FixedPrinter())
    pair_of(workbench)
    at = workbench.services.now()

    def take(worker: str) -> bool:
        enter(workbench, worker)
        with workbench.services.database.write() as connection:
            found = stored_pages.take(Unit(connection, at=at), worker=worker)
        return found is not None

    assert [take("a:1:x"), take("b:2:x")] == [True, False]

"""A pair is readable, pictured, judged; its pages are made once, survive a kill, can be stopped and made again."""

import asyncio
import contextlib
import socket
import subprocess
import sys
import threading
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
import sqlalchemy as sa

from comparator.domain.labels import PerOutput
from comparator.jobs import manage_batches, start_batches
from comparator.jobs.worker import Worker
from comparator.outputs.isolated.messages import Pages
from comparator.outputs.isolated.process import Stopped, Wanted, always
from comparator.outputs.pictures.office.looks import NOT_MADE
from comparator.outputs.view.redacting import Redactor
from comparator.store import tables
from comparator.store.bulk import leases
from comparator.store.bulk import office_pages as stored_pages
from comparator.store.bulk.batches import BatchRequest
from comparator.store.facts.fact import Status
from comparator.store.judging import judgments
from comparator.store.pairs import comparison_list
from comparator.workflow.judging import office_pages, registry
from comparator.workflow.projects import settings
from tests.integration.workflow.submit.test_office_pages import PLAIN, STYLED, FixedPrinter, rows_of
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
    printed = workbench.views(comparison_id).A.files[0].printed
    assert printed is not None
    return printed.lines


def test_a_pair_can_be_reviewed_before_its_pages_are_made_and_says_that_they_are_missing(
    workbench: Workbench,
) -> None:
    with_printer(workbench, FixedPrinter())
    comparison_id = pair_of(workbench)

    assert NOT_MADE in lines_of(workbench, comparison_id)
    rows = rows_of(workbench, comparison_id)
    assert all(NOT_MADE in row.notes and row.pages is None for row in (rows.A, rows.B))
    sheet = workbench.sheet(comparison_id)
    assert sheet.seen == 0
    assert [file.pages for file in sheet.files] == [None, None]


def test_the_judge_waits_for_the_pages_and_judges_the_view_that_has_them(workbench: Workbench) -> None:
    with_printer(workbench, FixedPrinter())
    comparison_id = pair_of(workbench)

    assert workbench.judged(comparison_id).complete

    views = workbench.views(comparison_id)
    assert views.A.files[0].printed is not None
    assert views.A.files[0].printed.pages
    with workbench.services.database.read() as connection:
        attempts = judgments.tries(connection, comparison_id, judgments.Attempt)
        stored = connection.execute(sa.select(tables.judgment.c.view_a_digest)).scalars().all()
    assert attempts
    assert set(stored) == {views.A.digest}


@pytest.mark.slow
def test_a_batch_judges_a_pair_only_once_its_pages_are_made(workbench: Workbench) -> None:
    printer = FixedPrinter()
    with_printer(workbench, printer)
    ids = [pair_of(workbench, document(par(f"Report {n}")), name=f"pair{n}") for n in range(3)]
    project = workbench.sheet(ids[0]).project_id
    request = BatchRequest(project_id=project, judge="offline")
    batch = start_batches.start(workbench.me, request)

    asyncio.run(Worker(workbench.services, idle_seconds=0.0).run())

    assert manage_batches.report(workbench.services, batch.id).counts.done == 3
    with workbench.services.database.read() as connection:
        digests = set(connection.execute(sa.select(tables.judgment.c.view_a_digest)).scalars())
        assert {comparison_list.status(connection, each) for each in ids} == {Status.TO_REVIEW}
    assert digests == {workbench.views(each).A.digest for each in ids}
    assert printer.made == 6
    assert office_pages.progress(workbench.services)[project].made == 3


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
    office_pages.make_again(workbench.me, project_id=workbench.sheet(comparison_id).project_id)
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
        assert leases.entered(connection) == ()
        assert connection.execute(sa.select(tables.lease)).all() == []


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
    office_pages.stop(workbench.me, project_id=workbench.sheet(comparison_id).project_id)
    thread.join(10)

    assert not thread.is_alive()
    assert sum(each.text for each in office_pages.progress(workbench.services).values()) == 1
    assert NOT_MADE in lines_of(workbench, comparison_id)


def test_a_purged_output_leaves_no_pages_no_earlier_view_and_no_print_job_behind(
    workbench: Workbench,
) -> None:
    with_printer(workbench, FixedPrinter())
    comparison_id = workbench.pictured(pair_of(workbench))
    held = [rows_of(workbench, comparison_id).A.pages, rows_of(workbench, comparison_id).A.blob]
    project = workbench.sheet(comparison_id).project_id
    office_pages.make_again(workbench.me, project_id=project)
    workbench.pictured(comparison_id)

    settings.purge_project(workbench.me, project, reason="test")

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
        with workbench.services.write(at=at) as unit:
            found = stored_pages.take(unit, worker=worker)
        return found is not None

    assert [take("a:1:x"), take("b:2:x")] == [True, False]

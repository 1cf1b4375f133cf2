"""Office files of a pair: pages on both sides or on neither, for judge and reviewer, kept as they were judged."""

import asyncio
import base64
import contextlib
import io
import json
import re
import threading
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from PIL import Image, ImageChops

from comparator.domain.labels import Label, PerOutput
from comparator.domain.pair.view import ImageBlock
from comparator.jobs import start_batches
from comparator.jobs.worker import Worker
from comparator.outputs.isolated.messages import PageImage, Pages
from comparator.outputs.isolated.process import Stopped, Wanted, always
from comparator.outputs.limits import OutputBudget
from comparator.outputs.pictures.office.looks import NOT_MADE
from comparator.outputs.pictures.office.printer import Converter, NotConverted, Printer
from comparator.outputs.view.pairing import pair_files
from comparator.outputs.view.redacting import Redactor
from comparator.store import tables
from comparator.store.bulk.batches import BatchRequest
from comparator.store.facts.fact import Status
from comparator.store.pairs import comparison_list, comparisons, outputs
from comparator.store.pairs.outputs import FileRow
from comparator.web.media.files import StoredMedia
from comparator.workflow import pictures
from comparator.workflow.exporting.comparison_json import result_json
from comparator.workflow.judging import registry
from comparator.workflow.projects import settings
from comparator.workflow.review.review import finalise, record
from tests.loopback.server import LoopbackServer
from tests.worlds.files.office_documents import box, deck, document, par, png, table
from tests.worlds.judging.judges import judge_at
from tests.worlds.workbench import Workbench

ROWS = [["Name", "Sum"], ["x", "1"]]
PLAIN = document(par("Report") + table(ROWS))
STYLED = document(par("Report", properties='<w:jc w:val="center"/>') + table(ROWS, fill="FFFF00"))


class FixedPrinter:
    """Pages without a converter: `pages` of `pdf` for every file, an error for those that hold `broken`."""

    converter = Converter("/bin/true")

    def __init__(self, *, pages: int = 1, pdf: bytes = b"", broken: bytes = b"\0none") -> None:
        self._pages, self._pdf, self._broken = pages, pdf, broken
        self.conversions = 0

    def modern(self, name: str, data: bytes) -> bytes:
        return data

    def pages(self, name: str, data: bytes, redactor: Redactor, *, wanted: Wanted = always) -> Pages:
        self.conversions += 1
        if self._broken in data:
            raise NotConverted("It has a fault.")
        images = tuple(
            PageImage(n, ImageBlock(media_type="image/png", data=png("white"), caption=f"page {n}"))
            for n in range(1, self._pages + 1)
        )
        return Pages(self._pdf or b"%PDF " + data[-40:], self._pages, images, ())


def with_printer(workbench: Workbench, printer: Any, **changes: Any) -> None:
    workbench.services = replace(workbench.services, printer=printer, **changes)


def pair_of(workbench: Workbench, a: bytes = PLAIN, b: bytes = STYLED, *, name: str = "report.docx") -> str:
    """The id of a comparison of two Office files whose pages are not made yet."""
    first, second = workbench.file(f"one/{name}", a), workbench.file(f"two/{name}", b)
    return workbench.submitted(PerOutput[Path](A=first.parent, B=second.parent))


def rows_of(workbench: Workbench, comparison_id: str) -> PerOutput[FileRow]:
    with workbench.services.database.read() as connection:
        comparison = comparisons.get(connection, comparison_id)
        return PerOutput[str](A=comparison.view_a, B=comparison.view_b).map(
            lambda view: outputs.list_files(connection, view)[0]
        )


BESIDE, OVER = (box(left, 2, fill="0000FF", words="Peak", text="FFFFFF") for left in (7.6, 4.2))


@pytest.mark.slow
@pytest.mark.timeout(240)
@pytest.mark.parametrize(
    ("name", "a", "b", "colour"),
    [
        ("report.docx", PLAIN, STYLED, (255, 255, 0)),
        ("slides.pptx", deck([BESIDE], chart=True), deck([OVER], chart=True), (0, 0, 255)),
    ],
    ids=["a report", "slides with a callout beside or over the chart"],
)
def test_a_task_of_office_files_goes_from_the_outputs_to_the_exported_result(
    workbench: Workbench, model: LoopbackServer, soffice_path: str, tmp_path: Path,
    name: str, a: bytes, b: bytes, colour: tuple[int, int, int],
) -> None:  # fmt: skip
    with_printer(workbench, Printer(tmp_path / "printer", converter=Converter(soffice_path)))
    comparison_id = workbench.pictured(pair_of(workbench, a, b, name=name))
    assert workbench.judged(comparison_id, judge_at(model)).complete

    # What the judge was sent: the same text, in other looks.
    content = model.messages[-1].body["messages"][0]["content"]
    text = "\n".join(block["text"] for block in content if block["type"] == "text")
    assert len(re.findall(r"Picture of (?:page|slide) 1:", text)) == 2
    pictures = [
        Image.open(io.BytesIO(base64.b64decode(block["source"]["data"]))).convert("RGB")
        for block in content
        if block["type"] == "image"
    ]
    boxes = [_box_of(picture, colour) for picture in pictures]
    assert len(boxes) == 2
    assert boxes[0] != boxes[1]

    # What the reviewer is shown, says, and gets out.
    sheet = workbench.sheet(comparison_id)
    assert all(file.pages for file in sheet.files)
    a_row, b_row = rows_of(workbench, comparison_id).A, rows_of(workbench, comparison_id).B
    (pair,) = pair_files([a_row], [b_row])
    assert (pair.identical, pair.same_text) == (False, True)
    served = StoredMedia(workbench.services)
    pages, copy = served.file(f"{a_row.id}.pages"), served.file(a_row.id)
    assert pages is not None
    assert copy is not None
    assert (pages.media_type, copy.media_type) == ("application/pdf", "text/html")
    assert served.blob(pages.blob).startswith(b"%PDF")
    changes = [workbench.change(f"score:{label}:{path}", 4) for path in sheet.paths for label in "AB"]
    changes += [
        workbench.change(f"expectation:{label}:{index}", True)
        for index, _ in enumerate(sheet.expectations)
        for label in "AB"
    ]
    record(workbench.me, comparison_id, changes)
    finalise(workbench.me, comparison_id)
    result = json.loads(result_json(workbench.me, comparison_id))
    assert result["output_quality"]["A"]["score"] == 8


def _box_of(picture: Image.Image, colour: tuple[int, int, int]) -> tuple[int, int, int, int] | None:
    apart = ImageChops.difference(picture, Image.new("RGB", picture.size, colour)).convert("L")
    return apart.point([255] * 12 + [0] * 244).getbbox()


def test_where_one_cannot_be_printed_neither_is_and_both_say_so(workbench: Workbench) -> None:
    broken = document(par("Report") + par("BROKEN") + table(ROWS))
    with_printer(workbench, FixedPrinter(broken=broken[:2000]))
    comparison_id = workbench.pictured(pair_of(workbench, PLAIN, broken))
    views, rows = workbench.views(comparison_id), rows_of(workbench, comparison_id)

    (lines,) = {views[label].files[0].printed.lines for label in Label}  # type: ignore[union-attr]
    assert "shown by their text on both sides" in lines[0]
    assert "It has a fault." in lines[0]
    assert rows.A.pages is rows.B.pages is None
    assert all(lines[0] in rows[label].notes for label in Label)


def test_a_converter_that_comes_later_changes_nothing_judged(workbench: Workbench, tmp_path: Path) -> None:
    with_printer(workbench, Printer(tmp_path / "printer", soffice="off"))
    first = workbench.pictured(pair_of(workbench))
    before = workbench.views(first)
    with_printer(workbench, FixedPrinter())

    assert workbench.pictured(pair_of(workbench)) == first
    assert workbench.views(first) == before


@pytest.mark.parametrize(("pages", "pictured"), [(3, 3), (30, 8)])
def test_as_many_pages_of_each_output_are_pictured(workbench: Workbench, pages: int, pictured: int) -> None:
    with_printer(workbench, FixedPrinter(pages=pages), output_budget=OutputBudget(images=8))

    views = workbench.views(workbench.pictured(pair_of(workbench)))
    for view in (views.A, views.B):
        printed = view.files[0].printed
        assert printed is not None
        assert len(printed.pages) == pictured
        note = f"The judge is given pictures of the first 8 of its {pages} pages."
        assert (note in printed.lines) == (pages > pictured)


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


def lines_of(workbench: Workbench, comparison_id: str) -> tuple[str, ...]:
    printed = workbench.views(comparison_id).A.files[0].printed
    assert printed is not None
    return printed.lines


def test_a_pair_can_be_reviewed_before_its_pages_are_made_and_says_so(workbench: Workbench) -> None:
    with_printer(workbench, FixedPrinter())
    comparison_id = pair_of(workbench)

    assert NOT_MADE in lines_of(workbench, comparison_id)
    rows = rows_of(workbench, comparison_id)
    assert all(NOT_MADE in row.notes and row.pages is None for row in (rows.A, rows.B))
    assert [file.pages for file in workbench.sheet(comparison_id).files] == [None, None]


def test_a_batch_waits_for_the_pages_and_judges_the_view_that_has_them(workbench: Workbench) -> None:
    printer = FixedPrinter()
    with_printer(workbench, printer)
    comparison_id = pair_of(workbench)
    project = workbench.sheet(comparison_id).project_id
    start_batches.start(workbench.me, BatchRequest(project_id=project, judge="offline"))

    asyncio.run(Worker(workbench.services, idle_seconds=0.0).run())

    views = workbench.views(comparison_id)
    assert views.A.files[0].printed is not None
    assert views.A.files[0].printed.pages
    with workbench.services.database.read() as connection:
        stored = connection.execute(sa.select(tables.judgment.c.view_a_digest)).scalars().all()
        assert comparison_list.line(connection, comparison_id).status is Status.TO_REVIEW
    assert set(stored) == {views.A.digest}
    assert (printer.conversions, pictures.progress(workbench.services)[project].made) == (2, 1)


def test_what_a_killed_worker_was_at_another_makes_until_the_third_death(workbench: Workbench) -> None:
    dying = Dying(deaths=1)
    with_printer(workbench, dying)
    comparison_id = pair_of(workbench)
    with workbench.services.write() as unit:
        registry.join(unit, WORKER)
    with pytest.raises(Killed):
        pictures.make_next(workbench.services, worker=WORKER)
    # The first may still be at it.
    assert not pictures.make_next(workbench.services, worker="elsewhere:2:test")

    later = workbench.services.now() + timedelta(hours=1)
    workbench.services = replace(workbench.services, now=lambda: later)
    assert pictures.make_next(workbench.services, worker="elsewhere:2:test")
    assert rows_of(workbench, comparison_id).A.pages

    dying.deaths = 100
    pictures.make_again(workbench.me, project_id=workbench.sheet(comparison_id).project_id)
    for hour in range(2, 6):
        at = later + timedelta(hours=hour)
        workbench.services = replace(
            workbench.services, now=partial(datetime.fromtimestamp, at.timestamp(), UTC)
        )
        with contextlib.suppress(Killed):
            pictures.make_next(workbench.services, worker=f"elsewhere:{hour}:test")
    assert any("making pages was interrupted 3 times" in line for line in lines_of(workbench, comparison_id))
    assert rows_of(workbench, comparison_id).A.pages is rows_of(workbench, comparison_id).B.pages is None


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
    thread = threading.Thread(target=partial(pictures.make_next, workbench.services, worker=WORKER))
    thread.start()
    assert begun.wait(10)
    pictures.stop(workbench.me, project_id=workbench.sheet(comparison_id).project_id)
    thread.join(10)

    assert not thread.is_alive()
    assert sum(state.text for state in pictures.progress(workbench.services).values()) == 1
    assert NOT_MADE in lines_of(workbench, comparison_id)


def test_a_purged_output_leaves_no_pages_no_earlier_view_and_no_print_job(workbench: Workbench) -> None:
    with_printer(workbench, FixedPrinter())
    comparison_id = workbench.pictured(pair_of(workbench))
    held = [rows_of(workbench, comparison_id).A.pages, rows_of(workbench, comparison_id).A.blob]
    project = workbench.sheet(comparison_id).project_id
    pictures.make_again(workbench.me, project_id=project)
    workbench.pictured(comparison_id)

    settings.purge_project(workbench.me, project, reason="test")

    with workbench.services.database.read() as connection:
        for table in (tables.office_pages, tables.view, tables.view_file, tables.blob):
            assert connection.execute(sa.select(sa.func.count()).select_from(table)).scalar() == 0, table.name
    for blob in held:
        assert blob is not None
        assert not workbench.services.blobs.exists(blob)

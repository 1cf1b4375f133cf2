"""Office files of a pair: pages on both sides or on neither, for judge and reviewer, kept as they were judged."""

import base64
import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageChops

from comparator.domain.labels import Label, PerOutput
from comparator.domain.pair.view import ImageBlock, OutputView
from comparator.judges.model.judge import AnthropicJudge
from comparator.judges.model.sender import AnthropicOptions
from comparator.outputs.isolated.messages import PageImage, Pages
from comparator.outputs.isolated.process import Wanted, always
from comparator.outputs.limits import OutputBudget
from comparator.outputs.pictures.office.printer import Converter, NotConverted, Printer
from comparator.outputs.view.pairing import pair_files
from comparator.outputs.view.redacting import Redactor
from comparator.store.pairs import comparisons, outputs
from comparator.store.pairs.outputs import FileRow
from comparator.web.media.files import StoredMedia
from comparator.workflow.exporting.comparison_json import result_json
from comparator.workflow.review.review import finalise, record
from tests.loopback.server import LoopbackServer
from tests.worlds.files.office_documents import box, deck, document, par, png, table
from tests.worlds.workbench import Workbench

ROWS = [["Name", "Sum"], ["x", "1"]]
PLAIN = document(par("Report") + table(ROWS))
STYLED = document(par("Report", properties='<w:jc w:val="center"/>') + table(ROWS, fill="FFFF00"))


class FixedPrinter:
    """Pages without a converter: `pages` for every file, an error for those that hold `broken`."""

    converter = Converter("/bin/true")

    def __init__(self, *, pages: int = 1, broken: bytes = b"\0none") -> None:
        self._pages, self._broken = pages, broken
        self.made = 0

    def modern(self, name: str, data: bytes) -> bytes:
        return data

    def pages(self, name: str, data: bytes, redactor: Redactor, *, wanted: Wanted = always) -> Pages:
        self.made += 1
        if self._broken in data:
            raise NotConverted("It has a fault.")
        images = tuple(
            PageImage(n, ImageBlock(media_type="image/png", data=png("white"), caption=f"page {n}"))
            for n in range(1, self._pages + 1)
        )
        return Pages(b"%PDF " + data[-40:], self._pages, images, ())


def submitted(
    workbench: Workbench, a: bytes, b: bytes, *, printer: Any, name: str = "report.docx", **changes: Any
) -> str:
    workbench.services = replace(
        workbench.services, printer=printer, **{k: v for k, v in changes.items() if k == "output_budget"}
    )
    folders = []
    for side, data in (("one", a), ("two", b)):
        folder = workbench.folder / side / "outputs"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
        folders.append(folder)
    pair = PerOutput[Path](A=folders[0], B=folders[1])
    return workbench.pictured(
        workbench.submitted(pair, **{k: v for k, v in changes.items() if k != "output_budget"})
    )


def sides(views: PerOutput[OutputView]) -> tuple[OutputView, OutputView]:
    return views.A, views.B


def rows_of(workbench: Workbench, comparison_id: str) -> PerOutput[FileRow]:
    with workbench.services.database.read() as connection:
        found = comparisons.get(connection, comparison_id)
        return PerOutput[str](A=found.view_a, B=found.view_b).map(
            lambda view: outputs.list_files(connection, view)[0]
        )


@pytest.mark.slow
@pytest.mark.timeout(180)
def test_two_reports_of_the_same_words_are_not_the_same_and_the_judge_sees_why(
    workbench: Workbench, model: LoopbackServer, soffice_path: str, tmp_path: Path
) -> None:
    printer = Printer(tmp_path / "printer", converter=Converter(soffice_path))
    comparison_id = submitted(workbench, PLAIN, STYLED, printer=printer)
    options = AnthropicOptions(base_url=model.base_url, retries=0)

    outcome = workbench.judged(
        comparison_id, AnthropicJudge(options, environment={"ANTHROPIC_API_KEY": "sk-x"})
    )

    assert outcome.complete, outcome.problem
    for request in model.messages[1:]:
        content = request.body["messages"][0]["content"]
        pictures = [
            Image.open(io.BytesIO(base64.b64decode(b["source"]["data"])))
            for b in content
            if b["type"] == "image"
        ]
        coloured = [
            (255, 255, 0) in {c for _, c in p.convert("RGB").getcolors(1 << 24) or []} for p in pictures
        ]
        assert sorted(coloured) == [False, True]
        text = "\n".join(block["text"] for block in content if block["type"] == "text")
        assert text.count("Picture of page 1:") == 2
    a, b = rows_of(workbench, comparison_id).A, rows_of(workbench, comparison_id).B
    (pair,) = pair_files([a], [b])
    assert not pair.identical
    assert pair.same_text
    served = StoredMedia(workbench.services)
    pages = served.file(f"{a.id}.pages")
    assert pages is not None
    assert pages.media_type == "application/pdf"
    assert served.blob(pages.blob).startswith(b"%PDF")
    content_copy = served.file(a.id)
    assert content_copy is not None
    assert content_copy.media_type == "text/html"


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
    printer = Printer(tmp_path / "printer", converter=Converter(soffice_path))
    comparison_id = submitted(workbench, a, b, printer=printer, name=name)
    options = AnthropicOptions(base_url=model.base_url, retries=0)
    judge = AnthropicJudge(options, environment={"ANTHROPIC_API_KEY": "sk-x"})
    assert workbench.judged(comparison_id, judge).complete

    # What the judge was sent: the same text, in other looks.
    content = model.messages[-1].body["messages"][0]["content"]
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
    printer = FixedPrinter(broken=broken[:2000])
    comparison_id = submitted(workbench, PLAIN, broken, printer=printer)
    views, rows = workbench.views(comparison_id), rows_of(workbench, comparison_id)

    lines = {views[label].files[0].printed.lines for label in Label}  # type: ignore[union-attr]
    assert len(lines) == 1
    assert "shown by their text on both sides" in next(iter(lines))[0]
    assert "It has a fault." in next(iter(lines))[0]
    assert rows.A.pages is None
    assert rows.B.pages is None
    assert all(next(iter(lines))[0] in rows[label].notes for label in Label)


def test_a_converter_that_comes_later_does_not_change_what_was_judged(
    workbench: Workbench, tmp_path: Path
) -> None:
    first = submitted(workbench, PLAIN, STYLED, printer=Printer(tmp_path / "printer", soffice="off"))
    before = workbench.views(first)
    again = submitted(workbench, PLAIN, STYLED, printer=FixedPrinter())

    assert again == first
    assert workbench.views(first) == before


@pytest.mark.parametrize(("pages", "shown"), [(3, 3), (30, 8)])
def test_as_many_pages_of_one_are_pictured_as_of_the_other_within_the_limit(
    workbench: Workbench, pages: int, shown: int
) -> None:
    comparison_id = submitted(
        workbench, PLAIN, STYLED, printer=FixedPrinter(pages=pages), output_budget=OutputBudget(images=8)
    )

    for view in sides(workbench.views(comparison_id)):
        printed = view.files[0].printed
        assert printed is not None
        assert len(printed.pages) == shown
        told = f"The judge is given pictures of the first 8 of its {pages} pages."
        assert (told in printed.lines) == (pages > shown)

"""A download is the blinded copy, and after the reveal the file itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pypdfium2
import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from comparator.domain.labels import Label, PerOutput
from comparator.outputs.pictures.office.converter import Converter
from comparator.outputs.pictures.office.printer import Printer
from comparator.outputs.preview.child_process import Renderer
from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Database
from comparator.web.media.routes import media_routes
from comparator.web.media.stored import StoredMedia
from comparator.workflow.projects.reveal import reveal
from comparator.workflow.review.review import finalise, record
from comparator.workflow.review.sheet import read_sheet
from tests.worlds.files.needles import long_pdf
from tests.worlds.files.office_documents import document, par
from tests.worlds.workbench import Workbench

NAME = "zebrafinch-prompt"
SENTENCE = f"Harvest by {NAME}"


@pytest.fixture
def workbench(database: Database, blobs: BlobStore, tmp_path: Path) -> Workbench:
    return Workbench(database, blobs, tmp_path)


@pytest.fixture
def client(workbench: Workbench) -> Iterator[TestClient]:
    renderer = Renderer(children=1)
    routes = media_routes(StoredMedia(workbench.services), renderer=renderer)
    yield TestClient(Starlette(routes=routes))
    renderer.close()


def submitted(workbench: Workbench, name: str, data: bytes) -> tuple[str, str]:
    """A comparison whose output A is one file, and that file's id."""
    workbench.file(f"one/{name}", data)
    workbench.file("two/report.md", "Harvest")
    comparison_id = workbench.submitted(
        PerOutput[Path](A=workbench.folder / "one", B=workbench.folder / "two")
    )
    sheet = read_sheet(workbench.services, comparison_id, person_id=workbench.person)
    (file,) = (file for file in sheet.files if file.label is Label.A)
    return comparison_id, file.id


def revealed(workbench: Workbench, comparison_id: str) -> None:
    assert workbench.judged(comparison_id).complete
    change = workbench.change("reasoning", "Looked at both.")
    record(workbench.services, comparison_id, [change], person_id=workbench.person)
    finalise(workbench.services, comparison_id, person_id=workbench.person)
    reveal(workbench.services, comparison_id, person_id=workbench.person)


def words_of(data: bytes) -> str:
    """The words of the first page of a PDF."""
    with pypdfium2.PdfDocument(data) as pdf:
        return str(pdf[0].get_textpage().get_text_bounded())


@pytest.mark.parametrize(
    ("ending", "data", "said"),
    [
        ("pdf", long_pdf([SENTENCE]), words_of),
        ("docx", document(par(SENTENCE)), bytes.decode),
        ("md", SENTENCE.encode(), bytes.decode),
    ],
)
def test_a_download_is_the_copy_without_names_before_the_reveal_and_the_file_itself_after_it(
    workbench: Workbench, client: TestClient, ending: str, data: bytes, said: Callable[[bytes], str]
) -> None:
    comparison_id, file_id = submitted(workbench, f"{NAME}.{ending}", data)

    before = client.get(f"/outputs/{file_id}/download")
    revealed(workbench, comparison_id)
    after = client.get(f"/outputs/{file_id}/download", headers={"if-none-match": before.headers["etag"]})

    assert "Harvest by" in said(before.content)
    assert NAME not in said(before.content) + before.headers["content-disposition"]
    assert after.content == data
    assert f'"{NAME}.{ending}"' in after.headers["content-disposition"]
    for answer in (before, after):
        assert answer.headers["content-type"] == "application/octet-stream"


def test_an_office_file_with_pages_is_downloaded_as_those_until_it_is_revealed(
    workbench: Workbench, client: TestClient, soffice_path: str
) -> None:
    original = document(par(SENTENCE))
    workbench.services = replace(
        workbench.services,
        printer=Printer(workbench.folder / "printer", converter=Converter(soffice_path)),
    )
    comparison_id, file_id = submitted(workbench, f"{NAME}.docx", original)
    workbench.pictured(comparison_id)

    before = client.get(f"/outputs/{file_id}.pages/download")
    revealed(workbench, comparison_id)
    after = client.get(f"/outputs/{file_id}.pages/download")

    assert "Harvest by" in words_of(before.content)
    assert NAME not in words_of(before.content) + before.headers["content-disposition"]
    assert after.content == original


def test_a_file_of_an_unknown_kind_is_downloaded_after_the_reveal_only(
    workbench: Workbench, client: TestClient
) -> None:
    data = b"\x00\x01" + NAME.encode()
    comparison_id, file_id = submitted(workbench, "tool.bin", data)

    before = client.get(f"/outputs/{file_id}/download")
    revealed(workbench, comparison_id)

    assert before.status_code == 404
    assert client.get(f"/outputs/{file_id}/download").content == data

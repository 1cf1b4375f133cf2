"""A download is the blinded copy, after the reveal the copy with the original words, and never the file itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pypdfium2
import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from comparator.domain.labels import Label, PerOutput
from comparator.outputs.preview.child_process import Renderer
from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Database
from comparator.web.media.routes import media_routes
from comparator.web.media.stored import StoredMedia
from comparator.workflow.projects.reveal import reveal
from comparator.workflow.review.read_sheet import read_sheet
from comparator.workflow.review.review import finalise, record
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


def test_a_pdf_is_downloaded_as_its_pages_before_the_reveal_and_after_it(
    workbench: Workbench, client: TestClient
) -> None:
    original = long_pdf([SENTENCE])
    comparison_id, file_id = submitted(workbench, f"{NAME}.pdf", original)

    before = client.get(f"/outputs/{file_id}/download")
    revealed(workbench, comparison_id)
    after = client.get(f"/outputs/{file_id}/download", headers={"if-none-match": before.headers["etag"]})

    assert "Harvest by" in words_of(before.content)
    assert NAME not in words_of(before.content)
    assert NAME not in before.headers["content-disposition"]
    assert SENTENCE in words_of(after.content)
    assert f"{NAME}.pdf" in after.headers["content-disposition"]
    assert original not in (before.content, after.content)
    for answer in (before, after):
        assert answer.headers["content-type"] == "application/octet-stream"


def test_an_office_file_is_downloaded_as_its_content_before_the_reveal_and_after_it(
    workbench: Workbench, client: TestClient
) -> None:
    original = document(par(SENTENCE))
    comparison_id, file_id = submitted(workbench, f"{NAME}.docx", original)

    before = client.get(f"/outputs/{file_id}/download")
    revealed(workbench, comparison_id)
    after = client.get(f"/outputs/{file_id}/download")

    assert "Harvest by" in before.text
    assert NAME not in before.text + before.headers["content-disposition"]
    assert SENTENCE in after.text
    assert f"{NAME}.docx.html" in after.headers["content-disposition"]

"""Tasks as people have them, from the workspace to what the judge is sent: a page for search, a review, a slide."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from comparator.domain.labels import PerOutput
from comparator.judges.model.judge import AnthropicJudge
from comparator.judges.model.options import AnthropicOptions
from comparator.outputs.pictures.office.converter import Converter
from comparator.outputs.pictures.office.printer import Printer
from comparator.outputs.view.pairing import pair_files
from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Database
from comparator.store.pairs import comparisons, outputs
from comparator.workflow.importing.request import ImportRequest
from comparator.workflow.importing.run import import_path
from tests.loopback.server import LoopbackServer
from tests.worlds.files.import_files import write
from tests.worlds.files.office_documents import box, deck
from tests.worlds.files.outputs_office import WORDS, docx
from tests.worlds.workbench import Workbench

LINKED = (
    '<script type="application/ld+json">{"@type": "Recipe", "name": "Leek soup", '
    '"author": {"@type": "Person", "name": "Vesna Okafor"}}</script>'
)
PAGE = "<!doctype html><title>Leek soup</title>{}<h1>Leek soup</h1><p>Cut two leeks.</p>"
CHANGED = (
    '<w:p><w:r><w:t xml:space="preserve">The fee is </w:t></w:r>'
    '<w:del w:id="1" w:author="Vesna Okafor"><w:r><w:delText>40</w:delText></w:r></w:del>'
    '<w:ins w:id="2" w:author="Vesna Okafor"><w:r><w:t>55</w:t></w:r></w:ins>'
    '<w:r><w:t xml:space="preserve"> euros.</w:t></w:r><w:r><w:commentReference w:id="7"/></w:r></w:p>'
)
COMMENTS = (
    f'<w:comments {WORDS}><w:comment w:id="7" w:author="Vesna Okafor" w:initials="VO">'
    "<w:p><w:r><w:t>Above the cap of clause 3.</w:t></w:r></w:p></w:comment></w:comments>"
)


@pytest.fixture
def workbench(tmp_path: Path) -> Iterator[Workbench]:
    # Nothing here depends on the database's kind.
    database = Database.open(f"sqlite:///{tmp_path / 'own.db'}")
    yield Workbench(database, BlobStore.at(str(tmp_path / "blobs")), tmp_path)
    database.close()


@pytest.fixture
def model() -> Iterator[LoopbackServer]:
    with LoopbackServer() as server:
        yield server


def imported(workbench: Workbench, root: Path, *, prompt: str, name: str, sides: tuple[Any, Any]) -> str:
    """The one pair of a workspace with one eval, whose sides left one file each; its id."""
    home = root / "iteration-1/eval-1"
    write(home / "eval_metadata.json", {"eval_id": 1, "prompt": prompt})
    for side, data in zip(("with_skill", "without_skill"), sides, strict=True):
        write(home / side / "outputs" / name, data)
    request = ImportRequest(path=root, project="Whole tasks")
    (comparison_id,) = import_path(workbench.services, request, on_step=lambda _: None).comparisons
    return comparison_id


def sent(workbench: Workbench, model: LoopbackServer, comparison_id: str) -> list[list[dict[str, Any]]]:
    """The content of each reading that the judge was asked for."""
    options = AnthropicOptions(base_url=model.base_url, retries=0)
    outcome = workbench.judged(
        comparison_id, AnthropicJudge(options, environment={"ANTHROPIC_API_KEY": "sk-x"})
    )
    assert outcome.complete, outcome.problem
    return [request.body["messages"][0]["content"] for request in model.messages[1:]]


def words(content: list[dict[str, Any]]) -> str:
    return "\n".join(block["text"] for block in content if block["type"] == "text")


def red_pixels(picture: str) -> int:
    """How many pixels of a picture in base64 are red."""
    colours: Any = Image.open(io.BytesIO(base64.b64decode(picture))).convert("RGB").getcolors(1 << 24)
    return sum(number for number, (r, g, b) in colours if r > 200 and g < 60 and b < 60)


def test_a_page_for_search_differs_by_its_linked_data_and_tells_no_author(
    workbench: Workbench, model: LoopbackServer, tmp_path: Path
) -> None:
    comparison_id = imported(
        workbench,
        tmp_path / "seo-workspace",
        prompt="Write a recipe page with schema.org data as JSON-LD.",
        name="index.html",
        sides=(PAGE.format(LINKED), PAGE.format("")),
    )

    for content in sent(workbench, model, comparison_id):
        told = words(content)
        assert "read the same" not in told
        # In its source, and nothing like it on the other side.
        assert told.count('"@type": "Recipe"') == 1
        assert "Okafor" not in told


def test_a_review_of_a_document_is_judged_by_its_changes_and_comments(
    workbench: Workbench, model: LoopbackServer, tmp_path: Path
) -> None:
    marked = docx(CHANGED, extra={"word/comments.xml": COMMENTS})
    plain = docx("The fee is 55 euros.")

    comparison_id = imported(
        workbench,
        tmp_path / "review-workspace",
        prompt="Review the contract with tracked changes and comments.",
        name="contract.docx",
        sides=(marked, plain),
    )

    for content in sent(workbench, model, comparison_id):
        told = words(content)
        assert told.count("The fee is [deleted: 40][inserted: 55] euros.") == 1
        assert told.count("[comment: Above the cap of clause 3.]") == 1
        assert "Okafor" not in told


@pytest.mark.slow
@pytest.mark.office
def test_a_callout_beside_its_chart_and_one_over_it_are_two_slides_for_the_judge(
    workbench: Workbench, model: LoopbackServer, soffice_path: str, tmp_path: Path
) -> None:
    workbench.services = replace(
        workbench.services, printer=Printer(tmp_path / "printer", converter=Converter(soffice_path))
    )
    beside, over = (
        deck([box(left, 1.5, fill="00AA00", words="South leads")], chart=True) for left in (7.5, 3.0)
    )
    comparison_id = workbench.pictured(
        imported(
            workbench,
            tmp_path / "slide-workspace",
            prompt="Make one slide: the yield by region, with a callout that hides no bar.",
            name="yield.pptx",
            sides=(beside, over),
        )
    )

    for content in sent(workbench, model, comparison_id):
        red = [red_pixels(block["source"]["data"]) for block in content if block["type"] == "image"]
        assert len(red) == 2
        assert min(red) < max(red)
        assert words(content).count("South leads") >= 2
    with workbench.services.database.read() as connection:
        found = comparisons.get(connection, comparison_id)
        a, b = (
            PerOutput[str](A=found.view_a, B=found.view_b)
            .map(lambda view: outputs.list_files(connection, view))
            .items()
        )
    (pair,) = pair_files(list(a[1]), list(b[1]))
    assert not pair.identical

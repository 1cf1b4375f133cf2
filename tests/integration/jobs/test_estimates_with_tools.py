"""An estimate tells which pairs are read with tools by what decides it at run time, whatever does not fit."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple, cast

import pytest
from PIL import Image

from comparator.domain.labels import PerOutput
from comparator.domain.pair.task import TaskText
from comparator.domain.pair.view import ImageBlock, PageEvidence, PagePicture
from comparator.domain.scoring.judgment import Tools
from comparator.jobs.batches import estimate_batches
from comparator.jobs.batches.estimate_batches import BatchEstimate, estimate_of
from comparator.jobs.batches.start_batches import BatchRequest
from comparator.judges.tools.missing_content import needs_tools
from comparator.outputs.isolated.process import Wanted, always
from comparator.outputs.pictures.camera import Album, PageFile
from comparator.outputs.pictures.office.converter import Converter
from comparator.outputs.pictures.office.printer import PageImage, Pages, Printer
from comparator.outputs.view.blinding.redacting import Redactor
from comparator.settings import Settings
from comparator.store.bulk.batches import Via
from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Database
from comparator.store.pairs import comparisons
from comparator.workflow.judging.load_pairs import blinded_pair
from comparator.workflow.projects.settings import change_settings
from comparator.workflow.services import Services
from comparator.workflow.submit.intake import read_output
from comparator.workflow.submit.set_up import submit
from comparator.workflow.submit.submission import Submission
from tests.loopback.server import LoopbackServer
from tests.worlds.files import outputs_pdf
from tests.worlds.files.outputs import picture
from tests.worlds.files.outputs_office import pptx
from tests.worlds.workbench import Workbench

LONG = "word " * 60_000
TASK = TaskText(prompt="Write a short report on the harvest.")
Files = Mapping[str, str | bytes]


class Case(NamedTuple):
    """The files of A, how many pages of them there are, and the files that came with the task and as reference."""

    files: Files
    pages: int = 1
    inputs: Files | None = None
    reference: Files | None = None


def noise(width: int, height: int) -> bytes:
    """A picture that takes as many bytes as it has pixels, and more."""
    out = BytesIO()
    pixels = random.Random(1).randbytes(width * height)
    Image.frombytes("L", (width, height), pixels).save(out, "PNG")
    return out.getvalue()


WITH_TOOLS = {
    "a long text": Case({"a.md": LONG}),
    "a long PDF": Case({"a.pdf": outputs_pdf.pages(*["words"] * 70)}),
    "many pictures": Case({f"{n}.png": picture(size=(30 + n, 30)) for n in range(25)}),
    "a cut web page": Case({"a.html": "<p>Harvest</p>"}, pages=9_000),
    "a deck with slides that are not pictured": Case({"a.pptx": pptx("Harvest", "line")}, pages=60),
    "a damaged PDF": Case({"a.pdf": b"%PDF-1.7 nothing"}),
    "a high picture": Case({"a.png": picture(size=(500, 3_000))}),
    "long input files": Case({"a.md": "Short"}, inputs={"data.csv": "a,b\n" * 60_000}),
    "a long reference": Case({"a.md": "Short"}, reference={"best.md": LONG}),
}
WITHOUT = {
    "a short text": Case({"a.md": "Short"}),
    "a picture of more bytes than texts may have characters": Case({"a.png": noise(600, 500)}),
    "a wide picture": Case({"a.png": picture(size=(3_000, 500))}),
    "a short PDF": Case({"a.pdf": outputs_pdf.pages("words", "more")}),
    "a web page that is pictured whole": Case({"a.html": "<p>Harvest</p>"}, pages=900),
    "a deck that is pictured whole": Case({"a.pptx": pptx("Harvest", "line")}),
}


class Photographer(Album):
    """Takes a picture of a page that is so many pixels high; the first 900 are in it."""

    def __init__(self, height: int) -> None:
        super().__init__(Path("nowhere"), chromium="off")
        self._height = height

    def evidence(self, page: str, files: Sequence[PageFile], *, until: str = "") -> PageEvidence:
        tile = ImageBlock(media_type="image/png", data=picture())
        shown = PagePicture(device="desktop", width=1_280, height=self._height, shown=900, tiles=(tile,))
        return PageEvidence(pictures=(shown,))


class FixedPrinter:
    """Prints every file to so many pages, of which the first one is pictured."""

    converter = Converter("/bin/true")

    def __init__(self, total: int) -> None:
        self._total = total

    def modern(self, name: str, data: bytes) -> bytes:
        return data

    def pages(self, name: str, data: bytes, redactor: Redactor, *, wanted: Wanted = always) -> Pages:
        return Pages(b"%PDF", self._total, (PageImage(1, "slide 1", "image/png", picture()),), ())


@pytest.fixture
def bench(database: Database, blobs: BlobStore, tmp_path: Path, model: LoopbackServer) -> Workbench:
    return Workbench(database, blobs, tmp_path, Settings(home=tmp_path / "home", repetitions=1))


def submitted(bench: Workbench, name: str, case: Case) -> str:
    """The id of a comparison of these files with a short text."""

    def files(folder: str, content: Files) -> Path:
        paths = [bench.file(f"{name}/{folder}/{file}", data) for file, data in content.items()]
        return paths[0].parent

    bench.services = services = replace(
        bench.services, album=Photographer(case.pages), printer=cast(Printer, FixedPrinter(case.pages))
    )
    extra: dict[str, Any] = {
        role: read_output(services, files(role, content))
        for role, content in (("inputs", case.inputs), ("reference", case.reference))
        if content
    }
    outputs = PerOutput[Path](A=files("a", case.files), B=files("b", {"b.md": f"Short: {name}"}))
    submission = Submission(
        task=TASK.model_copy(update={"prompt": f"{TASK.prompt} {name}"}),
        outputs=outputs.map(lambda path: read_output(services, path)),
        candidates=PerOutput[str](A="zebrafinch", B="quetzal"),
        draw=False,
        **extra,
    )
    made = submit(services, submission, person_id=bench.person)
    change_settings(services, made.project_id, person_id=bench.person, show_reference=True)
    return bench.pictured(made.comparison_id)


def at_run_time(services: Services, comparison_id: str) -> bool:
    """Whether its judge would get tools."""
    with services.database.read() as connection:
        found = comparisons.get(connection, comparison_id)
        return needs_tools(blinded_pair(services, connection, found), Tools.AUTO)


def estimated(services: Services, *ids: str, via: Via = Via.BATCHES) -> BatchEstimate:
    with services.database.read() as connection:
        project_id = comparisons.get(connection, ids[0]).project_id
    request = BatchRequest(project_id=project_id, comparison_ids=ids, via=via, tools=Tools.AUTO)
    return estimate_of(services, request)


@pytest.mark.parametrize("name", WITH_TOOLS)
def test_a_pair_that_does_not_fit_is_named_and_estimated_at_the_full_price(
    bench: Workbench, name: str
) -> None:
    comparison_id = submitted(bench, name, WITH_TOOLS[name])

    about = estimated(bench.services, comparison_id)

    assert at_run_time(bench.services, comparison_id)
    assert about.with_tools == 1
    assert about.cost == estimated(bench.services, comparison_id, via=Via.MESSAGES).cost


@pytest.mark.parametrize("name", WITHOUT)
def test_a_pair_that_fits_is_estimated_at_the_price_of_message_batches(bench: Workbench, name: str) -> None:
    comparison_id = submitted(bench, name, WITHOUT[name])

    about, direct = (estimated(bench.services, comparison_id, via=via) for via in (Via.BATCHES, Via.MESSAGES))

    assert not at_run_time(bench.services, comparison_id)
    assert about.with_tools == 0
    assert about.cost is not None
    assert direct.cost is not None
    assert about.cost < direct.cost


def test_some_pairs_are_loaded_and_stand_for_the_others(
    bench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(estimate_batches, "LOADED", 2)
    long = [submitted(bench, f"long {n}", WITH_TOOLS["a long text"]) for n in range(3)]

    assert estimated(bench.services, *long).with_tools == 3

"""Whatever two outputs hold: swapping them mirrors all, and what cannot be shown of one is not shown of the other."""

import tempfile
from functools import cache
from pathlib import Path
from typing import cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from comparator.domain.labels import Label, PerOutput
from comparator.domain.pair.view import DocumentBlock, Family
from comparator.outputs.families import LAID_OUT
from comparator.outputs.limits import OutputBudget
from comparator.outputs.pictures.office.looks import print_job_of, printed
from comparator.outputs.pictures.office.printer import Printer
from comparator.outputs.snapshot import Snapshot
from comparator.outputs.view.built import BuiltView
from tests.integration.outputs.test_pdf_words import page
from tests.integration.workflow.submit.test_office_pages import FixedPrinter
from tests.worlds.files.office_documents import book, document, par
from tests.worlds.files.outputs import World, redactions
from tests.worlds.files.outputs_markers import every_family
from tests.worlds.files.outputs_office import pages

NAME = "quillwort"
BUDGETS = (OutputBudget(), OutputBudget(characters=400, images=3, pictures=4))


@cache
def pool() -> dict[str, tuple[bytes, ...]]:
    """Under each name the contents that it may have."""
    marked = every_family()
    return {
        "report.docx": (
            document(par("Report")),
            document(par("Report", properties='<w:jc w:val="center"/>')),
            document(par(f"By {NAME}")),
            document(par("BROKEN")),
            b"no document",
        ),
        "table.xlsx": (book([["a", 1]]), book([[NAME, 2]]), marked["table.xlsx"]),
        "deck.pptx": (marked["deck.pptx"],),
        "paper.pdf": (
            pages("Words"),
            pages(f"By {NAME} here", "Two"),
            page(b"/X Do", form=f"BT /F 12 Tf 20 100 Td (By {NAME}) Tj ET".encode()),
        ),
        "notes.md": (b"# Words\n\nthe same\n", f"by {NAME}\0 and \xff".encode("latin-1"), b"x" * 900),
        "page.html": (b"<h1>Words</h1>", f"<p>by {NAME}</p>".encode(), marked["page.html"]),
        "chart.png": (marked["chart.png"], marked["photo.jpg"]),
        "data.parquet": (marked["data.parquet"],),
        "book.ipynb": (marked["book.ipynb"],),
        "blob.bin": (marked["blob.bin"], f"{NAME}\0\1\2".encode()),
        "trace.txt": (b"what the run said of itself",),
    }


Files = dict[str, bytes]
Choices = dict[str, int]
"""Files by the numbers of their contents in the pool: what fails is then told in a line."""


@st.composite
def outputs(draw: st.DrawFn) -> Choices:
    """An output of one to four files of mixed families."""
    names = draw(st.lists(st.sampled_from(sorted(pool())), min_size=1, max_size=4, unique=True))
    return {name: draw(st.integers(0, len(pool()[name]) - 1)) for name in names}


def built(folder: Path, a: Files, b: Files, budget: OutputBudget) -> PerOutput[BuiltView]:
    world = World(folder)
    pair = world.pair(a, b, NAME, budget=budget)
    snapshots = PerOutput[Snapshot](A=world.uploads(a), B=world.uploads(b))
    job = print_job_of(pair, snapshots, redactions=redactions(NAME))
    broken = document(par("BROKEN"))
    if job is None:
        return pair
    printer = cast(Printer, FixedPrinter(pages=2, broken=broken))
    return printed(pair, job, printer=printer, blobs=world.blobs, budget=budget)


def shown(side: BuiltView) -> list[object]:
    copies = {copy.file_id: (copy.media_type, copy.blob, copy.pages, copy.looks) for copy in side.copies}
    return [
        side.view.digest,
        side.view.notes,
        side.view.set_aside,
        [(file.name, file.notes, file.printed, copies.get(file.id)) for file in side.view.files],
    ]


def alike(pair: PerOutput[BuiltView]) -> None:
    """Each way of showing a file holds for both sides, or for neither."""
    files = [file for label in Label for file in pair[label].view.files]
    pdfs = [f for f in files if f.family is Family.PDF]
    assert len({any(isinstance(block, DocumentBlock) for block in f.blocks) for f in pdfs}) <= 1
    laid_out = [f for f in files if f.family in LAID_OUT and f.printed is not None]
    assert len({bool(f.printed and f.printed.total) for f in laid_out}) <= 1


def check(first: Choices, second: Choices, budget: OutputBudget) -> None:
    a, b = ({name: pool()[name][number] for name, number in each.items()} for each in (first, second))
    with tempfile.TemporaryDirectory() as folder:
        one = built(Path(folder) / "one", a, b, budget)
        other = built(Path(folder) / "other", b, a, budget)
    assert (shown(one.A), shown(one.B)) == (shown(other.B), shown(other.A))
    alike(one)


@settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(a=outputs(), b=outputs(), budget=st.sampled_from(BUDGETS))
def test_swapping_two_outputs_of_mixed_families_mirrors_everything(
    a: Choices, b: Choices, budget: OutputBudget
) -> None:
    check(a, b, budget)


@pytest.mark.parametrize(
    ("name", "bad"),
    [("report.docx", 3), ("paper.pdf", 2)],
    ids=["a document that cannot be printed", "a PDF whose word cannot be replaced"],
)
def test_where_one_side_cannot_be_shown_in_a_way_neither_is(name: str, bad: int) -> None:
    check({name: 0}, {name: bad}, BUDGETS[0])

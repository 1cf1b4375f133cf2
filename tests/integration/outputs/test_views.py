"""Two outputs become two views under the same rules: order, names, set-aside files, redaction, budget."""

import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from comparator.domain.blinding.leak_patterns import patterns_for
from comparator.domain.blinding.scan import Where, scan
from comparator.domain.labels import Label, PerOutput
from comparator.domain.pair.view import DocumentBlock, Family, OutputView
from comparator.outputs.families import LAID_OUT
from comparator.outputs.limits import OutputBudget
from comparator.outputs.pictures.office.looks import add_printed_pages, print_job_of
from comparator.outputs.pictures.office.printer import Printer
from comparator.outputs.snapshot import RefusedMember, Snapshot
from comparator.outputs.view.build import scan_texts
from comparator.outputs.view.built import BuiltView
from tests.integration.outputs.test_pdf_words import page
from tests.integration.workflow.submit.test_office_pages import FixedPrinter
from tests.worlds.files import outputs_office
from tests.worlds.files.office_documents import book, document, par
from tests.worlds.files.outputs import World, picture, redactions
from tests.worlds.files.outputs_markers import every_family
from tests.worlds.files.outputs_office import pages


def _texts(view: OutputView) -> dict[str, str]:
    return {file.name: file.text for file in view.files}


def _views(
    world: World,
    a: Mapping[str, bytes | str],
    b: Mapping[str, bytes | str],
    *patterns: str,
    **options: object,
) -> PerOutput[OutputView]:
    return world.pair(a, b, *patterns, **options).map(lambda built: built.view)  # type: ignore[arg-type] # handed through


def test_main_deliverables_come_first_on_both_sides(world: World) -> None:
    main = ["report.md", "part2.csv", "part10.csv", "notes.md", "src/a.py", "tests/test_a.py", "a.lock"]
    files = {name: name for name in sorted(main)}
    view = _views(world, {**files, "z.pdf": outputs_office.pages("z")}, files).A

    assert [file.name for file in view.files] == ["z.pdf", *main]


def test_identical_outputs_say_so_on_both_sides(world: World) -> None:
    for a, b in (({"a.md": "same"}, {"b.md": "same"}), ({"a": "1", "b": "2"}, {"b": "2", "a": "1"})):
        view = _views(world, a, b)
        assert all("identical" in view[label].notes[0] for label in Label)


def test_a_name_is_neutralised_in_every_quoting_and_in_comments_meta_and_linked_data(world: World) -> None:
    page = (
        "<meta name=description content='by quillwort'><p title=quillwort data-x='quillwort>'>x</p>"
        '<!-- quillwort > all --><script>if (a<b) { f("quillwort") }</script>'
        '<script type="application/ld+json">{"by": "quillwort"}</script><b>a < b, quillwort</b>'
    )
    text = _views(world, {"a.html": page}, {"a.html": "<p>x"}, "quillwort").A.files[0].text

    assert "quillwort" not in text
    assert "<!-- " in text
    assert " > all -->" in text
    assert "if (a<b) {" in text


def test_self_reports_are_listed_and_not_shown(world: World) -> None:
    telling = {"transcript.md": "I used the nova skill", "nova_metrics.json": "{}", "metrics.json": "{}"}
    a = {"report.md": "r", **telling}
    built = world.pair(a, {"report.md": "q", "user_notes.md": "n"}, "nova")

    assert [file.name for file in built.A.view.files] == ["report.md", "toolkit_metrics.json"]
    reasons = {item.reason for item in built.A.view.set_aside}
    assert reasons == {"a transcript of the run", "figures on the run"}
    assert [item.reason for item in built.B.view.set_aside] == ["notes on the run"]
    assert "nova" not in built.model_dump_json()


def test_refused_members_and_by_products_are_listed(world: World) -> None:
    view = _views(world, {"a.md": "x", ".git/HEAD": "y", "../z": "z"}, {"a.md": "w"}).A

    assert [(item.name, item.reason) for item in view.set_aside] == [
        ("../z", "its name leads out of the folder"),
        (".git", "version control, not read"),
    ]


def test_a_name_in_the_reason_why_a_file_was_left_out_is_found_and_redacted(world: World) -> None:
    left_out = (RefusedMember(path="m.bin", reason="too large for nova-lab"),)
    a = world.uploads({"a.md": "x", "b.md": "y"}).model_copy(update={"refused": left_out})
    snapshots = PerOutput[Snapshot](A=a, B=world.uploads({"b.md": "x"}))
    patterns = patterns_for(["nova-lab"])
    findings = scan(patterns, world.texts(snapshots))
    with world.reader() as reader:
        beside = scan_texts(a, reader, where=Where.INPUT)

    assert [(finding.pattern, finding.counts.A) for finding in findings] == [("nova-lab", 1)]
    assert [finding.where for finding in scan(patterns, beside)] == [Where.INPUT]


def test_pictures_carry_a_warning_only_while_words_are_redacted(world: World) -> None:
    files: dict[str, bytes | str] = {"a.png": picture(), "b.txt": "x"}
    warned, plain = _views(world, files, files, "nova"), _views(world, files, files)

    assert warned.A.files[0].notes == ("Words inside its pictures cannot be redacted.",)
    assert plain.A.files[0].notes == ()


def test_when_one_output_is_too_long_both_are_held_to_the_same_limit(world: World) -> None:
    both = {"report.md": "x" * 5_000}, {"report.md": "y" * 700}
    built = world.pair(*both, budget=OutputBudget(characters=1_000))
    views = built.map(lambda side: side.view)

    # The reviewer's copy is never cut by the judge's budget.
    assert world.blobs.get(built.A.copies[0].blob) == b"x" * 5_000
    text = views.A.files[0].text
    assert text.count("x") == 1_000
    assert "[… 4,000 characters left out here …]" in text
    assert views.A.files[0].notes == ("4,000 of its 5,000 characters are left out for the judge.",)
    assert [block.omitted for block in views.A.files[0].blocks if block.kind == "text"] == [4_000]
    assert views.B.files[0].text == "y" * 700
    assert views.A.notes == views.B.notes
    assert "1,000 characters" in views.B.notes[0]


def test_a_file_that_both_have_is_cut_to_the_same_length(world: World) -> None:
    a = {"report.md": "x" * 3_000, "appendix.md": "z" * 3_000}
    views = _views(world, a, {"report.md": "y" * 3_000}, budget=OutputBudget(characters=4_000))

    texts = views.map(_texts)
    assert texts.A["report.md"].count("x") == texts.B["report.md"].count("y") == 2_000


def test_inputs_and_references_set_nothing_aside(world: World) -> None:
    built = world.single(world.uploads({"transcript.md": "by nova", "metrics.json": "{}"}), "nova")

    assert _texts(built.view) == {"transcript.md": "by toolkit", "metrics.json": "{}"}
    assert built.view.set_aside == ()


NAME = "quillwort"
BUDGETS = (OutputBudget(), OutputBudget(characters=400, images=3, pictures=4))


@cache
def pool() -> dict[str, tuple[bytes, ...]]:
    """Under each name the contents that it may have."""
    marked = every_family()
    centred = par("Report", properties='<w:jc w:val="center"/>')
    paragraphs = par("Report"), centred, par(f"By {NAME}"), par("BROKEN")
    return {
        "report.docx": (*map(document, paragraphs), b"no document"),
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
    return add_printed_pages(pair, job, printer=printer, blobs=world.blobs, budget=budget)


def comparable(side: BuiltView) -> list[object]:
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
    a, b = ({name: pool()[name][number] for name, number in numbers.items()} for numbers in (first, second))
    with tempfile.TemporaryDirectory() as folder:
        one = built(Path(folder) / "one", a, b, budget)
        other = built(Path(folder) / "other", b, a, budget)
    assert (comparable(one.A), comparable(one.B)) == (comparable(other.B), comparable(other.A))
    alike(one)


@settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(a=outputs(), b=outputs(), budget=st.sampled_from(BUDGETS))
def test_swapping_two_mixed_outputs_mirrors_everything(a: Choices, b: Choices, budget: OutputBudget) -> None:
    check(a, b, budget)


@pytest.mark.parametrize(
    ("name", "bad"),
    [("report.docx", 3), ("paper.pdf", 2)],
    ids=["a document that cannot be printed", "a PDF whose word cannot be replaced"],
)
def test_where_one_side_cannot_be_shown_in_a_way_neither_is(name: str, bad: int) -> None:
    check({name: 0}, {name: bad}, BUDGETS[0])

"""No place that can carry a name reaches a judge or a reviewer, in any file family, packed or plain."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from comparator.outputs.limits import MB, OutputBudget
from comparator.outputs.view.built import BuiltView
from tests.worlds.files.outputs import World
from tests.worlds.files.outputs_markers import MARK, every_family, found_in, mark

FAMILIES = every_family()
CONTENT = {
    # The bytes of an unknown file are its content: a person is shown them, a judge is not.
    # Comments of a page are content, too; those that tell of the run have a test of their own.
    "page.html": {"HtmlComment", "HtmlPhp"}
}


def _served(world: World, built: BuiltView) -> Iterator[bytes]:
    """Everything that a judge is sent and a reviewer can open."""
    yield built.view.model_dump_json().encode()
    for file in built.view.files:
        for block in file.blocks:
            if block.kind != "text":
                yield block.data
    for copy in built.copies:
        yield copy.model_dump_json().encode()
        yield world.blobs.get(copy.blob)


def test_the_probe_finds_the_markers_in_the_original_and_in_every_layer_of_a_pdf() -> None:
    for name, data in FAMILIES.items():
        assert found_in(data), f"a probe that finds nothing in {name} proves nothing"
    places = found_in(FAMILIES["form.pdf"])
    layers = {"PdfXmp", "PdfAttachment", "PdfComment", "PdfFieldName", "PdfCustom", "PdfIcc", "PdfImageExif"}
    assert layers <= places
    assert len(places) >= 34


@pytest.fixture(scope="module")
def together(tmp_path_factory: pytest.TempPathFactory) -> tuple[World, BuiltView]:
    """A file of each family in one output, all of which is given to the judge."""
    world = World(tmp_path_factory.mktemp("blobs"))
    all_of_it = OutputBudget(characters=10_000_000, images=500, pictures=500, pdf_bytes=100 * MB)
    return world, world.single(world.uploads(FAMILIES), budget=all_of_it)


@pytest.mark.parametrize("name", FAMILIES)
def test_no_marker_of_a_file_reaches_anyone(together: tuple[World, BuiltView], name: str) -> None:
    world, built = together
    (file,) = (one for one in built.view.files if one.name == name)
    view = built.view.model_copy(update={"files": (file,)})
    own = BuiltView(view=view, copies=tuple(copy for copy in built.copies if copy.name == name))

    leaked = {place for data in _served(world, own) for place in found_in(data)}
    assert leaked == CONTENT.get(name, set())
    assert "BinaryContent" not in found_in(file.text.encode())


def test_what_is_visible_stays_visible(together: tuple[World, BuiltView]) -> None:
    _, built = together
    texts = {file.name: file.text for file in built.view.files}

    assert "Visible words" in texts["form.pdf"]
    assert "Visible value" in texts["form.pdf"]
    assert "Visible insertion" in texts["report.docx"]
    for name in ("table.xlsx", "deck.pptx"):
        assert "Visible" in texts[name]
    for name in ("book.ipynb", "drawing.svg", "page.html", "text.md", "data.parquet", "inner.zip"):
        assert "visible" in texts[name] or "inner.txt" in texts[name]
    for name in ("photo.jpg", "chart.png", "report.docx", "deck.pptx", "book.ipynb", "page.html", "text.md"):
        file = next(file for file in built.view.files if file.name == name)
        assert any(block.kind == "image" for block in file.blocks), name


def test_a_folder_and_its_archive_do_not_say_where_they_came_from(world: World, tmp_path: Path) -> None:
    folder = tmp_path / mark("SourceFolder")
    folder.mkdir()
    (folder / "a.txt").write_text("content")
    (folder / "away").symlink_to(f"/{mark('LinkTarget')}")

    built = world.single(world.path(folder))

    assert MARK not in built.model_dump_json()
    assert [item.name for item in built.view.set_aside] == ["away"]


def test_an_unpacked_archive_leaves_its_comments_and_owners_behind(world: World) -> None:
    for name in ("inner.zip", "inner.tar.gz"):
        built = world.single(world.uploads({name: FAMILIES[name]}))

        assert [file.name for file in built.view.files] == ["inner.txt"]
        leaked = {place for data in _served(world, built) for place in found_in(data)}
        assert leaked <= {"ZipContent"}

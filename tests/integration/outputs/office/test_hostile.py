"""Hostile Office files before the converter: no other file and no answer of a server ever appears in a page."""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pypdfium2
import pytest
from PIL import Image

from comparator.outputs.isolated.process import Stopped, descendants
from comparator.outputs.limits import ConvertLimits
from comparator.outputs.pictures.office.printer import PDF, Converter, NotConverted, Printer
from comparator.outputs.view.naming import NameMap
from comparator.outputs.view.redacting import Redactor
from tests.browser.hostile.hostile_pages import Canary
from tests.worlds.files.office_hostile import Hostile, hostile_files
from tests.worlds.files.outputs_office import docx

MARKER = "MARKERWORD"
COLOUR = (255, 0, 170)
NAMES = tuple(file.name for file in hostile_files(text="", picture="", page="", place=""))
IN_THE_GATE = ("a linked picture on this machine", "a formula that asks a server", "an ODT with a macro")
PLAIN = Redactor((), NameMap({}, {}))


@pytest.fixture(scope="module")
def hostile(canary: Canary) -> Iterator[Callable[[str], Hostile]]:
    # Where everybody may read, so that only the converter's own walls keep it away.
    folder = Path(tempfile.mkdtemp(dir="/var/tmp", prefix="office-markers-"))
    folder.chmod(0o755)
    (folder / "marker.txt").write_text(MARKER)
    Image.new("RGB", (90, 90), COLOUR).save(folder / "marker.png")
    (folder / "marker.docx").write_bytes(docx(MARKER))
    text, picture, page = ((folder / f"marker.{ending}").as_uri() for ending in ("txt", "png", "docx"))
    files = hostile_files(text=text, picture=picture, page=page, place=canary.place)
    yield {file.name: file for file in files}.__getitem__
    shutil.rmtree(folder)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that the converter's own user may enter."""
    folder = Path(tempfile.mkdtemp(dir="/var/tmp", prefix="office-fakes-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


def shows(pdf: bytes) -> str:
    """The words of all pages; `COLOUR` where the marker's colour is on one of them."""
    with pypdfium2.PdfDocument(pdf) as document:
        words = " ".join(page.get_textpage().get_text_bounded() for page in document)
        pictures = [page.render(scale=0.5).to_pil().convert("RGB") for page in document]
    coloured = any(COLOUR in {colour for _, colour in picture.getcolors(1 << 24)} for picture in pictures)
    return f"{words} {'COLOUR' if coloured else ''}"


def holds_nothing_foreign(pdf: bytes, canary: Canary) -> None:
    seen = shows(pdf)
    assert "Visible" in seen
    assert MARKER not in seen
    assert "COLOUR" not in seen
    assert "file:" not in seen
    assert "/work" not in seen
    assert canary.heard == []


@pytest.mark.timeout(120)
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in IN_THE_GATE else pytest.mark.soak) for name in NAMES]
)
@pytest.mark.slow
def test_nothing_from_outside_is_printed(
    name: str, hostile: Callable[[str], Hostile], canary: Canary, soffice_path: str, tmp_path: Path
) -> None:
    _, kind, data = hostile(name)
    pages = Printer(tmp_path, converter=Converter(soffice_path)).pages(f"a.{kind}", data, PLAIN)

    holds_nothing_foreign(pages.document, canary)


@pytest.mark.soak
@pytest.mark.timeout(120)
@pytest.mark.parametrize("name", NAMES)
def test_the_walls_alone_keep_everything_away(
    name: str, hostile: Callable[[str], Hostile], canary: Canary, soffice_path: str
) -> None:
    _, kind, data = hostile(name)
    seen = shows(Converter(soffice_path).convert(data, kind))

    assert MARKER not in seen
    assert "COLOUR" not in seen
    assert canary.heard == []


@pytest.mark.soak
@pytest.mark.timeout(120)
@pytest.mark.parametrize("name", NAMES)
def test_where_there_are_no_walls_what_reaches_out_is_taken_away_before(
    name: str, hostile: Callable[[str], Hostile], canary: Canary, soffice_path: str, tmp_path: Path
) -> None:
    _, kind, data = hostile(name)
    printer = Printer(tmp_path, converter=Converter(soffice_path, alone=False))

    if kind in ("rtf", "odt", "ods"):
        with pytest.raises(NotConverted, match="does not let the converter be shut off"):
            printer.pages(f"a.{kind}", data, PLAIN)
        return
    holds_nothing_foreign(printer.pages(f"a.{kind}", data, PLAIN).document, canary)


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_without_walls_cleaning_and_profile_the_converter_prints_another_file(
    hostile: Callable[[str], Hostile], soffice_path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What the tests above guard against is real; the profile alone would keep this one away too.
    monkeypatch.setattr("comparator.outputs.pictures.office.printer._SET", ())
    _, kind, data = hostile("a linked picture on this machine")
    seen = shows(Converter(soffice_path, alone=False).convert(data, kind, harmless=True))

    assert "COLOUR" in seen


@pytest.mark.timeout(120)
def test_a_conversion_over_a_limit_is_ended_with_all_its_processes(soffice_path: str) -> None:
    before = set(descendants(os.getpid()))
    data = docx("words")
    with pytest.raises(NotConverted, match=r"longer than 0\.2 seconds"):
        Converter(soffice_path, limits=ConvertLimits(seconds=0.2)).convert(data, "docx")
    with pytest.raises(NotConverted, match="of memory"):
        Converter(soffice_path, limits=ConvertLimits(memory=64 * 1024 * 1024)).convert(data, "docx")

    assert set(descendants(os.getpid())) <= before


@pytest.mark.timeout(120)
def test_a_conversion_that_nobody_wants_any_more_is_ended_with_all_its_processes(soffice_path: str) -> None:
    before = set(descendants(os.getpid()))
    processes: list[set[int]] = []

    def wanted() -> bool:
        # It goes on until LibreOffice itself runs, below the process that shuts it off.
        processes.append(set(descendants(os.getpid())) - before)
        return len(processes[-1]) < 2

    with pytest.raises(Stopped):
        Converter(soffice_path).convert(docx("words"), "docx", wanted=wanted)

    assert len(processes[-1]) >= 2
    assert set(descendants(os.getpid())) <= before


@pytest.mark.timeout(120)
def test_success_is_a_new_file_and_not_an_exit_code(soffice_path: str, open_folder: Path) -> None:
    for code in (0, 3):
        fake = open_folder / f"office{code}"
        fake.write_text(f"#!/bin/sh\nexit {code}\n")
        fake.chmod(0o755)
        with pytest.raises(NotConverted, match="made no pages"):
            Converter(str(fake), alone=False).convert(b"x", "docx", to=PDF, harmless=True)
    with pytest.raises(NotConverted, match="made no pages"):
        Converter(soffice_path).convert(b"\x00" * 2000, "pptx")


def test_a_link_in_place_of_the_result_is_not_followed(open_folder: Path) -> None:
    secret = open_folder / "secret.pdf"
    secret.write_bytes(b"%PDF-secret")
    secret.chmod(0o644)
    fake = open_folder / "office"
    fake.write_text(
        f'#!/bin/sh\nfor last; do :; done\nln -s {secret} "$(dirname "$last")/../out/document.pdf"\n'
    )
    fake.chmod(0o755)

    with pytest.raises(NotConverted, match="made no pages"):
        Converter(str(fake), alone=False).convert(b"x", "docx", harmless=True)

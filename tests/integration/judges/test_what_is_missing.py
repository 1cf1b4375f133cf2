"""What a judge is not given of a file is said where it is missing, in every family, and nothing is called complete."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from comparator.domain.labels import Order, PerOutput
from comparator.domain.pair.task import TaskText
from comparator.domain.pair.view import BlindedPair, OutputView
from comparator.domain.scoring.judgment import Tools
from comparator.judges.model.request_content import PairQuestion
from comparator.judges.tools.missing_content import needs_tools
from comparator.outputs.limits import Limits, OutputBudget
from comparator.outputs.pictures.office.looks import NOT_SHOWN, print_job_of, show_as_text
from comparator.outputs.snapshot import Snapshot
from tests.worlds.files import outputs_office
from tests.worlds.files.outputs import World, picture
from tests.worlds.files.outputs_markers import every_family
from tests.worlds.files.outputs_office import docx, pptx, xlsx
from tests.worlds.histories.pairs import rubric

LIMITS = Limits(pages=2, cells=60, pictures_per_document=1, text_bytes=9_000, picture_side_judged=16)
BUDGET = OutputBudget(characters=9_000, images=1)
LONG = "word " * 600
CUT = r"[\d,]+ of its [\d,]+ characters are left out for the judge\."
OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600
CALLED_COMPLETE = re.compile(
    r"\b(complete|completely|in full|fully|entirely|whole|all of (it|them)|nothing is (missing|left out|cut))\b",
    re.IGNORECASE,
)


def notebook() -> bytes:
    cell = {"cell_type": "markdown", "metadata": {}, "source": [LONG]}
    return json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}).encode()


MISSING: dict[str, tuple[str | bytes, str]] = {
    "text.txt": (LONG, CUT),
    "read.txt": ("word " * 2_000, r"Only its first 9,000 bytes were read; 1,000 bytes are left out\."),
    "text.md": (LONG, CUT),
    "code.py": ("x = 1\n" * 500, CUT),
    "data.json": (json.dumps(list(range(900))), CUT),
    "data.yaml": ("- a\n" * 500, CUT),
    "data.toml": ("".join(f"a{n} = 1\n" for n in range(300)), CUT),
    "data.xml": (f"<a>{'<b/>' * 500}</a>", CUT),
    "data.csv": ("a,b\n" * 500, CUT),
    "page.html": (f"<p>{LONG}", CUT),
    "drawing.svg": (f"<svg xmlns='http://www.w3.org/2000/svg'>{'<g/>' * 500}</svg>", CUT),
    "book.ipynb": (notebook(), CUT),
    "pages.pdf": (
        outputs_office.pages("one", "two", "three"),
        r"It has 3 pages; only the first 2 are read\.",
    ),
    "scan.pdf": (outputs_office.pages("one", ""), r"No words can be read on page 2"),
    "damaged.pdf": (b"%PDF-1.7 nothing", r"The PDF is damaged and cannot be read\."),
    "report.docx": (docx(LONG), CUT),
    "drawn.docx": (docx("words"), re.escape(NOT_SHOWN)),
    "old.doc": (OLD_OFFICE, r"old binary Office format"),
    "table.xlsx": (xlsx([[1, 2, 3]] * 60), r"40 rows of a sheet are left out: more than 60 cells\."),
    "deck.pptx": (pptx("Title", "line"), re.escape(NOT_SHOWN)),
    "rows.parquet": (b"PAR1 nothing", r"cannot be read"),
    "small.png": (
        picture(size=(64, 64)),
        r"A judge is given it smaller, with 16 pixels on its longer side\.",
    ),
    "sound.mp3": (every_family()["sound.mp3"], r"judge gets only its name, type and size"),
    "unknown.bin": (b"\0\1\2\xff" * 40, r"It is not read: only its name, type and size are known\."),
}
"""Name and bytes of a file that a judge is not given whole, and what is said of it."""
NO_TOOL_SHOWS_MORE = {
    "scan.pdf": "the PDF itself is sent",
    "drawn.docx": "there are no pages without LibreOffice",
    "deck.pptx": "there are no pages without LibreOffice",
    "small.png": "it is not higher than wide",
    "sound.mp3": "sound is not opened",
    "unknown.bin": "bytes are not opened",
}
"""Files of `MISSING` for which alone no tools are offered, each with its reason; a new one needs a reason, too."""


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    return World(tmp_path_factory.mktemp("blobs"), limits=LIMITS)


def built(world: World, files: dict[str, str | bytes]) -> PerOutput[OutputView]:
    """Views of files beside a short one, on a machine without LibreOffice."""
    pair = world.pair(files, {"short.md": "Short."}, budget=BUDGET)
    snapshots = PerOutput[Snapshot](A=world.uploads(files), B=world.uploads({"short.md": "Short."}))
    job = print_job_of(pair, snapshots, redactions=())
    return (show_as_text(pair, job, NOT_SHOWN) if job else pair).map(lambda side: side.view)


@pytest.fixture(scope="module")
def everything(world: World) -> PerOutput[OutputView]:
    return built(world, {name: data for name, (data, _) in MISSING.items()})


def said(views: PerOutput[OutputView], order: Order, *, media: bool = True) -> tuple[str, str]:
    """What a judge is told of output A, and all that is ours in the request: no material, no rubric."""
    pair = BlindedPair(task=TaskText(prompt="Write."), outputs=views)
    blocks: list[dict[str, Any]] = PairQuestion(pair, pair, rubric(), order).request(media=media)[1]
    text = "\n".join(block["text"] for block in blocks if block["type"] == "text")
    (own,) = re.findall(r'<output label="A" fence="(\w+)">\n(.*?)</output fence="\1">', text, re.DOTALL)
    notes = re.findall(r"^(?:Note: .*|\(.*\))$", text, re.MULTILINE)
    return own[1], "\n".join((*notes, blocks[-1]["text"]))


def alone(views: PerOutput[OutputView], name: str) -> BlindedPair:
    """One file beside the short one; notes on whole views are left away, which are of all files together."""
    files = tuple(file for file in views.A.files if file.name == name)
    a, b = (view.model_copy(update={"notes": ()}) for view in (views.A, views.B))
    outputs = PerOutput[OutputView](A=a.model_copy(update={"files": files}), B=b)
    return BlindedPair(task=TaskText(prompt="Write."), outputs=outputs)


@pytest.mark.parametrize("name", MISSING)
def test_what_a_judge_is_not_given_is_said_in_its_place_and_tools_are_offered_where_they_show_more(
    name: str, everything: PerOutput[OutputView]
) -> None:
    for order in Order:
        own = said(everything, order)[0].split(f'<file name="{name}" ')[1].split("</file ")[0]
        assert re.search(f"^Note: .*{MISSING[name][1]}", own, re.MULTILINE), own
    assert needs_tools(alone(everything, name), Tools.AUTO) is (name not in NO_TOOL_SHOWS_MORE)


@pytest.mark.parametrize(
    ("name", "text", "tools"),
    [
        pytest.param("rows.csv", "id,name\n" + "1,x\n" * 299, False, id="a table of 300 rows"),
        pytest.param("rows.csv", "id,name\n" + "1,x\n" * 301, True, id="a longer table"),
        pytest.param("rows.json", '[{"n": 1}' + ', {"n": 1}' * 301 + "]", True, id="objects on one line"),
        pytest.param("rows.json", str([4711] * 4_000), True, id="4,000 numbers on one line"),
        pytest.param("code.py", "x = 1\n" * 2_000, False, id="a long program"),
        pytest.param(
            "report.txt", "The measured load is 47.11 kN.\n" * 2_400, False, id="prose with figures"
        ),
        pytest.param("report.txt", "4711 4712 4713\n" * 1_000, True, id="figures as text"),
    ],
)
def test_what_no_eye_compares_is_read_with_tools(tmp_path: Path, name: str, text: str, tools: bool) -> None:
    views = World(tmp_path).pair({name: text}, {"short.md": "Short."}).map(lambda side: side.view)
    assert not views.A.files[0].is_cut

    assert needs_tools(BlindedPair(task=TaskText(prompt="Write."), outputs=views), Tools.AUTO) is tools


@pytest.mark.parametrize("media", [True, False])
def test_nothing_is_called_complete(media: bool, everything: PerOutput[OutputView]) -> None:
    for order in Order:
        ours = said(everything, order, media=media)[1]
        assert not CALLED_COMPLETE.search(ours), ours


def test_a_judge_without_pictures_is_told_that_it_gets_the_text_of_pdfs_only(world: World) -> None:
    views = built(world, {"a.pdf": outputs_office.pages("a", "b")})

    assert "(this judge is not shown its pages)" in said(views, Order.A_FIRST, media=False)[0]
    assert "not shown" not in said(views, Order.A_FIRST)[0]

"""Judge and reviewer get the same pictures of web pages, of both outputs alike, and nothing in them tells a name."""

import base64
import io
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from comparator.domain.labels import PerOutput
from comparator.domain.pair.task import TaskText
from comparator.domain.pair.view import ImageBlock, PageEvidence, PagePicture
from comparator.outputs.limits import OutputBudget
from comparator.outputs.pictures.camera import Album, Camera, PageFile
from comparator.workflow.pictures import seen_page, why_still
from tests.loopback.server import LoopbackServer
from tests.worlds.judging.judges import judge_at
from tests.worlds.workbench import Workbench

TASK = TaskText(prompt="Make a page with the harvest as a chart.")
CHART = """<!doctype html><html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Harvest</title><link rel="stylesheet" href="look.css">
<script src="https://unpkg.com/react@18/umd/react.production.min.js"></script></head><body><h1>Harvest</h1>
<canvas id="c" width="300" height="150"></canvas><div id="late"></div><script>
const pen = document.getElementById("c").getContext("2d"); pen.fillStyle = "rgb(10, 120, 60)";
pen.fillRect(0, 0, 300, 150);
document.getElementById("late").textContent = "drawn by a script";
console.error("no data for " + ["zebra", "finch-prompt"].join(""));
</script></body></html>"""
WIDE = (
    '<!doctype html><meta charset=utf-8><meta name="viewport" content="width=device-width"><title>Harvest</title>'
    '<body style="margin:0"><div style="display:flex; width:780px; height:60px">'
    '<div style="width:390px; background:#00ff00"></div><div style="width:390px; background:#ff0000"></div></div>'
)
PLAIN = "<!doctype html><meta charset=utf-8><title>Harvest</title><h1>Harvest</h1><p>420 kg</p>"


class Photographer(Album):
    """Answers at once with one red picture a width; no browser is started."""

    def __init__(self) -> None:
        super().__init__(Path("nowhere"), chromium="off")

    def evidence(self, page: str, files: Sequence[PageFile], *, until: str = "") -> PageEvidence | None:
        red = io.BytesIO()
        Image.new("RGB", (8, 8), "red").save(red, "PNG")
        tile = ImageBlock(media_type="image/png", data=red.getvalue())
        size = {"height": 8, "shown": 8, "tiles": (tile,)}
        shots = tuple(
            PagePicture.model_validate({"device": device, "width": width, **size})
            for device, width in (("desktop", 1280), ("phone", 390))
        )
        return PageEvidence(pictures=shots, errors=("made by zebrafinch-prompt",))


def with_album(workbench: Workbench, album: Album, **changes: Any) -> None:
    workbench.services = replace(workbench.services, album=album, **changes)


def two_folders(workbench: Workbench, a: dict[str, str], b: dict[str, str]) -> PerOutput[Path]:
    for side, files in (("one", a), ("two", b)):
        for name, text in files.items():
            workbench.file(f"{side}/outputs/{name}", text)
    return PerOutput[Path](A=workbench.folder / "one/outputs", B=workbench.folder / "two/outputs")


@pytest.mark.slow
def test_a_judge_request_holds_real_pictures_of_both_pages_and_names_what_was_not_loaded(
    workbench: Workbench, model: LoopbackServer, chromium_path: str, tmp_path: Path
) -> None:
    with_album(workbench, Album(tmp_path / "album", camera=Camera(chromium_path)))
    folders = two_folders(
        workbench,
        {"index.html": CHART, "look.css": "body { background: rgb(250, 240, 200) }"},
        {"index.html": WIDE},
    )
    comparison_id = workbench.submitted(folders, task=TASK)

    outcome = workbench.judged(comparison_id, judge_at(model))

    assert outcome.complete, outcome.problem
    for request in model.messages[1:]:
        content = request.body["messages"][0]["content"]
        pictures = [base64.b64decode(b["source"]["data"]) for b in content if b["type"] == "image"]
        sizes = [Image.open(io.BytesIO(data)).width for data in pictures]
        assert sizes == [1280, 390, 1280, 390]
        text = "\n".join(block["text"] for block in content if block["type"] == "text")
        assert text.count("in a desktop window, 1280 pixels wide:") == 2
        assert text.count("in a phone window, 390 pixels wide:") == 2
        assert text.count("The page is 780 pixels wide there") == 1
        # What does not fit a phone's width is cut off there, as a user sees it; nothing is scaled until it fits.
        drawn = [
            {colour for _, colour in Image.open(io.BytesIO(data)).convert("RGB").getcolors(1_000_000) or ()}
            for data in pictures
        ]
        red, green = (255, 0, 0), (0, 255, 0)
        assert [(green in of, red in of) for of in drawn if green in of] == [(True, True), (True, False)]
        assert "Not loaded: https://unpkg.com/react@18/umd/react.production.min.js (script)" in text
        assert "Error when it was opened: no data for " in text
        assert "zebrafinch" not in text
    # The page is drawn by its script and styled by the file beside it.
    views = workbench.views(comparison_id)
    files = (*views.A.files, *views.B.files)
    chart = next(file.page for file in files if file.page and file.page.errors)
    colours = Image.open(io.BytesIO(chart.pictures[0].tiles[0].data)).convert("RGB").getcolors(1_000_000)
    assert colours is not None
    assert {(10, 120, 60), (250, 240, 200)} <= {colour for _, colour in colours}
    # The reviewer is shown the very same.
    (shown_file,) = (file for file in views.A.files if file.page is not None)
    seen = seen_page(workbench.services, shown_file.id)
    assert seen is not None
    assert (seen.judged, seen.evidence) == (True, shown_file.page)


def test_both_outputs_give_up_pictures_alike_where_one_has_too_many(workbench: Workbench) -> None:
    many = {f"page{number}.html": PLAIN for number in range(4)}
    with_album(workbench, Photographer(), output_budget=OutputBudget(images=5))

    folders = two_folders(workbench, many, {"index.html": PLAIN})
    views = workbench.views(workbench.submitted(folders, task=TASK))

    counts = [
        [len(file.page.pictures) for file in view.files if file.page is not None] for _, view in views.items()
    ]
    assert sorted(counts) == [[2], [2, 2]]
    assert all(any("their number is limited" in note for note in view.notes) for _, view in views.items())
    # Messages of a page are redacted like its text.
    assert all("zebrafinch" not in view.model_dump_json() for _, view in views.items())


class Stuck(Camera):
    """Never gets through with a page."""

    def __init__(self) -> None:
        super().__init__("nowhere")
        self.openings = 0

    def take(self, page: str, files: Sequence[PageFile], *, until: str = "") -> PageEvidence:
        self.openings += 1
        return PageEvidence(problem="Opening it was ended, because it took longer than 30 seconds.")


def test_a_page_that_never_ends_is_opened_once_in_a_while(tmp_path: Path) -> None:
    camera, now = Stuck(), [1_000.0]
    album = Album(tmp_path, camera=camera, clock=lambda: now[0])
    files = [PageFile("index.html", "text/html", b"<script>for(;;);</script>")]

    seen = [album.evidence("index.html", files) for _ in range(45)]
    assert camera.openings == 1
    assert all(evidence is not None and "30 seconds" in evidence.problem for evidence in seen)
    now[0] += 301
    album.evidence("index.html", files)
    assert camera.openings == 2


WRITES = {
    "in the page": 'document.body.append(["zebra", "finch-prompt"].join(""));',
    "on a canvas": """const canvas = document.createElement("canvas");
        canvas.getContext("2d").fillText(["zebra", "finch-prompt"].join(""), 9, 9);""",
    "in a shadow tree": 'document.body.attachShadow({mode: "closed"}).append(["zebra", "finch-prompt"].join(""));',
    "in generated content": """const s = new CSSStyleSheet(); document.adoptedStyleSheets = [s];
        s.insertRule('h1::after { content: "' + ["zebra", "finch-prompt"].join("") + '" }');""",
}


@pytest.mark.slow
@pytest.mark.parametrize("how", WRITES)
def test_a_name_that_a_script_writes_is_found_and_no_page_of_either_output_shows_it(
    workbench: Workbench, chromium_path: str, tmp_path: Path, how: str
) -> None:
    with_album(workbench, Album(tmp_path / "album", camera=Camera(chromium_path)))
    page = PLAIN + f"<script>{WRITES[how]}</script>"
    comparison_id = workbench.submitted(
        two_folders(workbench, {"index.html": page}, {"index.html": PLAIN}), task=TASK
    )

    views = workbench.views(comparison_id)
    for view in (views.A, views.B):
        (file,) = view.files
        assert file.page is not None
        assert file.page.pictures == ()
        assert "write a name" in file.page.problem
        assert "write a name" in why_still(workbench.services, file.id)
        assert "zebrafinch" not in view.model_dump_json()

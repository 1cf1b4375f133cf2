"""Files of one output find each other however their names are written, and a notebook shows what it carries along."""

import base64
import json
import unicodedata

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from comparator.domain.labels import Label
from comparator.outputs.preview.child_process import Renderer
from comparator.store.pairs import comparisons
from comparator.web.media.routes import media_routes
from comparator.web.media.stored import StoredMedia
from comparator.workflow.judging.rubrics import blinded_pair
from tests.worlds.files.outputs import picture
from tests.worlds.workbench import Workbench

PACKED = base64.b64encode(picture()).decode()
APART = unicodedata.normalize("NFD", "Übersicht.png")


def notebook(source: str, *, name: str = "über sicht.png") -> str:
    cell = {"cell_type": "markdown", "source": [source], "attachments": {name: {"image/png": PACKED}}}
    return json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


FOUND = [
    pytest.param({"a.md": "![x](Übersicht.png)", APART: picture()}, id="accents typed apart"),
    pytest.param(
        {"a.md": f"![x]({APART})", "Übersicht.png": picture()}, id="accents typed apart in the text"
    ),
    pytest.param({"a.md": "![x](%C3%9Cbersicht.png)", APART: picture()}, id="percent signs"),
    pytest.param(
        {"a.md": "![x](img/my%20chart.png)", "img/my chart.png": picture()}, id="a space as percent sign"
    ),
    pytest.param({"a.md": "![x](<img/my chart.png>)", "img/my chart.png": picture()}, id="a space in angles"),
    pytest.param({"a.md": "![x](chart(1).png)", "chart(1).png": picture()}, id="parentheses"),
    pytest.param(
        {"a.md": "![x][c]\n\n[c]: ./img/chart.png 'A chart'", "img/chart.png": picture()}, id="reference"
    ),
    pytest.param({"a.md": "![x](chart.png?raw=true)", "chart.png": picture()}, id="a query"),
    pytest.param(
        {"a.md": "![x](/mnt/user-data/outputs/img/c.png)", "img/c.png": picture()},
        id="where the agent saved it",
    ),
    pytest.param({"a.md": '<img src="Übersicht.png">', APART: picture()}, id="a tag in Markdown"),
    pytest.param({"a.ipynb": notebook("![x](Übersicht.png)"), APART: picture()}, id="beside a notebook"),
    pytest.param({"a.ipynb": notebook("![x](attachment:chart.png)", name="chart.png")}, id="an attachment"),
    pytest.param(
        {"a.ipynb": notebook("![x](attachment:u%CC%88ber%20sicht.png)")}, id="an attachment, escaped"
    ),
    pytest.param(
        {"a.ipynb": notebook('<img src="attachment:chart.png">', name="chart.png")}, id="attached, in a tag"
    ),
]
LACKING = [
    ({"a.md": "![x](Nirgendwo/Übersicht.png)"}, "1 picture not in this output."),
    ({"a.ipynb": notebook("![x](attachment:other.png)")}, "1 picture not in this output."),
    (
        {"a.md": "![x](https://example.com/a.png) ![y](//example.com/b.png)"},
        "2 pictures from elsewhere not loaded.",
    ),
]


def page_of(workbench: Workbench, renderer: Renderer, files: dict[str, str | bytes]) -> str:
    """The frame of the first file of output A, as the browser gets it."""
    pair = workbench.pair()
    for name, data in files.items():
        workbench.file(f"with_skill/outputs/{name}", data)
    comparison_id = workbench.submitted(pair)
    sheet = workbench.sheet(comparison_id)
    (shown,) = (f for f in sheet.files if f.label is Label.A and f.name.startswith("a."))
    media = StoredMedia(workbench.services)
    routes = media_routes(media, renderer=renderer, cache=workbench.folder / "cache")
    client = TestClient(Starlette(routes=routes))
    answer = client.get(f"/outputs/{shown.id}/view")
    assert answer.status_code == 200
    return answer.text


@pytest.mark.parametrize("files", FOUND)
def test_a_picture_beside_a_file_is_shown(
    workbench: Workbench, renderer: Renderer, files: dict[str, str | bytes]
) -> None:
    page = page_of(workbench, renderer, files)

    assert 'src="../' in page or 'src="data:image/png' in page
    assert "not loaded" not in page


@pytest.mark.parametrize(("files", "note"), LACKING)
def test_the_note_tells_what_is_missing_from_what_lies_elsewhere(
    workbench: Workbench, renderer: Renderer, files: dict[str, str | bytes], note: str
) -> None:
    page = page_of(workbench, renderer, files)

    assert note in page
    assert "%C3" not in page.partition("Picture not loaded")[2].partition("<")[0]


def test_the_judge_gets_a_picture_that_a_notebook_carries_along(workbench: Workbench) -> None:
    pair = workbench.pair()
    workbench.file("with_skill/outputs/a.ipynb", notebook("![x](attachment:c.png)", name="c.png"))
    comparison_id = workbench.submitted(pair)
    sheet = workbench.sheet(comparison_id)
    (shown,) = (f for f in sheet.files if f.label is Label.A and f.name == "a.ipynb")

    with workbench.services.database.read() as connection:
        comparison = comparisons.get(connection, comparison_id)
        blinded = blinded_pair(workbench.services, connection, comparison)

    (file,) = (file for file in blinded.outputs.A.files if file.name == shown.name)
    assert [block.media_type for block in file.images] == ["image/png"]

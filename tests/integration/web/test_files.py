"""Files over HTTP: chats shown as chats, links between files of one output, and downloads that pages have written."""

import base64
import json
import os
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient
from starlette.types import ASGIApp, Receive, Scope, Send

from comparator.domain.labels import Label
from comparator.outputs.preview.child_process import Renderer
from comparator.settings import Settings
from comparator.store.pairs import comparisons
from comparator.web.files import KEPT_SECONDS, download_routes, offer, sweep
from comparator.web.guards.gate import ASKED_BY
from comparator.web.media.files import StoredMedia
from comparator.web.media.routes import media_routes
from comparator.workflow.judging.rubrics import blinded_pair
from tests.worlds.files.outputs import picture
from tests.worlds.workbench import Workbench

ASKED = {"role": "user", "content": "Name a **bird**."}
CALL = {"id": "c", "type": "function", "function": {"name": "look_up", "arguments": '{"word": "wren"}'}}
CHATS: dict[str, Any] = {
    "texts": [ASKED, {"role": "assistant", "content": "A small wren."}],
    "parts": [ASKED, {"role": "assistant", "content": [{"type": "text", "text": "A small wren."}]}],
    "under a name": {"model": "m-1", "messages": [ASKED, {"role": "assistant", "content": "A small wren."}]},
    "from and value": {
        "conversations": [
            {"from": "human", "value": "Name a bird."},
            {"from": "gpt", "value": "A small wren."},
        ]
    },
    "an answer": {"choices": [{"index": 0, "message": {"role": "assistant", "content": "A small wren."}}]},
    "a message": {"role": "assistant", "content": [{"type": "text", "text": "A small wren."}], "stop": "end"},
    "tools": [
        ASKED,
        {"role": "assistant", "content": None, "tool_calls": [CALL]},
        {"role": "tool", "tool_call_id": "c", "content": "A small wren."},
    ],
    "thinking": [
        ASKED,
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "Which?"},
                {"type": "text", "text": "A small wren."},
            ],
        },
    ],
}


def judged(bench: Workbench, text: str, name: str = "a.json") -> tuple[str, str]:
    """What the judge gets of a file, and what is said of it."""
    pair = bench.pair()
    bench.file(f"with_skill/outputs/{name}", text)
    comparison_id = bench.submitted(pair)
    with bench.services.database.read() as connection:
        blinded = blinded_pair(bench.services, connection, comparisons.get(connection, comparison_id))
    (file,) = (file for file in blinded.outputs.A.files if file.name == name)
    return file.text, " ".join(file.notes)


@pytest.mark.parametrize("chat", CHATS.values(), ids=CHATS)
def test_a_chat_is_shown_and_judged_as_one(workbench: Workbench, renderer: Renderer, chat: Any) -> None:
    page = page_of(workbench, renderer, {"a.json": json.dumps(chat)})
    text, _ = judged(workbench, json.dumps(chat))

    assert '<section class="turn' in page
    assert "A small wren." in page
    assert "### " in text
    assert "A small wren." in text
    assert '"role"' not in text + page
    assert '"content"' not in text + page


def test_lines_of_messages_are_a_chat_and_lines_of_chats_are_not(workbench: Workbench) -> None:
    lines = [ASKED, {"role": "assistant", "content": "A small wren."}]

    chat, _ = judged(workbench, "\n".join(map(json.dumps, lines)), "a.jsonl")
    several, _ = judged(workbench, "\n".join(json.dumps({"messages": lines}) for _ in range(2)), "a.jsonl")

    assert chat == "### User\n\nName a **bird**.\n\n### Assistant\n\nA small wren."
    assert several.count('"messages"') == 2


@pytest.mark.parametrize(
    "value",
    [
        [{"role": "admin", "content": "x"}],
        [{"role": "user", "content": {"unknown": 1}}],
        {"messages": ["x"]},
        [{"role": "user"}],
        [],
    ],
)
def test_what_is_no_chat_stays_as_it_is(workbench: Workbench, value: Any) -> None:
    text, _ = judged(workbench, json.dumps(value))

    assert text == json.dumps(value)


PACKED = base64.b64encode(picture()).decode()
APART = unicodedata.normalize("NFD", "Übersicht.png")


def notebook(source: str, *, name: str = "über sicht.png") -> str:
    cell = {"cell_type": "markdown", "source": [source], "attachments": {name: {"image/png": PACKED}}}
    return json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


SAVED = "where the agent saved it"
FOUND: dict[str, dict[str, str | bytes]] = {
    "accents typed apart": {"a.md": "![x](Übersicht.png)", APART: picture()},
    "accents typed apart in the text": {"a.md": f"![x]({APART})", "Übersicht.png": picture()},
    "percent signs": {"a.md": "![x](%C3%9Cbersicht.png)", APART: picture()},
    "a space as percent sign": {"a.md": "![x](img/my%20chart.png)", "img/my chart.png": picture()},
    "a space in angles": {"a.md": "![x](<img/my chart.png>)", "img/my chart.png": picture()},
    "parentheses": {"a.md": "![x](chart(1).png)", "chart(1).png": picture()},
    "reference": {"a.md": "![x][c]\n\n[c]: ./img/chart.png 'A chart'", "img/chart.png": picture()},
    "a query": {"a.md": "![x](chart.png?raw=true)", "chart.png": picture()},
    SAVED: {"a.md": "![x](/mnt/user-data/outputs/img/c.png)", "img/c.png": picture()},
    "a tag in Markdown": {"a.md": '<img src="Übersicht.png">', APART: picture()},
    "beside a notebook": {"a.ipynb": notebook("![x](Übersicht.png)"), APART: picture()},
    "an attachment": {"a.ipynb": notebook("![x](attachment:chart.png)", name="chart.png")},
    "an attachment, escaped": {"a.ipynb": notebook("![x](attachment:u%CC%88ber%20sicht.png)")},
    "attached, in a tag": {"a.ipynb": notebook('<img src="attachment:chart.png">', name="chart.png")},
}
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
    return view_of(shown.id, workbench, renderer)


def view_of(file_id: str, workbench: Workbench, renderer: Renderer) -> str:
    media = StoredMedia(workbench.services)
    routes = media_routes(media, renderer=renderer, cache=workbench.folder / "cache")
    answer = TestClient(Starlette(routes=routes)).get(f"/outputs/{file_id}/view")
    assert answer.status_code == 200
    return answer.text


def test_a_picture_beside_a_file_is_shown(workbench: Workbench, renderer: Renderer) -> None:
    pair = workbench.pair()
    for case, files in FOUND.items():
        # What an agent saved is meant from the root.
        folder = "with_skill/outputs" + (f"/{case}" if case != SAVED else "")
        for name, data in files.items():
            workbench.file(f"{folder}/{name}", data)

    documents = {
        f.name: view_of(f.id, workbench, renderer)
        for f in workbench.sheet(workbench.submitted(pair)).files
        if f.label is Label.A and f.name.rpartition("/")[2].startswith("a.")
    }

    assert len(documents) == len(FOUND)
    shown = {
        name
        for name, page in documents.items()
        if ('src="../' in page or 'src="data:image/png' in page) and "not loaded" not in page
    }
    assert documents.keys() - shown == set()


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


def browser(settings: Settings, person: str) -> TestClient:
    """One that the gate let in as this person."""
    app: ASGIApp = Starlette(routes=download_routes(settings))

    async def let_in(scope: Scope, receive: Receive, send: Send) -> None:
        await app({**scope, ASKED_BY: person}, receive, send)

    return TestClient(let_in)


def test_a_written_file_is_for_whom_it_was_written_and_is_saved_under_its_name(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path)
    address = offer(settings, "a,b\r\n", name="scores.csv", person_id="ada")

    answer = browser(settings, "ada").get(address)
    assert (answer.status_code, answer.text) == (200, "a,b\r\n")
    assert answer.headers["content-disposition"] == 'attachment; filename="scores.csv"'
    assert browser(settings, "ben").get(address).status_code == 404
    assert browser(settings, "ada/..").get(address).status_code == 404
    assert browser(settings, "ada").get("/files/../ben/scores.csv").status_code == 404


def test_a_file_is_swept_after_a_while(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path)
    address = offer(settings, b"1", name="a.bin", person_id="ada")
    for place in tmp_path.glob("cache/downloads/*/*"):
        os.utime(place, (0, place.stat().st_mtime - KEPT_SECONDS - 1))
    sweep(settings)
    assert browser(settings, "ada").get(address).status_code == 404

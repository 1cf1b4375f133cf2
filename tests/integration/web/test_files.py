"""Files over HTTP: chats shown as chats, links between files of one output, and downloads that pages have written."""

import base64
import json
import os
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from starlette.applications import Starlette
from starlette.routing import BaseRoute
from starlette.testclient import TestClient
from starlette.types import ASGIApp, Receive, Scope, Send

from comparator.domain.labels import Label
from comparator.domain.pair.view import ViewedFile
from comparator.outputs.preview.child_process import Renderer
from comparator.settings import Settings
from comparator.store import tables
from comparator.store.pairs import comparisons
from comparator.web.files import KEPT_SECONDS, download_routes, offer, sweep
from comparator.web.guards.gate import ASKED_BY
from comparator.web.media.files import StoredMedia
from comparator.web.media.foreign_pages import foreign_routes
from comparator.web.media.routes import media_routes
from comparator.workflow.judging.rubrics import blinded_pair
from tests.worlds.files.outputs import picture
from tests.worlds.workbench import Workbench

WREN = "A small wren."
ASKED = {"role": "user", "content": "Name a **bird**."}
ANSWER = {"role": "assistant", "content": WREN}
PARTS = {"role": "assistant", "content": [{"type": "text", "text": WREN}]}
THOUGHT = {"role": "assistant", "content": [{"type": "thinking", "thinking": "Which?"}, *PARTS["content"]]}
CALL = {"id": "c", "type": "function", "function": {"name": "look_up", "arguments": '{"word": "wren"}'}}
CALLED = {"role": "assistant", "content": None, "tool_calls": [CALL]}
CHATS: dict[str, Any] = {
    "texts.json": [ASKED, ANSWER],
    "parts.json": [ASKED, PARTS],
    "under a name.json": {"model": "m-1", "messages": [ASKED, ANSWER]},
    "from and value.json": {
        "conversations": [{"from": "human", "value": "?"}, {"from": "gpt", "value": WREN}]
    },
    "an answer.json": {"choices": [{"index": 0, "message": ANSWER}]},
    "a message.json": {**PARTS, "stop": "end"},
    "tools.json": [ASKED, CALLED, {"role": "tool", "tool_call_id": "c", "content": WREN}],
    "thinking.json": [ASKED, THOUGHT],
}
NO_CHATS: tuple[Any, ...] = (
    *([{"role": "admin", "content": "x"}], [{"role": "user", "content": {"unknown": 1}}]),
    *({"messages": ["x"]}, [{"role": "user"}], []),
)


def submitted(bench: Workbench, files: Mapping[str, str | bytes]) -> str:
    """A comparison in which output A has these files."""
    pair = bench.pair()
    for name, data in files.items():
        bench.file(f"with_skill/outputs/{name}", data)
    return bench.submitted(pair)


def judged(bench: Workbench, comparison_id: str) -> dict[str, ViewedFile]:
    """What the judge gets of output A's files."""
    with bench.services.database.read() as connection:
        blinded = blinded_pair(bench.services, connection, comparisons.get(connection, comparison_id))
    return {file.name: file for file in blinded.outputs.A.files}


def test_a_chat_is_shown_and_judged_as_one(workbench: Workbench, renderer: Renderer) -> None:
    comparison_id = submitted(workbench, {name: json.dumps(chat) for name, chat in CHATS.items()})
    files, pages = judged(workbench, comparison_id), pages_of(workbench, renderer, comparison_id)

    for name in CHATS:
        text, page = files[name].text, pages[name]
        assert '<section class="turn' in page
        assert WREN in page
        assert "### " in text
        assert WREN in text
        assert '"role"' not in text + page
        assert '"content"' not in text + page


def test_lines_of_messages_are_a_chat_and_lines_of_chats_and_other_json_are_not(workbench: Workbench) -> None:
    lines = [ASKED, ANSWER]
    others = {f"{number}.json": json.dumps(value) for number, value in enumerate(NO_CHATS)}
    several = "\n".join(json.dumps({"messages": lines}) for _ in range(2))

    chats = {"chat.jsonl": "\n".join(map(json.dumps, lines)), "several.jsonl": several}
    files = judged(workbench, submitted(workbench, {**others, **chats}))

    assert files["chat.jsonl"].text == "### User\n\nName a **bird**.\n\n### Assistant\n\nA small wren."
    assert files["several.jsonl"].text.count('"messages"') == 2
    assert {name: files[name].text for name in others} == others


def test_a_name_that_a_page_s_script_wrote_is_noted_with_who_had_it_open_and_of_other_files_none(
    workbench: Workbench, renderer: Renderer
) -> None:
    page = "<p id=p>A wren.</p><script>p.textContent = atob('eA==')</script>"
    comparison_id = submitted(workbench, {"page.html": page, "README.md": WREN, "still.html": "<p>A wren."})
    media, person_id = StoredMedia(workbench.services), workbench.me.person
    client = browser(foreign_routes(media, renderer=renderer, may_see=lambda *_: True), person_id)
    ids = {file.name: file.id for file in workbench.sheet(comparison_id).files if file.label is Label.A}

    def noted(name: str, words: str) -> tuple[bool, list[str | None]]:
        assert client.post(f"/outputs/{ids[name]}/written", content=words).status_code == 204
        with workbench.services.database.read() as connection:
            events = connection.execute(
                sa.select(tables.event.c.person_id).where(tables.event.c.kind == "name_written")
            )
            return comparisons.get(connection, comparison_id).may_reveal, list(events.scalars())

    assert noted("README.md", "zebrafinch-prompt") == (False, [])
    assert noted("still.html", "zebrafinch-prompt") == (False, [])
    assert noted("page.html", "I am another-prompt") == (False, [])
    assert noted("page.html", "I am zebrafinch-prompt") == (True, [person_id])


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
LACKING = (
    ("a.md", "![x](Nirgendwo/Übersicht.png)", "1 picture not in this output."),
    ("a.ipynb", notebook("![x](attachment:other.png)"), "1 picture not in this output."),
    ("b.md", "![x](https://a.example/a) ![y](//a.example/b)", "2 pictures from elsewhere not loaded."),
)


def pages_of(workbench: Workbench, renderer: Renderer, comparison_id: str) -> dict[str, str]:
    """The frames of output A's files, as the browser gets them."""
    media = StoredMedia(workbench.services)
    routes = media_routes(media, renderer=renderer, cache=workbench.folder / "cache")
    client = TestClient(Starlette(routes=routes))
    files = [file for file in workbench.sheet(comparison_id).files if file.label is Label.A]
    answers = {file.name: client.get(f"/outputs/{file.id}/view") for file in files}
    assert {answer.status_code for answer in answers.values()} == {200}
    return {name: answer.text for name, answer in answers.items()}


def test_a_picture_beside_a_file_is_shown(workbench: Workbench, renderer: Renderer) -> None:
    # What an agent saved is meant from the root.
    files = {
        name if case == SAVED else f"{case}/{name}": data
        for case, own in FOUND.items()
        for name, data in own.items()
    }

    pages = pages_of(workbench, renderer, submitted(workbench, files))

    documents = {name: page for name, page in pages.items() if name.rpartition("/")[2].startswith("a.")}
    assert len(documents) == len(FOUND)
    for name, page in documents.items():
        assert 'src="../' in page or 'src="data:image/png' in page, name
        assert "not loaded" not in page, name


def test_the_note_tells_what_is_missing(workbench: Workbench, renderer: Renderer) -> None:
    pages = pages_of(workbench, renderer, submitted(workbench, {name: text for name, text, _ in LACKING}))

    for name, _, note in LACKING:
        assert note in pages[name]
        assert "%C3" not in pages[name].partition("Picture not loaded")[2].partition("<")[0]


def browser(routes: Sequence[BaseRoute], person: str) -> TestClient:
    """One that the gate let in as this person."""
    app: ASGIApp = Starlette(routes=routes)

    async def let_in(scope: Scope, receive: Receive, send: Send) -> None:
        await app({**scope, ASKED_BY: person}, receive, send)

    return TestClient(let_in)


def test_a_written_file_is_for_whom_it_was_written_and_is_saved_under_its_name(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path)
    routes = download_routes(settings)
    address = offer(settings, "a,b\r\n", name="scores.csv", person_id="ada")

    answer = browser(routes, "ada").get(address)
    assert (answer.status_code, answer.text) == (200, "a,b\r\n")
    assert answer.headers["content-disposition"] == 'attachment; filename="scores.csv"'
    assert browser(routes, "ben").get(address).status_code == 404
    assert browser(routes, "ada/..").get(address).status_code == 404
    assert browser(routes, "ada").get("/files/../ben/scores.csv").status_code == 404
    # A file is swept after a while.
    for place in tmp_path.glob("cache/downloads/*/*"):
        os.utime(place, (0, place.stat().st_mtime - KEPT_SECONDS - 1))
    sweep(settings)
    assert browser(routes, "ada").get(address).status_code == 404

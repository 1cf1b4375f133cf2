"""Uploads lie on the disk, within limits, and what nobody reads is swept; in front of Streamlit's own address."""

import os
import uuid
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.testclient import TestClient
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.runtime import Runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.web.server.starlette.starlette_app_utils import generate_xsrf_token_string
from streamlit.web.server.starlette.starlette_routes import create_upload_routes

from comparator.web.files import UploadLimits, Uploads, UploadShelf
from comparator.web.guards.gate import ASKED_BY

MB = 1 << 20


class LetIn:
    """Stands for the gate: says who asks, as a header says."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            scope[ASKED_BY] = dict(scope["headers"]).get(b"x-who", b"lea").decode()
        await self.app(scope, receive, send)


class House:
    """Streamlit's own upload addresses behind the shelf."""

    def __init__(self, folder: Path) -> None:
        self.now = 0.0
        self.shelf = UploadShelf(folder, UploadLimits(3 * MB, 5 * MB, 7 * MB, 60.0), clock=lambda: self.now)
        self.files = MemoryUploadedFileManager("/_stcore/upload_file")
        self.gone: set[str] = set()
        runtime = SimpleNamespace(is_active_session=lambda id: id not in self.gone)
        routes = create_upload_routes(cast(Runtime, runtime), self.files, "")
        guards = [Middleware(LetIn), Middleware(Uploads, shelf=self.shelf)]
        self.app = Starlette(routes=routes, middleware=guards)
        self.client = TestClient(self.app)
        self.client.cookies.set("_streamlit_xsrf", generate_xsrf_token_string())

    def send(self, data: bytes, *, session: str = "session-1", who: str = "lea") -> tuple[int, str]:
        id = str(uuid.uuid4())
        headers = {"x-who": who, "x-xsrftoken": self.client.cookies["_streamlit_xsrf"]}
        form = {"file": ("report.md", data, "text/markdown")}
        answer = self.client.put(f"/_stcore/upload_file/{session}/{id}", headers=headers, files=form)
        return answer.status_code, id

    def on_disk(self) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in self.shelf.folder.glob("*/*")}


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    running = House(tmp_path / "uploads")
    with running.client:
        yield running


def test_an_upload_lies_on_the_disk_and_streamlit_holds_nothing_but_its_name(house: House) -> None:
    data = bytes(range(256)) * 8000
    status, id = house.send(data)
    assert status == 204
    assert house.on_disk() == {id: data}
    (held,) = house.files.get_files("session-1", [id])
    assert (held.name, held.type, held.data) == ("report.md", "text/markdown", b"")
    assert (house.shelf.folder / "session-1").stat().st_mode & 0o077 == 0


def test_every_byte_arrives_whatever_the_size(house: House) -> None:
    for size in (0, 1, 65_535, 65_536, 65_537):
        data = b"--boundary\r\n"[: size % 13] + bytes(size)
        status, id = house.send(data)
        assert (status, house.on_disk()[id]) == (204, data)


def test_a_page_a_person_and_the_server_hold_so_much_and_no_more(house: House) -> None:
    assert house.send(bytes(3 * MB + 1))[0] == 413
    assert house.send(bytes(2 * MB))[0] == 204
    assert house.send(bytes(2 * MB))[0] == 413, "one page"
    assert house.send(bytes(2 * MB), session="session-2")[0] == 204
    assert house.send(bytes(2 * MB), session="session-3")[0] == 413, "one person"
    assert house.send(bytes(2 * MB), session="session-4", who="max")[0] == 204
    assert house.send(bytes(2 * MB), session="session-5", who="eve")[0] == 413, "the server"
    assert sum(map(len, house.on_disk().values())) == 6 * MB
    assert not list(house.shelf.folder.rglob("*.part"))


@pytest.mark.parametrize("address", ["session-1/..%2f..%2fcomparator.db", "../x/y", "session-1/a/b", "s/f"])
def test_no_address_leads_out_of_the_folder(house: House, address: str) -> None:
    answer = house.client.put(f"/_stcore/upload_file/{address}", files={"file": b"x"})
    assert answer.status_code in (400, 404)
    assert not list(house.shelf.folder.parent.rglob("*.db"))


def test_what_no_page_reads_is_swept(house: House) -> None:
    _, old = house.send(b"old")
    _, read = house.send(b"read")
    for path in house.shelf.folder.glob("*/*"):
        house.now = path.stat().st_mtime + 61
    os.utime(house.shelf.folder / "session-1" / read, (house.now, house.now))
    assert house.shelf.sweep() == 1
    assert house.on_disk() == {read: b"read"}
    assert old not in str(house.shelf._uploads)


FORM = b"--x\r\ncontent-disposition: form-data; name=file; filename=a.md\r\n\r\n"


async def put(house: House, id: str, chunks: AsyncIterator[bytes], *, method: str = "PUT") -> tuple[int, str]:
    """Send a form piece by piece, without saying how long it is; the status and words of the answer."""
    token = house.client.cookies["_streamlit_xsrf"].encode()
    headers = [
        *((b"host", b"testserver"), (b"content-type", b"multipart/form-data; boundary=x")),
        *((b"x-xsrftoken", token), (b"cookie", b"_streamlit_xsrf=" + token)),
    ]
    path = f"/_stcore/upload_file/session-1/{id}"
    scope = {"type": "http", "method": method, "path": path, "raw_path": path.encode(), "query_string": b""}
    messages: list[Message] = []

    async def receive() -> Message:
        async for chunk in chunks:
            return {"type": "http.request", "body": chunk, "more_body": True}
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        messages.append(message)

    await house.app({**scope, "headers": headers, "root_path": "", "http_version": "1.1"}, receive, send)
    return messages[0]["status"], b"".join(message.get("body", b"") for message in messages).decode()


async def nothing() -> AsyncIterator[bytes]:
    for chunk in tuple[bytes, ...]():
        yield chunk


@pytest.mark.parametrize("meanwhile", ["it is sent a second time", "it is taken away"])
async def test_an_upload_is_counted_whatever_is_done_meanwhile(house: House, meanwhile: str) -> None:
    id = str(uuid.uuid4())
    other: list[int] = []

    async def first() -> AsyncIterator[bytes]:
        yield FORM
        yield bytes(MB)
        if meanwhile == "it is taken away":
            other.append((await put(house, id, nothing(), method="DELETE"))[0])
        else:
            other.append((await put(house, id, second()))[0])
        for _ in range(20):
            yield bytes(MB)
        yield b"\r\n--x--\r\n"

    async def second() -> AsyncIterator[bytes]:
        yield FORM
        yield b"\r\n--x--\r\n"

    status, _ = await put(house, id, first())

    assert status in (409, 413), "more than a page may hold"
    assert other == [204 if meanwhile == "it is taken away" else 409]
    assert house.on_disk() == {}
    assert house.shelf._uploads == {}


async def test_an_upload_ends_while_there_is_room(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    left = 202 * MB
    most = 0

    async def chunks() -> AsyncIterator[bytes]:
        nonlocal left, most
        yield FORM
        for _ in range(9):
            yield bytes(1000)
            left -= MB
            most += 1

    monkeypatch.setattr("shutil.disk_usage", lambda folder: SimpleNamespace(free=left))

    status, reply = await put(house, str(uuid.uuid4()), chunks())

    assert (status, most) == (507, 3)
    assert "disk is full" in reply
    assert house.on_disk() == {}

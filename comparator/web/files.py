"""Uploads, kept on the disk until a page has read them, and downloads, sent to the person they were written for.

Streamlit would hold uploads in memory, whoever sends them, for as long as the page is open. It is handed an empty file
of the same name instead; the page reads the real one from its place.
"""

from __future__ import annotations

import contextlib
import re
import secrets
import shutil
import time
from collections.abc import AsyncGenerator, Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, NamedTuple

import anyio
from anyio import to_thread
from starlette.datastructures import Headers, MutableHeaders, UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from comparator.settings import Settings
from comparator.web.guards.gate import ASKED_BY, FILES, UPLOADS

_MB = 1 << 20
_ID = re.compile(r"[A-Za-z0-9-]{8,64}")
_STORED = 204
MOST_FILES = 5_000
"""So many files one person holds."""
LEAST_FREE = 200 * _MB
"""Bytes that an upload leaves free on the disk: the database needs them more."""
SWEPT_EVERY = 60.0


class UploadLimits(NamedTuple):
    """How many bytes are kept at the same time, and for how many seconds after they were last read."""

    session: int
    """Of one open page; no file is larger either."""
    person: int
    server: int
    seconds: float

    @classmethod
    def of(cls, settings: Settings) -> UploadLimits:
        """Those of the settings."""
        return cls(
            settings.upload_mb * _MB,
            settings.upload_person_mb * _MB,
            settings.upload_server_mb * _MB,
            settings.upload_minutes * 60.0,
        )


def folder_of(settings: Settings) -> Path:
    """Where uploads lie, each under the ids of its page and its own."""
    return settings.home / "cache" / "uploads"


class _Refused(Exception):
    """An upload that is not taken, with the status that says so."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status, self.why = status, why


@dataclass
class _Upload:
    person: str
    session: str
    size: int = 0
    coming: bool = True
    """Whether it is on its way still."""


@dataclass
class UploadShelf:
    """What is kept, and how much of it whose."""

    folder: Path
    limits: UploadLimits
    clock: Callable[[], float] = time.time
    _uploads: dict[Path, _Upload] = field(default_factory=dict)

    def place(self, session: str, file: str) -> Path:
        """Where this upload lies. Raises _Refused for ids that none of Streamlit's are."""
        if not (_ID.fullmatch(session) and _ID.fullmatch(file)):
            raise _Refused(400, "This is not the address of an upload.")
        return self.folder / session / file

    @contextlib.contextmanager
    def room(self, place: Path, *, person: str, session: str) -> Iterator[_Upload]:
        """A place in the accounts while an upload comes in; it is given back where that fails."""
        own = [upload for upload in self._uploads.values() if upload.person == person]
        if len(own) >= MOST_FILES:
            raise _Refused(413, f"You hold {len(own)} uploads; {MOST_FILES} are allowed.")
        before = self._uploads.get(place)
        if before is not None and before.coming:
            raise _Refused(409, "This file is being uploaded already.")
        upload = self._uploads[place] = _Upload(person, session)
        try:
            yield upload
            upload.coming = False
        except BaseException:
            if self._uploads.get(place) is upload:
                del self._uploads[place]
                if before is not None:
                    self._uploads[place] = before
            raise

    def grow(self, upload: _Upload, size: int) -> None:
        """Take further bytes into the accounts. Raises _Refused where they are too many, or it is in none any more."""
        upload.size += size
        every = self._uploads.values()
        if not any(other is upload for other in every):
            raise _Refused(409, "The upload was taken away before it was complete.")
        for most, sizes, owner in (
            (self.limits.session, (e.size for e in every if e.session == upload.session), "this page"),
            (self.limits.person, (e.size for e in every if e.person == upload.person), "one person"),
            (self.limits.server, (e.size for e in every), "this server"),
        ):
            if sum(sizes) > most:
                raise _Refused(413, f"The uploads of {owner} may have {most // _MB} MB together.")

    def remove(self, place: Path) -> None:
        """Forget an upload and its bytes."""
        self._uploads.pop(place, None)
        place.unlink(missing_ok=True)
        with contextlib.suppress(OSError):
            place.parent.rmdir()

    def sweep(self) -> int:
        """Remove what no page has read for too long, also of a process that is gone; how many files that were."""
        oldest, removed = self.clock() - self.limits.seconds, 0
        for place in list(self.folder.glob("*/*")):
            # A page, or another process, may be removing the same one.
            with contextlib.suppress(OSError):
                if place.stat().st_mtime < oldest:
                    self.remove(place)
                    removed += 1
        return removed

    async def sweeping(self) -> None:
        """Sweep now and then, for as long as the server runs."""
        while True:
            await to_thread.run_sync(self.sweep)
            await anyio.sleep(SWEPT_EVERY)


@dataclass(frozen=True)
class Uploads:
    """Takes uploads in Streamlit's place, from whom the gate let in, and hands it empty files."""

    app: ASGIApp
    shelf: UploadShelf

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; an upload is stored first, and one that is refused never gets there."""
        if scope["type"] != "http" or not scope["path"].startswith(UPLOADS):
            await self.app(scope, receive, send)
            return
        try:
            session, _, file = scope["path"].removeprefix(UPLOADS).partition("/")
            place = self.shelf.place(session, file)
            if scope["method"] == "PUT":
                await self._put(scope, receive, send, place=place)
            elif await _stored(self.app, scope, receive, send):
                self.shelf.remove(place)
        except _Refused as refused:
            answer = PlainTextResponse(refused.why, refused.status, {"cache-control": "no-store"})
            await answer(scope, receive, send)

    async def _put(self, scope: Scope, receive: Receive, send: Send, *, place: Path) -> None:
        person, request = scope.get(ASKED_BY, ""), Request(scope, receive)
        if _declared_size(request) > self.shelf.limits.session + _MB:
            raise _Refused(413, f"A file may have {self.shelf.limits.session // _MB} MB.")
        partial = place.with_name(f"{secrets.token_hex(12)}.part")
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            with self.shelf.room(place, person=person, session=place.parent.name) as upload:
                head = await self._receive(request, partial, upload)
                self.shelf.grow(upload, 0)
                partial.replace(place)
                if not await _stored(self.app, *_emptied(scope, head), send):
                    raise _NotTaken
        except _NotTaken:
            self.shelf.remove(place)
        except OSError as error:
            raise _Refused(507, f"The upload cannot be stored ({error.strerror}).") from error
        finally:
            partial.unlink(missing_ok=True)

    async def _receive(self, request: Request, target: Path, upload: _Upload) -> bytes:
        """Write the one file of the form to the target; the head of that part of the form."""

        async def coming() -> AsyncGenerator[bytes, None]:
            async for chunk in request.stream():
                if shutil.disk_usage(target.parent).free < LEAST_FREE:
                    raise _Refused(507, "The server's disk is full. Ask whoever runs it to free some space.")
                # With the few bytes around the file.
                self.shelf.grow(upload, len(chunk))
                yield chunk

        try:
            with target.open("xb") as sink:
                # What broke off has no file.
                (file,) = (await _OneFile(request.headers, coming(), sink).parse()).values()
        except (MultiPartException, ClientDisconnect, KeyError, ValueError) as error:
            raise _Refused(400, "The upload broke off, or is not a form with a file.") from error
        assert isinstance(file, UploadFile)
        return b"".join(b"%b: %b\r\n" % pair for pair in file.headers.raw)


class _NotTaken(Exception):
    """Streamlit refused the upload, and has said so."""


class _OneFile(MultiPartParser):
    """Reads a form with one file, which goes to the sink as it comes in."""

    def __init__(self, headers: Headers, stream: AsyncGenerator[bytes, None], sink: BinaryIO) -> None:
        super().__init__(headers, stream, max_files=1, max_fields=0)
        self._sink = sink

    def on_headers_finished(self) -> None:
        """Have the file of the part be the sink, not one that Starlette would keep in memory."""
        super().on_headers_finished()
        if (upload := self._current_part.file) is not None:
            upload.file.close()
            upload.file = self._sink


def _declared_size(request: Request) -> int:
    """How long the form says it is; what comes is counted all the same."""
    length = request.headers.get("content-length", "")
    return int(length) if length.isascii() and length.isdigit() and len(length) < 20 else 0


def _emptied(scope: Scope, head: bytes) -> tuple[Scope, Receive]:
    """The request with an empty file under this head instead of its own."""
    body = b"--empty\r\n%b\r\n\r\n--empty--\r\n" % head
    scope = {**scope, "headers": list(scope["headers"])}
    headers = MutableHeaders(scope=scope)
    headers["content-type"] = "multipart/form-data; boundary=empty"
    headers["content-length"] = str(len(body))
    if "transfer-encoding" in headers:
        del headers["transfer-encoding"]
    sent = iter([{"type": "http.request", "body": body, "more_body": False}])

    async def receive() -> Message:
        return next(sent, {"type": "http.disconnect"})

    return scope, receive


async def _stored(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> bool:
    """Have the app answer; whether it says that it has done what was asked."""
    status = 0

    async def seen(message: Message) -> None:
        nonlocal status
        if message["type"] == "http.response.start":
            status = message["status"]
        await send(message)

    await app(scope, receive, seen)
    return status == _STORED


KEPT_SECONDS = 900.0
"""For which a download is kept."""
_TOKEN = re.compile(r"[\w-]{20,64}")


def offer(settings: Settings, data: str | bytes, *, name: str, person_id: str) -> str:
    """Keep a file of this name for this person to download; its address."""
    sweep(settings)
    token = secrets.token_urlsafe(24)
    place = _downloads(settings) / person_id / token
    place.mkdir(mode=0o700, parents=True)
    (place / name).write_bytes(data.encode() if isinstance(data, str) else data)
    return f"{FILES}{token}/{name}"


def sweep(settings: Settings) -> None:
    """Remove downloads that were kept long enough."""
    for place in _downloads(settings).glob("*/*"):
        # Another process may be removing the same one.
        with contextlib.suppress(OSError):
            if place.stat().st_mtime < time.time() - KEPT_SECONDS:
                shutil.rmtree(place)


def download_routes(settings: Settings) -> list[BaseRoute]:
    """The route of downloads, behind the gate, which says who asks."""

    async def file(request: Request) -> Response:
        token, name = request.path_params["token"], request.path_params["name"]
        path = _downloads(settings) / request.scope.get(ASKED_BY, "") / token / name
        if not _TOKEN.fullmatch(token) or not path.is_file():
            return PlainTextResponse(
                "This file is no longer available. Go back and press its button again.", 404
            )
        return FileResponse(
            path,
            filename=name,
            media_type="application/octet-stream",
            headers={"cache-control": "no-store", "x-content-type-options": "nosniff"},
        )

    return [Route(f"{FILES}{{token}}/{{name}}", file, methods=["GET"])]


def _downloads(settings: Settings) -> Path:
    return settings.home / "cache" / "downloads"

"""Files that a page has written for somebody to save: sent to them and nobody else, and swept after a while."""

from __future__ import annotations

import contextlib
import re
import secrets
import shutil
import time
from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from comparator.settings import Settings
from comparator.web.guards.gate import ASKED_BY, FILES

KEPT_SECONDS = 900.0
_TOKEN = re.compile(r"[\w-]{20,64}")


def offer(settings: Settings, data: str | bytes, *, name: str, person_id: str) -> str:
    """Keep a file of this name for this person; the address at which they get it."""
    sweep(settings)
    token = secrets.token_urlsafe(24)
    place = _folder(settings) / person_id / token
    place.mkdir(mode=0o700, parents=True)
    (place / name).write_bytes(data.encode() if isinstance(data, str) else data)
    return f"{FILES}{token}/{name}"


def sweep(settings: Settings) -> None:
    """Remove what was kept long enough."""
    for place in _folder(settings).glob("*/*"):
        # Another process may be removing the same one.
        with contextlib.suppress(OSError):
            if place.stat().st_mtime < time.time() - KEPT_SECONDS:
                shutil.rmtree(place)


def download_routes(settings: Settings) -> list[BaseRoute]:
    """The route, behind the gate, which says who asks."""

    async def file(request: Request) -> Response:
        token, name = request.path_params["token"], request.path_params["name"]
        path = _folder(settings) / request.scope.get(ASKED_BY, "") / token / name
        if not _TOKEN.fullmatch(token) or not path.is_file():
            return PlainTextResponse("This file is kept no longer. Press its button again.", 404)
        return FileResponse(
            path,
            filename=name,
            media_type="application/octet-stream",
            headers={"cache-control": "no-store", "x-content-type-options": "nosniff"},
        )

    return [Route(f"{FILES}{{token}}/{{name}}", file, methods=["GET"])]


def _folder(settings: Settings) -> Path:
    return settings.home / "cache" / "downloads"

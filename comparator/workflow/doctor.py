"""Checks the set-up in plain words: settings, database, blobs, judge."""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable

from comparator.domain.errors import ComparatorError, NotFound
from comparator.domain.labels import Frozen
from comparator.outputs.pictures.finder import OFF, find_chromium
from comparator.settings import JudgeKind, Settings, without_secrets
from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Database
from comparator.workflow.services import Services


class Finding(Frozen):
    """One checked part."""

    name: str
    ok: bool
    text: str


async def check_up(settings: Settings, *, kind: JudgeKind | None = None) -> tuple[Finding, ...]:
    """All parts, each tried for real: a row is read, bytes are written and removed, the judge is asked."""

    async def database() -> str:
        opened = Database.open(settings.database)
        try:
            opened.check()
            return f"{without_secrets(settings.database)} can be read and has the right tables"
        finally:
            opened.close()

    async def blobs() -> str:
        store = BlobStore.at(settings.blobs)
        digest = store.put(b"comparator doctor")
        store.get(digest)
        with contextlib.suppress(NotFound):
            store.delete(digest)
        return f"{without_secrets(settings.blobs)} can be written and read"

    async def judge() -> str:
        opened = Database.open(settings.database)
        chosen = Services(settings=settings, database=opened, blobs=BlobStore.at(settings.blobs)).judge(kind)
        try:
            return f"{chosen.identity.kind} ({chosen.identity.model}): {await chosen.check()}"
        finally:
            await chosen.close()
            opened.close()

    async def pictures() -> str:
        found = find_chromium(settings.chromium)
        if found is None:
            why = "it is switched off" if settings.chromium == OFF else "there is no Chromium"
            return f"web pages are judged by their source only: {why} (COMPARATOR_CHROMIUM)"
        return f"web pages are photographed with {found}"

    return (
        Finding(name="settings", ok=True, text=f"home folder {settings.home}"),
        await _try("database", database),
        await _try("blobs", blobs),
        await _try("judge", judge),
        await _try("pictures", pictures),
    )


async def _try(name: str, part: Callable[[], Awaitable[str]]) -> Finding:
    try:
        return Finding(name=name, ok=True, text=await part())
    except ComparatorError as error:
        return Finding(name=name, ok=False, text=str(error))

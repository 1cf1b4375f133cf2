"""A preview is made once: opening a file again reads and computes nothing, also after a restart of the server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from comparator.domain.pair.view import Family
from comparator.outputs.preview.child_process import Renderer
from comparator.outputs.tables.store import MEDIA_TYPE
from comparator.web.media.routes import media_routes
from comparator.web.media.source import MediaFile
from tests.browser.servers.panes_files import PARAGRAPHS, pdf
from tests.worlds.files.kept_tables import kept

SHEETS = [{"name": name, "rows": [[name, n] for n in range(900)]} for name in ("First", "Second")]
FILES = {
    "text": (Family.TEXT, "text/plain", "\n".join(PARAGRAPHS).encode()),
    "markdown": (Family.MARKDOWN, "text/plain", b"# Words\n\n| a |\n|---|\n| 1 |\n"),
    "code": (Family.CODE, "text/plain", b"def add(a, b):\n    return a + b\n"),
    "csv": (Family.CSV, "text/plain", b"n,word\n" + b"".join(b"%d,word %d\n" % (n, n) for n in range(900))),
    "book": (Family.XLSX, MEDIA_TYPE, kept(*SHEETS)),
    "pdf": (Family.PDF, "application/pdf", pdf(PARAGRAPHS)),
}
ADDRESSES = (
    *(f"{name}/{mode}?theme={theme}" for name in FILES for mode in ("view", "source") for theme in ("light", "dark")),
    *(f"pdf/page/{number}.png" for number in (1, 2, 6)),
    *("csv/view?sort=2,desc", "csv/view?row=700", "book/view?sheet=2&page=2", "code/view?row=2"),
)  # fmt: skip


class Counted:
    """The files above; `read` counts how often the bytes of any were asked for."""

    def __init__(self) -> None:
        self.read = 0

    def file(self, file_id: str) -> MediaFile | None:
        family, kind, data = FILES[file_id]
        return MediaFile(f"{file_id}.x", family, kind, file_id.ljust(64, "0"), len(data))

    def handed_in(self, file_id: str) -> MediaFile | None:
        return None

    def uncopied(self, file_id: str) -> str | None:
        return None

    def blob(self, digest: str) -> bytes:
        self.read += 1
        return FILES[digest.rstrip("0")][2]

    def why_still(self, file_id: str) -> str:
        return ""

    def written(self, file_id: str, text: str) -> None:
        pass

    def pictures(self, file_id: str) -> dict[str, str]:
        return {}

    def sibling(self, file_id: str, path: str) -> str | None:
        return None


@pytest.fixture(scope="module")
def renderer() -> Iterator[Renderer]:
    renderer = Renderer(children=1)
    yield renderer
    renderer.close()


def opened(media: Counted, renderer: Renderer, cache: Path) -> dict[str, bytes]:
    """What every address answers, by a server that has just been started."""
    client = TestClient(Starlette(routes=media_routes(media, renderer=renderer, cache=cache)))
    answers = {address: client.get(f"/outputs/{address}") for address in ADDRESSES}
    assert {answer.status_code for answer in answers.values()} == {200}
    return {address: answer.content for address, answer in answers.items()}


@pytest.mark.slow
def test_no_preview_is_made_twice_also_after_a_restart(renderer: Renderer, tmp_path: Path) -> None:
    media = Counted()
    first = opened(media, renderer, tmp_path)
    assert media.read >= len(FILES)

    closed = Renderer(children=1)
    closed.close()  # from now on nothing can be rendered
    media.read = 0
    assert opened(media, closed, tmp_path) == first
    assert media.read == 0

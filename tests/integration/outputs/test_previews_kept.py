"""A preview is made once: opening a file again reads and computes nothing, also after a restart of the server."""

from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from comparator.domain.pair.view import Family
from comparator.outputs.preview.child_process import Renderer
from comparator.outputs.tables.store import MEDIA_TYPE
from comparator.web.media.routes import media_routes
from tests.browser.servers.panes_files import PARAGRAPHS, pdf
from tests.worlds.files.kept_tables import kept
from tests.worlds.media import Media

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
    *("csv/view?sort=2,desc", "csv/view?page=2", "book/view?sheet=2&page=2"),
)  # fmt: skip


def opened(media: Media, renderer: Renderer, cache: Path) -> dict[str, bytes]:
    """What every address answers, by a server that has just been started."""
    client = TestClient(Starlette(routes=media_routes(media, renderer=renderer, cache=cache)))
    answers = {address: client.get(f"/outputs/{address}") for address in ADDRESSES}
    assert {answer.status_code for answer in answers.values()} == {200}
    return {address: answer.content for address, answer in answers.items()}


@pytest.mark.slow
def test_no_preview_is_made_twice_also_after_a_restart(renderer: Renderer, tmp_path: Path) -> None:
    media = Media({id: (f"{id}.x", *about) for id, about in FILES.items()})
    first = opened(media, renderer, tmp_path)
    assert media.read >= len(FILES)

    closed = Renderer(children=1)
    closed.close()  # from now on nothing can be rendered
    media.read = 0
    assert opened(media, closed, tmp_path) == first
    assert media.read == 0

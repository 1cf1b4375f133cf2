"""Addresses of outputs hold for whatever stands in them: what is not there is said to be not there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from comparator.domain.pair.view import Family
from comparator.outputs.preview.child_process import Renderer
from comparator.web.media.routes import media_routes
from comparator.web.media.source import MediaFile

TABLE = b"number,word\n" + b"".join(b"%d,x\n" % number for number in range(500))
"""Two pages of a table of two columns."""


class OneOutput:
    """A text of one page and a PDF that nobody needs to open."""

    def __init__(self) -> None:
        self.asked = 0

    def file(self, file_id: str) -> MediaFile | None:
        return {
            "text": MediaFile("a.txt", Family.TEXT, "text/plain", "a" * 64, 5),
            "wav": MediaFile("a.wav", Family.AUDIO, "audio/wav", "c" * 64, 5),
            "note": MediaFile("a.md", Family.MARKDOWN, "text/markdown", "a" * 64, 5),
            "pdf": MediaFile("a.pdf", Family.PDF, "application/pdf", "b" * 64, 5),
            "table": MediaFile("a.csv", Family.CSV, "text/plain", "d" * 64, len(TABLE)),
        }.get(file_id)

    def handed_in(self, file_id: str) -> MediaFile | None:
        return None

    def uncopied(self, file_id: str) -> str | None:
        return "It is too large." if file_id == "large" else None

    def blob(self, digest: str) -> bytes:
        self.asked += 1
        return {"a": b"words", "d": TABLE}.get(digest[0], b"%PDF-")

    def why_still(self, file_id: str) -> str:
        return ""

    def written(self, file_id: str, text: str) -> None:
        pass

    def pictures(self, file_id: str) -> dict[str, str]:
        return {}

    def sibling(self, file_id: str, path: str) -> str | None:
        return None


@pytest.fixture
def media() -> OneOutput:
    return OneOutput()


@pytest.fixture
def client(media: OneOutput, tmp_path: Path) -> Iterator[TestClient]:
    renderer = Renderer()
    routes = media_routes(media, renderer=renderer, cache=tmp_path)
    yield TestClient(Starlette(routes=routes), raise_server_exceptions=True)
    renderer.close()


def test_pages_that_are_not_there_are_made_once(client: TestClient, media: OneOutput) -> None:
    for page in ("1", "2", "777", "999999", "9" * 5_000, "0"):
        answer = client.get("/outputs/text/view", params={"page": page})
        assert answer.status_code == 200
        assert "words" in answer.text

    assert media.asked == 1


def test_sound_is_sent_in_the_ranges_that_a_player_asks_for(client: TestClient) -> None:
    whole = client.get("/outputs/wav/play")
    assert (whole.status_code, whole.content, whole.headers["content-type"]) == (200, b"%PDF-", "audio/wav")
    assert whole.headers["x-content-type-options"] == "nosniff"
    part = client.get("/outputs/wav/play", headers={"range": "bytes=1-2"})
    assert (part.status_code, part.content, part.headers["content-range"]) == (206, b"PD", "bytes 1-2/5")
    assert client.get("/outputs/wav/play", headers={"range": "bytes=-2"}).content == b"F-"
    assert client.get("/outputs/wav/play", headers={"range": "bytes=5-"}).status_code == 416
    assert client.get("/outputs/pdf/play").status_code == 404
    assert '<audio controls preload="metadata" src="play"' in client.get("/outputs/wav/view").text

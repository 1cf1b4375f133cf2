"""Addresses of outputs hold for whatever stands in them: what is not there is said to be not there."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from comparator.domain.pair.view import Family
from comparator.outputs.preview.child_process import Renderer
from comparator.web.media.routes import media_routes
from tests.worlds.files.outputs_pdf import pages
from tests.worlds.media import Media

FILES = {
    "text": ("a.txt", Family.TEXT, "text/plain", b"words"),
    "table": ("a.csv", Family.CSV, "text/plain", b"number,word\n1,low\n3,high\n2,middle\n"),
    "wav": ("a.wav", Family.AUDIO, "audio/wav", b"%PDF-"),
    "pdf": ("a.pdf", Family.PDF, "application/pdf", b"%PDF-"),
    "book": ("b.pdf", Family.PDF, "application/pdf", pages(*(f"chapter {n} ends" for n in range(1, 46)))),
}


@pytest.fixture
def media() -> Media:
    return Media(FILES)


@pytest.fixture
def client(media: Media, tmp_path: Path) -> Iterator[TestClient]:
    renderer = Renderer()
    routes = media_routes(media, renderer=renderer, cache=tmp_path)
    yield TestClient(Starlette(routes=routes), raise_server_exceptions=True)
    renderer.close()


def test_a_page_that_is_not_there_is_the_nearest_one(client: TestClient) -> None:
    for page in ("1", "2", "777", "999999", "9" * 5_000, "0"):
        answer = client.get("/outputs/text/view", params={"page": page})
        assert answer.status_code == 200
        assert "words" in answer.text


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


@pytest.mark.parametrize("address", ["text/view", "text/source", "pdf/nothing", "wav/view"])
def test_nothing_runs_in_a_document_of_ours_and_no_other_website_frames_it(
    client: TestClient, address: str
) -> None:
    policy = client.get(f"/outputs/{address}").headers["content-security-policy"].split("; ")

    assert {"default-src 'none'", "frame-ancestors 'self'", "sandbox allow-same-origin"} <= set(policy)
    assert not [part for part in policy if part.startswith("script-src")]


@pytest.mark.parametrize(("number", "page"), [(1, 1), (20, 1), (21, 2), (45, 3)])
def test_a_quote_of_a_pdf_is_found_on_the_part_of_the_preview_that_holds_its_page(
    client: TestClient, number: int, page: int
) -> None:
    found = client.get("/outputs/book/locate", params={"text": f"chapter {number} ends"}).json()

    assert found["page"] == page
    shown = client.get("/outputs/book/view", params={"page": page}).text
    assert f"{number} of 45" in shown


@pytest.mark.parametrize(
    ("order", "words"), [("", "low high middle"), ("1,asc", "low middle high"), ("1,desc", "high middle low")]
)
def test_a_table_is_shown_in_the_order_that_is_asked_for(client: TestClient, order: str, words: str) -> None:
    shown = client.get("/outputs/table/view", params={"sort": order}).text

    assert re.findall(r"<td>(\w+)</td>", shown) == words.split()

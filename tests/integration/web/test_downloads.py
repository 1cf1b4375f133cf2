"""A file that a page has written is sent to whom it was written for, and to nobody else."""

import os
from pathlib import Path

from starlette.applications import Starlette
from starlette.testclient import TestClient
from starlette.types import ASGIApp, Receive, Scope, Send

from comparator.settings import Settings
from comparator.web.files import KEPT_SECONDS, download_routes, offer, sweep
from comparator.web.guards.gate import ASKED_BY


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

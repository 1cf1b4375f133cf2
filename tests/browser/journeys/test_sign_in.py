"""Signing in with a real provider, and by an invitation, in the browser; each a process of its own on loopback."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from comparator.store.core.database import Database
from comparator.store.core.sql import Unit, new_id
from comparator.store.people import projects
from tests.browser.hostile.attacker import Attacker
from tests.browser.servers.real_app import WAIT
from tests.browser.servers.signing import environment, free_port, provider, served

pytestmark = pytest.mark.slow

NOT_FOR_YOU = "This page is not for your role"


class Place(NamedTuple):
    """The running app."""

    url: str
    home: Path
    environment: dict[str, str]
    logs: tuple[Path, ...]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    folder = tmp_path_factory.mktemp("signing")
    port, provider_port = free_port(), free_port()
    logs = (folder / "provider.log", folder / "app.log")
    home = folder / "home"
    with (
        provider(provider_port, log=logs[0]),
        served(home, port=port, provider_port=provider_port, log=logs[1]),
    ):
        variables = environment(home, port=port, provider_port=provider_port)
        yield Place(f"http://127.0.0.1:{port}", home, variables, logs)


def signed_in(context: BrowserContext, place: Place, subject: str) -> Page:
    page = context.new_page()
    page.goto(place.url)
    page.get_by_role("link", name="Sign in").click(timeout=WAIT)
    page.get_by_placeholder("sub").fill(subject, timeout=WAIT)
    page.get_by_role("button", name="Authorize", exact=True).click()
    expect(page.get_by_text("Sign out")).to_be_visible(timeout=WAIT)
    return page


def menu(page: Page) -> Locator:
    return page.get_by_test_id("stSidebar").get_by_role("link")


def test_admins_reviewers_and_strangers_find_what_their_role_allows(browser: Browser, place: Place) -> None:
    with browser.new_context() as context:
        page = signed_in(context, place, "olga")
        expect(menu(page).filter(has_text="Settings")).to_be_visible(timeout=WAIT)
        expect(menu(page).filter(has_text="History")).to_be_visible()
        cookie = next(c for c in context.cookies() if c["name"] == "_streamlit_user")
        assert cookie["httpOnly"]
    with browser.new_context() as context:
        page = signed_in(context, place, "rhea")
        expect(menu(page)).to_have_count(2, timeout=WAIT)
        page.goto(f"{place.url}/history")
        expect(page.get_by_text(NOT_FOR_YOU)).to_be_visible(timeout=WAIT)
    with browser.new_context() as context:
        # Somebody who typed an admin's address at the provider, where nobody verified it.
        page = signed_in(context, place, "nora")
        expect(page.get_by_text("you have no role here yet")).to_be_visible(timeout=WAIT)
        expect(menu(page)).to_have_count(0)
    told = "".join(log.read_text("utf-8", "replace") for log in place.logs)
    assert "that-no-log-may-have" not in told


def invited(place: Place, name: str) -> str:
    database = Database.open(f"sqlite:///{place.home / 'comparator.db'}")
    with database.write() as connection:
        projects.ensure_project(Unit(connection, at=datetime.now(UTC), new_id=new_id), "Panel")
    database.close()
    made = subprocess.run(
        [sys.executable, "-m", "comparator", "people", "invite", "Panel", name],
        env={**os.environ, **place.environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return made.stdout.strip()


def test_an_invitation_is_exchanged_at_once_and_leaves_the_address(browser: Browser, place: Place) -> None:
    link = invited(place, "Outside expert")
    assert re.fullmatch(rf"{re.escape(place.url)}/invitation#[\w-]{{43}}", link)
    with browser.new_context() as context:
        page = context.new_page()
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(link)
        expect(page.get_by_text("Outside expert")).to_be_visible(timeout=WAIT)
        assert page.url.partition("?")[0] == f"{place.url}/"
        assert not [url for url in asked if link.rpartition("#")[2] in url.partition("#")[0]]
        expect(menu(page)).to_have_count(2, timeout=WAIT)
        expect(page.get_by_text("Nothing to review yet")).to_be_visible(timeout=WAIT)
        assert page.evaluate("document.cookie.includes('comparator_session')") is False
        page.get_by_text("Sign out").click()
        expect(page.get_by_role("button", name="Sign in")).to_be_visible(timeout=WAIT)
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(link)
        expect(page.get_by_text("This link cannot be used")).to_be_visible(timeout=WAIT)


def test_a_link_asks_before_it_makes_somebody_else_of_whom_is_in(browser: Browser, place: Place) -> None:
    link = invited(place, "Second expert")
    with browser.new_context() as context:
        page = signed_in(context, place, "rhea")
        page.goto(link)
        expect(page.get_by_text("You are signed in as Rhea Reviewer")).to_be_visible(timeout=WAIT)
        page.goto(place.url)
        expect(page.get_by_text("Rhea Reviewer")).to_be_visible(timeout=WAIT)
        page.goto(link)
        page.get_by_role("button", name="Sign in as Second expert").click(timeout=WAIT)
        expect(page.get_by_text("Second expert")).to_be_visible(timeout=WAIT)
        expect(page.get_by_text("Sign out")).to_be_visible(timeout=WAIT)
        assert not [c for c in context.cookies() if c["name"].startswith("_streamlit_user")]


def test_signing_out_takes_a_token_and_ends_copies_of_the_cookie(browser: Browser, place: Place) -> None:
    with browser.new_context() as context, Attacker(place.url) as thief:
        page = signed_in(context, place, "rhea")
        for cookie in context.cookies():
            thief.client.cookies.set(cookie["name"], cookie["value"])
        assert thief.gets_in()
        # What another website can have a browser do changes nothing.
        assert thief.asks("GET", "/auth/logout").status_code == 405
        assert thief.asks("POST", "/sign-out", data={"token": "x" * 64}).status_code == 405
        assert thief.gets_in()

        page.get_by_text("Sign out").click()
        # The provider is asked to end its own session as well.
        page.get_by_role("button", name="End session").click(timeout=WAIT)
        expect(page.get_by_role("link", name="Sign in")).to_be_visible(timeout=WAIT)
        assert not thief.gets_in()
        with thief.connected() as line:
            assert line is None

"""How long a sign-in goes on, by the provider and by an invitation, and that signing out ends every copy of it."""

import json
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from pydantic import SecretStr
from streamlit.web.server.starlette.starlette_app_utils import create_signed_value

from comparator.domain.errors import RightsError
from comparator.domain.rights import Role
from comparator.settings import Settings
from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Database
from comparator.store.core.sql import new_id
from comparator.store.people import projects
from comparator.web.sign_in import note_active, person_of_request, sign_out, sign_out_token
from comparator.workflow.people.people import local_person, permissions_of, take_role
from comparator.workflow.people.sign_in import (
    MOST,
    WITHIN,
    Tries,
    accept,
    come_in,
    end_sign_ins,
    enter,
    has_ended,
    invite,
)
from comparator.workflow.services import Services

SECRET, URL = "s" * 40, "https://compare.example.org"
START = datetime(2026, 11, 23, 9, 0, tzinfo=UTC)


def with_provider(**more: Any) -> Settings:
    secret, where = SecretStr("x"), "http://127.0.0.1:9/openid-configuration"
    return Settings(
        oidc_metadata_url=where,
        oidc_client_id="x",
        oidc_client_secret=secret,
        oidc_cookie_secret=SecretStr(SECRET),
        **more,
    )


class Clock:
    """Goes on only when it is told to."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now

    def wait(self, **time: float) -> None:
        self.now += timedelta(**time)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def services(database: Database, blobs: BlobStore, clock: Clock) -> Services:
    settings = with_provider(
        public_url=URL, oidc_admins="sub:olga", session_hours=72, session_idle_hours=8, invited_idle_hours=48
    )
    return Services(settings=settings, database=database, blobs=blobs, now=clock)


def browser(clock: Clock, sub: str = "olga", **more: Any) -> dict[str, str]:
    """The cookies of a browser that has just come from the provider."""
    claims = {"iss": "https://idp.example.org", "sub": sub, "name": sub, "iat": int(clock.now.timestamp())}
    cookie = {**claims, "nonce": new_id(), "is_logged_in": True, "origin": URL, **more}
    return signed(cookie)


def signed(cookie: dict[str, Any]) -> dict[str, str]:
    return {"_streamlit_user": create_signed_value(SECRET, "_streamlit_user", json.dumps(cookie)).decode()}


def invited(services: Services) -> dict[str, str]:
    """The cookies of a browser in which an invitation was exchanged."""
    by = local_person(services).id
    with services.write() as unit:
        project = projects.ensure_project(unit, "Panel")
    invitation = invite(services.by(by), project.id, name="Rhea")
    return {"__Host-comparator_session": accept(services, invitation.token).token}


@pytest.mark.parametrize(
    ("hours", "used", "visits"),
    [
        pytest.param(8, True, 1, id="nobody uses it"),
        pytest.param(59 / 60, False, 9, id="a page alone asks for it"),
        pytest.param(6, True, 12, id="it lasted the longest time, however much it was used"),
    ],
)
def test_a_sign_in_ends(services: Services, clock: Clock, hours: float, used: bool, visits: int) -> None:
    cookies = browser(clock)
    for _ in range(visits):
        assert person_of_request(services, cookies)
        if used:
            note_active(services, cookies)
        clock.wait(hours=hours)

    assert person_of_request(services, cookies) is None
    note_active(services, cookies)
    assert person_of_request(services, cookies) is None


def test_a_cookie_from_before_the_longest_time_never_comes_in(services: Services, clock: Clock) -> None:
    old = browser(clock)
    clock.wait(hours=72)
    assert person_of_request(services, old) is None
    assert person_of_request(services, browser(clock))


def test_an_invitations_session_has_times_of_its_own(services: Services, clock: Clock) -> None:
    cookies = invited(services)
    clock.wait(hours=47)
    assert person_of_request(services, cookies)
    note_active(services, cookies)
    clock.wait(hours=24)
    assert person_of_request(services, cookies)
    clock.wait(hours=1)
    assert person_of_request(services, cookies) is None, "the longest time"


def test_shorter_times_count_for_sessions_that_go_on(services: Services, clock: Clock) -> None:
    cookies = invited(services)
    clock.wait(hours=2)
    shorter = replace(services, settings=services.settings.model_copy(update={"session_hours": 1}))
    assert person_of_request(services, cookies)
    assert person_of_request(shorter, cookies) is None


@pytest.mark.parametrize("kind", ["provider", "invitation"])
def test_signing_out_ends_every_copy_of_the_cookie(services: Services, clock: Clock, kind: str) -> None:
    cookies = browser(clock) if kind == "provider" else invited(services)
    elsewhere = browser(clock)
    assert person_of_request(services, cookies)
    assert person_of_request(services, elsewhere)

    assert not sign_out(services, cookies, "")
    assert not sign_out(services, cookies, sign_out_token(services, elsewhere))
    assert person_of_request(services, cookies)

    assert sign_out(services, cookies, sign_out_token(services, cookies))
    assert person_of_request(services, dict(cookies)) is None
    assert person_of_request(services, elsewhere), "another browser stays signed in"
    assert sign_out(services, cookies, ""), "there is nothing left to end"


def test_a_cookie_that_is_forged_or_of_another_place_lets_nobody_in(services: Services, clock: Clock) -> None:
    good = browser(clock)["_streamlit_user"]
    for cookie in (
        good[:-2] + "xx",
        create_signed_value("t" * 40, "_streamlit_user", json.dumps({"sub": "olga"})).decode(),
        create_signed_value(SECRET, "_streamlit_user_tokens", json.dumps({"sub": "olga"})).decode(),
        create_signed_value(SECRET, "_streamlit_user", "[]").decode(),
        browser(clock, origin="https://evil.example")["_streamlit_user"],
        browser(clock, is_logged_in=False)["_streamlit_user"],
        browser(clock, sub="")["_streamlit_user"],
    ):
        assert person_of_request(services, {"_streamlit_user": cookie}) is None


PLAIN_URL = "http://testserver"


@pytest.fixture
def with_roles(database: Database, blobs: BlobStore) -> Services:
    settings = with_provider(public_url=PLAIN_URL, oidc_role_claim="roles")
    return Services(settings=settings, database=database, blobs=blobs)


def claims(sub: str, *roles: str, iat: int) -> dict[str, Any]:
    return {"iss": "https://idp.example.org", "sub": sub, "name": sub, "roles": list(roles), "iat": iat}


def roles(services: Services, person_id: str) -> frozenset[Role]:
    return permissions_of(services.by(person_id)).roles.everywhere


def test_an_older_sign_in_brings_no_role_back_and_a_role_that_was_taken_away_waits_for_a_newer_one(
    with_roles: Services,
) -> None:
    old = claims("mallory", "lead", "viewer", iat=1000)
    mallory = enter(with_roles, old).id
    assert roles(with_roles, mallory) == {Role.LEAD, Role.VIEWER}
    take_role(with_roles, mallory, Role.LEAD, project_id=None)
    for _ in range(2):
        enter(with_roles, old)
        assert roles(with_roles, mallory) == {Role.VIEWER}

    enter(with_roles, claims("mallory", "lead", iat=1001))
    assert roles(with_roles, mallory) == {Role.LEAD}
    enter(with_roles, claims("mallory", iat=2000))
    assert enter(with_roles, old).id == mallory
    assert not roles(with_roles, mallory)


def test_changed_lists_count_at_the_next_visit_without_a_new_sign_in(with_roles: Services) -> None:
    now = claims("olga", "admin", "lead", iat=1000)
    olga = enter(with_roles, now).id
    take_role(with_roles, olga, Role.LEAD, project_id=None)

    without = replace(with_roles, settings=with_roles.settings.model_copy(update={"oidc_role_claim": "none"}))
    enter(without, now)
    assert not roles(with_roles, olga)
    enter(with_roles, now)
    assert roles(with_roles, olga) == {Role.ADMIN}


def test_an_admin_ends_sign_ins_for_pages_and_addresses(with_roles: Services) -> None:
    admin = enter(with_roles, claims("olga", "admin", iat=1000)).id
    before = claims("mallory", "lead", iat=int(time.time()) + 300)  # The provider's clock is fast.
    mallory = enter(with_roles, before)
    cookies = signed({**before, "is_logged_in": True, "origin": PLAIN_URL})
    assert person_of_request(with_roles, cookies) == mallory.id

    with pytest.raises(RightsError):
        end_sign_ins(with_roles.by(mallory.id), admin)
    end_sign_ins(with_roles.by(admin), mallory.id)

    assert has_ended(with_roles, before)
    assert come_in(with_roles, before) is None
    # Nor does one of before that comes in late, in a browser that has not been here yet.
    assert come_in(with_roles, {**before, "iat": before["iat"] - 1}) is None
    assert person_of_request(with_roles, cookies) is None
    with pytest.raises(RightsError, match="was ended"):
        enter(with_roles, before)
    assert not has_ended(with_roles, claims("olga", iat=1000))
    assert enter(with_roles, {**before, "iat": before["iat"] + 1}) == mallory


def test_tries_at_one_moment_are_counted_and_refused_ones_do_not_prolong_the_wait(clock: Clock) -> None:
    tries = Tries(lambda: clock.now)
    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(lambda _: tries.may_try("person mallory"), range(2 * MOST))) == MOST
    clock.now += WITHIN - timedelta(seconds=1)
    assert not tries.may_try("person mallory")
    clock.now += timedelta(seconds=1)
    assert all(tries.may_try("person mallory") for _ in range(MOST))
    assert not tries.may_try("person mallory")

"""What an older or ended sign-in can still do: nothing that a newer one, or an admin, took away."""

import json
import time
from dataclasses import replace
from typing import Any

import pytest
from streamlit.web.server.starlette.starlette_app_utils import create_signed_value

from comparator.bootstrap import load_settings
from comparator.domain.errors import RightsError
from comparator.domain.rights import Role
from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Database
from comparator.web.sign_in import person_of_request
from comparator.workflow.people.people import permissions_of, take_role
from comparator.workflow.people.sign_in import come_in, end_sign_ins, enter, has_ended
from comparator.workflow.services import Services

SECRET, URL = "s" * 40, "http://testserver"


@pytest.fixture
def services(database: Database, blobs: BlobStore, monkeypatch: pytest.MonkeyPatch) -> Services:
    monkeypatch.setenv("COMPARATOR_PUBLIC_URL", URL)
    monkeypatch.setenv("COMPARATOR_OIDC_METADATA_URL", "http://127.0.0.1:9/openid-configuration")
    monkeypatch.setenv("COMPARATOR_OIDC_CLIENT_ID", "x")
    monkeypatch.setenv("COMPARATOR_OIDC_CLIENT_SECRET", "x")
    monkeypatch.setenv("COMPARATOR_OIDC_COOKIE_SECRET", SECRET)
    monkeypatch.setenv("COMPARATOR_OIDC_ROLE_CLAIM", "roles")
    return Services(settings=load_settings(), database=database, blobs=blobs)


def claims(sub: str, *roles: str, iat: int) -> dict[str, Any]:
    return {"iss": "https://idp.example.org", "sub": sub, "name": sub, "roles": list(roles), "iat": iat}


def roles(services: Services, person_id: str) -> frozenset[Role]:
    return permissions_of(services.by(person_id)).roles.everywhere


def test_an_older_sign_in_brings_no_role_back(services: Services) -> None:
    old = claims("mallory", "lead", iat=1000)
    mallory = enter(services, old).id
    assert roles(services, mallory) == {Role.LEAD}

    enter(services, claims("mallory", iat=2000))
    assert enter(services, old).id == mallory
    assert not roles(services, mallory)


def test_a_role_that_was_taken_away_stays_away_until_a_newer_sign_in(services: Services) -> None:
    now = claims("mallory", "lead", "viewer", iat=1000)
    mallory = enter(services, now).id
    take_role(services, mallory, Role.LEAD, project_id=None)

    for _ in range(2):
        enter(services, now)
        assert roles(services, mallory) == {Role.VIEWER}
    enter(services, claims("mallory", "lead", iat=1001))
    assert roles(services, mallory) == {Role.LEAD}


def test_changed_lists_count_at_the_next_visit_without_a_new_sign_in(services: Services) -> None:
    now = claims("olga", "admin", "lead", iat=1000)
    olga = enter(services, now).id
    take_role(services, olga, Role.LEAD, project_id=None)

    without = replace(services, settings=services.settings.model_copy(update={"oidc_role_claim": "none"}))
    enter(without, now)
    assert not roles(services, olga)
    enter(services, now)
    assert roles(services, olga) == {Role.ADMIN}


def test_an_admin_ends_sign_ins_for_pages_and_addresses(services: Services) -> None:
    admin = enter(services, claims("olga", "admin", iat=1000)).id
    before = claims("mallory", "lead", iat=int(time.time()) + 300)  # The provider's clock is fast.
    mallory = enter(services, before)
    cookie = {**before, "is_logged_in": True, "origin": URL}
    cookies = {"_streamlit_user": signed(cookie)}
    assert person_of_request(services, cookies) == mallory.id

    with pytest.raises(RightsError):
        end_sign_ins(services.by(mallory.id), admin)
    end_sign_ins(services.by(admin), mallory.id)

    assert has_ended(services, before)
    assert come_in(services, before) is None
    # Nor does one of before that comes in late, in a browser that has not been here yet.
    assert come_in(services, {**before, "iat": before["iat"] - 1}) is None
    assert person_of_request(services, cookies) is None
    with pytest.raises(RightsError, match="was ended"):
        enter(services, before)
    assert not has_ended(services, claims("olga", iat=1000))
    assert enter(services, {**before, "iat": before["iat"] + 1}) == mallory


def signed(value: dict[str, Any]) -> str:
    return create_signed_value(SECRET, "_streamlit_user", json.dumps(value)).decode()

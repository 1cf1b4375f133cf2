"""Who asks: by the sign-in of Streamlit's own login, or by the session that an invitation was exchanged for."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping
from typing import Any

from comparator.domain.errors import RightsError
from comparator.settings import Settings
from comparator.web.streamlit import signed_in
from comparator.workflow.people.people import local_person
from comparator.workflow.people.sign_in import come_in, end, hash_of, person_of_session, saw, session_of
from comparator.workflow.services import Services

CALLBACK = "/oauth2callback"
_COOKIE = "comparator_session"


def cookie_name(settings: Settings) -> str:
    """The name of the invitation's cookie; over https it is bound to this very host."""
    return f"__Host-{_COOKIE}" if is_secure(settings) else _COOKIE


def is_secure(settings: Settings) -> bool:
    """Whether people reach the app over https."""
    return settings.public_url.startswith("https://")


def session_in(services: Services, cookies: Mapping[str, str]) -> str | None:
    """By what the sign-in of these cookies is kept, whether or not it goes on; None where there is none."""
    claims = _claims(services.settings, cookies)
    if claims is not None:
        return session_of(claims)
    token = cookies.get(cookie_name(services.settings))
    return hash_of(token) if token else None


def note_active(services: Services, cookies: Mapping[str, str]) -> None:
    """Somebody is at work with these cookies."""
    if services.settings.signs_in and (session := session_in(services, cookies)):
        saw(services, session)


def sign_out_token(services: Services, cookies: Mapping[str, str]) -> str:
    """What a page has to send along to end the sign-in of these cookies; no other website can know it."""
    secret = services.settings.oidc_cookie_secret.get_secret_value()
    about = f"sign out of {session_in(services, cookies)}"
    return hmac.new(secret.encode(), about.encode(), hashlib.sha256).hexdigest()


def sign_out(services: Services, cookies: Mapping[str, str], token: str) -> bool:
    """End the sign-in of these cookies if the token is its own; whether there is none that goes on."""
    if person_of_request(services, cookies) is None:
        return True
    session = session_in(services, cookies) if services.settings.signs_in else None
    if session is None or not hmac.compare_digest(token.encode(), sign_out_token(services, cookies).encode()):
        return False
    end(services, session)
    return True


def invited_person(services: Services, cookies: Mapping[str, str]) -> str | None:
    """The person whose invitation was exchanged for the session in these cookies."""
    token = cookies.get(cookie_name(services.settings))
    return person_of_session(services, token) if token else None


def person_of_request(services: Services, cookies: Mapping[str, str]) -> str | None:
    """Who asks for an address of the server, by the same cookies that the pages go by; None for nobody known."""
    if not services.settings.signs_in:
        return local_person(services).id
    claims = _claims(services.settings, cookies)
    if claims is not None:
        try:
            return come_in(services, claims)
        except RightsError:
            return None
    return invited_person(services, cookies)


def _claims(settings: Settings, cookies: Mapping[str, str]) -> dict[str, Any] | None:
    found = signed_in(cookies, secret=settings.oidc_cookie_secret.get_secret_value())
    if found is None:
        return None
    try:
        claims = json.loads(found)
    except ValueError:
        return None
    # As Streamlit does it: a cookie of another address of this host is not ours.
    ours = (
        isinstance(claims, dict)
        and claims.get("is_logged_in")
        and claims.get("origin") == settings.public_url
    )
    return claims if ours else None


def login_secrets(settings: Settings) -> dict[str, Any]:
    """What Streamlit's own sign-in is set up with, in memory only; nothing where nobody signs in."""
    if not settings.signs_in:
        return {}
    return {
        "auth": {
            "redirect_uri": f"{settings.public_url}{CALLBACK}",
            "cookie_secret": settings.oidc_cookie_secret.get_secret_value(),
            "client_id": settings.oidc_client_id,
            "client_secret": settings.oidc_client_secret.get_secret_value(),
            "server_metadata_url": settings.oidc_metadata_url,
        }
    }

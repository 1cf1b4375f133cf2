"""Who asks: by Streamlit's own login, or by the session that an invitation was exchanged for; and the pages before the
app, plain HTML: sign in, no role yet, a start token is missing, an invitation's link.

An invitation's secret stands behind the address's "#", which browsers send to nobody: no log of a server or proxy has
it, and whatever looks at links in mails uses none up."""

import hashlib
import hmac
import json
from collections.abc import Mapping
from html import escape
from importlib.resources import files
from typing import Any
from urllib.parse import parse_qsl, quote

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from comparator.domain.errors import RightsError
from comparator.settings import Settings
from comparator.web.streamlit import is_sign_in_cookie, provider_token, signed_in
from comparator.workflow.people.people import local_person, name_of
from comparator.workflow.people.sign_in import (
    SignedIn,
    accept,
    come_in,
    end,
    hash_of,
    name_on,
    note_seen,
    person_of_session,
    session_of,
    session_term,
)
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
        note_seen(services, session)


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
    cookie = signed_in(cookies, secret=settings.oidc_cookie_secret.get_secret_value())
    if cookie is None:
        return None
    try:
        claims = json.loads(cookie)
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


SIGN_IN = "/sign-in"
SIGN_OUT = "/sign-out"
LOG_IN = "/auth/login"
LOG_OUT = "/auth/logout"
_PROVIDER = "default"
_LONGEST_BODY = 1_000
_HEADERS = {
    "cache-control": "no-store",
    # Nothing runs and nothing loads here. Signing out leads on to the provider, so forms are not kept to this server.
    "content-security-policy": (
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'"
    ),
}
_STYLE = (
    ":root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif } "
    "body { margin: 20vh auto; max-width: 32rem; padding: 1rem } "
    "a, button { font: inherit; display: inline-block; padding: .4rem 1rem; border: 1px solid #0f766e; "
    "border-radius: 4px; background: #0f766e; color: #fff; text-decoration: none; cursor: pointer }"
)


def sign_in_page() -> Response:
    """For nobody known, where people sign in."""
    body = (
        "<p>Which of two outputs does the task better? Sign in to review.</p>"
        f'<p><a href="{SIGN_IN}">Sign in</a></p><p>With an invitation, open the link that you were sent.</p>'
    )
    return _page(body, status=401)


def no_role_page(name: str, *, token: str) -> Response:
    """For whoever is signed in without a role; `token` belongs to the button “Sign out”."""
    body = (
        f"<p>You are signed in as {escape(name)}, but you have no role here yet. Ask an admin or the lead of a project "
        "for one, then reload this page.</p>"
        f'<form method="post" action="{SIGN_OUT}"><input type="hidden" name="token" value="{escape(token)}">'
        "<button>Sign out</button></form>"
    )
    return _page(body, status=403)


def token_page() -> Response:
    """For whoever comes without the start token, where the server wants one."""
    return _page(
        "<p>Open the whole address that the server printed when it was started, with its token.</p>",
        status=401,
    )


def sign_in_routes(settings: Settings) -> list[BaseRoute]:
    """The address that leads to the provider; none where nobody signs in."""
    if not settings.signs_in:
        return []

    async def sign_in(_request: Request) -> Response:
        # The token of Streamlit's own address is valid for a short time only, so it is made now.
        return RedirectResponse(f"{LOG_IN}?provider={quote(provider_token(_PROVIDER))}", 303)

    return [Route(SIGN_IN, sign_in, methods=["GET"])]


async def form_of(request: Request) -> dict[str, str]:
    """The fields of the form that was sent; empty where it is longer than any of ours."""
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > _LONGEST_BODY:
            return {}
    return dict(parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True))


def _page(body: str, *, status: int, headers: Mapping[str, str] = _HEADERS) -> Response:
    text = (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Blind Comparator</title>'
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style></head>'
        f"<body><h1>Blind Comparator</h1>{body}</body></html>"
    )
    return HTMLResponse(text, status, headers)


PATH = "/invitation"
_SCRIPT = files("comparator.web").joinpath("invitation.js").read_text(encoding="utf-8")
_SIGNING_IN = (
    "<p>Signing you in…</p>"
    "<noscript>This app needs JavaScript. Switch it on for this site and open the link again.</noscript>"
    f'<script src="{PATH}/exchange.js"></script>'
)


def link_of(public_url: str, token: str) -> str:
    """The link that is sent to the person."""
    return f"{public_url}{PATH}#{token}"


def invitation_routes(services: Services) -> list[BaseRoute]:
    """The routes; there are none where nobody signs in."""
    if not services.settings.signs_in:
        return []

    async def page(_request: Request) -> Response:
        return _page(_SIGNING_IN, status=200, headers={"cache-control": "no-store"})

    async def script(_request: Request) -> Response:
        return Response(_SCRIPT, media_type="text/javascript", headers={"cache-control": "no-store"})

    async def exchange(request: Request) -> Response:
        form = await form_of(request)
        token, leave = form.get("token", ""), "leave" in form
        try:
            question = await run_in_threadpool(_question, services, request.cookies, token)
            if question and not leave:
                # A link must not change, unasked, who somebody is.
                return JSONResponse({"ok": False, **question}, headers={"cache-control": "no-store"})
            session = await run_in_threadpool(_exchange, services, request.cookies, token)
        except RightsError as error:
            return JSONResponse({"ok": False, "problem": str(error)}, 403)
        answer = JSONResponse({"ok": True}, headers={"cache-control": "no-store"})
        for name in request.cookies:
            if is_sign_in_cookie(name):
                # The provider's sign-in goes before that of an invitation.
                answer.delete_cookie(name)
        answer.set_cookie(
            cookie_name(services.settings),
            session.token,
            max_age=int(session_term(services.settings).total_seconds()),
            path="/",
            secure=is_secure(services.settings),
            httponly=True,
            samesite="lax",
        )
        return answer

    return [
        Route(PATH, page, methods=["GET"]),
        Route(PATH, exchange, methods=["POST"]),
        Route(f"{PATH}/exchange.js", script, methods=["GET"]),
    ]


def _question(services: Services, cookies: Mapping[str, str], token: str) -> dict[str, str]:
    """What to ask whoever is signed in already, and what the button says; empty for nobody known."""
    name, present = name_on(services, token), person_of_request(services, cookies)
    if present is None:
        return {}
    return {
        "question": f"You are signed in as {name_of(services, present)}. This link signs you in as {name} instead.",
        "answer": f"Sign in as {name}",
    }


def _exchange(services: Services, cookies: Mapping[str, str], token: str) -> SignedIn:
    session = accept(services, token)
    if before := cookies.get(cookie_name(services.settings)):
        end(services, hash_of(before))
    return session

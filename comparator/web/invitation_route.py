"""The route that exchanges an invitation's link for a session, and takes the link out of the address.

The secret stands behind the address's "#", which browsers send to nobody: no log of a server or proxy has it, and
whatever looks at links in mails uses none up.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from importlib.resources import files
from urllib.parse import parse_qs

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Route

from comparator.domain.errors import RightsError
from comparator.web.sign_in import cookie_name, is_secure, person_of_request
from comparator.web.streamlit_parts import is_sign_in_cookie
from comparator.workflow.people.invitations import SignedIn, accept, end_session, name_on
from comparator.workflow.people.people import name_of
from comparator.workflow.people.sessions import lasts
from comparator.workflow.services import Services

PATH = "/invitation"
_LONGEST_BODY = 1_000
_SCRIPT = files("comparator.web").joinpath("invitation.js").read_text(encoding="utf-8")
_PAGE = f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Blind Comparator</title>
<meta name="viewport" content="width=device-width"><style>
:root {{ color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }}
body {{ margin: 20vh auto; max-width: 32rem; padding: 1rem }}
button {{ font: inherit; padding: .4rem 1rem }}
</style></head><body><h1>Blind Comparator</h1><p>Signing you in…</p>
<noscript>This app needs JavaScript. Switch it on for this site and open the link again.</noscript>
<script src="{escape(PATH)}/exchange.js"></script></body></html>
"""


def link_of(public_url: str, token: str) -> str:
    """The link that is sent to the person."""
    return f"{public_url}{PATH}#{token}"


def invitation_routes(services: Services) -> list[BaseRoute]:
    """The routes; there are none where nobody signs in."""
    if not services.settings.signs_in:
        return []

    async def page(_request: Request) -> Response:
        return HTMLResponse(_PAGE, headers={"cache-control": "no-store"})

    async def script(_request: Request) -> Response:
        return Response(_SCRIPT, media_type="text/javascript", headers={"cache-control": "no-store"})

    async def exchange(request: Request) -> Response:
        body = b""
        async for chunk in request.stream():
            body += chunk
            if len(body) > _LONGEST_BODY:
                break
        form = parse_qs(body.decode("utf-8", "replace"))
        token, leave = form.get("token", [""])[0], "leave" in form
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
            max_age=int(lasts(services.settings).total_seconds()),
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
        end_session(services, before)
    return session

"""The pages before the app: sign in, no role yet, or a start token is missing; plain HTML, nothing of Streamlit's."""

from __future__ import annotations

from html import escape
from urllib.parse import parse_qs, quote

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from comparator.settings import Settings
from comparator.web.streamlit_parts import provider_token

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


async def token_of(request: Request) -> str:
    """The token in the form that was sent; empty where there is none."""
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > _LONGEST_BODY:
            return ""
    return parse_qs(body.decode("utf-8", "replace")).get("token", [""])[0]


def _page(body: str, *, status: int) -> Response:
    text = (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Blind Comparator</title>'
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style></head>'
        f"<body><h1>Blind Comparator</h1>{body}</body></html>"
    )
    return HTMLResponse(text, status, _HEADERS)

"""Keeps addresses that hold outputs or files from whoever is not signed in, or may not see that comparison."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from anyio import CapacityLimiter, to_thread
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from comparator.domain.errors import ComparatorError

OPEN = (
    "/static/",
    "/_stcore/health",
    "/_stcore/host-config",
    "/_stcore/stream",
    "/_stcore/bidi-components/",
    "/component/",
    "/auth/",
    "/oauth2callback",
    "/invitation",
    # Live pages: the token in the address is what lets in, since a page without an origin sends no cookie.
    "/live/",
)
"""What Streamlit's front end needs before anybody is signed in, and what signs them in; none of it holds an output."""
DIFFERENCES = "differences"
"""What stands between the ids of two files in the address of their differences."""

_AT_ONCE = 8
_REFUSED = "There is nothing here for you. Sign in, or ask a lead of the project."


class Rules(NamedTuple):
    """What the gate asks, from several threads."""

    person: Callable[[Mapping[str, str]], str | None]
    """Who asks, by the cookies; None for nobody known."""
    may_see: Callable[[str, str], bool]
    """Whether this person may see the output under this id."""


class Gate:
    """Lets through the app's own pages, which look after themselves, and else only who may see what is asked for.

    `outputs` are the beginnings of addresses in which the id of a file or an output comes next.
    """

    def __init__(self, app: ASGIApp, *, rules: Rules, outputs: tuple[str, ...]) -> None:
        self._app, self._rules, self._outputs = app, rules, outputs
        # Threads of its own: whoever is let in may keep those of everybody else busy.
        self._limiter = CapacityLimiter(_AT_ONCE)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it before anything of the app sees it."""
        if scope["type"] == "http" and not await self._allowed(scope):
            await PlainTextResponse(_REFUSED, 403, {"cache-control": "no-store"})(scope, receive, send)
            return
        await self._app(scope, receive, send)

    async def _allowed(self, scope: Scope) -> bool:
        path = str(scope["path"])
        if path.startswith(OPEN) or _is_page(path):
            return True
        cookies = HTTPConnection(scope).cookies
        return await to_thread.run_sync(self._may, path, cookies, limiter=self._limiter)

    def _may(self, path: str, cookies: Mapping[str, str]) -> bool:
        try:
            person_id = self._rules.person(cookies)
            if person_id is None:
                return False
            for begin in self._outputs:
                if path.startswith(f"{begin}/"):
                    return all(
                        self._rules.may_see(person_id, id) for id in _named(path.removeprefix(f"{begin}/"))
                    )
        except ComparatorError:
            return False
        return True


def _named(rest: str) -> tuple[str, ...]:
    """The ids of what an address shows: the first part, and of differences the other file's too."""
    id, *further = rest.split("/")
    return (id, further[1]) if len(further) > 1 and further[0] == DIFFERENCES else (id,)


def _is_page(path: str) -> bool:
    """A page's address: Streamlit answers each with the same empty document, and the page itself checks who asks."""
    return path.count("/") == 1 and not path.startswith("/_")

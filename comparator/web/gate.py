"""Keeps addresses that hold outputs or files from whoever is not signed in, or may not see that comparison."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import NamedTuple

from anyio import CapacityLimiter, Semaphore, to_thread
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
ASKED_BY = "comparator.asked_by"
"""Where a request that is let in says who asks: the person's id."""
DIFFERENCES = "differences"
"""What stands between the ids of two files in the address of their differences."""

AT_ONCE_A_PERSON = 8
"""Requests for outputs that are answered at the same time: whoever asks for much that takes long keeps themselves
waiting, and nobody else."""
_AT_ONCE = 8
_REFUSED = "There is nothing here for you. Sign in, or ask a lead of the project."


class Rules(NamedTuple):
    """What the gate asks, from several threads."""

    person: Callable[[Mapping[str, str]], str | None]
    """Who asks, by the cookies; None for nobody known."""
    may_see: Callable[[str, str], bool]
    """Whether this person may see the output under this id."""


@dataclass
class _Turns:
    free: Semaphore
    asked: int = 0


class Gate:
    """Lets through the app's own pages, which look after themselves, and else only who may see what is asked for.

    `outputs` are the beginnings of addresses in which the id of a file or an output comes next.
    """

    def __init__(self, app: ASGIApp, *, rules: Rules, outputs: tuple[str, ...]) -> None:
        self._app, self._rules, self._outputs = app, rules, outputs
        # Threads of its own: whoever is let in may keep those of everybody else busy.
        self._limiter = CapacityLimiter(_AT_ONCE)
        self._turns: dict[str, _Turns] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it before anything of the app sees it."""
        path = str(scope.get("path", ""))
        if scope["type"] != "http" or path.startswith(OPEN) or _is_page(path):
            await self._app(scope, receive, send)
            return
        cookies = HTTPConnection(scope).cookies
        person_id = await to_thread.run_sync(self._let_in, path, cookies, limiter=self._limiter)
        if person_id is None:
            await PlainTextResponse(_REFUSED, 403, {"cache-control": "no-store"})(scope, receive, send)
            return
        scope[ASKED_BY] = person_id
        if _is_played(path) or not path.startswith(tuple(f"{begin}/" for begin in self._outputs)):
            await self._app(scope, receive, send)
        else:
            async with self._turn_of(person_id):
                await self._app(scope, receive, send)

    def _let_in(self, path: str, cookies: Mapping[str, str]) -> str | None:
        """Who asks, if they may; else None."""
        try:
            person_id = self._rules.person(cookies)
            if person_id is None:
                return None
            for begin in self._outputs:
                if path.startswith(f"{begin}/"):
                    named = _named(path.removeprefix(f"{begin}/"))
                    return person_id if all(self._rules.may_see(person_id, id) for id in named) else None
        except ComparatorError:
            return None
        return person_id

    @asynccontextmanager
    async def _turn_of(self, person_id: str) -> AsyncIterator[None]:
        """A few requests of a person at once; further ones wait for these, and not for anybody else's."""
        turns = self._turns.setdefault(person_id, _Turns(Semaphore(AT_ONCE_A_PERSON)))
        turns.asked += 1
        try:
            async with turns.free:
                yield
        finally:
            turns.asked -= 1
            if not turns.asked:
                self._turns.pop(person_id, None)


def _named(rest: str) -> tuple[str, ...]:
    """The ids of what an address shows: the first part, and of differences the other file's too."""
    id, *further = rest.split("/")
    return (id, further[1]) if len(further) > 1 and further[0] == DIFFERENCES else (id,)


def _is_played(path: str) -> bool:
    """A file that is sent for as long as a player plays it."""
    return path.count("/") == 3 and path.endswith("/play")


def _is_page(path: str) -> bool:
    """A page's address: Streamlit answers each with the same empty document, and the page itself checks who asks."""
    return path.count("/") == 1 and not path.startswith("/_")

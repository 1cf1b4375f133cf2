"""Lets through the addresses that are open, and each other one only to whom it is for; what is not listed is closed."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import NamedTuple

from anyio import CapacityLimiter, to_thread
from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from comparator.domain.errors import ComparatorError
from comparator.domain.rights import Act
from comparator.web import sign_in, streamlit
from comparator.web.monitoring import MONITORING


class PersonLimit:
    """Lets in `at_once` requests of each person. Belongs to one event loop."""

    def __init__(self, at_once: int) -> None:
        self._at_once = at_once
        self._of: dict[str, CapacityLimiter] = {}

    @asynccontextmanager
    async def place(self, person_id: str) -> AsyncIterator[None]:
        """Wait for a place among this person's requests, and keep it for the block."""
        limiter = self._of.setdefault(person_id, CapacityLimiter(self._at_once))
        try:
            async with limiter:
                yield
        finally:
            if not limiter.borrowed_tokens and not limiter.statistics().tasks_waiting:
                self._of.pop(person_id, None)


_READING = frozenset({"GET", "HEAD"})
STREAM = "/_stcore/stream"
OPEN = frozenset(
    {
        # What signs people in, each by a token or a secret of its own.
        sign_in.LOG_IN,
        sign_in.SIGN_IN,
        "/oauth2callback",
        "/invitation",
        "/invitation/exchange.js",
        "/_stcore/health",
        *MONITORING,
    }
)
"""Addresses that everybody may read."""
OPEN_BELOW = (
    # Streamlit's own front end, the same for everybody who installs it.
    "/static/",
    # Our own modules, likewise.
    "/modules/",
    # Live pages: the token in the address is what lets in, since a page without an origin sends no cookie.
    "/live/",
)
# The second asks by itself who sends, and answers in the words of the score sheet.
OPEN_TO_POST = frozenset({"/invitation", "/changes"})
FOR_MEMBERS = frozenset({"/_stcore/host-config", STREAM})
"""Addresses for everybody with a role, whatever it is; pages are so, too."""
FILES = "/files/"
"""What a page has written to be saved: its route gives each file to whom it was written for."""
FOR_MEMBERS_BELOW = ("/_stcore/bidi-components/", FILES)
UPLOADS = "/_stcore/upload_file/"
"""For whoever may set comparisons up."""
_UPLOADING = frozenset({"PUT", "DELETE"})

ASKED_BY = "comparator.asked_by"
"""Where a request that is let in says who asks: the person's id."""
DIFFERENCES = "differences"
"""What stands between the ids of two files in the address of their differences."""
PAGES = ".pages"
"""What follows the id of an Office file in the address of its pages."""

AT_ONCE_A_PERSON = 8
"""Requests for outputs that are answered at the same time: whoever asks for much that takes long keeps themselves
waiting, and nobody else."""
_AT_ONCE = 8
_STILL_IN = "You are still signed in: use the button “Sign out” on the page."
_REFUSED = "You do not have access to this. Sign in, or ask a lead of the project."
_POLICY_VIOLATION = 1008


class Rules(NamedTuple):
    """What the gate asks, from several threads."""

    person: Callable[[Mapping[str, str]], str | None]
    """Who asks, by the cookies; None for nobody known."""
    may_see: Callable[[str, str], bool]
    """Whether this person may see the output under this id."""
    may: Callable[[str, Act], bool]
    """Whether this person may do this in at least one project."""
    active: Callable[[Mapping[str, str]], None]
    """Notes that whoever has these cookies is at work."""
    outside_page: Callable[[str | None, Mapping[str, str]], Response]
    """The page for nobody known (None), or for a person without a role."""
    sign_out: Callable[[Mapping[str, str], str], bool]
    """Ends the sign-in of these cookies if the token is its own; whether there is none that goes on."""
    may_try: Callable[[str], bool]
    """Whether this person or address may try to come in once more; a try that may be made counts."""


class _Access(NamedTuple):
    """Who asks (None for nobody known), and whether they are let in; without a role they are let in nowhere."""

    person_id: str | None
    allowed: bool = False
    has_role: bool = True


class Gate:
    """Lets through what is open, and else only who may see what is asked for.

    `outputs` are the beginnings of addresses in which the id of a file or an output comes next.
    """

    def __init__(self, app: ASGIApp, *, rules: Rules, outputs: tuple[str, ...]) -> None:
        self._app, self._rules, self._outputs = app, rules, outputs
        # Threads of its own: whoever is let in may keep those of everybody else busy.
        self._limiter = CapacityLimiter(_AT_ONCE)
        self._person_limit = PersonLimit(AT_ONCE_A_PERSON)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it before anything of the app sees it."""
        if scope["type"] == "websocket":
            await self._connect(scope, receive, send)
        elif scope["type"] != "http":
            await self._app(scope, receive, send)
        elif ".." in scope["path"].split("/"):
            # No address of ours leads up, and one that does may be read as another one further in.
            await _refusal()(scope, receive, send)
        elif _is_open(scope["path"], scope["method"]):
            await self._app(scope, receive, send)
        elif scope["path"] == sign_in.SIGN_OUT or scope["path"] == sign_in.LOG_OUT:
            await self._sign_out(scope, receive, send)
        else:
            await self._ask(scope, receive, send)

    async def _ask(self, scope: Scope, receive: Receive, send: Send) -> None:
        path, method, cookies = scope["path"], scope["method"], HTTPConnection(scope).cookies
        access = await to_thread.run_sync(self._let_in, path, method, cookies, limiter=self._limiter)
        if access.person_id is None or not access.allowed:
            wants_page = _is_page(path, method) and (access.person_id is None or not access.has_role)
            answer = self._rules.outside_page(access.person_id, cookies) if wants_page else _refusal()
            await answer(scope, receive, send)
            return
        scope[ASKED_BY] = access.person_id
        if _is_played(path) or not path.startswith(tuple(f"{begin}/" for begin in self._outputs)):
            await self._app(scope, receive, send)
        else:
            async with self._person_limit.place(access.person_id):
                await self._app(scope, receive, send)

    async def _connect(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Open the pages' connection for whoever has a role, and let only those messages through that pages need."""
        cookies = HTTPConnection(scope).cookies
        access = await to_thread.run_sync(self._let_in, scope["path"], "GET", cookies, limiter=self._limiter)
        if scope["path"] != STREAM or access.person_id is None or not access.allowed:
            await send({"type": "websocket.close", "code": _POLICY_VIOLATION})
            return
        person_id = access.person_id

        async def uploads() -> bool:
            return await to_thread.run_sync(self._may, person_id, Act.SUBMIT, limiter=self._limiter)

        async def active() -> None:
            await to_thread.run_sync(self._rules.active, cookies, limiter=self._limiter)

        guarded = streamlit.Guard(receive, may_upload=uploads, active=active)
        await self._app(scope, guarded.receive, send)

    async def _sign_out(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Streamlit's own address clears the cookies and leads to the provider's; it is reached only once the sign-in
        has ended, so that no link of another website ends one."""
        request = Request(scope, receive)
        form = await sign_in.form_of(request) if scope["method"] == "POST" else {}
        ended = await to_thread.run_sync(
            self._rules.sign_out, request.cookies, form.get("token", ""), limiter=self._limiter
        )
        allowed = scope["method"] == ("POST" if scope["path"] == sign_in.SIGN_OUT else "GET")
        if not (ended and allowed):
            await PlainTextResponse(_STILL_IN, 405, {"cache-control": "no-store"})(scope, receive, send)
            return
        path = {"path": sign_in.LOG_OUT, "raw_path": sign_in.LOG_OUT.encode(), "method": "GET"}
        await self._app({**scope, **path}, receive, send)

    def _let_in(self, path: str, method: str, cookies: Mapping[str, str]) -> _Access:
        try:
            person_id = self._rules.person(cookies)
            if person_id is None:
                return _Access(None)
            for begin in self._outputs:
                if path.startswith(f"{begin}/"):
                    named = _ids_in(path.removeprefix(f"{begin}/"))
                    return _Access(person_id, all(self._rules.may_see(person_id, id) for id in named))
            if not self._rules.may(person_id, Act.READ):
                return _Access(person_id, has_role=False)
            return _Access(person_id, self._for_members(person_id, path, method))
        except ComparatorError:
            return _Access(None)

    def _for_members(self, person_id: str, path: str, method: str) -> bool:
        """Whether somebody with a role may ask for this address."""
        if path.startswith(UPLOADS):
            return method in _UPLOADING and self._rules.may(person_id, Act.SUBMIT)
        if method not in _READING:
            return False
        return path in FOR_MEMBERS or path.startswith(FOR_MEMBERS_BELOW) or _is_page(path, method)

    def _may(self, person_id: str, act: Act) -> bool:
        try:
            return self._rules.may(person_id, act)
        except ComparatorError:
            return False


def _is_open(path: str, method: str) -> bool:
    """Whether everybody may ask for this address in this way."""
    if method == "POST":
        return path in OPEN_TO_POST
    return method in _READING and (path in OPEN or path.startswith(OPEN_BELOW))


def _refusal() -> Response:
    return PlainTextResponse(_REFUSED, 403, {"cache-control": "no-store"})


def _ids_in(rest: str) -> tuple[str, ...]:
    """The ids of what an address shows: the first part, and of differences the other file's too."""
    id, *further = (part.removesuffix(PAGES) for part in rest.split("/"))
    return (id, further[1]) if len(further) > 1 and further[0] == DIFFERENCES else (id,)


def _is_played(path: str) -> bool:
    """A file that is sent for as long as a player plays it."""
    return path.count("/") == 3 and path.endswith("/play")


def _is_page(path: str, method: str) -> bool:
    """A page's address: Streamlit answers each with the same empty document, and the page itself checks who asks."""
    return method in _READING and path.count("/") == 1 and not path.startswith("/_")

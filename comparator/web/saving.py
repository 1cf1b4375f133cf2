"""The address to which the score sheet sends changes: stored first, then answered with the sheet as it stands now.

A change needs no run of the page, so that saving costs little, and goes on after the server was started anew.
"""

from __future__ import annotations

import json
import logging
import secrets
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple

from anyio import CapacityLimiter, to_thread
from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from comparator.domain.errors import ComparatorError, Conflict, NotFound, ReviewError, RightsError
from comparator.domain.rights import Act
from comparator.domain.scoring.review import Change
from comparator.web.guards.gate import PersonLimit
from comparator.web.sign_in import note_active, person_of_request
from comparator.workflow.people.people import permissions_of
from comparator.workflow.review.review import record
from comparator.workflow.review.sheet import Sheet, read_sheet, sheet_of
from comparator.workflow.services import Services

PATH = "/changes"
PROCESS = secrets.token_hex(8)
"""Tells this process from one that was started anew and knows nothing of the pages that are open."""
MOST_CHANGES = 2_000
"""In one request."""
LONGEST_BODY = 16_000_000
LARGE_BODY = 100_000
"""For more, whoever sends is asked for their right first; the use case asks in any case."""
_AT_ONCE = 4
AT_ONCE_A_PERSON = 2
"""A page sends one body at a time; a person may have two open."""
_EARLIEST_YEAR = 2000
_STATUS: dict[type[ComparatorError], int] = {RightsError: 403, NotFound: 404, Conflict: 409, ReviewError: 400}
_SENT = frozenset({"id", "target", "kind", "value", "reason", "code"})
_NOT_SENT: Any = {
    **dict.fromkeys(("files", "set_aside", "prompt"), True),
    "judgment": {
        "rubric": True,
        "prose": True,
        "passes": {"__all__": {"answer": {"reasoning", "strengths", "weaknesses", "surplus", "form"}}},
    },
}
"""What the browser is not given of a sheet."""

log = logging.getLogger(__name__)


def saving_routes(services: Services) -> list[BaseRoute]:
    """The route. It asks by itself who sends, and whether they may review the comparison."""
    # Threads of its own: whoever looks at outputs does not keep anybody's change waiting.
    limiter = CapacityLimiter(_AT_ONCE)
    person_limit = PersonLimit(AT_ONCE_A_PERSON)

    async def save(request: Request) -> Response:
        try:
            person_id = await to_thread.run_sync(_person, services, request.cookies, limiter=limiter)
            # What is sent lies in memory until it is stored.
            async with person_limit.place(person_id):
                body = await _body(request, large=partial(_may_review, services, person_id))
                answer = await to_thread.run_sync(_saved, services, person_id, body, limiter=limiter)
        except ComparatorError as error:
            return _problem(str(error), _STATUS.get(type(error), 503))
        except Exception:
            # A bug: the browser keeps the change, and the log says what happened.
            number = secrets.token_hex(4)
            log.exception("error %s", number, extra={"error_id": number})
            return _problem(f"Something went wrong (id {number}). The log of the app says what.", 500)
        return JSONResponse(answer, headers={"cache-control": "no-store"})

    return [Route(PATH, save, methods=["POST"])]


def as_sent(sheet: Sheet) -> dict[str, Any]:
    """What the browser is given of the sheet, with the page and in answer to changes alike."""
    return sheet.model_dump(mode="json", exclude=_NOT_SENT)


def clean(raw: Any) -> Any:
    """Anything read from JSON, its texts without what no database or answer can hold."""
    match raw:
        case str():
            return raw.encode("utf-8", "replace").decode("utf-8").replace("\x00", "\ufffd")
        case list() | tuple():
            return [clean(each) for each in raw]
        case dict():
            return {clean(name): clean(value) for name, value in raw.items()}
    return raw


class SentChanges(NamedTuple):
    """What a page sent: the changes in its order, and by its id why one cannot be read."""

    changes: list[Change]
    unreadable: dict[str, str]


def changes_from(sent: object, *, author: str, at: datetime) -> SentChanges:
    """The changes of a cleaned body, made by this person at this time. Raises ReviewError where it is no such list."""
    if not isinstance(sent, list) or len(sent) > MOST_CHANGES:
        raise ReviewError(f"Changes come as a list of at most {MOST_CHANGES:,}. Reload the page.")
    found = SentChanges([], {})
    for raw in sent:
        if not isinstance(raw, dict):
            continue
        stamped = {name: raw[name] for name in raw.keys() & _SENT} | {"author": author, "at": at}
        try:
            found.changes.append(Change.model_validate(stamped))
        except (ValidationError, ReviewError) as error:
            why = error.errors()[0]["msg"] if isinstance(error, ValidationError) else str(error)
            found.unreadable[str(raw.get("id"))[:64]] = (
                f"The change to {raw.get('target')} cannot be read: {why}"
            )
    return found


def _person(services: Services, cookies: Mapping[str, str]) -> str:
    person_id = person_of_request(services, cookies)
    if person_id is None:
        raise RightsError(
            "You are not signed in, or your sign-in has ended. Reload the page to sign in again."
        )
    note_active(services, cookies)
    return person_id


def _saved(services: Services, person_id: str, body: bytes) -> dict[str, Any]:
    try:
        sent = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise ReviewError("What the page sent cannot be read. Reload it.") from error
    if not isinstance(sent, dict):
        raise ReviewError("What the page sent cannot be read. Reload it.")
    if sent.get("owner") != person_id:
        raise Conflict("Somebody else is signed in in this browser now. Sign in again as yourself to save.")
    id, seen = sent.get("comparison"), sent.get("seen")
    if not isinstance(id, str) or not id.isascii():
        raise ReviewError("The page did not say which comparison it is. Reload the page.")
    changes, refused = changes_from(clean(sent.get("changes", [])), author=person_id, at=services.now())
    state = None
    if changes:
        try:
            state = record(
                services,
                id,
                changes,
                person_id=person_id,
                began=_moment(sent.get("began")),
                seen=seen if isinstance(seen, int) else None,
                unfit=refused,
            )
        except (ReviewError, Conflict) as error:
            refused.update({change.id: refused.get(change.id, str(error)) for change in changes})
    if state is None:
        sheet = read_sheet(services, id, person_id=person_id, files=False)
    else:
        with services.read() as unit:
            sheet = sheet_of(replace(state, unit=unit))
    return {
        "sheet": as_sent(sheet),
        "refused": [{"id": id, "why": why} for id, why in refused.items()],
        "process": PROCESS,
    }


def _may_review(services: Services, person_id: str) -> None:
    if not permissions_of(services, person_id).somewhere(Act.REVIEW):
        raise RightsError("You may not review here. Ask a lead of the project.")


async def _body(request: Request, *, large: Callable[[], None]) -> bytes:
    """The body; `large` is called before much of it is read.

    Raises ReviewError for anything but JSON of a bearable length, and what `large` raises.
    """
    # No form of another website can be of this type.
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise ReviewError("Changes come as JSON. Reload the page.")
    body = bytearray()
    asked = False
    async for chunk in request.stream():
        body += chunk
        if len(body) > LARGE_BODY and not asked:
            asked = True
            await to_thread.run_sync(large)
        if len(body) > LONGEST_BODY:
            raise ReviewError("This is too much to be stored at once. Shorten the texts.")
    return bytes(body)


def _moment(raw: object) -> datetime | None:
    try:
        found = datetime.fromisoformat(raw) if isinstance(raw, str) else None
    except ValueError:
        return None
    # A year that no clock of ours has can overflow where it is turned into UTC.
    return found if found is not None and found.tzinfo is not None and found.year > _EARLIEST_YEAR else None


def _problem(sentence: str, status: int) -> Response:
    return JSONResponse({"problem": sentence}, status, headers={"cache-control": "no-store"})

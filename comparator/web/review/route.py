"""The one address of the review component: what is sent is stored first, then answered with what holds now.

Nothing of it needs a run of the page, so that saving costs little, and goes on after the server was started anew.
"""

import logging
import secrets
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from anyio import CapacityLimiter, to_thread
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from comparator.domain.errors import ComparatorError, Conflict, NotFound, ReviewError, RightsError
from comparator.domain.rights import Act
from comparator.web.guards.gate import PersonLimit
from comparator.web.review.commands import (
    MOST_COMMANDS,
    Reply,
    Sent,
    carry_out,
    changes_from,
    notes_from,
    store_note,
)
from comparator.web.review.shown import as_sent, next_files, notes_of, whole
from comparator.web.sign_in import note_active, person_of_request
from comparator.workflow.people.people import permissions_of
from comparator.workflow.review.notes import mark_judge_seen
from comparator.workflow.review.review import record
from comparator.workflow.review.review_state import ReviewState, review_state
from comparator.workflow.review.search import Searcher
from comparator.workflow.review.sheet import read_sheet, sheet_of
from comparator.workflow.services import Services

PATH = "/changes"
LONGEST_BODY = 16_000_000
LARGE_BODY = 100_000
"""For more, whoever sends is asked for their right first; the use case asks in any case."""
_AT_ONCE = 4
AT_ONCE_A_PERSON = 2
"""A page sends one body at a time; a person may have two open."""
_STATUS: dict[type[ComparatorError], int] = {RightsError: 403, NotFound: 404, Conflict: 409, ReviewError: 400}
log = logging.getLogger(__name__)


def review_routes(services: Services) -> list[BaseRoute]:
    """The route. It asks by itself who sends, and whether they may review the comparison."""
    # Threads of its own: whoever looks at outputs does not keep anybody's change waiting.
    limiter = CapacityLimiter(_AT_ONCE)
    person_limit = PersonLimit(AT_ONCE_A_PERSON)
    searcher = Searcher(services)

    async def save(request: Request) -> Response:
        try:
            person_id = await to_thread.run_sync(_person, services, request.cookies, limiter=limiter)
            # What is sent lies in memory until it is stored.
            async with person_limit.place(person_id):
                body = await _body(request, large=partial(_may_review, services, person_id))
                answer = await to_thread.run_sync(
                    _answer, services.by(person_id), searcher, body, limiter=limiter
                )
        except ComparatorError as error:
            return _problem(str(error), _STATUS.get(type(error), 503))
        except Exception:
            # A bug: the browser keeps the change, and the log says what happened.
            number = secrets.token_hex(4)
            log.exception("error %s", number, extra={"error_id": number})
            return _problem(f"Something went wrong (id {number}). The log of the app says what.", 500)
        return JSONResponse(answer, headers={"cache-control": "no-store"})

    return [Route(PATH, save, methods=["POST"])]


def _person(services: Services, cookies: Mapping[str, str]) -> str:
    person_id = person_of_request(services, cookies)
    if person_id is None:
        raise RightsError(
            "You are not signed in, or your sign-in has ended. Reload the page to sign in again."
        )
    note_active(services, cookies)
    return person_id


def _answer(services: Services, searcher: Searcher, body: bytes) -> dict[str, Any]:
    sent = Sent.read(body)
    if sent.owner != services.person:
        raise Conflict("Somebody else is now signed in with this browser. Sign in as yourself again to save.")
    id, scope, commands = sent.comparison, sent.scope, sent.commands[:MOST_COMMANDS]
    edits, refused = notes_from(sent)
    state = _store_changes(services, id, sent, refused)
    answer: dict[str, Any] = {}
    reply = Reply()
    if commands and not refused:
        for command in commands:
            reply = carry_out(services, id, command, scope=scope)
            if not reply.done:
                break
        answer["reply"] = reply.model_dump(mode="json")
    for edit in edits:
        try:
            store_note(services, id, edit)
        except ComparatorError as error:
            refused[edit.id] = str(error)
    acted = commands or sent.whole or any(edit.do == "take_back" for edit in edits)
    if acted and not reply.go_to:
        sheet = read_sheet(services, id)
        answer |= whole(services, id, sheet=sheet)
    elif edits:
        sheet = read_sheet(services, id)
        answer |= {"sheet": as_sent(sheet), "notes": notes_of(services, sheet)}
    else:
        with services.read() as unit:
            sheet = sheet_of(replace(state, unit=unit) if state else review_state(unit, id))
        answer["sheet"] = as_sent(sheet)
    if reply.go_to:
        # Shown at once, before the page around the component comes to it.
        sheet = read_sheet(services, reply.go_to)
        answer["next"] = whole(services, reply.go_to, sheet=sheet)
    mark_judge_seen(services, sheet)
    if sent.search is not None:
        answer["found"] = _found(searcher, id, sent.search)
    if sent.ahead:
        answer["ahead"] = next_files(services, id, scope=scope)
    return answer | {"refused": [{"id": id, "why": why} for id, why in refused.items()]}


def _store_changes(services: Services, id: str, sent: Sent, refused: dict[str, str]) -> ReviewState | None:
    """Store the changes of a body; what is refused is added, and the state that follows is returned."""
    changes, unreadable = changes_from(sent, author=services.person, at=services.now())
    refused.update(unreadable)
    if not changes:
        return None
    try:
        return record(
            services,
            id,
            changes,
            began=sent.began,
            unfit=refused,
        )
    except (ReviewError, Conflict) as error:
        refused.update({change.id: refused.get(change.id, str(error)) for change in changes})
        return None


def _found(searcher: Searcher, id: str, text: str) -> dict[str, Any]:
    """What a search came to."""
    try:
        search_result = searcher.search(id, text)
    except ComparatorError as error:
        return {"text": text, "hits": [], "left": 0, "problem": str(error)}
    hits = [[hit.file_id, hit.count] for hit in search_result.hits]
    return {"text": text, "hits": hits, "left": search_result.left, "unread": len(search_result.unread)}


def _may_review(services: Services, person_id: str) -> None:
    if not permissions_of(services.by(person_id)).somewhere(Act.REVIEW):
        raise RightsError("You may not review here. Ask a lead of the project.")


async def _body(request: Request, *, large: Callable[[], None]) -> bytes:
    """The body; `large` is called before much of it is read.

    Raises ReviewError for anything but JSON of a bearable length, and what `large` raises.
    """
    # No form of another website can be of this type.
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise ReviewError("Changes come as JSON. Reload the page.")
    body = bytearray()
    checked = False
    async for chunk in request.stream():
        body += chunk
        if len(body) > LARGE_BODY and not checked:
            checked = True
            await to_thread.run_sync(large)
        if len(body) > LONGEST_BODY:
            raise ReviewError("This is too much to store at once. Shorten the texts.")
    return bytes(body)


def _problem(sentence: str, status: int) -> Response:
    return JSONResponse({"problem": sentence}, status, headers={"cache-control": "no-store"})

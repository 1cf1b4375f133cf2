"""Serves the page of the score sheet, and the address to which it sends changes."""

from __future__ import annotations

from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from comparator.web.guards.no_dialogs import NoErrorDialogs
from comparator.web.saving.answer import PROCESS, as_sent
from comparator.web.saving.events import events_from
from comparator.web.saving.route import PATH
from tests.browser.sheet_review import review_of


async def save(request: Request) -> Response:
    """Stores the changes of the review that is named as their owner."""
    told = await request.json()
    review = review_of(told["comparison"].removeprefix("cmp-"), told["owner"])
    events = events_from(review.comparison_id, outbox=told, command=None)
    refused = (*events.refused, *review.store(events.changes))
    return JSONResponse(
        {
            "sheet": as_sent(review.sheet()),
            "refused": [refusal.model_dump() for refusal in refused],
            "process": PROCESS,
        }
    )


app = st.App(
    Path(__file__).with_name("sheet_app.py"),
    routes=[Route(PATH, save, methods=["POST"])],
    middleware=[Middleware(NoErrorDialogs)],
)

"""The Python side of the score sheet: what it is given, and what came back."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import streamlit as st

from comparator.domain.labels import Frozen, PerOutput, Winner
from comparator.domain.pair.flags import FLAGS, SAME_IN_BOTH_ORDERS, SCORES_DISAGREE
from comparator.domain.scoring.verdict import DecidedBy
from comparator.judges.protocol import OFFLINE_CHECK
from comparator.ui.components import TOKENS, component
from comparator.web.saving.answer import PROCESS, as_sent
from comparator.web.saving.events import Refusal, SheetEvents, events_from
from comparator.workflow.review.sheet import Sheet

_REMEMBERED = 500


class Download(Frozen):
    """A file that the browser saves once, by the id of the command that asked for it."""

    id: str
    name: str
    text: str
    media_type: str = "application/json"


class Reply(Frozen):
    """What the sheet says in answer to what it sent: changes that were refused, one plain sentence, a file to save."""

    refused: tuple[Refusal, ...] = ()
    note: str = ""
    download: Download | None = None


class Afterwards(Frozen):
    """What a final review offers: the usual place of its files where they may be written, and how many comparisons a
    reveal would reveal, 0 where there is none to make."""

    place: str | None
    together: int


def sent(comparison_id: str, *, key: str) -> SheetEvents:
    """What the browser has asked for since the last run, with the changes of its moment, which are stored first.

    Changes that an earlier sheet acknowledged are left away, and a command is returned once.
    Raises ReviewError where the browser sent something that is no event of the sheet.
    """
    state = st.session_state.get(key)
    events = _new_events(comparison_id, key, state if isinstance(state, dict) else {})
    _memory(key)["given"] = _ids(events)
    return events


def score_sheet(
    sheet: Sheet,
    *,
    key: str,
    owner: str = "",
    began: datetime | None = None,
    reply: Reply,
    after: Afterwards | None = None,
    probability: float | None = None,
    names: PerOutput[str] | None = None,
) -> SheetEvents:
    """Show the sheet; return what has come from the browser beyond what `sent` has returned and `sheet.saved` names.

    There is something only in the first run of a session, where an earlier server had not heard what was asked for;
    carry it out and run again. `reply` answers the last command; changes that it refuses are dropped by the browser.
    Further changes go to the address of `saving_route`, with `owner`, who keeps the unsent drafts of two people in one
    browser apart, and `began`, when they opened the pair. `probability`, 0 to 1, is what the judge's stated confidence
    is worth in this project, where that is known. `names` are the candidates' names, once the pair is revealed to
    this person. Raises ReviewError where the browser sent something that is no event
    of the sheet.
    """
    memory = _memory(key)
    memory["saved"] = frozenset(sheet.saved)
    memory["refused"] = (*memory["refused"], *(refusal.id for refusal in reply.refused))[-_REMEMBERED:]
    state = component("score_sheet", "sheet/sheet.bundle.js", TOKENS, "sheet/sheet.css")(
        key=key,
        data={
            "sheet": as_sent(sheet),
            "rules": {rule.value: rule.in_words for rule in DecidedBy},
            "flags": {kind: list(flag) for kind, flag in FLAGS.items()},
            "words": {
                "disagree": SCORES_DISAGREE,
                "same_orders": SAME_IN_BOTH_ORDERS.lower(),
                "offline_check": OFFLINE_CHECK,
                "outcomes": {winner.value: winner.in_words for winner in Winner},
                "tie": Winner.TIE.in_sentence,
            },
            "process": PROCESS,
            "owner": owner,
            "began": began.isoformat() if began else None,
            "seen": sheet.seen,
            "handled": list(memory["handled"])[-20:],
            **reply.model_dump(mode="json", include=set(Reply.model_fields)),
            "after": after.model_dump() if after else None,
            "probability": probability,
            "names": names.model_dump() if names else None,
        },
        on_command_change=_nothing,
    )
    events = _new_events(sheet.comparison_id, key, dict(state)).without(memory["given"])
    memory["given"] = frozenset()
    return events


def _ids(events: SheetEvents) -> frozenset[str]:
    return frozenset(change.id for change in events.changes) | {refusal.id for refusal in events.refused}


def _new_events(comparison_id: str, key: str, state: dict[str, Any]) -> SheetEvents:
    memory = _memory(key)
    events = events_from(comparison_id, outbox=None, command=state.get("command"))
    events = events.without(memory["saved"]).without(memory["refused"])
    if events.command is None:
        return events
    if events.command.id in memory["handled"]:
        return events.model_copy(update={"command": None})
    memory["handled"] = (*memory["handled"], events.command.id)[-_REMEMBERED:]
    return events


def _memory(key: str) -> dict[str, Any]:
    memory: dict[str, Any] = st.session_state.setdefault(
        f"{key}:sheet", {"saved": frozenset(), "given": frozenset(), "handled": (), "refused": ()}
    )
    return memory


def _nothing() -> None:
    """Events are read where the page reads them; Streamlit wants a callback for each name."""

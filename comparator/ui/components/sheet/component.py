"""The Python side of the score sheet: what it is given, and which button was pressed in it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum

import streamlit as st
from pydantic import Field, ValidationError

from comparator.domain.errors import ReviewError
from comparator.domain.labels import Frozen, PerOutput, Winner
from comparator.domain.pair.notes import FLAGS, SAME_IN_BOTH_ORDERS, SCORES_DISAGREE
from comparator.domain.scoring.verdict import DecidedBy
from comparator.judges.protocol import OFFLINE_CHECK
from comparator.ui.components import TOKENS, component
from comparator.web.saving import PROCESS, as_sent, clean
from comparator.workflow.review.sheet import Sheet

_REMEMBERED = 500
LONGEST_TEXT = 4_000


class CommandName(StrEnum):
    """What a reviewer can ask for beside changing values."""

    FINALISE = "finalise"
    FINALISE_NEXT = "finalise_next"
    REOPEN = "reopen"
    UNDO = "undo"
    OPEN_JUDGE = "open_judge"
    SKIP = "skip"
    FLAG = "flag"
    CANNOT_JUDGE = "cannot_judge"
    OUTSIDE_EXPERTISE = "outside_expertise"
    WITHDRAW = "withdraw"
    KNOWS = "knows"
    GUESS = "guess"
    RETRY = "retry"
    NEXT = "next"
    EXPORT = "export"
    EXPORT_PROVENANCE = "export_provenance"
    WRITE = "write"
    REVEAL = "reveal"
    STOP = "stop"


class Command(Frozen):
    """One press of a button. `id` is made in the browser, so that a command that arrives twice acts once."""

    id: str = Field(pattern=r"^[A-Za-z0-9_-]{1,64}$")
    name: CommandName
    text: str = Field(default="", max_length=LONGEST_TEXT)
    """What came with it: why the comparison is flagged, the id of an answer to take back, a guess as `2:3`, or the
    place to write the files to."""
    seen: int | None = None
    """How many changes the reviewer had in view."""


class Download(Frozen):
    """A file that the browser saves once, by the id of the command that asked for it."""

    id: str
    name: str
    text: str
    media_type: str = "application/json"


class Reply(Frozen):
    """What comes of a command: one plain sentence, a file to save, another comparison to open, the whole page anew."""

    note: str = ""
    download: Download | None = None
    go_to: str | None = None
    go_home: bool = False
    anew: bool = False


class Afterwards(Frozen):
    """What a final review offers: the usual place of its files where they may be written, and how many comparisons a
    reveal would reveal, 0 where there is none to make."""

    place: str | None
    together: int


def pressed(comparison_id: str, *, key: str) -> Command | None:
    """The command that the browser has sent since the last run; each is returned once.

    Raises ReviewError where the browser sent something that is no command of the sheet.
    """
    state = st.session_state.get(key)
    raw = clean(state.get("command")) if isinstance(state, Mapping) else None
    if not isinstance(raw, dict) or raw.get("comparison") != comparison_id:
        return None
    try:
        command = Command.model_validate(
            {name: raw[name] for name in raw.keys() & Command.model_fields.keys()}
        )
    except ValidationError as error:
        raise ReviewError("The page sent a command that there is not. Reload the page.") from error
    handled = _handled(key)
    if command.id in handled:
        return None
    st.session_state[f"{key}:handled"] = (*handled, command.id)[-_REMEMBERED:]
    return command


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
) -> None:
    """Show the sheet; `reply` answers the last command.

    Changes go to the address of `saving_routes`, with `owner`, who keeps the unsent drafts of two people in one browser
    apart, and `began`, when they opened the pair. `probability`, 0 to 1, is what the judge's stated confidence is worth
    in this project, where that is known. `names` are the candidates' names, once the pair is revealed to this person.
    """
    component("score_sheet", "sheet/js/main.js", TOKENS, "sheet/sheet.css")(
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
            "handled": list(_handled(key))[-20:],
            **reply.model_dump(mode="json", include={"note", "download"}),
            "after": after.model_dump() if after else None,
            "probability": probability,
            "names": names.model_dump() if names else None,
        },
        # Commands are read by `pressed`; Streamlit wants a callback for each name.
        on_command_change=lambda: None,
    )


def _handled(key: str) -> tuple[str, ...]:
    ids: tuple[str, ...] = st.session_state.get(f"{key}:handled", ())
    return ids

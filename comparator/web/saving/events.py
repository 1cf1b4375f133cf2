"""What the score sheet sends from the browser, read with distrust: changes, and at most one command."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from enum import StrEnum
from typing import Any

from pydantic import ValidationError

from comparator.domain.errors import ReviewError
from comparator.domain.labels import Frozen
from comparator.domain.scoring.arithmetic import valid_score
from comparator.domain.scoring.review import LONGEST_TEXT, ChangeKind, Part, Target, Value, value_for

MOST_CHANGES = 2_000
LONGEST_REASON = 4_000
LONGEST_CODE = 60
_ID = re.compile(r"^[A-Za-z0-9_-]{1,64}$")
_GUESS = re.compile(r"^(?:(\d{1,4})?:(\d))?$")


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

    id: str
    name: CommandName
    text: str = ""
    """What came with it: why the comparison is flagged, the id of an answer to take back, a guess as `2:3`, or the
    place to write the files to."""
    seen: int | None = None
    """How many changes the reviewer had in view, those that come with it included."""

    @property
    def guessed(self) -> tuple[int | None, int | None]:
        """The candidate's number and how sure, of a text such as `2:3`, `:1` or nothing for "no idea".

        Raises ReviewError for anything else.
        """
        found = _GUESS.match(self.text)
        if found is None:
            raise ReviewError(f"{self.text[:40]!r} is not a guess. Reload the page and choose again.")
        number, sure = found.groups()
        return int(number) if number else None, int(sure) if sure else None


class SentChange(Frozen):
    """One altered value as the browser sends it; author and time are added where it is stored."""

    id: str
    target: Target
    kind: ChangeKind
    value: Value = None
    reason: str = ""
    code: str = ""


class Refusal(Frozen):
    """A change that is not stored, and why; the browser drops it and shows the sentence."""

    id: str
    why: str


class SheetEvents(Frozen):
    """What has come from the browser: changes to store first, then the command to carry out."""

    changes: tuple[SentChange, ...] = ()
    command: Command | None = None
    refused: tuple[Refusal, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.changes or self.command or self.refused)

    def without(self, ids: Iterable[str]) -> SheetEvents:
        """The same without the changes and refusals of these ids, such as those that are stored already."""
        known = frozenset(ids)
        return self.model_copy(
            update={
                "changes": tuple(change for change in self.changes if change.id not in known),
                "refused": tuple(refusal for refusal in self.refused if refusal.id not in known),
            }
        )


def change_from(raw: object) -> SentChange:
    """The change that the browser sent. Raises ReviewError for anything malformed or too long."""
    if not isinstance(raw, Mapping):
        raise ReviewError(f"A change is an object, not {type(raw).__name__}. Reload the page.")
    identity = _id(raw)
    target = Target.parse(_text(raw, "target", 200))
    try:
        kind = ChangeKind(_text(raw, "kind", 40))
        value = _value(target.part, raw.get("value"))
    except ValueError as error:
        raise ReviewError(f"The change to {target} cannot be read: {error}") from error
    return SentChange(
        id=identity,
        target=target,
        kind=kind,
        value=value,
        reason=_text(raw, "reason", LONGEST_REASON),
        code=_text(raw, "code", LONGEST_CODE),
    )


def command_from(raw: object) -> Command:
    """The command that the browser sent. Raises ReviewError for anything else."""
    if not isinstance(raw, Mapping):
        raise ReviewError(f"A command is an object, not {type(raw).__name__}. Reload the page.")
    name = _text(raw, "name", 40)
    try:
        text, seen = _text(raw, "text", LONGEST_REASON), raw.get("seen")
        return Command(id=_id(raw), name=CommandName(name), text=text, seen=seen)
    except (ValueError, ValidationError) as error:
        raise ReviewError(f"The page has no command {name!r}.") from error


def events_from(comparison_id: str, *, outbox: object, command: object) -> SheetEvents:
    """All that the browser sent of this comparison, each change once; what cannot be read is refused by its id.

    A command carries the outbox of its moment, so that nothing typed before it can come after it. What belongs to
    another comparison is left alone: the browser still holds it and sends it again when that one is open.
    Raises ReviewError where the changes are not a list, or the command not one of ours.
    """
    outbox, command = _of(comparison_id, outbox), _of(comparison_id, command)
    changes: dict[str, SentChange] = {}
    refused: dict[str, Refusal] = {}
    for raw in (*_list(outbox.get("changes")), *_list(command.get("outbox"))):
        try:
            change = change_from(raw)
        except ReviewError as error:
            identity = raw.get("id") if isinstance(raw, Mapping) else None
            if isinstance(identity, str):
                id = clean(identity[:64])
                refused[id] = Refusal(id=id, why=str(error))
        else:
            changes.setdefault(change.id, change)
    return SheetEvents(
        changes=tuple(changes.values()),
        command=command_from(command) if command else None,
        refused=tuple(refused.values()),
    )


def _of(comparison_id: str, raw: object) -> Mapping[Any, Any]:
    if raw is None:
        return {}
    if not isinstance(raw, Mapping):
        raise ReviewError(f"The sheet sends objects, not {type(raw).__name__}. Reload the page.")
    return raw if raw.get("comparison") == comparison_id else {}


def _list(raw: object) -> tuple[Any, ...]:
    if raw is None:
        return ()
    if not isinstance(raw, list | tuple):
        raise ReviewError(f"Changes come as a list, not as {type(raw).__name__}. Reload the page.")
    if len(raw) > MOST_CHANGES:
        raise ReviewError(f"{len(raw)} changes at once are more than {MOST_CHANGES}. Reload the page.")
    return tuple(raw)


def _id(raw: Mapping[Any, Any]) -> str:
    identity = raw.get("id")
    if not isinstance(identity, str) or not _ID.match(identity):
        raise ReviewError("A change came without a usable id. Reload the page.")
    return identity


def _text(raw: Mapping[Any, Any], field: str, longest: int) -> str:
    value = raw.get(field, "")
    if value is None:
        return ""
    if not isinstance(value, str):
        raise ReviewError(f"{field} is text, not {type(value).__name__}. Reload the page.")
    if len(value) > longest:
        raise ReviewError(f"The {field} has {len(value)} characters; {longest} are allowed. Shorten it.")
    return clean(value)


def clean(text: str) -> str:
    """The text without what no database or answer can hold."""
    return text.encode("utf-8", "replace").decode("utf-8").replace("\x00", "\ufffd")


def _value(part: Part, raw: object) -> Value:
    if raw is not None and not isinstance(raw, bool | int | float | str | list):
        raise ValueError(f"a value is not {type(raw).__name__}")
    if isinstance(raw, list):
        raw = [_text({"line": line}, "line", LONGEST_TEXT) for line in raw]
    elif isinstance(raw, str):
        raw = _text({"text": raw}, "text", LONGEST_TEXT)
    value = value_for(part, raw)
    if part is Part.SCORE and not (value is None or (isinstance(value, Decimal) and valid_score(value))):
        raise ValueError("a score is 1 to 5, in steps of a half")
    if part is Part.EXPECTATION and not isinstance(value, bool | None):
        raise ValueError("an expectation is met or not")
    return value

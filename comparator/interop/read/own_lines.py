"""What only our own lines tell of a run beside its output: marks, gradings and details, as they are kept and read."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable
from functools import partial
from typing import Any

from pydantic import ValidationError

from comparator.interop.history import PairHistory
from comparator.interop.imported import FoundRun, GraderClaim
from comparator.interop.read.promptfoo.gradings import claims_in
from comparator.interop.read.skill_creator.files import claims_of
from comparator.interop.read.text import UnreadableImport, kind_of

LARGEST_DOCUMENT = 64_000_000
"""Characters of one grading, or of one run's details, as JSON."""
_DEEPEST = 100
_ID = re.compile(r"[a-z0-9]{8,64}", re.ASCII)
_LONGEST_REASON = 1_000
_MOST_NAMES = 1_000
_LONGEST_NAME = 1_000
CONTAMINATED, _OWN_PROMPT, _SKILLS = "contaminated", "own_prompt", "skill_names"


def details_kept(run: FoundRun, *, skill_names: Collection[str]) -> dict[str, Any]:
    """A run's details as they are stored: with them what else was found of it that has no place of its own."""
    also = {CONTAMINATED: run.contaminated, _OWN_PROMPT: run.own_prompt, _SKILLS: list(skill_names)}
    return run.details | {name: value for name, value in also.items() if value}


def is_ours(row: dict[str, Any]) -> bool:
    """Whether a row is a line that we exported; somebody else's may have columns of the same names."""
    # A pair that was decided without scores has no result.
    ours = isinstance(row.get("result"), dict) or isinstance(row.get("verdict_source"), str)
    return isinstance(row.get("comparison"), str) and ours


def run_details(row: dict[str, Any], side: str, *, note: Callable[[str], None]) -> dict[str, Any]:
    """The fields of a run that a line of ours fills; what of it cannot be used is told to `note` and left out."""
    details: dict[str, Any] = {}

    def part(read: Callable[[dict[str, Any], str], dict[str, Any]]) -> None:
        try:
            details.update(read(row, side))
        except UnreadableImport as error:
            note(f"{error}; the pair comes in without it")

    for read in (_cut_off, _superseded, _grading, _details):
        part(read)
    for mark in (CONTAMINATED, _OWN_PROMPT):
        part(partial(_mark, mark))
    # A line of ours tells of each run that is void; an empty output is not taken for one.
    return {"void": "", "place": _place(row, side)} | details


def history_in(row: dict[str, Any]) -> PairHistory | None:
    """What judges and people said of the pair, as the line that we exported tells it. Raises Unreadable."""
    if row.get("history") is None:
        return None
    require_room(row["history"], "history")
    try:
        return PairHistory.model_validate(row["history"])
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise UnreadableImport(f"its history cannot be used ({place}: {first['msg']})") from error


def skill_names_in(row: dict[str, Any], *, note: Callable[[str], None]) -> tuple[str, ...]:
    """The names of skills that the import of its runs knew."""
    found: dict[str, None] = {}
    for side in "ab":
        details = row.get(f"details_{side}")
        names = details.get(_SKILLS) if isinstance(details, dict) else None
        if names is None:
            continue
        if not isinstance(names, list) or len(names) > _MOST_NAMES or not all(map(_is_name, names)):
            note(
                f"the {_SKILLS} in its details_{side} are not a list of names; the pair comes in without them"
            )
            continue
        found.update(dict.fromkeys(names))
    return tuple(found)


def claims_of_any(grading: Any) -> tuple[GraderClaim, ...]:
    """What a grading says of each expectation, whichever format it came in."""
    if not isinstance(grading, dict):
        return ()
    return tuple(claims_in(grading)) or claims_of(grading)


def _place(row: dict[str, Any], side: str) -> str:
    """The comparison and the side: another export may have its lines in another order."""
    comparison = str(row["comparison"])
    return f"{comparison}-{side}" if _ID.fullmatch(comparison) else ""


def _cut_off(row: dict[str, Any], side: str) -> dict[str, Any]:
    name = f"cut_off_{side}"
    if name not in row:
        # An older line does not say; it is looked for as in any table.
        return {}
    return {"cut_off": _text(row[name], name, longest=_LONGEST_REASON)}


def _superseded(row: dict[str, Any], side: str) -> dict[str, Any]:
    value = row.get(f"superseded_{side}", False)
    if not isinstance(value, bool):
        raise UnreadableImport(f"its superseded_{side} is {kind_of(value)}, not true or false")
    return {"superseded": value}


def _grading(row: dict[str, Any], side: str) -> dict[str, Any]:
    grading = row.get(f"grading_{side}")
    if grading is None:
        return {}
    require_room(grading, f"grading_{side}")
    return {"grading": grading, "claims": claims_of_any(grading)}


def _details(row: dict[str, Any], side: str) -> dict[str, Any]:
    name = f"details_{side}"
    details = row.get(name)
    if details is None:
        return {}
    if not isinstance(details, dict):
        raise UnreadableImport(f"its {name} are {kind_of(details)}, not an object")
    require_room(details, name)
    known = (CONTAMINATED, _OWN_PROMPT, _SKILLS)
    return {"details": {key: value for key, value in details.items() if key not in known}}


def _mark(mark: str, row: dict[str, Any], side: str) -> dict[str, Any]:
    """What `details_kept` put among the details."""
    details = row.get(f"details_{side}")
    given = details.get(mark) if isinstance(details, dict) else None
    return {mark: _text(given, f"{mark} in its details_{side}")}


def _text(value: Any, name: str, *, longest: int = LARGEST_DOCUMENT) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        raise UnreadableImport(f"its {name} is {kind_of(value)}, not text")
    if len(value) > longest:
        raise UnreadableImport(f"its {name} has {len(value):,} characters")
    return value if value.strip() else ""


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and 0 < len(value) <= _LONGEST_NAME


def require_room(value: Any, name: str) -> None:
    """Raise Unreadable for what is nested too deeply or too long to be kept, or is no JSON."""
    level: list[Any] = [value]
    for _ in range(_DEEPEST):
        level = [each for above in level for each in _inside(above)]
        if not level:
            break
    else:
        raise UnreadableImport(f"its {name} is nested more than {_DEEPEST} deep")
    try:
        size = len(json.dumps(value, ensure_ascii=False))
    except TypeError as error:
        # A Parquet file holds times and bytes as well.
        raise UnreadableImport(f"its {name} holds what JSON has no form for") from error
    if size > LARGEST_DOCUMENT:
        raise UnreadableImport(f"its {name} has {size:,} characters")


def _inside(value: Any) -> Iterable[Any]:
    match value:
        case dict():
            return value.values()
        case list():
            return value
        case _:
            return ()

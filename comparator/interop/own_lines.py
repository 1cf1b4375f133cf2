"""What only our own lines hold: files with every byte, and what is kept of a run beside its output."""

import base64
import json
import re
from collections.abc import Collection
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from comparator.domain.errors import first_problem
from comparator.interop.gradings import claims_in
from comparator.interop.imported import Attachment, Files, FoundRun, LeftOut, PairHistory, RunRecord
from comparator.interop.text import UnreadableImport

LARGEST_DOCUMENT = 64_000_000
"""Characters of one grading, or of one run's details, as JSON."""
_DEEPEST = 100
_ID = re.compile(r"[a-z0-9]{8,64}", re.ASCII)
CONTAMINATED = "contaminated"
T = TypeVar("T", bound=BaseModel)


class _Kept(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True)


class _File(_Kept):
    name: str = Field(min_length=1)
    text: str | None = None
    base64: str | None = None
    left_out: str = Field(default="", max_length=1_000)


class _Files(_Kept):
    files: list[_File] = Field(max_length=25_000)
    folder: bool = True
    name: str = ""


class _Details(_Kept):
    model_config = ConfigDict(extra="allow")
    contaminated: str = ""
    own_prompt: str = ""
    skill_names: list[Annotated[str, Field(min_length=1, max_length=1_000)]] = Field(
        default=[], max_length=1_000
    )


def files_as_json(files: Files) -> dict[str, Any]:
    """`folder`, its `name`, and `files`: each with `text` where it is UTF-8, `base64`, or why it was `left_out`."""

    def content(file: Attachment) -> dict[str, Any]:
        try:
            return {"text": file.data.decode("utf-8")}
        except UnicodeDecodeError:
            return {"base64": base64.b64encode(file.data).decode("ascii")}

    entries = [{"name": member.name, **content(member)} for member in files.files]
    entries += [{"name": member.file, "left_out": member.reason} for member in files.left_out]
    return {"folder": files.folder, "name": files.name, "files": entries}


def files_in(row: dict[str, Any], name: str) -> Files | None:
    """The files in a field of a row; None where it has none or the row is not ours. Raises UnreadableImport."""
    value = row.get(name)
    if not isinstance(value, dict) or "files" not in value:
        # Somebody else's table may have a column of this name.
        return None
    listed = _validate(_Files, value, name)
    files: list[Attachment] = []
    for member in listed.files:
        if member.left_out:
            continue
        if member.text is not None:
            files.append(Attachment(name=member.name, data=member.text.encode("utf-8", "replace")))
        elif member.base64 is not None:
            try:
                files.append(
                    Attachment(name=member.name, data=base64.b64decode(member.base64, validate=True))
                )
            except ValueError as error:
                raise UnreadableImport(f"its {name} hold a file whose base64 is damaged") from error
        else:
            raise UnreadableImport(f"its {name} hold a file without text or base64")
    left_out = tuple(
        LeftOut(file=member.name, reason=member.left_out) for member in listed.files if member.left_out
    )
    if not listed.folder and (len(files) != 1 or left_out):
        raise UnreadableImport(f"its {name} are {len(listed.files)} files without a folder")
    return Files(folder=listed.folder, name=listed.name, files=tuple(files), left_out=left_out)


def details_kept(run: FoundRun, *, skill_names: Collection[str]) -> dict[str, Any]:
    """A run's details as they are stored: with them what else was found of it that has no place of its own."""
    also = {CONTAMINATED: run.contaminated, "own_prompt": run.own_prompt, "skill_names": list(skill_names)}
    return run.details | {name: value for name, value in also.items() if value}


def is_ours(row: dict[str, Any]) -> bool:
    """Whether a row is a line that we exported; somebody else's may have columns of the same names."""
    # A pair that was decided without scores has no result.
    ours = isinstance(row.get("result"), dict) or isinstance(row.get("verdict_source"), str)
    return isinstance(row.get("comparison"), str) and ours


def run_details(row: dict[str, Any], side: str) -> tuple[dict[str, Any], list[str]]:
    """The fields of a run that a line of ours fills, and the skills that its import knew. Raises UnreadableImport."""
    values = {
        name: row[f"{name}_{side}"]
        for name in RunRecord.model_fields
        if row.get(f"{name}_{side}") is not None
    }
    for name, value in values.items():
        require_room(value, f"{name}_{side}")
    record = _validate(RunRecord, values, f"output {side.upper()}")
    details = _validate(_Details, record.details, f"details_{side}")
    comparison = row["comparison"]
    fields: dict[str, Any] = {
        # A line of ours tells of each run that is void; an empty output is not taken for one.
        "void": "",
        # The comparison and the side: another export may have its lines in another order.
        "place": f"{comparison}-{side}" if _ID.fullmatch(comparison) else "",
        "superseded": record.superseded,
        "grading": record.grading,
        "claims": claims_in(record.grading),
        "details": dict(details.model_extra or {}),
        "contaminated": details.contaminated,
        "own_prompt": details.own_prompt,
    }
    # A line from before the reveal does not say whether the run was cut off; it is looked for as in any table.
    return fields | (
        {"cut_off": record.cut_off or ""} if f"cut_off_{side}" in row else {}
    ), details.skill_names


def history_in(row: dict[str, Any]) -> PairHistory | None:
    """What judges and people said of the pair, as the line that we exported tells it. Raises UnreadableImport."""
    if row.get("history") is None:
        return None
    require_room(row["history"], "history")
    return _validate(PairHistory, row["history"], "history")


def require_room(value: Any, name: str) -> None:
    """Raise UnreadableImport for what is nested too deeply or too long to be kept, or is no JSON."""
    level: list[Any] = [value]
    for _ in range(_DEEPEST):
        level = [
            inner
            for above in level
            for inner in (
                above.values() if isinstance(above, dict) else above if isinstance(above, list) else ()
            )
        ]
        if not level:
            break
    else:
        raise UnreadableImport(f"its {name} is nested more than {_DEEPEST} levels deep")
    try:
        size = len(json.dumps(value, ensure_ascii=False))
    except TypeError as error:
        # A Parquet file holds times and bytes as well.
        raise UnreadableImport(f"its {name} holds a value that JSON cannot write") from error
    if size > LARGEST_DOCUMENT:
        raise UnreadableImport(f"its {name} has {size:,} characters; {LARGEST_DOCUMENT:,} are allowed")


def _validate(kind: type[T], value: Any, name: str) -> T:
    try:
        return kind.model_validate(value)
    except ValidationError as error:
        place, reason = first_problem(error)
        raise UnreadableImport(f"its {name} cannot be used ({place}: {reason})") from error

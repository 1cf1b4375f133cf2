"""The files of an output as a JSON value, out and in: names, and text or base64, so that every byte comes back."""

from __future__ import annotations

import base64
from typing import Any

from comparator.interop.model import Attachment, Files, LeftOut
from comparator.interop.reading import Unreadable, kind_of, text_in

_MOST_FILES = 25_000
"""No folder and no archive that was read has more, those that were left out included."""
_LONGEST_REASON = 1_000


def files_as_json(files: Files) -> dict[str, Any]:
    """`folder`, its `name`, and `files`: each with `text` where it is UTF-8, `base64`, or why it was `left_out`."""
    return {
        "folder": files.folder,
        "name": files.name,
        "files": [
            *({"name": each.name, **_content(each.data)} for each in files.files),
            *({"name": each.file, "left_out": each.reason} for each in files.left_out),
        ],
    }


def files_in(row: dict[str, Any], name: str) -> Files | None:
    """The files that a field of a row holds; None where there are none, or it is another's. Raises Unreadable."""
    value = row.get(name)
    if not isinstance(value, dict) or "files" not in value:
        # Somebody else's table may have a column of this name.
        return None
    if not isinstance(value["files"], list):
        raise Unreadable(f"its {name} hold {kind_of(value['files'])}, not files")
    if len(value["files"]) > _MOST_FILES:
        raise Unreadable(f"its {name} are more than {_MOST_FILES:,} files")
    given: list[Attachment] = []
    left_out: list[LeftOut] = []
    for each in value["files"]:
        if not isinstance(each, dict):
            raise Unreadable(f"its {name} hold {kind_of(each)} where a file is expected")
        called = text_in(each, "name")
        if why := text_in(each, "left_out", required=False):
            if len(why) > _LONGEST_REASON:
                raise Unreadable(f"its {name} leave a file out for a reason of {len(why):,} characters")
            left_out.append(LeftOut(file=called, reason=why))
        else:
            given.append(Attachment(name=called, data=_bytes(each, name)))
    folder = value.get("folder") is not False
    if not folder and (len(given) != 1 or left_out):
        raise Unreadable(f"its {name} are {len(given) + len(left_out)} files and no folder")
    called = text_in(value, "name", required=False)
    return Files(folder=folder, name=called, files=tuple(given), left_out=tuple(left_out))


def _content(data: bytes) -> dict[str, str]:
    try:
        return {"text": data.decode("utf-8")}
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(data).decode("ascii")}


def _bytes(file: dict[str, Any], where: str) -> bytes:
    text, packed = file.get("text"), file.get("base64")
    if isinstance(text, str):
        return text.encode("utf-8", "replace")
    if not isinstance(packed, str):
        raise Unreadable(f"its {where} hold a file with neither text nor base64")
    try:
        return base64.b64decode(packed, validate=True)
    except ValueError as error:
        raise Unreadable(f"its {where} hold a file whose base64 is damaged") from error

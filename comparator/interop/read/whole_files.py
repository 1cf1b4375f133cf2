"""The files of an output as a JSON value, out and in: names, and text or base64, so that every byte comes back.

What is too large for a line lies in a folder beside the lines, each file under its sha256, by which the line names it.
"""

from __future__ import annotations

import base64
import re
import stat
from pathlib import Path
from typing import Any

from comparator.interop.imported import Attachment, Files, LeftOut, StoredFile
from comparator.interop.read.text import UnreadableImport, kind_of, text_in

_MOST_FILES = 25_000
"""No folder and no archive that was read has more, those that were left out included."""
_LONGEST_REASON = 1_000
_DIGEST = re.compile(r"[0-9a-f]{64}", re.ASCII)


def large_files_folder(lines: Path) -> Path:
    """Where the files lie that are too large for the lines.

    >>> large_files_folder(Path("out/comparisons.jsonl")).name
    'comparisons.jsonl.files'
    """
    return lines.with_name(f"{lines.name}.files")


def is_digest(name: str) -> bool:
    """Whether this is how a file is called that lies beside lines."""
    return _DIGEST.fullmatch(name) is not None


def lines_in(folder: Path) -> Path | None:
    """The file of lines in a folder that holds nothing but it and its large files; None where there is none."""
    try:
        there = [path for path in folder.iterdir() if not path.name.startswith(".")]
    except OSError:
        return None
    found = [path for path in there if path.suffix == ".jsonl" and large_files_folder(path) in there]
    if len(there) != 2 or len(found) != 1 or found[0].is_symlink() or not found[0].is_file():
        return None
    return found[0]


def files_as_json(files: Files) -> dict[str, Any]:
    """`folder`, its `name`, and `files`: each with `text` where it is UTF-8, `base64`, or why it was `left_out`.

    One that lies beside the lines has its `sha256` and `size` instead.
    """
    return {
        "folder": files.folder,
        "name": files.name,
        "files": [
            *({"name": each.name, **_content(each)} for each in files.files),
            *({"name": each.file, "left_out": each.reason} for each in files.left_out),
        ],
    }


def files_in(row: dict[str, Any], name: str, *, large_files: Path | None = None) -> Files | None:
    """The files that a field of a row holds; None where there are none, or it is another's. Raises Unreadable.

    `large_files` is the one folder that files which lie beside the lines are looked for in.
    """
    value = row.get(name)
    if not isinstance(value, dict) or "files" not in value:
        # Somebody else's table may have a column of this name.
        return None
    if not isinstance(value["files"], list):
        raise UnreadableImport(f"its {name} hold {kind_of(value['files'])}, not files")
    if len(value["files"]) > _MOST_FILES:
        raise UnreadableImport(f"its {name} are more than {_MOST_FILES:,} files")
    given: list[Attachment | StoredFile] = []
    left_out: list[LeftOut] = []
    for each in value["files"]:
        if not isinstance(each, dict):
            raise UnreadableImport(f"its {name} hold {kind_of(each)} where a file is expected")
        called = text_in(each, "name")
        if why := text_in(each, "left_out", required=False):
            if len(why) > _LONGEST_REASON:
                raise UnreadableImport(f"its {name} leave a file out for a reason of {len(why):,} characters")
            left_out.append(LeftOut(file=called, reason=why))
        elif "sha256" in each and "text" not in each and "base64" not in each:
            given.append(_large_file(each, called, name, large_files))
        else:
            given.append(Attachment(name=called, data=_bytes(each, name)))
    folder = value.get("folder") is not False
    if not folder and (len(given) != 1 or left_out):
        raise UnreadableImport(f"its {name} are {len(given) + len(left_out)} files and no folder")
    called = text_in(value, "name", required=False)
    return Files(folder=folder, name=called, files=tuple(given), left_out=tuple(left_out))


def _content(file: Attachment | StoredFile) -> dict[str, Any]:
    if isinstance(file, StoredFile):
        return {"sha256": file.sha256, "size": file.size}
    try:
        return {"text": file.data.decode("utf-8")}
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(file.data).decode("ascii")}


def _large_file(file: dict[str, Any], called: str, where: str, folder: Path | None) -> StoredFile:
    digest, size = file["sha256"], file.get("size")
    # The digest is a name of a file as well: nothing else may be one.
    if not isinstance(digest, str) or not is_digest(digest):
        raise UnreadableImport(f"its {where} name a file by something that is not a sha256")
    if not isinstance(size, int) or isinstance(size, bool) or size < 0:
        raise UnreadableImport(f"its {where} hold a file without a size")
    if folder is None:
        raise UnreadableImport(f"its {where} name a file beside the lines, which only JSON lines have")
    try:
        # A link is no file here; whoever reads it follows none either.
        found = (folder / digest).lstat()
    except OSError as error:
        raise UnreadableImport(
            f"its {where} name the file {digest[:12]}… that is not in the folder {folder.name} beside it"
        ) from error
    if not stat.S_ISREG(found.st_mode) or folder.is_symlink():
        raise UnreadableImport(f"its {where} name a link or no file in {folder.name}")
    if found.st_size != size:
        raise UnreadableImport(f"its {where} name a file of {size:,} bytes that has {found.st_size:,}")
    return StoredFile(name=called, folder=folder, sha256=digest, size=size)


def _bytes(file: dict[str, Any], where: str) -> bytes:
    text, packed = file.get("text"), file.get("base64")
    if isinstance(text, str):
        return text.encode("utf-8", "replace")
    if not isinstance(packed, str):
        raise UnreadableImport(f"its {where} hold a file with neither text nor base64")
    try:
        return base64.b64decode(packed, validate=True)
    except ValueError as error:
        raise UnreadableImport(f"its {where} hold a file whose base64 is damaged") from error

"""Files that lie beside lines are read from that folder alone, and only what the lines say of them."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any

import pytest

from comparator.interop.imported import Attachment, Files, Format, StoredFile
from comparator.interop.read.own_lines import files_as_json, large_files_folder
from comparator.interop.read.recognise import read
from tests.unit.interop.samples import as_parquet, lines

DATA = b"Rhine\0" * 9
DIGEST = hashlib.sha256(DATA).hexdigest()
WHOLE = {"prompt": "Name a river", "output_a": "Rhine", "output_b": "Alps"}


def given(tmp_path: Path, **file: Any) -> Path:
    """Lines of which the first names a file beside them, and the second does not."""
    path = tmp_path / "out.jsonl"
    files = {"folder": False, "files": [{"name": "a.bin", "sha256": DIGEST, "size": len(DATA)} | file]}
    path.write_text(lines([{**WHOLE, "prompt": "First", "files_a": files}, WHOLE]))
    return path


def lying(path: Path) -> Path:
    """The folder beside the lines, with the file in it."""
    folder = large_files_folder(path)
    folder.mkdir()
    (folder / DIGEST).write_bytes(DATA)
    return folder


def test_a_file_beside_the_lines_is_named_and_read_in_later(tmp_path: Path) -> None:
    path = given(tmp_path)
    folder = lying(path)

    found = read(path, format=None)

    assert found.left_out == ()
    assert [run.void for run in found.runs] == [""] * 4
    (files,) = [run.files for run in found.runs if run.files]
    assert files.files == (StoredFile(name="a.bin", folder=folder, sha256=DIGEST, size=len(DATA)),)
    written = files_as_json(files)["files"]
    assert written == [{"name": "a.bin", "sha256": DIGEST, "size": len(DATA)}]


@pytest.mark.parametrize(
    ("file", "why"),
    [
        ({"sha256": "../private"}, "sha256"),
        ({"sha256": f"../{DIGEST[3:]}"}, "sha256"),
        ({"sha256": DIGEST.upper()}, "sha256"),
        ({"sha256": f"{DIGEST}\n"}, "sha256"),
        ({"sha256": None}, "sha256"),
        ({"sha256": [DIGEST]}, "sha256"),
        ({"sha256": "0" * 64}, "which is not in the folder out.jsonl.files beside it"),
        ({"size": "54"}, "size"),
        ({"size": True}, "size"),
        ({"size": -1}, "size"),
        ({"size": 53}, "name a file of 53 bytes that has 54"),
        ({"size": 10**400}, "bytes that has 54"),
    ],
)
def test_what_is_no_file_of_the_folder_costs_its_row_alone(
    tmp_path: Path, file: dict[str, Any], why: str
) -> None:
    (tmp_path / "private").write_bytes(DATA)
    path = given(tmp_path, **file)
    lying(path)

    found = read(path, format=None)

    assert [why in each.reason for each in found.left_out] == [True]
    assert len(found.stated) == 1


@pytest.mark.parametrize("kind", ["link", "folder", "pipe", "linked folder", "nothing"])
def test_no_link_pipe_or_folder_is_taken_for_a_file_beside_the_lines(tmp_path: Path, kind: str) -> None:
    path = given(tmp_path)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / DIGEST).write_bytes(DATA)
    folder = large_files_folder(path)
    if kind == "linked folder":
        folder.symlink_to(elsewhere)
    elif kind != "nothing":
        folder.mkdir()
        match kind:
            case "link":
                (folder / DIGEST).symlink_to(elsewhere / DIGEST)
            case "folder":
                (folder / DIGEST).mkdir()
            case _:
                os.mkfifo(folder / DIGEST)
        given(tmp_path, size=(folder / DIGEST).stat().st_size)

    found = read(path, format=None)

    assert [each.file.endswith("row 1") for each in found.left_out] == [True]
    assert len(found.stated) == 1


def test_only_json_lines_have_files_beside_them(tmp_path: Path) -> None:
    path = given(tmp_path)
    lying(path)
    files = {"folder": False, "files": [{"name": "a.bin", "sha256": DIGEST, "size": len(DATA)}]}
    table = tmp_path / "out.parquet"
    table.write_bytes(as_parquet([{**WHOLE, "files_a": files}]))
    large_files_folder(table).mkdir()
    (large_files_folder(table) / DIGEST).write_bytes(DATA)

    found = read(table, format=None)

    assert ["only JSON lines can have" in each.reason for each in found.left_out] == [True]


def test_a_file_with_its_text_and_a_hash_of_another_kind_is_its_text(tmp_path: Path) -> None:
    path = given(tmp_path, text="Rhine", sha256="abc")

    (files,) = [run.files for run in read(path, format=None).runs if run.files]

    assert files == Files(folder=False, files=(Attachment(name="a.bin", data=b"Rhine"),))


def test_lines_are_found_in_a_folder_that_holds_nothing_but_them_and_their_files(tmp_path: Path) -> None:
    path = given(tmp_path)
    lying(path)
    (tmp_path / ".DS_Store").write_bytes(b"")

    assert read(tmp_path, format=None).format is Format.JSONL
    assert read(tmp_path, format=None) == read(path, format=None)

    (tmp_path / "iteration-1").mkdir()
    assert read(tmp_path, format=None).format is Format.SKILL_CREATOR

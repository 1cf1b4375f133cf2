"""The examples on disk are complete, reproducible, blind, and differ."""

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).parents[4] / "examples"
TASKS = sorted(EXAMPLES.glob("*/task.json"))
SIDES = ("a", "b")
FIELDS = {
    "key", "title", "prompt", "expectations", "tags", "inputs", "reference", "candidates", "outputs",
}  # fmt: skip

each_task = pytest.mark.parametrize("task_file", TASKS, ids=lambda path: path.parent.name)


def task_of(task_file: Path) -> dict[str, Any]:
    task: dict[str, Any] = json.loads(task_file.read_text(encoding="utf-8"))
    return task


def files_in(folder: Path) -> list[Path]:
    """All files below a folder, except what Python leaves behind when someone runs the code example there."""
    return sorted(p for p in folder.rglob("*") if p.is_file() and "__pycache__" not in p.parts)


def texts_to_search(path: Path) -> Iterator[str]:
    """The path and all bytes of a file, those inside a zipped document included."""
    yield path.relative_to(EXAMPLES).as_posix()
    yield path.read_bytes().decode("latin-1")
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            for name in archive.namelist():
                yield name
                yield archive.read(name).decode("latin-1")


# Every task ------------------------------------------------------------------------------------------------------


@each_task
def test_a_task_is_complete(task_file: Path) -> None:
    task = task_of(task_file)

    assert set(task) == FIELDS
    assert task["key"] == task_file.parent.name
    assert task["title"].strip()
    assert len(task["prompt"]) > 100
    assert 3 <= len(task["expectations"]) <= 6
    assert len(set(task["expectations"])) == len(task["expectations"])
    assert task["tags"]
    assert set(task["candidates"]) == set(task["outputs"]) == set(SIDES)
    assert task["candidates"]["a"] != task["candidates"]["b"]


@each_task
def test_nothing_that_a_reviewer_sees_names_a_candidate(task_file: Path) -> None:
    task = task_of(task_file)
    words = {word for name in task["candidates"].values() for word in (name, *name.split("-"))}

    shown = [
        text for path in files_in(task_file.parent) if path != task_file for text in texts_to_search(path)
    ]
    shown += [task["key"], task["title"], task["prompt"], *task["expectations"], *task["tags"]]

    assert {word for word in words for text in shown if word in text.casefold()} == set()


# The generated files ---------------------------------------------------------------------------------------------

"""The examples on disk are complete, reproducible, blind, and differ."""

import json
import os
import re
import subprocess
import sys
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


def names_in(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in files_in(folder)}


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


def test_there_are_six_examples_and_the_readme_lists_each() -> None:
    readme = (EXAMPLES / "README.md").read_text(encoding="utf-8")

    listed = re.findall(r"^\| \[([a-z-]+)\]\(\1\) \|", readme, flags=re.MULTILINE)

    assert len(TASKS) == 6
    assert sorted(listed) == [task_file.parent.name for task_file in TASKS]


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
def test_a_task_names_every_file_that_lies_in_its_folder(task_file: Path) -> None:
    folder, task = task_file.parent, task_of(task_file)

    named = {folder / path for path in task["inputs"]}
    if task["reference"] is not None:
        named.add(folder / task["reference"])
    outputs = {side: files_in(folder / task["outputs"][side]) for side in SIDES}

    assert all(path.is_file() and path.is_relative_to(folder) for path in named)
    assert all(outputs.values())
    judgment = [path for path in (folder / "judgment.json",) if path.is_file()]
    assert set(files_in(folder)) == {task_file, *judgment, *named, *outputs["a"], *outputs["b"]}


@each_task
def test_the_two_outputs_of_an_example_differ(task_file: Path) -> None:
    a, b = (
        {path.read_bytes() for path in files_in(task_file.parent / side)} for side in SIDES
    )  # fmt: skip

    assert a - b
    assert b - a


@each_task
def test_nothing_that_a_reviewer_sees_names_a_candidate(task_file: Path) -> None:
    task = task_of(task_file)
    words = {word for name in task["candidates"].values() for word in (name, *name.split("-"))}

    shown = [
        text for path in files_in(task_file.parent) if path != task_file for text in texts_to_search(path)
    ]
    shown += [task["key"], task["title"], task["prompt"], *task["expectations"], *task["tags"]]

    assert {word for word in words for text in shown if word in text.casefold()} == set()


def test_no_side_belongs_to_one_candidate() -> None:
    on_side_a = [task_of(task_file)["candidates"]["a"] for task_file in TASKS]

    assert {name: on_side_a.count(name) for name in set(on_side_a)} == {
        "concise-prompt": 3,
        "detailed-prompt": 3,
    }


# The generated files ---------------------------------------------------------------------------------------------


def test_generating_the_binary_files_again_gives_the_same_bytes(tmp_path: Path) -> None:
    environment = os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}

    subprocess.run(
        [sys.executable, str(EXAMPLES / "make_binaries.py"), str(tmp_path)], check=True, env=environment
    )

    committed = {name for name in names_in(EXAMPLES) if name.endswith((".pdf", ".xlsx"))}
    assert names_in(tmp_path) == committed
    assert len(committed) == 5
    for name in committed:
        assert (tmp_path / name).read_bytes() == (EXAMPLES / name).read_bytes(), name

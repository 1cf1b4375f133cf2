"""Nothing in the examples on disk names a candidate."""

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[4] / "examples"


def texts_to_search(path: Path) -> Iterator[str]:
    """The path and all bytes of a file, those inside a zipped document included."""
    yield path.relative_to(EXAMPLES).as_posix()
    yield path.read_bytes().decode("latin-1")
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            for name in archive.namelist():
                yield name
                yield archive.read(name).decode("latin-1")


@pytest.mark.parametrize("task_file", sorted(EXAMPLES.glob("*/task.json")), ids=lambda path: path.parent.name)
def test_nothing_that_a_reviewer_sees_names_a_candidate(task_file: Path) -> None:
    task = json.loads(task_file.read_text(encoding="utf-8"))
    words = {word for name in task["candidates"].values() for word in (name, *name.split("-"))}
    # Python leaves compiled files behind when someone runs the code example there.
    files = [
        path for path in task_file.parent.rglob("*") if path.is_file() and "__pycache__" not in path.parts
    ]

    shown = [text for path in files if path != task_file for text in texts_to_search(path)]
    shown += [task["key"], task["title"], task["prompt"], *task["expectations"], *task["tags"]]

    assert {word for word in words for text in shown if word in text.casefold()} == set()

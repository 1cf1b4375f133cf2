"""Notes are stored in views as sentences, by which each is known again."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import comparator
from comparator.domain.pair.notes import NoteKind, kind_of

VALUES: dict[str, int | str] = {
    **dict.fromkeys(("omitted", "pictured", "shown", "read"), 1_200),
    **dict.fromkeys(("total", "most", "side", "frames", "unread", "count"), 9_000),
    "verb": "are",
    "files": "files",
    "outputs": "One of the outputs",
}


@pytest.mark.parametrize("kind", NoteKind)
def test_a_note_is_known_again_as_its_kind(kind: NoteKind) -> None:
    assert kind_of(kind.text(**VALUES)) is kind


def test_other_notes_are_none_of_these() -> None:
    assert kind_of("1 of its pictures are left out.") is NoteKind.PICTURES_LEFT_OUT
    assert kind_of("It is not UTF-8; it was read as cp1252.") is None
    assert kind_of("Hidden in the file, and shown all the same: sheet 2, left out (hidden).") is None


def test_child_processes_load_nothing_but_the_standard_library_with_it() -> None:
    root = str(Path(comparator.__file__).parents[1])
    script = (
        f"import sys; sys.path.insert(0, {root!r}); import comparator.domain.pair.notes; print(*sys.modules)"
    )

    told = subprocess.run([sys.executable, "-ISc", script], capture_output=True, text=True, check=True)

    loaded = {name.partition(".")[0] for name in told.stdout.split()}
    assert loaded - sys.stdlib_module_names <= {"__main__", "comparator"}

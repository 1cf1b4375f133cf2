"""The size beside a file says nothing about the words that were redacted in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.worlds.files.outputs import World


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path / "blobs")


def test_two_files_that_differ_in_redacted_words_have_the_same_size(world: World) -> None:
    built = world.pair(
        {"a.md": "made by nova-splitter."}, {"a.md": "made by v31-x."}, "nova-splitter", "v31-x"
    )

    assert built.A.view.files[0].size == built.B.view.files[0].size == len("made by tidy-toolkit.")
    assert built.A.view.files[0].size == built.A.copies[0].size
    assert built.A.view.digest == built.B.view.digest


def test_a_file_without_a_copy_keeps_its_own_size(world: World) -> None:
    assert world.file("a.bin", b"\x00\xff" * 100).size == 200

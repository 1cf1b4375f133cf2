"""A folder for what is read of outputs."""

from pathlib import Path

import pytest

from tests.worlds.files.outputs import World


@pytest.fixture
def world(tmp_path: Path) -> World:
    """An empty blob folder, in which outputs become views."""
    return World(tmp_path / "blobs")

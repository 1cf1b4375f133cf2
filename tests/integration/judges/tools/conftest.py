"""A bench on which material for the tools is built."""

from pathlib import Path

import pytest

from comparator.outputs.preview.child_process import Renderer
from tests.worlds.files.examined import Bench
from tests.worlds.files.outputs import World


@pytest.fixture
def bench(tmp_path: Path, renderer: Renderer) -> Bench:
    return Bench(World(tmp_path / "blobs"), renderer)

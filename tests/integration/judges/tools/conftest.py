"""A bench on which material for the tools is built."""

import pytest

from comparator.outputs.preview.child_process import Renderer
from tests.worlds.files.examined import Bench
from tests.worlds.files.outputs import World


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory, renderer: Renderer) -> Bench:
    return Bench(World(tmp_path_factory.mktemp("blobs")), renderer)

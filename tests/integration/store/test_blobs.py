"""Bytes by their hash: stored once, checked when read, nothing half-written."""

import hashlib
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import fsspec
import pytest
from fsspec.implementations.memory import MemoryFileSystem

from comparator.domain.errors import StoreError
from comparator.outputs.snapshot import Blobs
from comparator.store.core.blobs import BlobStore

ABSENT = "0" * 64


@pytest.fixture(params=["folder", "file-url", "memory-url"])
def any_blobs(request: pytest.FixtureRequest, tmp_path: Path) -> BlobStore:
    """A store of each kind that can be had without a network."""
    urls = {
        "folder": str(tmp_path / "blobs"),
        "file-url": (tmp_path / "blobs with space").as_uri(),
        "memory-url": f"memory://{tmp_path.name}",
    }
    return BlobStore.at(urls[request.param])


def files_in(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def test_bytes_come_back_under_their_hash(any_blobs: BlobStore) -> None:
    store: Blobs = any_blobs

    digest = store.put(b"hello")

    assert digest == hashlib.sha256(b"hello").hexdigest()
    assert store.get(digest) == b"hello"
    assert store.exists(digest)
    with store.open(digest) as source:
        assert source.read(2) == b"he"
        source.seek(3)
        assert source.read() == b"lo"
    assert any_blobs.size(digest) == 5


@pytest.mark.parametrize("damage", [b"hellp", b"hell", b""])
def test_damaged_bytes_are_refused(blobs: BlobStore, tmp_path: Path, damage: bytes) -> None:
    digest = blobs.put(b"hello")
    (path,) = files_in(tmp_path / "blobs")
    path.chmod(0o644)
    path.write_bytes(damage)

    with pytest.raises(StoreError, match="damaged"):
        blobs.get(digest)


def test_a_full_disk_says_so_and_leaves_nothing_half_written(tmp_path: Path) -> None:
    code = (
        "import sys, resource, signal\n"
        "from comparator.store.core.blobs import BlobStore\n"
        "from comparator.domain.errors import StoreError\n"
        "blobs = BlobStore.at(sys.argv[1])\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))\n"
        "try:\n"
        "    blobs.put(b'x' * 3_000_000)\n"
        "except StoreError as error:\n"
        "    print(error)\n"
        "blobs.put(b'small')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "blobs")],
        capture_output=True,
        text=True,
        timeout=60,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert done.stdout.count("The disk is full") == 1
    (only,) = files_in(tmp_path / "blobs")
    assert only.read_bytes() == b"small"


def test_an_address_of_an_unknown_kind_says_what_to_do_and_hides_its_password() -> None:
    with pytest.raises(StoreError, match="cannot be opened") as caught:
        BlobStore.at("nosuchkind://user:hunter2@host/folder")

    assert "hunter2" not in str(caught.value)


class Away(MemoryFileSystem):  # type: ignore[misc]
    """A bucket whose client has errors of its own kind."""

    protocol = "away"

    def _refuse(self, *_: Any, **__: Any) -> Any:
        raise RuntimeError('Could not connect to the endpoint URL: "http://key:secret@bucket:9000/x"')

    exists = pipe_file = info = rm_file = open = _refuse


def test_a_bucket_that_does_not_answer_is_told_in_words_and_without_its_keys() -> None:
    fsspec.register_implementation("away", Away, clobber=True)
    store = BlobStore.at("away://bucket/blobs")
    acts: tuple[Callable[[], object], ...] = (
        lambda: store.put(b"x"),
        lambda: store.get(ABSENT),
        lambda: store.open(ABSENT),
        lambda: store.exists(ABSENT),
        lambda: store.size(ABSENT),
        lambda: store.delete(ABSENT),
    )

    for act in acts:
        with pytest.raises(StoreError, match=r"cannot be reached: .*Check the bucket") as raised:
            act()
        assert "secret" not in str(raised.value)

import threading
from pathlib import Path

import pytest

from comparator.outputs.file_cache import FileCache


def test_a_preview_is_made_once_even_when_many_ask_at_the_same_time() -> None:
    cache = FileCache(None, memory=8_000)
    made: list[int] = []
    start = threading.Barrier(8)

    def make() -> bytes:
        made.append(1)
        return b"page"

    def ask() -> None:
        start.wait()
        assert cache.get("key", make) == b"page"

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 1


def test_a_failure_is_told_and_not_kept() -> None:
    cache = FileCache(None, memory=8_000)

    def fail() -> bytes:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        cache.get("key", fail)
    assert cache.get("key", lambda: b"yes") == b"yes"


def test_the_folder_outlives_the_process_and_stays_within_its_size(tmp_path: Path) -> None:
    FileCache(tmp_path).get("key", lambda: b"kept")
    assert FileCache(tmp_path).get("key", lambda: b"made again") == b"kept"
    small = FileCache(tmp_path, most=10_000)
    for number in range(100):
        small.get(f"key {number}", lambda: bytes(500))
    assert sum(path.stat().st_size for path in tmp_path.glob("??/*")) <= 12_000


def test_memory_stays_within_its_bounds() -> None:
    cache = FileCache(None, memory=8_000)
    for number in range(100):
        cache.get(str(number), lambda: bytes(900))
    assert cache._size <= 8_000

"""A process that works for long shares its memory between threads."""

from __future__ import annotations

import ctypes
import subprocess
import sys
from pathlib import Path

import pytest

COUNTED = """
import ctypes, sys, threading
from comparator.jobs.memory import for_long_work
libc = ctypes.CDLL(None)
libc.fopen.restype = ctypes.c_void_p
if sys.argv[2] == "long":
    for_long_work()
met = threading.Barrier(8)
def work():
    kept = [ctypes.create_string_buffer(2000) for _ in range(100)]
    met.wait()
    return kept
threads = [threading.Thread(target=work) for _ in range(8)]
for each in threads: each.start()
for each in threads: each.join()
file = libc.fopen(sys.argv[1].encode(), b"w")
libc.malloc_info(0, ctypes.c_void_p(file))
libc.fclose(ctypes.c_void_p(file))
"""


def heaps(place: Path, how: str) -> int:
    subprocess.run([sys.executable, "-c", COUNTED, str(place), how], check=True, timeout=60)
    return place.read_text().count("<heap nr=")


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_info"), reason="needs the GNU C library")
def test_threads_of_a_process_that_works_for_long_share_two_arenas(tmp_path: Path) -> None:
    assert heaps(tmp_path / "info.xml", "short") > 2
    assert heaps(tmp_path / "info.xml", "long") <= 2

"""What was made with effort is kept under a key, in memory and in a folder; each thing is made by one at a time."""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

_MB = 1024 * 1024


class FileCache:
    """Bytes by their keys, as long as they come to no more than so many bytes. Safe to use from several threads.

    Without a folder they are in memory only; what takes more than an eighth of the memory is in the folder only.
    """

    def __init__(self, folder: Path | None, *, most: int = 512 * _MB, memory: int = 0) -> None:
        self._folder, self._most, self._memory = folder, most, memory
        self._in_memory: OrderedDict[str, bytes] = OrderedDict()
        self._lock = threading.Lock()
        self._making: dict[str, threading.Lock] = {}
        self._size = self._written = 0

    @contextmanager
    def making(self, key: str) -> Iterator[None]:
        """Wait until nobody else makes what has this key."""
        with self._lock:
            making = self._making.setdefault(key, threading.Lock())
        with making:
            try:
                yield
            finally:
                with self._lock:
                    self._making.pop(key, None)

    def get(self, key: str, make: Callable[[], bytes]) -> bytes:
        """What was kept under this key, or what `make` makes; what it raises is raised to whoever asked."""
        with self.making(key):
            data = self.read(key)
            if data is None:
                self.keep(key, data := make())
            return data

    def read(self, key: str) -> bytes | None:
        """What was kept under this key; None where nothing is."""
        with self._lock:
            if key in self._in_memory:
                self._in_memory.move_to_end(key)
                return self._in_memory[key]
        if self._folder is None:
            return None
        try:
            data = self._path(self._folder, key).read_bytes()
            os.utime(self._path(self._folder, key))
        except OSError:
            return None
        self._remember(key, data)
        return data

    def keep(self, key: str, made: bytes) -> None:
        """Keep it; a full or read-only disk costs speed, never what was made."""
        self._remember(key, made)
        if self._folder is None:
            return
        path = self._path(self._folder, key)
        with contextlib.suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
                file.write(made)
            Path(file.name).replace(path)
            self._written += len(made)
            if self._written > self._most // 8:
                self._written = 0
                self._trim(self._folder)

    def _remember(self, key: str, data: bytes) -> None:
        with self._lock:
            if len(data) <= self._memory // 8 and key not in self._in_memory:
                self._in_memory[key] = data
                self._size += len(data)
            while self._size > self._memory:
                self._size -= len(self._in_memory.popitem(last=False)[1])

    def _path(self, folder: Path, key: str) -> Path:
        name = hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()
        return folder / name[:2] / name

    def _trim(self, folder: Path) -> None:
        entries = [(path.stat(), path) for path in folder.glob("??/*")]
        total = sum(about.st_size for about, _ in entries)
        for about, path in sorted(entries, key=lambda entry: entry[0].st_mtime):
            if total <= self._most:
                return
            path.unlink(missing_ok=True)
            total -= about.st_size

"""What was made with effort is kept in a folder by what it was made of, each thing made by one at a time."""

from __future__ import annotations

import contextlib
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_LOOK_AFTER = 40


class FileCache:
    """Files by their keys, as long as they come to no more than so many bytes. Safe to use from several threads."""

    def __init__(self, folder: Path, *, most: int) -> None:
        self._folder = folder
        self._most = most
        self._lock = threading.Lock()
        self._making: dict[str, threading.Lock] = {}
        self._count = 0

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

    def read(self, key: str) -> bytes | None:
        """What was kept under this key; None where nothing is."""
        try:
            return self._path(key).read_bytes()
        except OSError:
            return None

    def keep(self, key: str, made: bytes) -> None:
        """Keep it; a full or read-only disk costs speed, never what was made."""
        path = self._path(key)
        with contextlib.suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
                file.write(made)
            Path(file.name).replace(path)
            self._count += 1
            if self._count % _LOOK_AFTER == 0:
                self._trim()

    def _path(self, key: str) -> Path:
        return self._folder / key[:2] / key

    def _trim(self) -> None:
        entries = [(path.stat(), path) for path in self._folder.glob("??/*")]
        total = sum(about.st_size for about, _ in entries)
        for about, path in sorted(entries, key=lambda entry: entry[0].st_mtime):
            if total <= self._most:
                return
            path.unlink(missing_ok=True)
            total -= about.st_size

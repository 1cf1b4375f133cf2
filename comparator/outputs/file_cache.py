"""What was made with effort is kept under a key in a folder; each thing is made by one at a time."""

import contextlib
import hashlib
import os
import shutil
import tempfile
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from comparator.outputs.isolated.messages import Malformed, pack, unpack

_MB = 1024 * 1024
T = TypeVar("T")


class FileCache:
    """Bytes by their keys, as long as they come to no more than so many bytes. Safe to use from several threads.

    Without a folder they are in one that goes with the cache.
    """

    def __init__(self, folder: Path | None, *, most: int = 512 * _MB) -> None:
        if folder is None:
            folder = Path(tempfile.mkdtemp(prefix="comparator-"))
            weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        self._folder, self._most = folder, most
        self._lock = threading.Lock()
        self._making: dict[str, threading.Lock] = {}
        self._written = 0

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

    def value(self, key: str, kind: type[T], make: Callable[[], T]) -> T:
        """The same of a value that an isolated process may send; one that was damaged is made anew."""
        with contextlib.suppress(Malformed):
            return unpack(self.get(key, lambda: pack("kept", make())), kind)
        result = make()
        self.keep(key, pack("kept", result))
        return result

    def file(self, key: str, make: Callable[[], bytes]) -> Path:
        """Where what was kept under this key lies, or what `make` makes."""
        path = self._path(key)
        with self.making(key):
            if not path.is_file():
                self.keep(key, make())
        return path

    def read(self, key: str) -> bytes | None:
        """What was kept under this key; None where nothing is."""
        try:
            data = self._path(key).read_bytes()
            os.utime(self._path(key))
        except OSError:
            return None
        return data

    def keep(self, key: str, content: bytes) -> None:
        """Keep it; a full or read-only disk costs speed, never what was made."""
        path = self._path(key)
        with contextlib.suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
                file.write(content)
            Path(file.name).replace(path)
            self._written += len(content)
            if self._written > self._most // 8:
                self._written = 0
                self._trim()

    def _path(self, key: str) -> Path:
        name = hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()
        return self._folder / name[:2] / name

    def _trim(self) -> None:
        """Remove what was asked for longest ago."""
        entries = [(path.stat(), path) for path in self._folder.glob("??/*")]
        total = sum(about.st_size for about, _ in entries)
        for about, path in sorted(entries, key=lambda entry: entry[0].st_mtime):
            if total <= self._most:
                return
            path.unlink(missing_ok=True)
            total -= about.st_size

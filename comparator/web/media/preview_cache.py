"""Finished previews: a bounded share of memory in front of an optional bounded folder."""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
import threading
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path

MEMORY = 32 * 1024 * 1024
FOLDER = 512 * 1024 * 1024
_ENTRY = MEMORY // 8


class PreviewCache:
    """Bytes under a key, made once even when several threads ask at the same time."""

    def __init__(self, folder: Path | None = None, *, memory: int = MEMORY, disk: int = FOLDER) -> None:
        self._folder = folder
        self._memory = memory
        self._disk = disk
        self._in_memory: OrderedDict[str, bytes] = OrderedDict()
        self._size = 0
        self._written = 0
        self._lock = threading.Lock()
        self._making: dict[str, threading.Event] = {}

    def get(self, key: str, make: Callable[[], bytes]) -> bytes:
        """The bytes under `key`, from memory, the folder, or `make`; what `make` raises is raised to every caller."""
        name = hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()
        done = threading.Event()
        while True:
            with self._lock:
                if name in self._in_memory:
                    self._in_memory.move_to_end(name)
                    return self._in_memory[name]
                busy = self._making.get(name)
                if busy is None:
                    self._making[name] = done
                    break
            busy.wait(60)
        try:
            data = self._read(name)
            if data is None:
                data = make()
                self._write(name, data)
            self._keep(name, data)
            return data
        finally:
            with self._lock:
                del self._making[name]
            done.set()

    def _keep(self, name: str, data: bytes) -> None:
        if len(data) > _ENTRY:
            return
        with self._lock:
            self._in_memory[name] = data
            self._size += len(data)
            while self._size > self._memory:
                _, dropped = self._in_memory.popitem(last=False)
                self._size -= len(dropped)

    def _path(self, name: str) -> Path | None:
        return self._folder / name[:2] / name if self._folder else None

    def _read(self, name: str) -> bytes | None:
        path = self._path(name)
        if path is None:
            return None
        try:
            data = path.read_bytes()
            os.utime(path)
        except OSError:
            return None
        return data

    def _write(self, name: str, data: bytes) -> None:
        path = self._path(name)
        if path is None:
            return
        # A full or read-only disk costs speed, never the preview.
        with contextlib.suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
                file.write(data)
            Path(file.name).replace(path)
            self._written += len(data)
            if self._written > self._disk // 8:
                self._written = 0
                self._trim()

    def _trim(self) -> None:
        assert self._folder is not None
        entries = [(path.stat(), path) for path in self._folder.glob("??/*")]
        total = sum(stat.st_size for stat, _ in entries)
        for stat, path in sorted(entries, key=lambda entry: entry[0].st_mtime):
            if total <= self._disk:
                return
            path.unlink(missing_ok=True)
            total -= stat.st_size

"""Pictures that were taken are kept: the same page with the same files beside it is opened once."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from pathlib import Path

from pydantic import ValidationError

from comparator.domain.pair.view import PageEvidence
from comparator.outputs.file_cache import FileCache
from comparator.outputs.pictures.camera import Camera, PageFile, key_of
from comparator.outputs.pictures.finder import NOTHING_KNOWN, Machine, find_chromium

MOST_BYTES = 512 * 1024 * 1024
_FAILED_SECONDS = 300.0
_MOST_FAILED = 16


class Album:
    """Pictures of pages, from a folder or a camera. Safe to use from several threads."""

    def __init__(
        self,
        folder: Path,
        *,
        chromium: str = "",
        machine: Machine = NOTHING_KNOWN,
        camera: Camera | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`chromium` is a path, empty for the one on this machine, or "off"; it is looked for when first needed."""
        self._kept = FileCache(folder, most=MOST_BYTES)
        self._named, self._machine = chromium, machine
        self._camera = camera
        self._lock = threading.Lock()
        self._clock = clock
        self._failed: OrderedDict[str, tuple[float, PageEvidence]] = OrderedDict()

    @property
    def camera(self) -> Camera | None:
        """The camera; None where there is no Chromium. Raises SettingsError where the named one does not start."""
        with self._lock:
            if self._camera is None and (path := find_chromium(self._named, self._machine)) is not None:
                self._camera = Camera(path)
            return self._camera

    def evidence(self, page: str, files: Sequence[PageFile]) -> PageEvidence | None:
        """What a user sees of `page`; None where no pictures can be taken here."""
        key = key_of(page, files)
        with self._kept.making(key):
            found = self._read(key) or self._just_failed(key)
            if found is None and (camera := self.camera) is not None:
                found = camera.take(page, files)
                if not found.problem:
                    self._kept.keep(key, found.model_dump_json().encode())
                else:
                    self._fail(key, found)
            return found

    def _just_failed(self, key: str) -> PageEvidence | None:
        # A machine under load may have been too slow, so that it is tried again after a while; at once, whoever asks
        # often for a page that never ends would keep the camera from everybody.
        with self._lock:
            at, found = self._failed.get(key, (0.0, None))
            return found if self._clock() - at < _FAILED_SECONDS else None

    def _fail(self, key: str, found: PageEvidence) -> None:
        with self._lock:
            self._failed.pop(key, None)
            self._failed[key] = (self._clock(), found)
            while len(self._failed) > _MOST_FAILED:
                self._failed.popitem(last=False)

    def _read(self, key: str) -> PageEvidence | None:
        try:
            kept = self._kept.read(key)
            return None if kept is None else PageEvidence.model_validate_json(kept)
        except ValidationError:
            return None

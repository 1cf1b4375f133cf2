"""Takes the pictures of a page with a Chromium in an isolated process, and keeps them: each page is opened once."""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import cached_property
from pathlib import Path
from typing import Literal, NamedTuple

from comparator.domain.errors import OutputRefused
from comparator.domain.pair.view import PageEvidence
from comparator.outputs.file_cache import FileCache
from comparator.outputs.isolated.process import Bounds, Isolated
from comparator.outputs.limits import PictureLimits
from comparator.outputs.pictures.finder import find_chromium

RECIPE = "4"
"""Version of how pictures are taken; raise it when they come out differently."""
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
        browsers: str = "",
        camera: Camera | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`chromium` is a path, empty for the one on this machine or in `browsers`, or "off"."""
        self._kept = FileCache(folder, most=MOST_BYTES)
        self._named, self._browsers = chromium, browsers
        if camera is not None:
            self.camera = camera
        self._clock = clock
        self._failed: dict[str, tuple[float, PageEvidence]] = {}

    @cached_property
    def camera(self) -> Camera | None:
        """The camera; None where there is no Chromium. Raises SettingsError where the named one does not start."""
        path = find_chromium(self._named, self._browsers)
        return None if path is None else Camera(path)

    def evidence(self, page: str, files: Sequence[PageFile]) -> PageEvidence | None:
        """What a user sees of `page`; None where no pictures can be taken here."""
        key = key_of(page, files)
        with self._kept.making(key):
            if (kept := self._kept.read(key)) is not None:
                return PageEvidence.model_validate_json(kept)
            # A machine under load may have been too slow, so that it is tried again after a while; at once, whoever
            # asks often for a page that never ends would keep the camera from everybody.
            at, evidence = self._failed.get(key, (0.0, None))
            if evidence is not None and self._clock() - at < _FAILED_SECONDS:
                return evidence
            if (camera := self.camera) is None:
                return None
            evidence = camera.take(page, files)
            if evidence.problem:
                if len(self._failed) >= _MOST_FAILED:
                    self._failed.clear()
                self._failed[key] = self._clock(), evidence
            else:
                self._kept.keep(key, evidence.model_dump_json().encode())
            return evidence


class Device(NamedTuple):
    """A window in which pages are opened."""

    name: Literal["desktop", "phone"]
    width: int
    height: int
    touch: bool


DEVICES = (Device("desktop", 1280, 800, touch=False), Device("phone", 390, 844, touch=True))


class PageFile(NamedTuple):
    """A file that the page may load: its path in the output, its media type and its blinded bytes."""

    name: str
    media_type: str
    data: bytes


class Camera:
    """Takes pictures with one Chromium, one page at a time. Safe to use from several threads."""

    def __init__(self, chromium: str, *, limits: PictureLimits | None = None, cut_off: bool = True) -> None:
        self._chromium = chromium
        self._limits = limits or PictureLimits()
        self._cut_off = cut_off
        self._free = threading.BoundedSemaphore(2)

    def take(self, page: str, files: Sequence[PageFile]) -> PageEvidence:
        """What a user sees of the file `page` with the others beside it, and what the browser said.

        What could not be photographed is told in `problem`; nothing is raised for what a page does.
        """
        limits, seen, sent = self._limits, PageEvidence(), []
        left = limits.sent
        for file in sorted(files, key=lambda file: (file.name != page, file.name)):
            if len(file.data) <= left:
                left -= len(file.data)
                sent.append(file)
        bounds = Bounds(limits.memory, limits.answer, "Opening it", programs=True)
        with self._free, Isolated(bounds=bounds) as process:
            parts = process.stream(
                "photograph",
                PageEvidence,
                seconds=limits.seconds,
                page=page,
                files=sent,
                chromium=self._chromium,
                cut=self._cut_off,
                limits=limits,
            )
            try:
                with closing(parts):  # type: ignore[type-var] # a generator
                    for count, part in enumerate(parts, 1):
                        seen = part.copy_with(pictures=(*seen.pictures, *part.pictures))
                        # What keeps one window busy keeps the next one busy too.
                        if part.problem or count == len(DEVICES):
                            break
            except OutputRefused as error:
                seen = seen.copy_with(problem=str(error))
        return seen.copy_with(
            errors=seen.errors[: limits.messages],
            not_loaded=seen.not_loaded[: limits.messages],
            problem=seen.problem[:400],
        )


def key_of(page: str, files: Sequence[PageFile]) -> str:
    """What makes two pictures the same: sha256 of the page's path and of every file beside it, in hexadecimal."""
    rows = sorted((file.name, file.media_type, hashlib.sha256(file.data).hexdigest()) for file in files)
    return hashlib.sha256(json.dumps([RECIPE, page, rows]).encode()).hexdigest()

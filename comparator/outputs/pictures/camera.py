"""Takes the pictures of a page with a Chromium in an isolated process."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Literal, NamedTuple

from comparator.domain.errors import OutputRefused
from comparator.domain.pair.view import PageEvidence
from comparator.outputs.isolated.process import Bounds, Isolated
from comparator.outputs.limits import PictureLimits
from comparator.outputs.pictures import RECIPE


class Device(NamedTuple):
    """A window in which pages are opened."""

    name: Literal["desktop", "phone"]
    width: int
    height: int
    touch: bool


DEVICES = (Device("desktop", 1280, 800, touch=False), Device("phone", 390, 844, touch=True))


@dataclass(frozen=True, slots=True)
class PageFile:
    """A file that the page may load: its path in the output, its media type and its blinded bytes."""

    name: str
    media_type: str
    data: bytes


class Camera:
    """Takes pictures with one Chromium, one page at a time. Safe to use from several threads."""

    def __init__(
        self, chromium: str, *, limits: PictureLimits | None = None, cut_off: bool = True, at_once: int = 2
    ) -> None:
        self._chromium = chromium
        self._limits = limits or PictureLimits()
        self._cut_off = cut_off
        self._free = threading.BoundedSemaphore(at_once)

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
                        seen = part.model_copy(update={"pictures": (*seen.pictures, *part.pictures)})
                        # What keeps one window busy keeps the next one busy too.
                        if part.problem or count == len(DEVICES):
                            break
            except OutputRefused as error:
                seen = seen.model_copy(update={"problem": str(error)})
        return seen.model_copy(
            update={
                "errors": seen.errors[: limits.messages],
                "not_loaded": seen.not_loaded[: limits.messages],
                "problem": seen.problem[:400],
            }
        )


def key_of(page: str, files: Sequence[PageFile]) -> str:
    """What makes two pictures the same: sha256 of the page's path and of every file beside it, in hexadecimal."""
    rows = sorted((file.name, file.media_type, hashlib.sha256(file.data).hexdigest()) for file in files)
    return hashlib.sha256(json.dumps([RECIPE, page, rows]).encode()).hexdigest()

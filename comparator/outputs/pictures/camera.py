"""Takes the pictures of a page: starts the child, watches its time and memory, and reads what it answers."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Literal

from comparator.domain.pair.view import ImageBlock, PageEvidence, PagePicture
from comparator.outputs.child.frames import Frame, Malformed, encode, read_frame
from comparator.outputs.pictures import RECIPE
from comparator.outputs.pictures.limits import PictureLimits
from comparator.outputs.pictures.processes import end_all, memory_of

_MAIN = Path(__file__).with_name("child_main.py")
_STEP = 0.03
_MEMORY_EVERY = 5
DEVICES: tuple[dict[str, Any], ...] = (
    {"name": "desktop", "width": 1280, "height": 800, "touch": False},
    {"name": "phone", "width": 390, "height": 844, "touch": True},
)


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
        limits = self._limits
        wanted = sorted(files, key=lambda file: (file.name != page, file.name))
        rows, bodies, sent = [], [], 0
        for file in wanted:
            if sent + len(file.data) > limits.sent:
                continue
            sent += len(file.data)
            rows.append({"name": file.name, "type": file.media_type, "size": len(file.data)})
            bodies.append(file.data)
        head = {
            "kind": "page",
            "page": page,
            "files": rows,
            "devices": DEVICES,
            "chromium": self._chromium,
            "cut_off": self._cut_off,
            **limits.model_dump(),
        }
        with (
            self._free,
            tempfile.TemporaryDirectory(prefix="comparator-page-", ignore_cleanup_errors=True) as home,
        ):
            environment = _environment(Path(home))
            request = Frame({**head, "environment": environment}, b"".join(bodies))
            return self._run(request, Path(home), environment)

    def _run(self, request: Frame, home: Path, environment: dict[str, str]) -> PageEvidence:
        with tempfile.TemporaryFile(dir=home) as question, tempfile.TemporaryFile(dir=home) as answers:
            question.write(encode(request))
            question.seek(0)
            process = subprocess.Popen(
                [sys.executable, "-I", str(_MAIN)],
                stdin=question,
                stdout=answers,
                stderr=subprocess.DEVNULL,
                # No key or token of ours is in reach of the browser; what it writes goes away with the folder.
                env=environment,
                cwd=home,
                close_fds=True,
                start_new_session=True,
            )
            try:
                ended = self._watched(process, answers)
            finally:
                end_all(process.pid)
                process.wait()
            answers.seek(0)
            return read_answer(answers, ended, self._limits)

    def _watched(self, process: subprocess.Popen[bytes], answers: BinaryIO) -> str:
        """Wait until the child is through; why it has to be ended before, or nothing."""
        deadline = time.monotonic() + self._limits.seconds
        rounds = 0
        while process.poll() is None:
            rounds += 1
            if time.monotonic() > deadline:
                return f"it took longer than {self._limits.seconds:g} seconds"
            if rounds % _MEMORY_EVERY == 0:
                if memory_of(process.pid) > self._limits.memory:
                    return f"it took more than {self._limits.memory // 1_048_576:,} MB of memory"
                if _is_whole(answers):
                    return ""
            time.sleep(_STEP)
        return ""


def key_of(page: str, files: Sequence[PageFile]) -> str:
    """What makes two pictures the same: sha256 of the page's path and of every file beside it, in hexadecimal."""
    rows = sorted((file.name, file.media_type, hashlib.sha256(file.data).hexdigest()) for file in files)
    return hashlib.sha256(json.dumps([RECIPE, page, rows]).encode()).hexdigest()


def read_answer(answers: BinaryIO, ended: str, limits: PictureLimits) -> PageEvidence:
    """What the child answered, as far as it came; `ended` says why it was ended, if it was."""
    pictures: list[PagePicture] = []
    about: dict[str, Any] = {}
    with contextlib.suppress(Malformed, EOFError):
        while (frame := read_frame(answers)) is not None:
            match frame.head["kind"]:
                case "picture":
                    name: Literal["desktop", "phone"] = (
                        "phone" if frame.head["device"] == "phone" else "desktop"
                    )
                    pictures.append(
                        PagePicture(
                            device=name,
                            width=int(frame.head["width"]),
                            height=int(frame.head["height"]),
                            shown=int(frame.head["shown"]),
                        )
                    )
                case "tile" if pictures and frame.head["media_type"] in ("image/png", "image/jpeg"):
                    tile = ImageBlock(media_type=frame.head["media_type"], data=frame.body)
                    last = pictures[-1]
                    pictures[-1] = last.model_copy(update={"tiles": (*last.tiles, tile)})
                case "done":
                    about = frame.head
    problem = str(about.get("problem", ""))
    if ended:
        # What the child said of a browser that was taken from it does not matter.
        problem = f"Opening it was ended, because {ended}."
    elif not about:
        problem = "The browser ended unexpectedly."
    return PageEvidence(
        pictures=tuple(picture for picture in pictures if picture.tiles),
        errors=tuple(str(line) for line in about.get("errors", ()))[: limits.messages],
        not_loaded=tuple(str(line) for line in about.get("missing", ()))[: limits.messages],
        problem=problem[:400],
    )


def _is_whole(answers: BinaryIO) -> bool:
    # The child shares the position in the file, so that it is read beside it.
    descriptor = answers.fileno()
    size = os.fstat(descriptor).st_size
    return b'{"kind": "done"' in os.pread(descriptor, 65_536, max(size - 65_536, 0))


def _environment(home: Path) -> dict[str, str]:
    return {
        "HOME": str(home),
        "TMPDIR": str(home),
        "XDG_CONFIG_HOME": str(home / "config"),
        "XDG_CACHE_HOME": str(home / "cache"),
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "PATH": "/usr/local/bin:/usr/bin:/bin",
    }

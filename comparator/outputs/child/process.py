"""The app's side of the reading child: starts it, feeds it, and ends it when it takes too long or too much."""

from __future__ import annotations

import contextlib
import os
import selectors
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import IO, Self, TypeVar

from comparator.domain.errors import LimitExceeded, OutputRefused
from comparator.outputs.child.extraction import Extraction, ReadLimits
from comparator.outputs.child.frames import (
    LONGEST_HEADER,
    PREFIX,
    Frame,
    Malformed,
    decode_head,
    encode,
    framed,
    value_of,
)
from comparator.outputs.limits import Limits
from comparator.outputs.member_names import in_words

_MAIN = Path(__file__).with_name("main.py")
T = TypeVar("T")
_CHUNK = 1024 * 1024
_LOOKS = 0.2
"""Seconds without an answer after which the child's memory is looked at."""

_SECONDS_TO_BEGIN = 30
"""How long a new child may take to start and to import a task's code. The document's time begins after that."""

_LEFT_OVER = 64 * 1024
"""Bytes below its limit at which a child can allocate nothing more of use."""


class Child:
    """Reads documents in a process of its own, which is started when first needed and replaced after a failure."""

    def __init__(self, *, limits: Limits) -> None:
        self._limits = limits
        self._process: subprocess.Popen[bytes] | None = None
        self._loaded: set[str] = set()
        """Tasks whose code this process has imported."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the process, if there is one."""
        if self._process is not None:
            _end(self._process)
            self._process = None
            self._loaded.clear()

    def extract(self, task: str, data: bytes, *, seconds: float | None = None) -> Extraction:
        """One document, read, within `seconds` (or the limit for one). Raises OutputRefused or LimitExceeded with a
        plain sentence."""
        return self.call(task, Extraction, seconds=seconds, data=data)

    def call(self, task: str, returns: type[T], *, seconds: float | None = None, **payload: object) -> T:
        """What a task makes of the payload, within `seconds` (or the limit for a document). Raises as `extract`."""
        seconds = seconds or self._limits.seconds_per_document
        *_, last = self._exchanged(framed(payload, kind=task), seconds=seconds)
        try:
            return value_of(last, returns)
        except Malformed as error:
            self.close()
            raise OutputRefused("It is damaged and cannot be read.") from error

    def run(self, task: str, data: bytes, *, seconds: float) -> Iterator[Frame]:
        """The frames that answer a task about bytes, as they come. Raises as `extract`."""
        return self._exchanged(Frame({"kind": task}, data), seconds=seconds)

    def _exchanged(self, request: Frame, *, seconds: float) -> Iterator[Frame]:
        task = request.head["kind"]
        head = {**request.head, "seconds": seconds, "limits": asdict(limits_for(self._limits))}
        process = self._process = self._process or _start(self._limits.memory_per_document)
        finished = False
        try:
            largest = self._limits.answer_bytes if task != "unpack" else self._limits.bytes_in_all
            encoded = encode(Frame(head, request.body))
            memory = self._limits.memory_per_document
            to_begin = seconds if task in self._loaded else _SECONDS_TO_BEGIN
            for frame in _exchange(
                process, encoded, seconds=seconds, to_begin=to_begin, largest=largest, memory=memory
            ):
                self._loaded.add(task)
                match frame.head["kind"]:
                    case "problem":
                        finished = True
                        raise OutputRefused(str(frame.head.get("sentence", "It cannot be read.")))
                    case "limit":
                        finished = True
                        raise LimitExceeded(str(frame.head.get("sentence", "It is too large.")))
                    case "memory":
                        raise _too_much_memory(memory)
                    case kind:
                        finished = kind == "done"
                        yield frame
                if finished:
                    return
        except Malformed as error:
            raise OutputRefused("It is damaged and cannot be read.") from error
        finally:
            if not finished:
                self.close()


def limits_for(limits: Limits) -> ReadLimits:
    """The part of the limits that reading one document needs."""
    return ReadLimits(
        text_bytes=limits.text_bytes,
        pages=limits.pages,
        cells=limits.cells,
        pictures=limits.pictures_per_document,
        pixels=limits.pixels,
        side_shown=limits.picture_side_shown,
        side_judged=limits.picture_side_judged,
        archive_ratio=limits.archive_ratio,
        members=limits.archive_members,
        unpacked=limits.bytes_in_all,
        bytes_per_file=limits.bytes_per_file,
        path_length=limits.path_length,
        depth=limits.folder_depth,
    )


def _start(memory: int) -> subprocess.Popen[bytes]:
    process = subprocess.Popen(
        [sys.executable, "-I", str(_MAIN), str(memory)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        # No key or token of ours is in reach of a parser. Pillow keeps two blocks of 16 MB from one picture to the
        # next: fresh memory costs more than scaling a picture into it.
        env={"LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "PILLOW_BLOCKS_MAX": "2"},
        cwd="/",
        close_fds=True,
        start_new_session=True,
    )
    for pipe in (process.stdin, process.stdout):
        assert pipe is not None
        os.set_blocking(pipe.fileno(), False)
    return process


def _end(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError):
        process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with contextlib.suppress(OSError):
                pipe.close()


def _exchange(
    process: subprocess.Popen[bytes],
    request: bytes,
    *,
    seconds: float,
    to_begin: float,
    largest: int,
    memory: int,
) -> Iterator[Frame]:
    """Write the request and read frames as they come, until the caller stops asking.

    The child has `to_begin` seconds until it says that it has begun, and `seconds` from then on.
    """
    assert process.stdin is not None
    assert process.stdout is not None
    deadline, begun = time.monotonic() + to_begin, False
    waiting, buffer, received = memoryview(request), bytearray(), 0
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        selector.register(process.stdin, selectors.EVENT_WRITE)
        while True:
            left = deadline - time.monotonic()
            events = selector.select(min(max(left, 0), _LOOKS))
            if left <= 0:
                if begun:
                    raise LimitExceeded(f"Reading it took longer than {seconds:g} seconds and was ended.")
                raise LimitExceeded(f"It is not read: reading did not begin within {to_begin:g} seconds.")
            if not events and _is_full(process.pid, memory):
                raise _too_much_memory(memory)
            for key, _ in events:
                if key.fileobj is process.stdin:
                    waiting = _write_some(process.stdin, waiting)
                    if not waiting:
                        selector.unregister(process.stdin)
                    continue
                chunk = os.read(process.stdout.fileno(), _CHUNK)
                if not chunk:
                    raise OutputRefused(
                        "Reading it ended unexpectedly: it is damaged or too large to be read."
                    )
                received += len(chunk)
                if received > largest + _CHUNK:
                    raise LimitExceeded(f"It holds more than {in_words(largest)} once it is unpacked.")
                buffer += chunk
                while (frame := _take(buffer)) is not None:
                    if frame.head["kind"] != "begun":
                        yield frame
                    elif not begun:
                        # Only once: a child that a document took over could say so again and again.
                        begun, deadline = True, time.monotonic() + seconds


def _too_much_memory(memory: int) -> LimitExceeded:
    return LimitExceeded(f"Reading it took more than {in_words(memory)} of memory and was ended.")


def _is_full(pid: int, memory: int) -> bool:
    """Whether a process has used up its address space; False where the system does not tell.

    Python before 3.14 can go round for ever while it unwinds a MemoryError for which no memory is left
    (python/cpython#132508), so that the child never gets to say it itself.
    """
    try:
        pages = Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[0]
    except (OSError, IndexError):
        return False
    return int(pages) * os.sysconf("SC_PAGE_SIZE") > memory - _LEFT_OVER


def _write_some(stdin: IO[bytes], waiting: memoryview) -> memoryview:
    try:
        return waiting[os.write(stdin.fileno(), waiting[:_CHUNK]) :]
    except BlockingIOError:
        return waiting
    except BrokenPipeError:
        # The child is gone; the end of its answers says so.
        return waiting[len(waiting) :]


def _take(buffer: bytearray) -> Frame | None:
    """Remove one whole frame from the buffer; None if it is not whole yet."""
    if len(buffer) < PREFIX.size:
        return None
    head_length, body_length = PREFIX.unpack_from(buffer)
    if head_length > LONGEST_HEADER:
        raise Malformed("a header is too long")
    end = PREFIX.size + head_length + body_length
    if len(buffer) < end:
        return None
    head = decode_head(bytes(buffer[PREFIX.size : PREFIX.size + head_length]))
    body = bytes(buffer[PREFIX.size + head_length : end])
    del buffer[:end]
    return Frame(head, body)

"""The reading child: takes one document at a time from standard input, answers in frames, and has hard limits."""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import os
import resource
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, get_type_hints

if __name__ == "__main__":
    # Started by path with -I, which keeps the environment and the current folder out of the import path.
    sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from comparator.domain.errors import OutputRefused
from comparator.outputs.child.extraction import Bomb, ReadLimits, Unreadable
from comparator.outputs.child.frames import Frame, adapter, encode, framed, read_frame, value_in

TASKS = {
    "text": "extract.text:read",
    "html": "extract.web.html:read",
    "svg": "extract.web.svg:read",
    "notebook": "extract.notebook:read",
    "pdf": "extract.pdf:read",
    "docx": "extract.office.docx:read",
    "xlsx": "extract.office.workbook:read",
    "pptx": "extract.office.slides:read",
    "parquet": "extract.parquet:read",
    "image": "extract.images:read",
    "archive": "extract.archive:read",
    "media": "extract.media:read",
    "first pages": "pages:first_pages",
    "pdf words": "view.blinding.pdf_words:painted",
    "office package": "pictures.office.clean:cleaned",
    "office pages": "pictures.office.pages:finished",
    "differences": "differences.worker:compared",
    "words": "examine.worker:words_of",
    "picture": "examine.worker:picture",
    "lines": "examine.worker:changed",
    "view": "preview.render:render",
    "view part": "preview.render:render_part",
    "source": "preview.render:source",
    "source part": "preview.render:source_part",
    "table": "preview.tables:stored",
    "ordered table": "tables.store:ordered",
    "page": "preview.pdf:page_picture",
    "words of pages": "preview.pdf:read_words",
    "all words": "preview.pdf:all_words",
    "own page": "preview.web.page:foreign_page",
    "own drawing": "preview.web.page:foreign_drawing",
    "place": "preview.locate:locate",
}
"""Tasks, and the function under `comparator.outputs` that does each; what it takes and gives is typed.

A parameter of the type `ReadLimits` is given the limits, whatever its name."""
_Answer = Callable[[Frame, ReadLimits], Iterator[Frame]]
_PARENT_DEATH = 1  # PR_SET_PDEATHSIG
_OPEN_FILES = 64
_SMALL_FILE = 1024 * 1024
_SECONDS_TO_LOAD = 30
"""Processor time for importing the code of one task. No document is read meanwhile."""


def main() -> None:
    """Serve until standard input ends."""
    answers = _private_output()
    memory = int(sys.argv[1])
    _harden(memory)
    # Arrow's own pool reserves more addresses than the limit leaves.
    os.putenv("ARROW_DEFAULT_MEMORY_POOL", "system")
    while (request := read_frame(sys.stdin.buffer)) is not None:
        alive = _answer(request, answers)
        answers.flush()
        if not alive:
            return


def _answer(request: Frame, answers: BinaryIO) -> bool:
    """Write the answer to one request; whether this process is fit for another."""
    limits = ReadLimits.of(request.head["limits"])
    try:
        _allow_seconds(_SECONDS_TO_LOAD)
        frames_for = _loaded(request.head["kind"])
        answers.write(encode(Frame({"kind": "begun"})))
        answers.flush()
        _allow_seconds(float(request.head["seconds"]))
        answers.writelines(encode(frame) for frame in frames_for(request, limits))
    except Bomb as error:
        answers.write(encode(Frame({"kind": "limit", "sentence": str(error)})))
    except (Unreadable, OutputRefused) as error:
        answers.write(encode(Frame({"kind": "problem", "sentence": str(error)})))
    except MemoryError:
        answers.write(encode(Frame({"kind": "memory"})))
        return False
    except RecursionError:
        answers.write(encode(Frame({"kind": "problem", "sentence": "It is nested too deeply to be read."})))
    except Exception:  # noqa: BLE001 - a parser stumbled over hostile or damaged input; its message may quote the input
        answers.write(encode(Frame({"kind": "problem", "sentence": "It is damaged and cannot be read."})))
    return True


def _loaded(task: str) -> _Answer:
    """What answers a task, with its code imported."""
    if task == "unpack":
        members: Callable[[bytes, ReadLimits], Iterator[Frame]] = _function("extract.unpack:members")
        return lambda request, limits: members(request.body, limits)
    function = _function(TASKS[task])
    hints = get_type_hints(function)

    def answer(request: Frame, limits: ReadLimits) -> Iterator[Frame]:
        arguments = {
            name: adapter(hints[name]).validate_python(value) for name, value in value_in(request).items()
        }
        given = {name: limits for name, kind in hints.items() if kind is ReadLimits}
        yield framed(function(**arguments, **given))

    return answer


def _function(place: str) -> Callable[..., Any]:
    module, _, name = place.partition(":")
    function: Callable[..., Any] = getattr(importlib.import_module(f"comparator.outputs.{module}"), name)
    return function


def _private_output() -> BinaryIO:
    """Standard output for answers only: what a library prints goes nowhere."""
    own = os.dup(1)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    return os.fdopen(own, "wb", buffering=1024 * 1024)


def _harden(memory: int) -> None:
    for what, value in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_FSIZE, _SMALL_FILE),
        (resource.RLIMIT_NOFILE, _OPEN_FILES),
        (resource.RLIMIT_CORE, 0),
    ):
        # A stricter limit that is already set stays; macOS knows no RLIMIT_AS.
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(what, (value, value))
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PARENT_DEATH, signal.SIGKILL)


def _allow_seconds(seconds: float) -> None:
    """A processor-time limit for this request, should the parent no longer be there to end it."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    used = usage.ru_utime + usage.ru_stime
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CPU, (int(used + seconds) + 2, hard))


if __name__ == "__main__":
    main()

"""An isolated process: takes one task at a time from standard input, answers in messages, and has hard limits."""

import contextlib
import importlib
import json
import math
import os
import resource
import sys
from collections.abc import Callable, Iterator
from functools import partial
from inspect import signature
from pathlib import Path
from typing import Any, get_type_hints

from pydantic import ValidationError

if __name__ == "__main__":
    # Started by path with -I, which keeps the environment and the current folder out of the import path.
    sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from comparator.domain.errors import OutputRefused
from comparator.outputs.isolated.messages import Bomb, Unreadable, adapter, pack, read_message
from comparator.outputs.isolated.process import die_with_parent
from comparator.outputs.limits import Limits

TASKS = {
    "text": "extract.markup:read_text",
    "html": "extract.markup:read",
    "svg": "extract.markup:read_drawing",
    "notebook": "extract.notebook:read",
    "pdf": "view.pdf:read",
    "docx": "extract.office:read_docx",
    "xlsx": "extract.tables:read_workbook",
    "pptx": "extract.office:read_slides",
    "parquet": "extract.tables:read_parquet",
    "image": "extract.images:read",
    "archive": "extract.archive:read",
    "unpack": "extract.archive:members",
    "media": "extract.images:read_sound",
    "first pages": "pages:first_pages",
    "names": "view.redacting:scan",
    "redacted": "view.redacting:rewrite_extraction",
    "pdf words": "view.pdf:redact_pdf",
    "office package": "pictures.office.clean:clean_package",
    "office pages": "view.pdf:pages_of_pdf",
    "office convert": "pictures.office.convert:convert",
    "photograph": "pictures.photograph:photograph",
    "differences": "differences.compare:compare",
    "words": "examine.opened:words_of",
    "picture": "examine.opened:picture",
    "lines": "examine.opened:changed",
    "view": "preview.render:render",
    "source": "preview.render:source",
    "table": "preview.tables:store_table",
    "ordered table": "tables.store:sort_table",
    "all words": "pages:words_of_pages",
    "own page": "preview.page:own_page",
    "place": "preview.render:locate",
}
"""Tasks, and the function under `comparator.outputs` that does each; what it takes and gives is typed.

A parameter of the type `Limits` is given the limits, whatever its name. Of a generator each item is sent."""
_OPEN_FILES = 64
_SMALL_FILE = 1024 * 1024
_SECONDS_TO_LOAD = 30
"""Processor time for importing the code of one task. No document is read meanwhile."""


def main() -> None:
    """Serve until standard input ends."""
    # Standard output is for answers only: what a library prints goes nowhere.
    answers = os.fdopen(os.dup(1), "wb", buffering=1024 * 1024)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    memory, answer, programs = json.loads(sys.argv[1])
    _harden(memory, answer, programs=programs)
    # Arrow's own pool reserves more addresses than the limit leaves.
    os.putenv("ARROW_DEFAULT_MEMORY_POOL", "system")
    while (request := read_message(sys.stdin.buffer)) is not None:
        for kind, value in answers_to(request.kind, **request.value):
            answers.write(pack(kind, value))
            answers.flush()
            if kind == "memory":
                return


def answers_to(
    task: str, *, seconds: float, limits: dict[str, Any], payload: dict[str, Any]
) -> Iterator[tuple[str, Any]]:
    """The messages that answer a task, as kinds and values."""
    try:
        _allow_seconds(_SECONDS_TO_LOAD)
        try:
            run_task = _call_of(task, payload, adapter(Limits).validate_python(limits))
        except (ImportError, KeyError, TypeError, ValidationError) as error:
            yield "misuse", f"{type(error).__name__}: {error}"[:2_000]
            return
        yield "begun", None
        _allow_seconds(seconds)
        answer = run_task()
        for item in answer if isinstance(answer, Iterator) else (answer,):
            yield "item", item
        yield "done", None
    except Bomb as error:
        yield "limit", str(error)
    except (Unreadable, OutputRefused) as error:
        yield "problem", str(error)
    except MemoryError:
        yield "memory", None
    except RecursionError:
        yield "problem", "It is nested too deeply to be read."
    except Exception:  # noqa: BLE001 - a parser stumbled over hostile or damaged input; its message may quote the input
        yield "problem", "It is damaged and cannot be read."


def _call_of(task: str, payload: dict[str, Any], limits: Limits) -> Callable[[], Any]:
    """The call that does a task. Raises TypeError or ValidationError for a payload that it does not take."""
    module, _, name = TASKS[task].partition(":")
    function = getattr(importlib.import_module(f"comparator.outputs.{module}"), name)
    kinds = get_type_hints(function)
    given = {name: limits for name, kind in kinds.items() if kind is Limits and name != "return"}
    signature(function).bind(**payload, **given)
    arguments = {name: adapter(kinds[name]).validate_python(value) for name, value in payload.items()}
    return partial(function, **arguments, **given)


def _harden(memory: int, answer: int, *, programs: bool) -> None:
    limits = [(resource.RLIMIT_CORE, 0), (resource.RLIMIT_FSIZE, answer if programs else _SMALL_FILE)]
    if not programs:
        limits += [(resource.RLIMIT_AS, memory), (resource.RLIMIT_NOFILE, _OPEN_FILES)]
    for what, value in limits:
        # A stricter limit that is already set stays; macOS knows no RLIMIT_AS.
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(what, (value, value))
    die_with_parent()


def _allow_seconds(seconds: float) -> None:
    """A limit of processor time for this request."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    used = usage.ru_utime + usage.ru_stime
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(used + seconds), hard))


if __name__ == "__main__":
    main()

"""Reading what was handed in on the page New: a path or an upload becomes a snapshot or a plain sentence."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from comparator.domain.errors import ComparatorError
from comparator.outputs.snapshot.take import Given
from comparator.ui.new.draft import SlotReading
from comparator.workflow.services import Services
from comparator.workflow.submit.intake import Source, families_of, read_together


def paths_in(text: str) -> tuple[Path, ...]:
    """The paths that a person typed or pasted, one per line, quotes and `~` taken as a shell would.

    >>> [str(path) for path in paths_in(' "/data/first run"  ')]
    ['/data/first run']
    """
    lines = (line.strip().strip("\"'").strip().removeprefix("file://") for line in text.splitlines())
    return tuple(Path(line).expanduser() for line in lines if line)


def read_paths(services: Services, text: str) -> SlotReading:
    """The files or folders under these paths, or why they cannot be read."""
    paths = paths_in(text)
    path = str(paths[0].absolute()) if len(paths) == 1 else None
    return _read(services, paths, source=text, path=path)


def read_uploads(services: Services, uploads: Sequence[Given], *, source: str) -> SlotReading:
    """The uploaded files as one output, or why they cannot be read."""
    return _read(services, (tuple(uploads),), source=source, path=None)


def identity_of(names_and_ids: Sequence[tuple[str, str]]) -> str:
    """A short name for exactly these uploaded files."""
    return hashlib.sha256(repr(sorted(names_and_ids)).encode()).hexdigest()[:24]


def _read(services: Services, sources: Sequence[Source], *, source: str, path: str | None) -> SlotReading:
    try:
        snapshot = read_together(services, sources)
    except (ComparatorError, OSError) as error:
        return SlotReading(source=source, path=path, problem=_sentence(error))
    if snapshot is None:
        return SlotReading(source=source)
    return SlotReading(source=source, path=path, snapshot=snapshot, families=families_of(services, snapshot))


def _sentence(error: Exception) -> str:
    if isinstance(error, OSError):
        return f"This cannot be read: {error.strerror or error}. Check the path and its rights."
    return str(error)

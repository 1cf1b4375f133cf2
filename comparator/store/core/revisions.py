"""Each project's revision, raised by whatever changes what its figures rest on, and what a process keeps at one.

It is raised last, so that nobody holds a project's row while waiting for another row.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from threading import Lock
from typing import Any, NamedTuple

from sqlalchemy import Connection, select

from comparator.store import tables
from comparator.store.core.sql import update

_COMPARISONS, _PROJECTS = "comparator_changed_comparisons", "comparator_changed_projects"
_AT_A_TIME = 500
_project, _comparison = tables.project.c, tables.comparison.c


def changed(connection: Connection, *, comparisons: Iterable[str] = (), projects: Iterable[str] = ()) -> None:
    """Note what this transaction changes; `raise_changed` raises the revisions of the projects it belongs to."""
    connection.info.setdefault(_COMPARISONS, set()).update(comparisons)
    connection.info.setdefault(_PROJECTS, set()).update(projects)


def raise_changed(connection: Connection) -> None:
    """Raise the revision of each project of which something was noted, just before the transaction is committed."""
    comparisons = sorted(connection.info.pop(_COMPARISONS, ()))
    projects: set[str] = connection.info.pop(_PROJECTS, set())
    for start in range(0, len(comparisons), _AT_A_TIME):
        some = _comparison.id.in_(comparisons[start : start + _AT_A_TIME])
        projects.update(connection.execute(select(_comparison.project_id).where(some).distinct()).scalars())
    for project_id in sorted(projects):
        update(connection, tables.project, _project.id == project_id, revision=_project.revision + 1)


def forget(connection: Connection) -> None:
    """Forget what was noted in a transaction that ended without a commit: the connection serves another one next."""
    connection.info.pop(_COMPARISONS, None)
    connection.info.pop(_PROJECTS, None)


MOST_BYTES = 500_000_000
"""All that is kept for a database; the answer that was kept last stays, however large it is."""


class _Kept(NamedTuple):
    revision: int
    answer: Any
    size: int


class Answers:
    """One answer for each thing that was asked, those used last. Threads may share it."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, _Kept] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()

    def get(self, what: str, revision: int) -> Any | None:
        """The answer at this revision, or None."""
        with self._lock:
            kept = self._kept.get(what)
            if kept is None or kept.revision != revision:
                return None
            self._kept.move_to_end(what)
            return kept.answer

    def keep(self, what: str, revision: int, answer: Any, *, size: int) -> None:
        """Keep an answer of so many bytes in place of the one before; what was used longest ago makes room for it."""
        with self._lock:
            if what in self._kept:
                self._bytes -= self._kept.pop(what).size
            self._kept[what] = _Kept(revision, answer, size)
            self._bytes += size
            while len(self._kept) > 1 and self._bytes > MOST_BYTES:
                self._bytes -= self._kept.popitem(last=False)[1].size

"""Keeps what was added up of a project's pairs until one of them is counted anew."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from comparator.reporting.tally.refresh import revision
from comparator.store.core.database import Connection, Database

MOST = 8
"""Answers kept of each database. One of 20,000 pairs takes a few megabytes."""

T = TypeVar("T")
_answers: WeakKeyDictionary[Database, OrderedDict[Hashable, Any]] = WeakKeyDictionary()
_lock = Lock()


def cached(
    database: Database, connection: Connection, project_id: str, what: Hashable, read: Callable[[], T]
) -> T:
    """What `read` gives, or gave before if no pair of the project was counted since.

    `what` says what is read, and must differ where that may. `read` may rest on the counted pairs alone: names and
    titles change without a count. Nobody may change what it gives.
    """
    # The number is read first. Where a pair is counted in between, the answer is too new for it, never too old.
    key = (project_id, revision(connection, project_id), what)
    with _lock:
        answers = _answers.setdefault(database, OrderedDict())
        if key in answers:
            answers.move_to_end(key)
            return answers[key]  # type: ignore[no-any-return]
    found = read()
    with _lock:
        answers[key] = found
        if len(answers) > MOST:
            answers.popitem(last=False)
    return found

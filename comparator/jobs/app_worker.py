"""The worker child that all pages of this process share, one for each database."""

from __future__ import annotations

import atexit
import threading

from comparator.jobs.child import WorkerChild
from comparator.workflow.services import Services

# Not a cache of a page: what a browser can have cleared must not stop what is being judged.
_CHILDREN: dict[str, WorkerChild] = {}
_LOCK = threading.Lock()


def app_worker(services: Services) -> WorkerChild:
    """The child that works on this database, looked after until the process ends."""
    key = services.settings.database
    with _LOCK:
        if key not in _CHILDREN:
            _CHILDREN[key] = child = WorkerChild(services)
            child.start()
        return _CHILDREN[key]


def end_app_workers() -> None:
    """End all children of this process in order."""
    with _LOCK:
        for child in _CHILDREN.values():
            child.stop()
        _CHILDREN.clear()


atexit.register(end_app_workers)

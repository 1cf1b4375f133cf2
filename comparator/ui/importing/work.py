"""Work of the page Import that takes longer than a page may wait: run in a thread, found again by its id."""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any

from comparator.domain.errors import ComparatorError
from comparator.ui.frame.per_process import Once
from comparator.workflow.importing.request import OnStep

log = logging.getLogger(__name__)

KEPT = 12
"""So many finished works are kept; who comes back later starts anew."""
KEPT_EACH = 3
"""So many of one person, new one included: what was found, the plan, and the import."""
BUG = "Something went wrong; the log of the app says what. Start again."


@dataclass
class Work:
    """One piece of work of one person: where it is, and in the end what came of it or why it failed."""

    id: str
    person_id: str
    step: str = "Starting"
    result: Any = None
    problem: str = ""
    done: threading.Event = field(default_factory=threading.Event)


class Works:
    """The works of this process."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, Work] = OrderedDict()
        self._lock = threading.Lock()

    def start(
        self, task: Callable[[OnStep], Any], *, id: str, person_id: str, instead_of: Collection[str] = ()
    ) -> Work:
        """Begin a work in the background; once it has succeeded, those of the person that it stands for are dropped.

        They hold all texts of an import.
        """
        work = Work(id=id, person_id=person_id)
        with self._lock:
            finished = [each for each in self._known.values() if each.done.is_set()]
            own = [each for each in finished if each.person_id == person_id]
            surplus = finished[: max(len(self._known) + 1 - KEPT, 0)]
            for old in {each.id for each in (*own[: max(len(own) + 1 - KEPT_EACH, 0)], *surplus)}:
                del self._known[old]
            self._known[work.id] = work

        def run() -> None:
            try:
                _run(work, task)
                if not work.problem:
                    self.drop(instead_of, person_id=person_id)
            finally:
                work.done.set()

        threading.Thread(target=run, name=f"import-{work.id[:8]}", daemon=True).start()
        return work

    def find(self, work_id: str | None, *, person_id: str) -> Work | None:
        """The person's work with this id; None where it is not known (any more)."""
        work = self._known.get(work_id or "")
        return work if work is not None and work.person_id == person_id else None

    def drop(self, ids: Collection[str], *, person_id: str) -> None:
        """Forget these works of the person."""
        with self._lock:
            for id in ids:
                if self.find(id, person_id=person_id) is not None:
                    del self._known[id]


def _run(work: Work, task: Callable[[OnStep], Any]) -> None:
    def step(text: str) -> None:
        work.step = text

    try:
        work.result = task(step)
    except ComparatorError as error:
        work.problem = str(error)
    except Exception:
        log.exception("import %s", work.id)
        work.problem = BUG


works = Once(Works)
"""The one list of works of this process."""

"""The imports in progress on the page Import: each step runs in a thread and survives a reload of the page."""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from comparator.domain.errors import ComparatorError
from comparator.ui.frame.per_process import Once
from comparator.workflow.importing.pairs import ImportRequest, OnStep

log = logging.getLogger(__name__)

FOUND, PLAN, DONE = STEPS = ("found", "plan", "done")
PEOPLE = 12
"""How many people's steps are kept: those of the latest visitors."""
BUG = "Something went wrong; the log of the app says what. Start again."


@dataclass
class Work:
    """One step of one person's import: its progress, and then its result or why it failed."""

    request: ImportRequest
    step: str = "Starting"
    result: Any = None
    problem: str = ""
    done: threading.Event = field(default_factory=threading.Event)

    @property
    def succeeded(self) -> bool:
        """Whether it ended without an error."""
        return self.done.is_set() and not self.problem

    def say(self, step: str) -> None:
        """Store the progress."""
        self.step = step


class Works:
    """The import steps of all people in this process."""

    def __init__(self) -> None:
        self._people: OrderedDict[str, dict[str, Work]] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, person_id: str) -> dict[str, Work]:
        """The steps of a person, by name."""
        with self._lock:
            mine = self._people.setdefault(person_id, {})
            self._people.move_to_end(person_id)
            while len(self._people) > PEOPLE:
                self._people.popitem(last=False)
        return mine

    def start(
        self, name: str, request: ImportRequest, task: Callable[[OnStep], Any], *, person_id: str
    ) -> Work:
        """Begin a step in the background; it replaces the same step and all later ones."""
        mine = self.of(person_id)
        for step in STEPS[STEPS.index(name) :]:
            mine.pop(step, None)
        work = mine[name] = Work(request)

        def run() -> None:
            try:
                work.result = task(work.say)
                if mine.get(DONE) is work:
                    # They hold all texts of the import.
                    mine.pop(FOUND, None)
                    mine.pop(PLAN, None)
            except ComparatorError as error:
                work.problem = str(error)
            except Exception:
                log.exception("import of %s", request.path)
                work.problem = BUG
            finally:
                work.done.set()

        threading.Thread(target=run, name=f"import-{name}", daemon=True).start()
        return work


works = Once(Works)
"""The import steps of this process."""

"""Work of the page Import that takes longer than a page may wait: run in a thread, found again by its id."""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from comparator.domain.errors import ComparatorError
from comparator.store.ids import new_id
from comparator.workflow.importing import OnStep

log = logging.getLogger(__name__)

KEPT = 12
"""So many finished works are kept; who comes back later starts anew."""
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

    def start(self, task: Callable[[OnStep], Any], *, person_id: str) -> Work:
        """Begin a work in the background."""
        work = Work(id=new_id(), person_id=person_id)
        with self._lock:
            self._known[work.id] = work
            finished = [each for each in self._known.values() if each.done.is_set()]
            for old in finished[: max(len(self._known) - KEPT, 0)]:
                del self._known[old.id]
        threading.Thread(target=_run, args=(work, task), name=f"import-{work.id[:8]}", daemon=True).start()
        return work

    def find(self, work_id: str | None, *, person_id: str) -> Work | None:
        """The person's work with this id; None where it is not known (any more)."""
        work = self._known.get(work_id or "")
        return work if work is not None and work.person_id == person_id else None


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
    finally:
        work.done.set()


@st.cache_resource(show_spinner=False)
def works() -> Works:
    """The one list of works of this process."""
    return Works()

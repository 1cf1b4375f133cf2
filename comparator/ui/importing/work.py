"""The imports in progress on the page Import: each step runs in a thread and survives a reload of the page."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import streamlit as st

from comparator.domain.errors import ComparatorError
from comparator.ui.frame import session
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


def _none_yet(person_id: str) -> dict[str, Work]:
    del person_id
    return {}


works = Once(lambda: lru_cache(maxsize=PEOPLE)(_none_yet))
"""The import steps of all people in this process, by person and name."""


def start(name: str, request: ImportRequest, task: Callable[[OnStep], Any]) -> None:
    """Begin a step in the background, which replaces the same step and all later ones, and show the page anew."""
    mine = works()(session.me().id)
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
    st.rerun()

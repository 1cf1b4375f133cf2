"""Opens the web pages of a pair while its form is still being filled, so that submitting it need not wait for them."""

from __future__ import annotations

import logging
import threading

from comparator.domain.errors import ComparatorError
from comparator.domain.labels import Label
from comparator.outputs.view.reading import Readings
from comparator.workflow.services import Services
from comparator.workflow.submit.build_views import built
from comparator.workflow.submit.intake import open_reader
from comparator.workflow.submit.submission import Submission

log = logging.getLogger(__name__)
_PAGES = (".html", ".htm", ".xhtml")


class PicturesAhead:
    """Takes the pictures of the newest pair asked for, one pair at a time, into the album that submitting reads."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._lock = threading.Lock()
        self._asked = ""
        self._next: tuple[Submission, Readings] | None = None
        self._working = False

    def ask(self, key: str, submission: Submission, *, readings: Readings) -> bool:
        """Begin with this pair unless its `key` was the last one asked for; whether it has pages at all.

        What is in `readings` already is not read again.
        """
        if self._services.album is None or not _has_pages(submission):
            return False
        with self._lock:
            if key == self._asked:
                return True
            self._asked, self._next = key, (submission, readings)
            if not self._working:
                self._working = True
                # A daemon: who ends the app does not wait for pictures that may never be wanted.
                threading.Thread(target=self._work, name="pictures-ahead", daemon=True).start()
        return True

    def _work(self) -> None:
        while True:
            with self._lock:
                asked, self._next = self._next, None
                if asked is None:
                    self._working = False
                    return
            submission, readings = asked
            try:
                with open_reader(self._services, readings) as reader:
                    built(self._services, submission, reader)
            except ComparatorError as error:
                # Submitting says so, where somebody can fix it.
                log.info("no pictures ahead: %s", error)


def _has_pages(submission: Submission) -> bool:
    return any(
        artifact.path.lower().endswith(_PAGES)
        for label in Label
        for artifact in submission.outputs[label].artifacts
    )

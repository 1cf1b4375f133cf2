"""The blinded views of both outputs, built alike; web pages are opened while the form is still being filled."""

from __future__ import annotations

import logging
import threading

from comparator.domain.blinding.redaction import redacts_anything
from comparator.domain.errors import ComparatorError
from comparator.domain.labels import Label, PerOutput
from comparator.outputs.view.build import build_pair, texts_to_scan
from comparator.outputs.view.built import BuiltView
from comparator.outputs.view.reading import Reader, Readings
from comparator.workflow.page_pictures import with_pictures
from comparator.workflow.services import Services
from comparator.workflow.submit.intake import open_reader, task_texts_to_scan
from comparator.workflow.submit.submission import Submission, with_nouns


def built(
    services: Services, submission: Submission, reader: Reader
) -> tuple[Submission, PerOutput[BuiltView]]:
    """What judge and reviewer will see of both outputs, pictures of pages included, and the submission with the nouns
    that stand for names in it. Stores nothing but blobs."""
    submission = _with_nouns(submission, reader)
    pair = build_pair(
        submission.outputs,
        reader,
        redactions=submission.redactions,
        taken_back=submission.taken_back,
        budget=services.budget,
        new_id=services.new_id,
        prompt=submission.task.prompt,
    )
    pair = with_pictures(
        services,
        pair,
        candidates=submission.candidates,
        redactions=submission.redactions,
    )
    return submission, pair


def _with_nouns(submission: Submission, reader: Reader) -> Submission:
    """The submission with nouns in its redactions that occur nowhere in what judge and reviewer get."""
    if not redacts_anything(submission.redactions):
        return submission
    texts = texts_to_scan(
        submission.outputs, reader, taken_back=submission.taken_back, prompt=submission.task.prompt
    )
    task_files = task_texts_to_scan(reader, inputs=submission.inputs, reference=submission.reference)
    redactions = with_nouns(submission.redactions, task=submission.task, texts=(*texts, *task_files))
    return submission.model_copy(update={"redactions": redactions})


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

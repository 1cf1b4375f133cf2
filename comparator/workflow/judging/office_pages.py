"""A pair is readable at once; its Office files become pages later, made once by whoever takes the pair first."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Sequence
from threading import Event

from comparator.domain.blinding.redaction import Redaction
from comparator.domain.errors import ComparatorError
from comparator.domain.labels import Label, PerOutput
from comparator.domain.rights import Act
from comparator.outputs.isolated.process import Stopped, Wanted, always
from comparator.outputs.pictures.office.looks import (
    NOT_MADE,
    NOT_SHOWN,
    PrintJob,
    by_text,
    print_job_of,
    printed,
)
from comparator.outputs.snapshot import Snapshot
from comparator.outputs.view.built import BuiltView
from comparator.store.bulk import office_pages
from comparator.store.bulk.office_pages import PageCounts, TakenPair
from comparator.store.core.sql import Unit
from comparator.store.facts import fact
from comparator.store.pairs import comparison_list, comparisons, outputs
from comparator.store.pairs.comparison_list import ListFilter
from comparator.store.people import projects
from comparator.workflow.people.people import authorise
from comparator.workflow.services import Services

log = logging.getLogger(__name__)

MOST_TRIES = 3
"""How often a pair is begun; one that ended its worker each time keeps its content."""
_LOOK_SECONDS = 0.2
_GAVE_UP = "Layout, charts and fonts are not shown: making pages was interrupted {tries} times."
_BUG = "Layout, charts and fonts are not shown: something went wrong while pages were made; the log has the details."


def before_pages(
    services: Services,
    pair: PerOutput[BuiltView],
    snapshots: PerOutput[Snapshot],
    *,
    redactions: Sequence[Redaction],
) -> tuple[PerOutput[BuiltView], PrintJob | None]:
    """The pair as it can be read at once, and what its pages are to be made of; None without Office files."""
    if services.printer is None or (job := print_job_of(pair, snapshots, redactions=redactions)) is None:
        return pair, None
    line = NOT_SHOWN if services.printer.converter is None else NOT_MADE
    return by_text(pair, job, line), job


def queue_print_job(services: Services, unit: Unit, comparison_id: str, job: PrintJob) -> None:
    """Have the pages made. Without a converter they are not waited for: one that comes later changes nothing."""
    waits = services.printer is not None and services.printer.converter is not None
    office_pages.add(unit, comparison_id, job.model_dump(mode="json"), waits=waits)


def make_next(
    services: Services, *, worker: str, comparison_id: str | None = None, wanted: Wanted = always
) -> bool:
    """Make the pages of a pair that waits, or of the named one; False where there is none for this worker."""
    with services.write() as unit:
        taken = office_pages.take(unit, worker=worker, comparison_id=comparison_id)
    if taken is None:
        return False

    def own() -> bool:
        # What cannot be looked up because the database is busy for a moment is taken to be wanted.
        with contextlib.suppress(ComparatorError), services.read() as connection:
            return office_pages.is_own(connection, taken.comparison_id, worker=worker)
        return True

    try:
        pair = _made(services, taken, lambda: wanted() and own())
    except Stopped:
        with services.write() as unit:
            office_pages.give_back(unit, worker=worker)
        return True
    made = any(copy.pages for label in Label for copy in pair[label].copies)
    unused: list[str] = []
    with services.write() as unit:
        if office_pages.finish(unit, taken.comparison_id, worker=worker, made=made):
            views = comparisons.get(unit, taken.comparison_id).views
            unused = [
                digest
                for label, view_id in views.items()
                for digest in outputs.replace_view(unit, view_id, pair[label], blobs=services.blobs)
            ]
            fact.refresh(unit, taken.comparison_id)
    for digest in unused:
        services.blobs.delete(digest)
    return True


async def pages_made(services: Services, comparison_id: str, *, worker: str) -> None:
    """Return once the pages of a pair are made, by this worker or another, or are not to be made."""
    left = Event()
    try:
        await asyncio.to_thread(
            ensure_made, services, comparison_id, worker=worker, wanted=lambda: not left.is_set()
        )
    finally:
        # A thread cannot be cancelled.
        left.set()


def ensure_made(services: Services, comparison_id: str, *, worker: str, wanted: Wanted = always) -> None:
    """The same without asyncio. Also return when the pages are no longer wanted."""
    while wanted():
        with services.read() as connection:
            if not office_pages.is_open(connection, comparison_id):
                return
        if not make_next(services, worker=worker, comparison_id=comparison_id, wanted=wanted):
            time.sleep(_LOOK_SECONDS)


def stop(services: Services, *, project_id: str) -> int:
    """Make no pages of what waits in a project; how many pairs these are. They are judged by their content."""
    with services.write() as unit:
        stopped = office_pages.stop(unit, project_id=project_id)
        authorise(unit, Act.JUDGE, "pages_stopped", project_id, project_id, pairs=stopped)
    return stopped


def make_again(services: Services, *, project_id: str) -> None:
    """Have pages made anew with the converter of now, of all pairs of a project.

    Judgments of the views of before stay known, but a judge is asked again.
    """
    with services.write() as unit:
        projects.get(unit, project_id)
        begun = office_pages.again(unit, comparison_list.ids(unit, ListFilter(project_id)))
        authorise(unit, Act.JUDGE, "pages_made_again", project_id, project_id, pairs=begun)


def progress(services: Services) -> dict[str, PageCounts]:
    """By project, how many pairs with Office files wait, have pages, or are shown by their text."""
    with services.read() as connection:
        return office_pages.counts(connection)


def _made(services: Services, taken: TakenPair, wanted: Wanted) -> PerOutput[BuiltView]:
    job = PrintJob.model_validate(taken.files)
    with services.read() as connection:

        def as_read(view_id: str) -> BuiltView:
            """A stored view as it was before any pages were made."""
            view = outputs.load_view(connection, view_id, blobs=services.blobs)
            files = tuple(file.copy_with(printed=None) for file in view.files)
            return BuiltView(view=view.copy_with(files=files), copies=outputs.copies_of(connection, view_id))

        pair = comparisons.get(connection, taken.comparison_id).views.map(as_read)
    if services.printer is None:
        return by_text(pair, job, NOT_SHOWN)
    if taken.tries >= MOST_TRIES:
        return by_text(pair, job, _GAVE_UP.format(tries=taken.tries))
    try:
        return printed(
            pair,
            job,
            printer=services.printer,
            blobs=services.blobs,
            budget=services.output_budget,
            wanted=wanted,
        )
    except Stopped:
        raise
    except Exception:
        log.exception("making the pages of %s failed", taken.comparison_id)
        return by_text(pair, job, _BUG)

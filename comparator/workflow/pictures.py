"""How a pair looks: its web pages are opened before it is stored, its Office files become pages later."""

import asyncio
import contextlib
import logging
import time
from collections.abc import Sequence
from threading import Event

from comparator.domain.blinding.leak_patterns import LeakPattern, patterns_for
from comparator.domain.blinding.redaction import Redaction, redact
from comparator.domain.blinding.scan import ScanText, Where, scan, suggested_redactions
from comparator.domain.errors import ComparatorError, NotFound
from comparator.domain.labels import Frozen, Label, PerOutput
from comparator.domain.pair.notes import Limitation
from comparator.domain.pair.view import Family, PageEvidence
from comparator.domain.rights import Act
from comparator.outputs.isolated.process import Stopped, Wanted, always
from comparator.outputs.pictures.evidence import add_pictures, drop_unknown, page_files, redact_page
from comparator.outputs.pictures.office.looks import (
    NOT_MADE,
    NOT_SHOWN,
    PrintJob,
    add_printed_pages,
    print_job_of,
    show_as_text,
)
from comparator.outputs.snapshot import Snapshot
from comparator.outputs.view.built import BuiltView
from comparator.store.bulk import office_pages
from comparator.store.core.sql import Connection, Unit
from comparator.store.facts import fact
from comparator.store.pairs import comparison_list, comparisons, keys, outputs
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
    return show_as_text(pair, job, line), job


def queue_print_job(services: Services, unit: Unit, comparison_id: str, job: PrintJob) -> None:
    """Have the pages made. Without a converter they are not waited for: one that comes later changes nothing."""
    waits = services.printer is not None and services.printer.converter is not None
    office_pages.add(unit, comparison_id, job.model_dump(mode="json"), waits=waits)


def make_next(
    services: Services, *, worker: str, comparison_id: str | None = None, wanted: Wanted = always
) -> bool:
    """Make the pages of a pair that waits, or of the named one; False where there is none for this worker."""
    with services.write() as unit:
        work = office_pages.take(unit, worker=worker, comparison_id=comparison_id)
    if work is None:
        return False

    def own() -> bool:
        # What cannot be looked up because the database is busy for a moment is taken to be wanted.
        with contextlib.suppress(ComparatorError), services.read() as connection:
            return office_pages.is_own(connection, work.comparison_id, worker=worker)
        return True

    try:
        pair = _make_pages(services, work, lambda: wanted() and own())
    except Stopped:
        with services.write() as unit:
            office_pages.give_back(unit, worker=worker)
        return True
    has_pages = any(copy.pages for label in Label for copy in pair[label].copies)
    unused: list[str] = []
    with services.write() as unit:
        if office_pages.finish(unit, work.comparison_id, worker=worker, succeeded=has_pages):
            views = comparisons.get(unit, work.comparison_id).views
            unused = [
                digest
                for label, view_id in views.items()
                for digest in outputs.replace_view(unit, view_id, pair[label], blobs=services.blobs)
            ]
            fact.refresh(unit, work.comparison_id)
    with services.write() as unit:
        for digest in outputs.unused(unit, unused):
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
        begun = office_pages.again(unit, comparison_list.ids(unit, comparison_list.ListFilter(project_id)))
        authorise(unit, Act.JUDGE, "pages_made_again", project_id, project_id, pairs=begun)


def progress(services: Services) -> dict[str, office_pages.PageCounts]:
    """By project, how many pairs with Office files wait, have pages, or are shown by their text."""
    with services.read() as connection:
        return office_pages.counts(connection)


def _make_pages(services: Services, work: office_pages.TakenPair, wanted: Wanted) -> PerOutput[BuiltView]:
    job = PrintJob.model_validate(work.files)
    with services.read() as connection:

        def as_read(view_id: str) -> BuiltView:
            """A stored view as it was before any pages were made."""
            view = outputs.load_view(connection, view_id, blobs=services.blobs)
            files = tuple(file.copy_with(printed=None) for file in view.files)
            copies = (copy.copy_with(pages=None) for copy in outputs.copies_of(connection, view_id))
            return BuiltView(view=view.copy_with(files=files), copies=tuple(copies))

        pair = comparisons.get(connection, work.comparison_id).views.map(as_read)
    if services.printer is None:
        return show_as_text(pair, job, NOT_SHOWN)
    if work.tries >= MOST_TRIES:
        return show_as_text(pair, job, _GAVE_UP.format(tries=work.tries))
    try:
        return add_printed_pages(
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
        log.exception("making the pages of %s failed", work.comparison_id)
        return show_as_text(pair, job, _BUG)


def with_pictures(
    services: Services,
    pair: PerOutput[BuiltView],
    *,
    candidates: PerOutput[str],
    redactions: Sequence[Redaction],
) -> PerOutput[BuiltView]:
    """The pair with what a user sees of its web pages, as far as they can be opened here."""
    if services.album is None:
        return pair
    names = patterns_for([candidates.A, candidates.B])
    decided = {redaction.pattern for redaction in redactions}

    def blinded(evidence: PageEvidence) -> PageEvidence:
        # A script may put a name together that stands nowhere in the files, so that nobody has decided on it.
        lines = (*evidence.errors, *evidence.not_loaded, evidence.problem, evidence.written)
        more = [r for r in _suggested(names, lines) if r.pattern not in decided]
        return redact_page(evidence, (*redactions, *more))

    return add_pictures(
        pair,
        blobs=services.blobs,
        open_page=services.album.evidence,
        blinded=blinded,
        budget=services.output_budget,
    )


def digest_without_pages(services: Services, connection: Connection, view_id: str) -> str:
    """The digest that the stored view would have without pictures of its pages; empty where it was purged."""
    try:
        view = outputs.load_view(connection, view_id, blobs=services.blobs)
    except NotFound:
        return ""
    return view.without_pages().digest


class SeenPage(Frozen):
    """What a user sees of one file; `judged` where the judge was given the same."""

    evidence: PageEvidence
    judged: bool


def seen_page(services: Services, file_id: str) -> SeenPage | None:
    """What a user sees of a page: as the judge was given it, else opened now.

    None for files that are no pages, or without Chromium. Where there was none for the judge either, it is opened now.
    What is opened now has not been checked for names, so that words that the page only made up are left out. Raises
    NotFound.
    """
    with services.read() as connection:
        row = outputs.file(connection, file_id)
        view = outputs.load_view(connection, row.view_id, blobs=services.blobs)
        copies = outputs.copies_of(connection, row.view_id)
    stored = next((file.page for file in view.files if file.id == file_id), None)
    if stored is not None and not stored.no_browser:
        return SeenPage(evidence=stored, judged=True)
    if services.album is None or row.family is not Family.HTML:
        return None
    files = page_files(copies, blobs=services.blobs)
    opened = services.album.evidence(row.name, files)
    return None if opened is None else SeenPage(evidence=drop_unknown(opened, files), judged=False)


def is_pictured(services: Services, file_id: str) -> bool:
    """Whether there can be pictures of a file. Raises NotFound."""
    if services.album is None:
        return False
    with services.read() as connection:
        row = outputs.file(connection, file_id)
    return row.family is Family.HTML and row.blob is not None


def why_still(services: Services, file_id: str) -> str:
    """Why the page under this id may not run its scripts before reviewers; empty where it may. Raises NotFound."""
    with services.read() as connection:
        row = outputs.file(connection, file_id)
        shown_in = {comparison.project_id for comparison in comparisons.of_view(connection, row.view_id)}
        if not any(projects.get(connection, id).settings.live_pages for id in shown_in):
            return "Scripts are switched off in this project's settings."
        tells = Limitation.SCRIPTS_TELL.text()
        noted = any(tells in file.notes for file in outputs.list_files(connection, row.view_id))
        return tells if noted and not outputs.is_revealed(connection, row.view_id) else ""


def note_written(services: Services, file_id: str, text: str) -> None:
    """Mark the pairs of a page as ones that may reveal their candidate, if it wrote one of their candidates' names.

    It answers nothing, and the audit log says who had the page open. Raises NotFound.
    """
    with services.read() as connection:
        row = outputs.file(connection, file_id)
        if outputs.is_revealed(connection, row.view_id):
            return
        blind = [
            (comparison, patterns_for(keys.candidate_names(connection, comparison.id)))
            for comparison in comparisons.of_view(connection, row.view_id)
            if not comparison.may_reveal
        ]
    # Pages send their words every few seconds. Only a name is worth a transaction that others wait for.
    named = [pair for pair, patterns in blind if redact(text, _suggested(patterns, (text,))) != text]
    if named:
        with services.write() as unit:
            for pair in named:
                comparisons.change(unit, pair.id, may_reveal=True)
                fact.refresh(unit, pair.id)
                unit.log("name_written", pair.project_id, pair.id, file=file_id)


def _suggested(names: Sequence[LeakPattern], texts: Sequence[str]) -> tuple[Redaction, ...]:
    return suggested_redactions(scan(names, [ScanText(Where.FILE_TEXT, text) for text in texts]))

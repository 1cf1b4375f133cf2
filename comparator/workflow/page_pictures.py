"""Web pages of a pair are opened before the pair is stored, so that judge and reviewer see the same pictures."""

from __future__ import annotations

from collections.abc import Sequence

from comparator.domain.blinding.leak_patterns import LeakPattern, patterns_for
from comparator.domain.blinding.redaction import Redaction, redact
from comparator.domain.blinding.scan import ScanText, Where, scan, suggested_redactions
from comparator.domain.errors import NotFound
from comparator.domain.labels import Frozen, PerOutput
from comparator.domain.pair.notes import Limitation
from comparator.domain.pair.view import Family, PageEvidence
from comparator.outputs.pictures.camera import PageFile
from comparator.outputs.pictures.evidence import only_known_words, pictured, redacted, served_type
from comparator.outputs.view.built import BuiltView
from comparator.store.core.sql import Connection
from comparator.store.facts import fact
from comparator.store.pairs import comparisons, keys, outputs
from comparator.store.people import projects
from comparator.workflow.services import Services


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
        return redacted(evidence, (*redactions, *more))

    return pictured(
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
        rows = outputs.list_files(connection, row.view_id)
    stored = next((file.page for file in view.files if file.id == file_id), None)
    if stored is not None and not stored.no_browser:
        return SeenPage(evidence=stored, judged=True)
    if services.album is None or row.family is not Family.HTML:
        return None
    files = [
        PageFile(each.name, media_type, services.blobs.get(each.blob))
        for each in rows
        if each.blob is not None
        and (media_type := served_type(each.name, each.family, each.media_type or "")) is not None
    ]
    opened = services.album.evidence(row.name, files)
    return None if opened is None else SeenPage(evidence=only_known_words(opened, files), judged=False)


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
        shown_in = {each.project_id for each in comparisons.of_view(connection, row.view_id)}
        if not any(projects.get(connection, id).settings.live_pages for id in shown_in):
            return "Scripts are switched off in this project's settings."
        tells = Limitation.SCRIPTS_TELL.text()
        noted = any(tells in each.notes for each in outputs.list_files(connection, row.view_id))
        return tells if noted and not outputs.is_revealed(connection, row.view_id) else ""


def note_written(services: Services, file_id: str, text: str) -> None:
    """Mark the pairs of a page as ones that may reveal their candidate, if it wrote one of their candidates' names.

    It answers nothing, so nobody can find the names out by asking. Raises NotFound.
    """
    with services.read() as connection:
        row = outputs.file(connection, file_id)
        if outputs.is_revealed(connection, row.view_id):
            return
        names = {
            comparison.id: patterns_for(keys.candidate_names(connection, comparison.id))
            for comparison in comparisons.of_view(connection, row.view_id)
            if not comparison.may_reveal
        }
    # Pages send their words every few seconds. Only a name is worth a transaction that others wait for.
    named = [id for id, patterns in names.items() if redact(text, _suggested(patterns, (text,))) != text]
    if named:
        with services.write() as unit:
            for comparison_id in named:
                comparisons.change(unit, comparison_id, may_reveal=True)
                fact.refresh(unit, comparison_id)


def _suggested(names: Sequence[LeakPattern], texts: Sequence[str]) -> tuple[Redaction, ...]:
    return suggested_redactions(scan(names, [ScanText(Where.FILE_TEXT, text) for text in texts]))

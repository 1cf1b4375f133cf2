"""Both outputs' Office files are printed alike: all of them or none, and as many pages of one as of the other."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from comparator.domain.blinding.redaction import Redaction
from comparator.domain.labels import Frozen, Label, PerOutput
from comparator.domain.pair.notes import Limitation
from comparator.domain.pair.view import PrintedPages
from comparator.outputs.families import LAID_OUT
from comparator.outputs.isolated.messages import Pages
from comparator.outputs.isolated.process import Wanted, always
from comparator.outputs.limits import OutputBudget
from comparator.outputs.pictures.office.printer import NotConverted, Printer
from comparator.outputs.snapshot import Blobs, Snapshot
from comparator.outputs.view.build import names_of
from comparator.outputs.view.built import BuiltView
from comparator.outputs.view.redacting import Redactor

NOT_SHOWN = "Layout, charts and fonts are not shown: install LibreOffice."
NOT_MADE = "Layout, charts and fonts are not shown: the pages of this file are not made yet."
_TEXT_ONLY = "Office files are shown by their text on both sides, without layout, charts and fonts: {reason}"
_FAILED = "one of them cannot be printed. {reason}"


class PrintedFile(Frozen):
    """An Office file of a pair: its id in the view, its own name, and the digest of the original."""

    label: Label
    file_id: str
    name: str
    original: str


class PrintJob(Frozen):
    """What pages are made of: the Office files of both outputs that could be read, and the words to be replaced."""

    files: tuple[PrintedFile, ...]
    rules: PerOutput[dict[str, Any]]

    @property
    def mirrored(self) -> PrintJob:
        """The same with A and B exchanged."""
        files = tuple(file.copy_with(label=file.label.other) for file in self.files)
        return PrintJob(files=files, rules=self.rules.mirrored)


def print_job_of(
    pair: PerOutput[BuiltView], snapshots: PerOutput[Snapshot], *, redactions: Sequence[Redaction]
) -> PrintJob | None:
    """What pages of a pair are made of; None where it has no Office file that could be read."""
    files: list[PrintedFile] = []
    names = dict(zip(Label, names_of([snapshots.A, snapshots.B], redactions), strict=True))
    for label in Label:
        originals = {names[label].of(artifact.path): artifact for artifact in snapshots[label].artifacts}
        read = {copy.file_id for copy in pair[label].copies}
        files += [
            PrintedFile(label=label, file_id=file.id, name=own.path, original=own.sha256)
            for file in pair[label].view.files
            if file.family in LAID_OUT and file.id in read and (own := originals.get(file.name))
        ]
    a, b = (Redactor(redactions, own).rules for own in names.values())
    return PrintJob(files=tuple(files), rules=PerOutput[dict[str, Any]](A=a, B=b)) if files else None


def show_as_text(pair: PerOutput[BuiltView], job: PrintJob, line: str) -> PerOutput[BuiltView]:
    """The pair without pages, and for all of its Office files a line that says why."""
    # What their looks are is not known: only the same bytes are the same file.
    return _add(
        pair,
        {file.file_id: PrintedPages(lines=(line,)) for file in job.files},
        {file.file_id: {"looks": file.original} for file in job.files},
    )


def add_printed_pages(
    pair: PerOutput[BuiltView],
    job: PrintJob,
    *,
    printer: Printer,
    blobs: Blobs,
    budget: OutputBudget,
    wanted: Wanted = always,
) -> PerOutput[BuiltView]:
    """The pair with the pages of its Office files, or for all of them a line that says why there are none.

    Raises Stopped once the pages are not `wanted` any more.
    """
    if printer.converter is None:
        return show_as_text(pair, job, NOT_SHOWN)
    redactors = job.rules.map(Redactor.of)

    def look(file: PrintedFile) -> Pages | str:
        try:
            return printer.pages(file.name, blobs.get(file.original), redactors[file.label], wanted=wanted)
        except NotConverted as error:
            return _FAILED.format(reason=error)

    with ThreadPoolExecutor(2, thread_name_prefix="pages") as pool:
        results = dict(zip((file.file_id for file in job.files), pool.map(look, job.files), strict=True))
    # The same sentence whichever side it comes from: sorted, so that swapping the sides changes nothing.
    if reasons := sorted(result for result in results.values() if isinstance(result, str)):
        return show_as_text(pair, job, _TEXT_ONLY.format(reason=reasons[0]))
    pages_by_id = {id: pages for id, pages in results.items() if isinstance(pages, Pages)}
    copies = {
        id: {
            "pages": blobs.put(pages.document),
            "pages_size": len(pages.document),
            "looks": hashlib.sha256(pages.document).hexdigest(),
        }
        for id, pages in pages_by_id.items()
    }
    depth = max((image.page for pages in pages_by_id.values() for image in pages.images), default=0)
    while True:
        attempt = _add(pair, {id: _pages(pages, depth) for id, pages in pages_by_id.items()}, copies)
        if not depth or all(side.view.images <= budget.images for _, side in attempt.items()):
            return attempt
        depth -= 1


def _add(
    pair: PerOutput[BuiltView], printed: Mapping[str, PrintedPages], copies: Mapping[str, Mapping[str, Any]]
) -> PerOutput[BuiltView]:
    """The pair with what is said of how files print, and of their copies, by the files' ids."""

    def side(built: BuiltView) -> BuiltView:
        files = tuple(file.copy_with(printed=printed.get(file.id, file.printed)) for file in built.view.files)
        about = {
            "view": built.view.copy_with(files=files),
            "copies": tuple(copy.model_copy(update=copies.get(copy.file_id, {})) for copy in built.copies),
        }
        return built.model_copy(update=about)

    return pair.map(side)


def _pages(pages: Pages, depth: int) -> PrintedPages:
    images = tuple(image.block for image in pages.images if image.page <= depth)
    lines = list(pages.notes)
    if hidden := sorted({image.block.caption for image in pages.images if "(hidden)" in image.block.caption}):
        lines.append(f"Hidden in the file, and shown all the same: {', '.join(hidden)}.")
    if not depth:
        lines.append(Limitation.PAGES_NOT_PICTURED.text())
    elif pages.total > depth:
        lines.append(Limitation.FIRST_PAGES_PICTURED.text(pictured=depth, total=pages.total))
    whole = 0 < pages.total <= depth and bool(images)
    return PrintedPages(pages=images, total=pages.total, lines=tuple(lines), whole=whole)

"""Both outputs' Office files are printed alike: all of them or none, and as many pages of one as of the other."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol

from comparator.domain.blinding.redaction import Redaction
from comparator.domain.labels import Frozen, Label, PerOutput
from comparator.domain.pair.notes import NoteKind
from comparator.domain.pair.view import ImageBlock, OutputView, PrintedPages, ViewedFile
from comparator.outputs.isolated.process import Wanted, always
from comparator.outputs.limits import OutputBudget
from comparator.outputs.pictures.office.converter import Converter, NotConverted
from comparator.outputs.pictures.office.printer import Pages
from comparator.outputs.snapshot.take import Blobs, Snapshot
from comparator.outputs.view.blinding.redacting import Redactor
from comparator.outputs.view.build import LAID_OUT, names_of
from comparator.outputs.view.built import BlindedCopy, BuiltView

NOT_SHOWN = "Layout, charts and fonts are not shown: install LibreOffice."
NOT_MADE = "Layout, charts and fonts are not shown: the pages of this file are not made yet."
_TEXT_ONLY = "Office files are shown by their text on both sides, without layout, charts and fonts: {reason}"
_FAILED = "one of them cannot be printed. {reason}"


class MakesPages(Protocol):
    """Where pages come from."""

    @property
    def converter(self) -> Converter | None:
        """The converter; None where there is none."""

    def pages(self, name: str, data: bytes, redactor: Redactor, *, wanted: Wanted) -> Pages:
        """The pages of a document. Raises NotConverted, or Stopped once not `wanted`."""


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
        files = tuple(each.model_copy(update={"label": each.label.other}) for each in self.files)
        return PrintJob(files=files, rules=self.rules.mirrored)


def print_job_of(
    pair: PerOutput[BuiltView], snapshots: PerOutput[Snapshot], *, redactions: Sequence[Redaction]
) -> PrintJob | None:
    """What pages of a pair are made of; None where it has no Office file that could be read."""
    files: list[PrintedFile] = []
    names = dict(zip(Label, names_of([snapshots[label] for label in Label], redactions), strict=True))
    for label in Label:
        originals = {names[label].of(artifact.path): artifact for artifact in snapshots[label].artifacts}
        read = {copy.file_id for copy in pair[label].copies}
        files += [
            PrintedFile(
                label=label,
                file_id=file.id,
                name=originals[file.name].path,
                original=originals[file.name].sha256,
            )
            for file in pair[label].view.files
            if file.family in LAID_OUT and file.id in read and file.name in originals
        ]
    if not files:
        return None
    rules = {label: Redactor(redactions, names[label]).rules for label in Label}
    return PrintJob(files=tuple(files), rules=PerOutput[dict[str, Any]](A=rules[Label.A], B=rules[Label.B]))


def by_text(pair: PerOutput[BuiltView], job: PrintJob, line: str) -> PerOutput[BuiltView]:
    """The pair without pages, and for all of its Office files a line that says why."""
    originals = {each.file_id: each.original for each in job.files}

    def side(built: BuiltView) -> BuiltView:
        files = [
            file.model_copy(update={"printed": PrintedPages(lines=(line,))}) if file.id in originals else file
            for file in built.view.files
        ]
        # What their looks are is not known: only the same bytes are the same file.
        copies = [
            copy.model_copy(update={"looks": originals.get(copy.file_id, copy.looks)})
            for copy in built.copies
        ]
        return _with(built, files, copies)

    return pair.map(side)


def printed(
    pair: PerOutput[BuiltView],
    job: PrintJob,
    *,
    printer: MakesPages,
    blobs: Blobs,
    budget: OutputBudget,
    wanted: Wanted = always,
) -> PerOutput[BuiltView]:
    """The pair with the pages of its Office files, or for all of them a line that says why there are none.

    Raises Stopped once the pages are not `wanted` any more.
    """
    if printer.converter is None:
        return by_text(pair, job, NOT_SHOWN)
    redactors = job.rules.map(Redactor.of)

    def made(file: PrintedFile) -> Pages | str:
        try:
            return printer.pages(file.name, blobs.get(file.original), redactors[file.label], wanted=wanted)
        except NotConverted as error:
            return _FAILED.format(reason=error)

    with ThreadPoolExecutor(2, thread_name_prefix="pages") as pool:
        results = list(pool.map(made, job.files))
    # The same sentence whichever side it comes from: sorted, so that swapping the sides changes nothing.
    if reasons := sorted(each for each in results if isinstance(each, str)):
        return by_text(pair, job, _TEXT_ONLY.format(reason=reasons[0]))
    taken = {
        file.file_id: each for file, each in zip(job.files, results, strict=True) if isinstance(each, Pages)
    }
    most = max((image.page for pages in taken.values() for image in pages.images), default=0)
    fits = (
        depth
        for depth in range(most, 0, -1)
        if all(_images(side.view, taken, depth) <= budget.images for _, side in pair.items())
    )
    depth = next(fits, 0)

    def side(built: BuiltView) -> BuiltView:
        files = [
            file.model_copy(update={"printed": _printed(taken[file.id], depth)}) if file.id in taken else file
            for file in built.view.files
        ]
        copies = []
        for copy in built.copies:
            if (pages := taken.get(copy.file_id)) is not None:
                looks = hashlib.sha256(pages.document).hexdigest()
                about = {
                    "pages": blobs.put(pages.document),
                    "pages_size": len(pages.document),
                    "looks": looks,
                }
                copy = copy.model_copy(update=about)
            copies.append(copy)
        return _with(built, files, copies)

    return pair.map(side)


def _with(built: BuiltView, files: Sequence[ViewedFile], copies: Sequence[BlindedCopy]) -> BuiltView:
    view = built.view.model_copy(update={"files": tuple(files)})
    return built.model_copy(update={"view": view, "copies": tuple(copies)})


def _images(view: OutputView, taken: dict[str, Pages], depth: int) -> int:
    total = 0
    for file in view.files:
        pages = taken.get(file.id)
        if pages is not None:
            total += sum(image.page <= depth for image in pages.images)
        if pages is None or not 0 < pages.total <= depth:
            total += len(file.images)
        if file.page is not None:
            total += sum(len(picture.tiles) for picture in file.page.pictures)
    return total


def _printed(pages: Pages, depth: int) -> PrintedPages:
    images = tuple(
        ImageBlock(media_type=image.media_type, data=image.data, caption=image.caption)  # type: ignore[arg-type] # one of two literals
        for image in pages.images
        if image.page <= depth
    )
    lines = list(pages.notes)
    if hidden := sorted({image.caption for image in pages.images if "(hidden)" in image.caption}):
        lines.append(f"Hidden in the file, and shown all the same: {', '.join(hidden)}.")
    if not depth:
        lines.append(NoteKind.PAGES_NOT_PICTURED.text())
    elif pages.total > depth:
        lines.append(NoteKind.FIRST_PAGES_PICTURED.text(pictured=depth, total=pages.total))
    whole = 0 < pages.total <= depth and bool(images)
    return PrintedPages(pages=images, total=pages.total, lines=tuple(lines), whole=whole)

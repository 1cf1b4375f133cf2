"""The files on a review's sheet, and which of them the judge cites."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from comparator.domain.labels import Label
from comparator.domain.pair.view import Family
from comparator.store.core.database import Connection
from comparator.store.pairs import originals, outputs
from comparator.store.pairs.originals import StoredOriginal
from comparator.workflow.review.review_state import ReviewState
from comparator.workflow.review.sheet import SheetFile

NEUTRAL_PICTURES = (
    "Its pages and pictures are those that were judged, with neutral words; its content is the original."
)


FileIds = dict[tuple[Label, str], str]


class FilesShown(NamedTuple):
    """The files of a sheet, and their ids by label and by the name under which they were judged."""

    files: tuple[SheetFile, ...]
    ids: FileIds


def cited(connection: Connection, state: ReviewState) -> FileIds:
    """The ids of the files that the judge quotes, by label and name."""
    passes = state.judgment.passes if state.judgment else ()
    views = {Label.A: state.comparison.view_a, Label.B: state.comparison.view_b}
    names: dict[str, set[str]] = {view: set() for view in views.values()}
    for each in passes:
        for marks in each.answer.criteria.values():
            for label, view in views.items():
                names[view].update(quote.file for quote in marks[label].quotes)
    found = outputs.ids_by_name(connection, names)
    # Two equal outputs may share one view.
    return {
        (label, name): id for label, view in views.items() for (of, name), id in found.items() if of == view
    }


def files_shown(connection: Connection, state: ReviewState) -> FilesShown:
    """All files of both outputs and of the task, in the order in which they stand on the page."""
    stood = _originals(connection, state)
    blinded = tuple(_blinded(connection, state))
    return FilesShown(
        files=tuple(_as_it_was(file, stood[file.id]) if file.id in stood else file for file in blinded),
        ids={(file.label, file.name): file.id for file in blinded if file.label is not None},
    )


def _originals(connection: Connection, state: ReviewState) -> dict[str, StoredOriginal]:
    """What stood in redacted files, by file; nothing before the reveal."""
    if not state.revealed:
        return {}
    return {
        file: found
        for view in state.comparison.view_ids
        for file, found in originals.of_view(connection, view).items()
    }


def _as_it_was(file: SheetFile, original: StoredOriginal) -> SheetFile:
    """The file under its own name, with a line where its pictures show other words than its content."""
    pictured = file.pages is not None or file.family is Family.HTML
    changed = bool(original.places) or original.blob is not None
    notes = (*file.notes, NEUTRAL_PICTURES) if pictured and changed else file.notes
    return file.model_copy(update={"name": original.name, "notes": notes})


def _blinded(connection: Connection, state: ReviewState) -> Iterator[SheetFile]:
    comparison = state.comparison
    shown: list[tuple[str | None, Label | None, str]] = [
        (comparison.view_a, Label.A, "output"),
        (comparison.view_b, Label.B, "output"),
        (comparison.input_view, None, "input"),
    ]
    if state.project.settings.show_reference:
        shown.append((comparison.reference_view, None, "reference"))
    for view_id, label, role in shown:
        if view_id is None:
            continue
        for row in outputs.list_files(connection, view_id):
            yield SheetFile(
                id=row.id,
                label=label,
                role=role,
                name=row.name,
                family=row.family,
                size=row.size,
                digest=row.digest,
                notes=row.notes,
                content=row.content or "",
                pages=row.pages,
            )

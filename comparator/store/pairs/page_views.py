"""Views that get the pages of their Office files: what they show from then on, and what they were before."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, select

from comparator.domain.labels import Frozen
from comparator.outputs.snapshot.take import Blobs
from comparator.outputs.view.built import BlindedCopy, BuiltView
from comparator.outputs.view.measures import measures_of
from comparator.store import tables
from comparator.store.core.sql import permit
from comparator.store.core.unit import Unit
from comparator.store.pairs.outputs import file_values, list_files, note_blobs


class EarlierView(Frozen):
    """What a view was before its pages were made: where its content is, and the digests of the PDFs of its files."""

    pictured: int
    digest: str
    content: str
    pages: tuple[str, ...]


_view, _view_file, _comparison = tables.view.c, tables.view_file.c, tables.comparison.c


def copies_of(connection: Connection, view_id: str) -> tuple[BlindedCopy, ...]:
    """The copies of a stored view's files, without pages."""
    return tuple(
        BlindedCopy(
            file_id=row.id,
            name=row.name,
            family=row.family,
            blob=row.blob,
            media_type=row.media_type,
            size=row.copy_size or 0,
        )
        for row in list_files(connection, view_id)
        if row.blob is not None and row.media_type is not None
    )


def replace_view(unit: Unit, view_id: str, built: BuiltView, *, blobs: Blobs) -> None:
    """Show a view with its pages from now on, its files under the ids of before; what it was is kept beside it."""
    before = unit.execute(select(tables.view).where(_view.id == view_id)).one()
    number = before.pictured or 0
    content = built.view.model_dump_json().encode()
    sizes = {(stored := blobs.put(content)): len(content)}
    sizes |= {copy.pages: copy.pages_size for copy in built.copies if copy.pages is not None}
    note_blobs(unit, sizes)
    pages = select(_view_file.pages).where(_view_file.view_id == view_id, _view_file.pages.is_not(None))
    earlier = EarlierView(
        pictured=number,
        digest=before.digest,
        content=before.content,
        pages=tuple(unit.execute(pages).scalars()),
    )
    copies = {copy.file_id: copy for copy in built.copies}
    with permit(unit.connection):
        unit.execute(
            tables.view.update()
            .where(_view.id == view_id)
            .values(
                content=stored,
                digest=built.view.digest,
                pictured=number + 1,
                measures=measures_of(built.view),
                earlier=[*before.earlier, earlier.model_dump(mode="json")],
            )
        )
        for file in (each for each in built.view.files if each.printed is not None):
            values: Mapping[str, Any] = file_values(file, copies.get(file.id))
            unit.execute(
                tables.view_file.update()
                .where(_view_file.id == file.id)
                .values(
                    {name: values[name] for name in ("digest", "content", "notes", "pages", "pages_size")}
                )
            )


def shown(connection: Connection, comparison_id: str, *, seen: int | None) -> int | None:
    """How often the outputs that a person saw had been turned into pages, as the page told, else as they are now.

    None where no pages are made of them.
    """
    query = (
        select(_view.pictured)
        .join_from(tables.comparison, tables.view, _view.id == _comparison.view_a)
        .where(_comparison.id == comparison_id)
    )
    now: int | None = connection.execute(query).scalar()
    return now if now is None or seen is None else max(0, min(seen, now))


def digests_seen(connection: Connection, view_id: str) -> dict[int, str]:
    """The digest of each thing that a view was, by how often its files had been turned into pages."""
    view = connection.execute(select(tables.view).where(_view.id == view_id)).first()
    if view is None:
        return {}
    now = {} if view.pictured is None else {int(view.pictured): str(view.digest)}
    return {each["pictured"]: each["digest"] for each in view.earlier} | now

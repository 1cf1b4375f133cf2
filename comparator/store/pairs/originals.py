"""What stood in redacted files, by place; asked for after the reveal only."""

from __future__ import annotations

import sqlalchemy as sa

from comparator.domain.labels import Frozen
from comparator.outputs.view.built import Original, OriginalWords
from comparator.store import tables
from comparator.store.core.sql import insert_many, several

_file_original = tables.file_original.c


class StoredOriginal(Frozen):
    """What stood in one file; `places` are in the text that a judge was given, `blob` is the copy where it differs."""

    file_id: str
    name: str
    places: tuple[OriginalWords, ...]
    blob: str | None
    media_type: str | None
    copy_size: int | None


def add(connection: sa.Connection, originals: tuple[Original, ...], *, view_id: str) -> None:
    """Keep what stood in the files of a view; its blobs are noted already."""
    insert_many(
        connection,
        tables.file_original,
        [
            {
                "file_id": original.file_id,
                "view_id": view_id,
                "name": original.name,
                "places": [list(place) for place in original.places],
                "blob": original.blob,
                "media_type": original.media_type,
                "copy_size": original.size,
            }
            for original in originals
        ],
    )


def of_view(connection: sa.Connection, view_id: str) -> dict[str, StoredOriginal]:
    """What stood in the redacted files of a view, by file; nothing while a comparison that shows it is not revealed."""
    if not is_revealed(connection, view_id):
        return {}
    query = sa.select(*(_file_original[name] for name in StoredOriginal.model_fields)).where(
        _file_original.view_id == view_id
    )
    return {found.file_id: found for found in several(connection, query, StoredOriginal)}


def is_revealed(connection: sa.Connection, view_id: str) -> bool:
    """Whether every comparison that shows a view is revealed."""
    comparison = tables.comparison.c
    views = (comparison.view_a, comparison.view_b, comparison.input_view, comparison.reference_view)
    query = sa.select(comparison.reveal_id).where(sa.or_(*(column == view_id for column in views)))
    reveals = connection.execute(query).scalars().all()
    return bool(reveals) and None not in reveals

"""Snapshots of outputs, and the views of them that judges and reviewers get."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from sqlalchemy import Connection, and_, or_, select

from comparator.domain.errors import NotFound
from comparator.domain.labels import Frozen
from comparator.domain.pair.view import Family, OutputView, SetAside, ViewedFile
from comparator.outputs.snapshot.take import Artifact, Blobs, RefusedMember, Snapshot
from comparator.outputs.view.built import BlindedCopy, BuiltView, Original, OriginalWords
from comparator.outputs.view.measures import measures_of
from comparator.store import tables
from comparator.store.core.sql import by_key, insert_many, select_as, several
from comparator.store.core.unit import Unit

_file_original = tables.file_original.c


class StoredOriginal(Frozen):
    """What stood in one file; `places` are in the text that a judge was given, `blob` is the copy where it differs."""

    file_id: str
    name: str
    places: tuple[OriginalWords, ...]
    blob: str | None
    media_type: str | None
    copy_size: int | None


def add_originals(connection: Connection, originals: tuple[Original, ...], *, view_id: str) -> None:
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


def originals_of(connection: Connection, view_id: str) -> dict[str, StoredOriginal]:
    """What stood in the redacted files of a view, by file; nothing while a comparison that shows it is not revealed."""
    if not is_revealed(connection, view_id):
        return {}
    query = select_as(tables.file_original, StoredOriginal).where(_file_original.view_id == view_id)
    return {found.file_id: found for found in several(connection, query, StoredOriginal)}


def is_revealed(connection: Connection, view_id: str) -> bool:
    """Whether every comparison that shows a view is revealed."""
    comparison = tables.comparison.c
    views = (comparison.view_a, comparison.view_b, comparison.input_view, comparison.reference_view)
    query = select(comparison.reveal_id).where(or_(*(column == view_id for column in views)))
    reveals = connection.execute(query).scalars().all()
    return bool(reveals) and None not in reveals


class FileRow(Frozen):
    """One file of a view as pages list and serve it; `blob` is its blinded copy, None where there is none.

    Equal digests are files that look the same. `copy_size` is that of the copy, `size` that of the original, in bytes.
    `pages` is a PDF of how an Office file prints, where there is one. Equal `content` is the same text whatever its
    layout; it is None where the layout was not compared.
    """

    id: str
    view_id: str
    position: int
    name: str
    family: Family
    size: int
    digest: str
    notes: tuple[str, ...]
    blob: str | None = None
    media_type: str | None = None
    copy_size: int | None = None
    pages: str | None = None
    pages_size: int | None = None
    content: str | None = None


class StoredView(NamedTuple):
    """Where a view's content is (a blob's digest), and the digest of what is seen."""

    content: str
    digest: str


class ViewRow(Frozen):
    """What is known of a view without its content."""

    id: str
    digest: str
    extractor: str
    redaction: str
    files: int
    size: int
    set_aside: tuple[SetAside, ...]
    notes: tuple[str, ...]
    pictured: int | None = None
    """How often its Office files were turned into pages; None where no pages are made of them."""


_snapshot, _artifact, _view, _view_file = (
    tables.snapshot.c,
    tables.artifact.c,
    tables.view.c,
    tables.view_file.c,
)

_FORMATTING = re.compile(
    r"^[ \t]{0,8}(?:#{1,6} |[-*+] |\d{1,3}[.)] |\||> |```)|\*\*[^*\n]+\*\*", re.MULTILINE
)
"""What makes a text look laid out, in the notation that outputs and their extracts are written in."""


def save_snapshot(unit: Unit, snapshot: Snapshot, *, project_id: str) -> str:
    """Keep the snapshot's tree (its bytes are in the blob store); its id. The same one in a project is kept once."""
    identity = identity_of(snapshot)
    added = unit.add_new(
        tables.snapshot,
        project_id=project_id,
        digest=snapshot.digest,
        name=snapshot.name,
        identity=identity,
        is_folder=snapshot.is_folder,
        files=len(snapshot.artifacts),
        size=snapshot.size,
        refused=snapshot.refused,
        notes=list(snapshot.notes),
    )
    query = select(_snapshot.id).where(_snapshot.project_id == project_id, _snapshot.identity == identity)
    snapshot_id = str(unit.execute(query).scalar_one())
    if added:
        note_blobs(unit, {a.sha256: a.size for a in snapshot.artifacts})
        insert_many(
            unit.connection,
            tables.artifact,
            [
                {
                    "snapshot_id": snapshot_id,
                    "position": position,
                    "path": artifact.path,
                    "blob": artifact.sha256,
                    "size": artifact.size,
                }
                for position, artifact in enumerate(snapshot.artifacts)
            ],
        )
    return snapshot_id


def save_any(unit: Unit, snapshot: Snapshot | None, *, project_id: str) -> str | None:
    """Keep the snapshot where there is one; its id, or None."""
    return None if snapshot is None else save_snapshot(unit, snapshot, project_id=project_id)


def identity_of(snapshot: Snapshot) -> str:
    """What makes two snapshots in a project one: sha256 of tree, content and name, in hexadecimal."""
    return hashlib.sha256(json.dumps([snapshot.digest, snapshot.name]).encode()).hexdigest()


def load_snapshot(connection: Connection, snapshot_id: str) -> Snapshot:
    """The snapshot. Raises NotFound where there is none, or it was purged."""
    row = connection.execute(select(tables.snapshot).where(_snapshot.id == snapshot_id)).first()
    if row is None or row.purged_at is not None:
        raise NotFound("This output is not there any more; it was purged.")
    artifacts = connection.execute(
        select(_artifact.path, _artifact.blob, _artifact.size)
        .where(_artifact.snapshot_id == snapshot_id)
        .order_by(_artifact.position)
    )
    return Snapshot(
        digest=row.digest,
        name=row.name,
        is_folder=row.is_folder,
        artifacts=tuple(Artifact(path=a.path, sha256=a.blob, size=a.size) for a in artifacts),
        refused=tuple(RefusedMember.model_validate(refused) for refused in row.refused),
        notes=tuple(row.notes),
    )


def save_view(
    unit: Unit, built: BuiltView, *, snapshot_id: str, extractor: str, redaction: str, blobs: Blobs
) -> str:
    """Keep a view (its content goes to the blob store); its new id.

    `extractor` is the version of the code that made it, `redaction` the digest of the redactions applied.
    """
    view, copies = built.view, {copy.file_id: copy for copy in built.copies}
    content = view.model_dump_json().encode()
    sizes = {(stored := blobs.put(content)): len(content)}
    sizes |= {copy.blob: copy.size for copy in built.copies}
    sizes |= {copy.pages: copy.pages_size for copy in built.copies if copy.pages is not None}
    sizes |= {each.blob: each.size or 0 for each in built.originals if each.blob is not None}
    note_blobs(unit, sizes)
    view_id = unit.new_id()
    unit.add(
        tables.view,
        id=view_id,
        digest=view.digest,
        content=stored,
        extractor=extractor,
        redaction=redaction,
        files=len(view.files),
        size=sum(file.size for file in view.files),
        characters=sum(file.characters for file in view.files),
        marks=sum(len(_FORMATTING.findall(file.text)) for file in view.files),
        set_aside=[row.model_dump(mode="json") for row in view.set_aside],
        notes=list(view.notes),
        pictured=0 if any(file.printed is not None for file in view.files) else None,
        measures=measures_of(view),
    )
    rows = [
        {"view_id": view_id, "position": position, **file_values(file, copies.get(file.id))}
        for position, file in enumerate(view.files)
    ]
    insert_many(unit.connection, tables.view_file, rows)
    add_originals(unit.connection, built.originals, view_id=view_id)
    unit.add(tables.view_source, view_id=view_id, snapshot_id=snapshot_id)
    return view_id


def file_values(file: ViewedFile, copy: BlindedCopy | None) -> dict[str, Any]:
    """The columns of one file of a view, but for the view and its position there."""
    return {
        "id": file.id,
        "name": file.name,
        "family": file.family.value,
        "size": file.size,
        "digest": _shown_digest(file, copy),
        "notes": [
            *file.notes,
            *(file.printed.lines if file.printed is not None else ()),
            *([file.page.problem] if file.page is not None and file.page.problem else ()),
        ],
        "blob": copy.blob if copy else None,
        "media_type": copy.media_type if copy else None,
        "copy_size": copy.size if copy else None,
        "pages": copy.pages if copy else None,
        "pages_size": copy.pages_size if copy and copy.pages else None,
        "content": copy.content if copy else None,
    }


def get_view(connection: Connection, view_id: str) -> ViewRow:
    """What is known of the view without its content. Raises NotFound."""
    return get_views(connection, (view_id,))[view_id]


def get_views(connection: Connection, view_ids: Collection[str]) -> dict[str, ViewRow]:
    """The same of several views, by id. Raises NotFound."""
    query = select_as(tables.view, ViewRow, _view.id.in_(sorted(view_ids)))
    found = {view.id: view for view in several(connection, query, ViewRow)}
    if len(found) != len(set(view_ids)):
        raise NotFound("There is no such view. It may have been removed.")
    return found


def load_view(connection: Connection, view_id: str, *, blobs: Blobs) -> OutputView:
    """The view as judges get it. Raises NotFound, or StoreError where its bytes are damaged."""
    return read_view(stored_views(connection, (view_id,)), view_id, blobs=blobs)


def stored_views(connection: Connection, view_ids: Collection[str]) -> dict[str, StoredView]:
    """Where the views are, by id, for reading many of them; those that were purged are left out."""
    query = select(_view.id, _view.content, _view.digest).where(
        _view.id.in_(sorted(view_ids)), _view.content.is_not(None)
    )
    return {row.id: StoredView(row.content, row.digest) for row in connection.execute(query)}


def read_view(stored: Mapping[str, StoredView], view_id: str, *, blobs: Blobs) -> OutputView:
    """The view, of those that were looked up. Raises NotFound, or StoreError where its bytes are damaged."""
    if view_id not in stored:
        raise NotFound("There is no such view. It may have been purged.")
    return OutputView.model_validate_json(blobs.get(stored[view_id].content))


def list_files(connection: Connection, view_id: str, *, most: int | None = None) -> tuple[FileRow, ...]:
    """The view's files in order, the first `most` of them where that is given."""
    query = (
        select(tables.view_file)
        .where(_view_file.view_id == view_id)
        .order_by(_view_file.position)
        .limit(most)
    )
    return several(connection, query, FileRow)


def ids_by_name(connection: Connection, wanted: Mapping[str, Collection[str]]) -> dict[tuple[str, str], str]:
    """The ids of the files of these names, by view and name; no entry for a name that a view has not."""
    asked = [
        and_(_view_file.view_id == view, _view_file.name.in_(sorted(names)))
        for view, names in wanted.items()
        if names
    ]
    if not asked:
        return {}
    query = (
        select(_view_file.view_id, _view_file.name, _view_file.id)
        .where(or_(*asked))
        .order_by(_view_file.position)
    )
    return {(row.view_id, row.name): row.id for row in connection.execute(query)}


def file(connection: Connection, file_id: str) -> FileRow:
    """One file by its random id. Raises NotFound."""
    return by_key(connection, tables.view_file, FileRow, file_id)


def snapshot_of_view(connection: Connection, view_id: str) -> str:
    """The id of the snapshot that a view was made from; never asked for a judge or a reviewer."""
    query = select(tables.view_source.c.snapshot_id).where(tables.view_source.c.view_id == view_id)
    found = connection.execute(query).scalar()
    if found is None:
        raise NotFound("There is no such view. It may have been purged.")
    return str(found)


def note_blobs(unit: Unit, sizes: dict[str, int]) -> None:
    """Note that these bytes are in the blob store."""
    for digest in sorted(sizes):
        unit.add_new(tables.blob, digest=digest, size=sizes[digest])


def _shown_digest(file: ViewedFile, copy: BlindedCopy | None) -> str:
    if copy is not None:
        return copy.shown
    shown = file.model_dump_json(include={"family", "size", "blocks"})
    return hashlib.sha256(shown.encode()).hexdigest()

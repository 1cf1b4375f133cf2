"""Snapshots of outputs, and the views of them that judges and reviewers get, before and with their pages."""

import hashlib
import json
import re
from collections.abc import Collection, Iterable
from typing import Any

from sqlalchemy import CompoundSelect, select, text, union

from comparator.domain.errors import Conflict, NotFound
from comparator.domain.pair.view import Family, OutputView, SetAside, ViewedFile
from comparator.outputs.snapshot import Artifact, Blobs, RefusedMember, Snapshot
from comparator.outputs.view.built import BlindedCopy, BuiltView, Original, measures_of
from comparator.store import tables
from comparator.store.core.sql import (
    Connection,
    Stored,
    Unit,
    delete,
    insert_many,
    permit,
    scalars,
    select_as,
    several,
)

_snapshot, _artifact, _view, _view_file, _original, _comparison = (
    tables.snapshot.c,
    tables.artifact.c,
    tables.view.c,
    tables.view_file.c,
    tables.file_original.c,
    tables.comparison.c,
)
_SHOWN = (_comparison.view_a, _comparison.view_b, _comparison.input_view, _comparison.reference_view)
_REFERENCES = (_artifact.blob, _view.content, _view_file.blob, _view_file.pages, _original.blob)
_FORMATTING = re.compile(
    r"^[ \t]{0,8}(?:#{1,6} |[-*+] |\d{1,3}[.)] |\||> |```)|\*\*[^*\n]+\*\*", re.MULTILINE
)
"""What makes a text look laid out, in the notation that outputs and their extracts are written in."""
_GONE = "There is no such view. It may have been purged."


class FileRow(Stored, table=tables.view_file):
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


class ViewRow(Stored, table=tables.view):
    """What is known of a view; `content` is where its content is (a blob's digest), None once it was purged."""

    id: str
    digest: str
    content: str | None
    set_aside: tuple[SetAside, ...]
    notes: tuple[str, ...]
    pictured: int | None = None
    """How often its Office files were turned into pages; None where no pages are made of them."""


def save_snapshot(unit: Unit, snapshot: Snapshot, *, project_id: str, blobs: Blobs) -> str:
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
        notes=snapshot.notes,
    )
    query = select(_snapshot.id).where(_snapshot.project_id == project_id, _snapshot.identity == identity)
    snapshot_id = str(unit.execute(query).scalar_one())
    if added:
        note_blobs(unit, {artifact.sha256: artifact.size for artifact in snapshot.artifacts}, blobs)
        rows = [
            {"snapshot_id": snapshot_id, "position": n, "path": a.path, "blob": a.sha256, "size": a.size}
            for n, a in enumerate(snapshot.artifacts)
        ]
        insert_many(unit, tables.artifact, rows)
    return snapshot_id


def save_any(unit: Unit, snapshot: Snapshot | None, *, project_id: str, blobs: Blobs) -> str | None:
    """Keep the snapshot where there is one; its id, or None."""
    return None if snapshot is None else save_snapshot(unit, snapshot, project_id=project_id, blobs=blobs)


def identity_of(snapshot: Snapshot) -> str:
    """What makes two snapshots in a project one: sha256 of tree, content and name, in hexadecimal."""
    return hashlib.sha256(json.dumps([snapshot.digest, snapshot.name]).encode()).hexdigest()


def load_snapshot(connection: Connection, snapshot_id: str) -> Snapshot:
    """The snapshot. Raises NotFound where there is none, or it was purged."""
    row = connection.execute(select(tables.snapshot).where(_snapshot.id == snapshot_id)).first()
    if row is None or row.purged_at is not None:
        raise NotFound("This output is not there any more; it was purged.")
    query = select(_artifact.path, _artifact.blob, _artifact.size).where(_artifact.snapshot_id == snapshot_id)
    return Snapshot(
        digest=row.digest,
        name=row.name,
        is_folder=row.is_folder,
        artifacts=tuple(
            Artifact(path=path, sha256=blob, size=size)
            for path, blob, size in connection.execute(query.order_by(_artifact.position))
        ),
        refused=tuple(map(RefusedMember.model_validate, row.refused)),
        notes=tuple(row.notes),
    )


def save_view(
    unit: Unit, built: BuiltView, *, snapshot_id: str, extractor: str, redaction: str, blobs: Blobs
) -> str:
    """Keep a view (its content goes to the blob store); its new id.

    `extractor` is the version of the code that made it, `redaction` the digest of the redactions applied.
    """
    view, copies = built.view, {copy.file_id: copy for copy in built.copies}
    view_id = unit.new_id()
    unit.add(
        tables.view,
        id=view_id,
        content=_keep_content(unit, built, blobs),
        extractor=extractor,
        redaction=redaction,
        files=len(view.files),
        size=sum(file.size for file in view.files),
        characters=sum(file.characters for file in view.files),
        marks=sum(len(_FORMATTING.findall(file.text)) for file in view.files),
        set_aside=view.set_aside,
        notes=view.notes,
        pictured=0 if any(file.printed is not None for file in view.files) else None,
        digest=view.digest,
        measures=measures_of(view),
    )
    files = [
        {"id": file.id, "view_id": view_id, "position": position, **_columns(file, copies.get(file.id))}
        for position, file in enumerate(view.files)
    ]
    insert_many(unit, tables.view_file, files)
    originals = [{**original.model_dump(), "view_id": view_id} for original in built.originals]
    insert_many(unit, tables.file_original, originals)
    unit.add(tables.view_source, view_id=view_id, snapshot_id=snapshot_id)
    return view_id


def replace_view(unit: Unit, view_id: str, built: BuiltView, *, blobs: Blobs) -> tuple[str, ...]:
    """Show a view with its pages from now on, its files under the ids of before; the blobs that nothing needs now."""
    before = unit.execute(select(_view.content, _view.pictured).where(_view.id == view_id)).one()
    old = scalars(unit, select(_view_file.pages).where(_view_file.view_id == view_id))
    stored, copies = _keep_content(unit, built, blobs), {copy.file_id: copy for copy in built.copies}
    with permit(unit):
        unit.update(
            tables.view,
            _view.id == view_id,
            content=stored,
            digest=built.view.digest,
            pictured=(before.pictured or 0) + 1,
            measures=measures_of(built.view),
        )
        for file in built.view.files:
            if file.printed is not None:
                unit.update(tables.view_file, _view_file.id == file.id, **_columns(file, copies.get(file.id)))
        return release(unit, {before.content, *old})


def copies_of(connection: Connection, view_id: str) -> tuple[BlindedCopy, ...]:
    """The copies of a stored view's files."""
    return tuple(
        BlindedCopy(
            file_id=row.id,
            name=row.name,
            family=row.family,
            blob=row.blob,
            media_type=row.media_type,
            size=row.copy_size or 0,
            pages=row.pages,
        )
        for row in list_files(connection, view_id)
        if row.blob is not None and row.media_type is not None
    )


def release(connection: Connection, digests: Collection[str | None]) -> tuple[str, ...]:
    """Forget those of the blobs that nothing refers to any more; their digests, to be deleted after the commit."""
    unused = []
    for digest in sorted(digest for digest in digests if digest is not None):
        # Not one condition with "or": each of these is a look into an index.
        referring = union(*(select(column).where(column == digest) for column in _REFERENCES))
        if connection.execute(referring).first() is None:
            delete(connection, tables.blob, tables.blob.c.digest == digest)
            unused.append(digest)
    return tuple(unused)


def _keep_content(unit: Unit, built: BuiltView, blobs: Blobs) -> str:
    """Keep what a view shows, and note the bytes that belong to it; the digest of its content."""
    content = built.view.model_dump_json().encode()
    sizes = {(stored := blobs.put(content)): len(content)}
    sizes |= {copy.blob: copy.size for copy in built.copies}
    sizes |= {copy.pages: copy.pages_size for copy in built.copies if copy.pages is not None}
    sizes |= {original.blob: original.size or 0 for original in built.originals if original.blob is not None}
    note_blobs(unit, sizes, blobs)
    return stored


def note_blobs(unit: Unit, sizes: dict[str, int], blobs: Blobs) -> None:
    """Note that these bytes are in the blob store. Raises Conflict where a purge has just removed some."""
    for digest in sorted(sizes):
        if unit.add_new(tables.blob, digest=digest, size=sizes[digest]) and not blobs.exists(digest):
            raise Conflict("Files of this output were deleted with another project just now. Try again.")


def unused(unit: Unit, digests: Collection[str]) -> tuple[str, ...]:
    """Those that are not noted again since they were released; nobody notes one before the transaction ends."""
    if unit.dialect.name == "postgresql":
        unit.execute(text("LOCK TABLE blob IN SHARE ROW EXCLUSIVE MODE"))
    noted = scalars(unit, select(tables.blob.c.digest).where(tables.blob.c.digest.in_(digests)))
    return tuple(sorted({*digests}.difference(noted)))


def _columns(file: ViewedFile, copy: BlindedCopy | None) -> dict[str, Any]:
    """The columns of one file of a view, but for its id, the view and its position there."""
    description = file.model_dump_json(include={"family", "size", "blocks"})
    return {
        "name": file.name,
        "family": file.family,
        "size": file.size,
        "digest": copy.shown_digest if copy else hashlib.sha256(description.encode()).hexdigest(),
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


get_view = ViewRow.get


def get_views(connection: Connection, view_ids: Collection[str]) -> dict[str, ViewRow]:
    """Those of the views that there are, by id."""
    return {view.id: view for view in ViewRow.all(connection, _view.id.in_(sorted(view_ids)))}


def load_view(connection: Connection, view_id: str, *, blobs: Blobs) -> OutputView:
    """The view as judges get it. Raises NotFound, or StoreError where its bytes are damaged."""
    return read_view(get_view(connection, view_id), blobs=blobs)


def read_view(view: ViewRow, *, blobs: Blobs) -> OutputView:
    """The same of a view that was looked up."""
    if view.content is None:
        raise NotFound(_GONE)
    return OutputView.model_validate_json(blobs.get(view.content))


def list_files(connection: Connection, view_id: str, *, most: int | None = None) -> tuple[FileRow, ...]:
    """The view's files in order, the first `most` of them where that is given."""
    here = () if most is None else (_view_file.position < most,)
    return FileRow.all(connection, _view_file.view_id == view_id, *here, by=[_view_file.position])


def ids_by_name(connection: Connection, view_id: str, names: Iterable[str]) -> dict[str, str]:
    """The ids of the view's files of these names, by name."""
    these = (_view_file.view_id == view_id, _view_file.name.in_(sorted(names)))
    return {file.name: file.id for file in FileRow.all(connection, *these, by=[_view_file.position])}


file = FileRow.get


def originals_of(connection: Connection, view_id: str) -> dict[str, Original]:
    """What stood in the redacted files of a view, by file; nothing while a comparison that shows it is not revealed."""
    if not is_revealed(connection, view_id):
        return {}
    query = select_as(tables.file_original, Original, _original.view_id == view_id)
    return {original.file_id: original for original in several(connection, query, Original)}


def showing(view_id: str) -> CompoundSelect[tuple[str]]:
    """The ids of the comparisons that show a view."""
    # Not one condition with "or": each of these is a look into an index.
    return union(*(select(_comparison.id).where(column == view_id) for column in _SHOWN))


def view_of(connection: Connection, id: str) -> str:
    """The view that this file belongs to; of any other id, such as that of a view, itself."""
    return connection.execute(select(_view_file.view_id).where(_view_file.id == id)).scalar() or id


def is_revealed(connection: Connection, view_id: str) -> bool:
    """Whether every comparison that shows a view is revealed."""
    reveals = scalars(connection, select(_comparison.reveal_id).where(_comparison.id.in_(showing(view_id))))
    return bool(reveals) and None not in reveals


def snapshot_of_view(connection: Connection, view_id: str) -> str:
    """The id of the snapshot that a view was made from; never asked for a judge or a reviewer."""
    source = tables.view_source.c
    snapshot_id = connection.execute(select(source.snapshot_id).where(source.view_id == view_id)).scalar()
    if snapshot_id is None:
        raise NotFound(_GONE)
    return str(snapshot_id)

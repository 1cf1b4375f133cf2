"""Backups that are made by themselves, and the proof that one can be restored."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from contextlib import closing
from datetime import datetime
from pathlib import Path

from comparator.domain.errors import InputError, StoreError
from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Database
from comparator.store.core.unit import NewId
from comparator.store.upkeep.backup import Moved, Restored, back_up, restore
from comparator.store.upkeep.integrity import damage

PATTERN = "comparator-*.tar"


def back_up_into(
    database: Database,
    blobs: BlobStore,
    folder: Path,
    *,
    keep: int,
    at: datetime,
    on_step: Callable[[str], None] = lambda _: None,
) -> tuple[Path, Moved, tuple[Path, ...]]:
    """A new archive in the folder, named by its time, and what it holds; then the oldest beyond `keep` are removed.

    Nothing is removed where the new one fails or lacks a lost file, which an older one may hold. Raises InputError
    where the folder cannot be written.
    """
    if not folder.is_dir():
        raise InputError(f"The folder {folder} does not exist. Create it, or choose another one.")
    file = folder / f"comparator-{at:%Y%m%dT%H%M%SZ}.tar"
    moved = back_up(database, blobs, file, at=at, on_step=on_step)
    # Names sort as times do.
    old = () if moved.lost else tuple(sorted(folder.glob(PATTERN))[:-keep])
    for each in old:
        each.unlink(missing_ok=True)
    return file, moved, old


def try_restoring(
    file: Path, *, new_id: NewId, at: datetime, on_step: Callable[[str], None] = lambda _: None
) -> Restored:
    """Restore the archive into a database and a folder that are removed again; what came back.

    Every row and file is checked against the archive, and the restored database for damage. Raises InputError,
    StoreError.
    """
    with tempfile.TemporaryDirectory(prefix="comparator-restore-") as place:
        target = Path(place)
        with closing(Database.open(f"sqlite:///{target / 'comparator.db'}")) as database:
            restored = restore(
                database, BlobStore.at(str(target / "blobs")), file, new_id=new_id, at=at, on_step=on_step
            )
            on_step("Looking for damage")
            if found := damage(database):
                raise StoreError(
                    f"{file} restores to a damaged database: {'; '.join(found)}. Take another one."
                )
            return restored

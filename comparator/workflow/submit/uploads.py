"""Uploaded experiments, unpacked on this machine for as long as somebody looks at them."""

import errno
import os
import shutil
from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

from comparator.outputs.snapshot import Given, RefusedMember, snapshot_uploaded_folder
from comparator.store.core.blobs import whole_file
from comparator.workflow.services import Services
from comparator.workflow.submit.intake import read_output

UPLOADS_KEPT = timedelta(days=1)
"""How long an uploaded experiment stays unpacked after it was last looked at; what was imported of it is kept apart."""
_LONGEST_NAME = 200
"""In bytes; file systems allow 255."""
_NO_SUCH_NAME = (errno.ENAMETOOLONG, errno.EEXIST, errno.ENOTDIR, errno.EISDIR)
"""What the system says to a name that is too long, or that a file and a folder share."""


class Unpacked(NamedTuple):
    """An upload as it lies on this machine, and what of it was not read."""

    path: Path
    refused: tuple[RefusedMember, ...]


def place_of_folder(services: Services, uploads: Sequence[Given]) -> Unpacked:
    """An uploaded folder, file, or what an uploaded archive holds, on this machine under its hash and its name.

    Those that nobody looked at for a day are removed. Raises OutputRefused or LimitExceeded as for an output.
    """
    if len(uploads) == 1 and "/" not in uploads[0].name:
        snapshot = read_output(services, tuple(uploads))
        # Where an archive lies tells which one it was.
        name = Path(snapshot.name).stem
    else:
        snapshot = snapshot_uploaded_folder(uploads, blobs=services.blobs, limits=services.limits)
        name = snapshot.name
    home = unpacked = _uploads(services) / snapshot.digest[:32]
    _remove_old(services, besides=unpacked)
    if snapshot.is_folder:
        home /= name.encode()[:_LONGEST_NAME].decode(errors="ignore")
    home.mkdir(parents=True, exist_ok=True)
    _touch(services, home)
    refused = list(snapshot.refused)
    for artifact in snapshot.artifacts:
        place = home / artifact.path
        try:
            if not place.is_file():
                place.parent.mkdir(parents=True, exist_ok=True)
                # Whole or not at all: what is there is taken for complete the next time.
                with whole_file(place) as partial:
                    partial.write_bytes(services.blobs.get(artifact.sha256))
        except OSError as error:
            if error.errno not in _NO_SUCH_NAME:
                raise
            refused.append(RefusedMember(path=artifact.path, reason="no file can have this name here"))
    return Unpacked(home if snapshot.is_folder else home / snapshot.artifacts[0].path, tuple(refused))


def is_there_still(services: Services, path: Path) -> bool:
    """Whether an upload still lies at the path; it is kept for longer then."""
    with suppress(OSError):
        _touch(services, path)
    return path.exists()


def origin_of(services: Services, address: str) -> str:
    """The address by which a run is known again: its own, or for an upload its place in the file of that name."""
    unpacked = f"{_uploads(services)}{os.sep}"
    if not address.startswith(unpacked):
        return address
    return f"uploaded {address.removeprefix(unpacked).partition(os.sep)[2]}"


def _uploads(services: Services) -> Path:
    return services.settings.home.absolute() / "cache" / "imports"


def _touch(services: Services, path: Path) -> None:
    uploads, now = _uploads(services), services.now().timestamp()
    os.utime(uploads / path.relative_to(uploads).parts[0], (now, now))


def _remove_old(services: Services, *, besides: Path) -> None:
    """Remove what nobody has looked at for a day."""
    oldest = services.now().timestamp() - UPLOADS_KEPT.total_seconds()
    for folder in set(besides.parent.glob("*")) - {besides}:
        # Another process may be removing the same one.
        with suppress(OSError):
            if folder.stat().st_mtime < oldest:
                shutil.rmtree(folder, ignore_errors=True)

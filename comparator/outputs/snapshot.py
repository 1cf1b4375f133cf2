"""An output as an immutable copy: its tree, and its bytes in the blob store."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from comparator.domain.labels import Frozen
from comparator.outputs.blobs import Blobs
from comparator.outputs.limits import Limits


class Artifact(Frozen):
    """One file of an output; `path` is relative, with forward slashes; `size` in bytes."""

    path: str
    sha256: str
    size: int


class Refused(Frozen):
    """A member that was not read, and why, in a plain sentence."""

    path: str
    reason: str


class Snapshot(Frozen):
    """One output. `digest` identifies tree and content; `name` is what it was called where it came from."""

    digest: str
    name: str
    is_folder: bool
    artifacts: tuple[Artifact, ...]
    refused: tuple[Refused, ...] = ()
    notes: tuple[str, ...] = ()


class Upload(NamedTuple):
    """A file that was uploaded; the name may carry folders."""

    name: str
    data: bytes


def snapshot_path(path: Path, *, blobs: Blobs, limits: Limits) -> Snapshot:
    """A file or folder on this machine as it is now; an archive given alone is unpacked.

    Raises OutputRefused if nothing of it can be read, LimitExceeded if it is too large; nothing is stored then.
    """
    raise NotImplementedError


def snapshot_uploads(files: Sequence[Upload], *, blobs: Blobs, limits: Limits) -> Snapshot:
    """Uploaded files as one output; an archive given alone is unpacked.

    Raises OutputRefused if nothing of it can be read, LimitExceeded if it is too large; nothing is stored then.
    """
    raise NotImplementedError


def digest_of(is_folder: bool, artifacts: Sequence[Artifact], refused: Sequence[Refused]) -> str:
    """sha256 over the tree, in hexadecimal; the name it came under does not count."""
    tree = [is_folder, [[a.path, a.sha256, a.size] for a in artifacts], [[r.path, r.reason] for r in refused]]
    return hashlib.sha256(json.dumps(tree, ensure_ascii=False).encode()).hexdigest()

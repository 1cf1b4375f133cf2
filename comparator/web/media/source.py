"""What the routes of outputs need to know of a blinded copy, and where they find it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Protocol

from comparator.domain.pair.view import Family
from comparator.outputs.tables.store import MEDIA_TYPE

PREFIX = "/outputs"
"""Where outputs are served. Streamlit keeps `/media` for itself."""


@dataclass(frozen=True, slots=True)
class MediaFile:
    """A blinded copy as the server needs it; `blob` is the sha256 of its bytes and `name` its neutral name."""

    name: str
    family: Family
    media_type: str
    blob: str
    size: int


class MediaSource(Protocol):
    """Where the server finds blinded copies. Called from several threads."""

    def file(self, file_id: str) -> MediaFile | None:
        """The blinded copy under this id, or None."""

    def handed_in(self, file_id: str) -> MediaFile | None:
        """The file itself, once it is revealed; None before."""

    def uncopied(self, file_id: str) -> str | None:
        """Why there is no copy of the file under this id; None where there is one, or no such file."""

    def blob(self, digest: str) -> bytes:
        """Its bytes."""

    def why_still(self, file_id: str) -> str:
        """Why the page under this id may not run its scripts; empty where it may."""

    def written(self, file_id: str, text: str) -> None:
        """Take note of the words that a page with scripts shows."""

    def sibling(self, file_id: str, path: str) -> str | None:
        """The id of the file at `path`, relative to this file, in the same output; None where there is none."""

    def pictures(self, file_id: str) -> dict[str, str]:
        """The ids of all pictures of the output that the file belongs to, by their paths."""


def download_name(file: MediaFile) -> str:
    """The neutral file name of a download, with an ending that says what the blinded copy holds.

    >>> download_name(MediaFile("out/budget.xlsx", Family.XLSX, MEDIA_TYPE, "0" * 64, 10))
    'budget.xlsx.csv'
    """
    name = PurePosixPath(file.name.replace("\\", "/")).name or "output"
    endings = {
        MEDIA_TYPE: (".csv",),
        "application/pdf": (".pdf",),
        "image/jpeg": (".jpg", ".jpeg"),
        "image/png": (".png",),
        "image/svg+xml": (".svg",),
        "text/html": (".html", ".htm", ".xhtml"),
    }.get(file.media_type, ())
    if endings and not name.lower().endswith(endings):
        return name + endings[0]
    if file.media_type == "text/plain" and file.family in (Family.PDF, Family.ARCHIVE):
        return name + ".txt"
    if file.media_type == "text/plain" and file.family is Family.NOTEBOOK:
        return name + ".md"
    return name

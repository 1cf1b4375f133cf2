"""Serves a folder of pairs with the app's own server: `previews_server.py FOLDER PORT`."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

from comparator.domain.view import Family, PageEvidence
from comparator.outputs.pictures.camera import PageFile
from comparator.ui.media import MediaFile
from comparator.ui.server import serve


class Pairs:
    """A MediaSource over the folder, whose files are named `p<number>-<label>-<name>`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._names = {hashlib.sha256(path.name.encode()).hexdigest(): path.name for path in folder.iterdir()}

    def file(self, file_id: str) -> MediaFile | None:
        """The file of this name, or None."""
        digest = hashlib.sha256(file_id.encode()).hexdigest()
        if digest not in self._names:
            return None
        family, kind = (
            (Family.PDF, "application/pdf") if file_id.endswith("pdf") else (Family.TEXT, "text/plain")
        )
        return MediaFile(file_id, family, kind, digest, (self._folder / file_id).stat().st_size)

    def blob(self, digest: str) -> bytes:
        """Its bytes."""
        return (self._folder / self._names[digest]).read_bytes()

    def open(self, digest: str) -> BinaryIO:
        """Its bytes as a stream."""
        return (self._folder / self._names[digest]).open("rb")

    def photograph(self, _page: str, _files: Sequence[PageFile]) -> PageEvidence | None:
        """No pictures of pages here."""
        return None

    def has_browser(self) -> bool:
        """No browser here."""
        return False

    def sibling(self, _file_id: str, _path: str) -> str | None:
        """Nothing lies beside these."""
        return None


if __name__ == "__main__":
    os.environ["BENCH_PREVIEWS"] = sys.argv[1]
    page = Path(__file__).with_name("previews_page.py")
    serve(page, host="127.0.0.1", port=int(sys.argv[2]), media=Pairs(Path(sys.argv[1])))

"""Serves one folder of files as outputs, with the app's own server: `panes_server.py FOLDER PORT`.

The folder's `manifest.json` is a list of sets: `{"name": [{"id", "label", "role", "name", "family", "media_type"}]}`;
the bytes of a file stand beside it under its id.
"""

from __future__ import annotations

import hashlib
import json
import os
import posixpath
import sys
from pathlib import Path
from typing import Any, BinaryIO

from comparator.domain.pair.view import Family
from comparator.outputs.pictures.camera import Album
from comparator.web.media.source import MediaFile
from comparator.web.server import create_app, serve, server_options


class FolderMedia:
    """A MediaSource over the folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._album = Album(folder / "album")
        sets: dict[str, list[dict[str, Any]]] = json.loads((folder / "manifest.json").read_text("utf-8"))
        self._rows = {row["id"]: (name, row) for name, rows in sets.items() for row in rows}
        self._digests: dict[str, str] = {self._digest(file_id): file_id for file_id in self._rows}

    def file(self, file_id: str) -> MediaFile | None:
        found = self._rows.get(file_id)
        if found is None:
            return None
        row = found[1]
        data = (self._folder / file_id).read_bytes()
        return MediaFile(
            row["name"], Family(row["family"]), row["media_type"], self._digest(file_id), len(data)
        )

    def handed_in(self, file_id: str) -> MediaFile | None:
        return None

    def uncopied(self, file_id: str) -> str | None:
        return None

    def blob(self, digest: str) -> bytes:
        return (self._folder / self._digests[digest]).read_bytes()

    def open(self, digest: str) -> BinaryIO:
        return (self._folder / self._digests[digest]).open("rb")

    def why_still(self, file_id: str) -> str:
        return ""

    def written(self, file_id: str, text: str) -> None:
        pass

    def pictures(self, file_id: str) -> dict[str, str]:
        return {}

    def sibling(self, file_id: str, path: str) -> str | None:
        group, row = self._rows[file_id]
        wanted = posixpath.normpath(posixpath.join(posixpath.dirname(row["name"]), path))
        for other_id, (other_group, other) in self._rows.items():
            if other_group == group and other["label"] == row["label"] and other["name"] == wanted:
                return str(other_id)
        return None

    def _digest(self, file_id: str) -> str:
        # Nothing changes here, so the id will do.
        return hashlib.sha256(file_id.encode()).hexdigest()


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    os.environ["PANES_FOLDER"] = str(folder)
    script = Path(__file__).with_name("panes_app.py")
    serve(
        create_app(script, media=FolderMedia(folder)),
        options=server_options(script, host="127.0.0.1", port=int(sys.argv[2])),
    )

"""Serves one folder of files as outputs, with the app's own server: `panes_server.py FOLDER PORT`.

The folder's `manifest.json` is a list of sets: `{"name": [{"id", "label", "role", "name", "family", "media_type"}]}`;
the bytes of a file stand beside it under its id.
"""

import json
import os
import posixpath
import sys
from pathlib import Path
from typing import Any

from comparator.domain.pair.view import Family
from comparator.web.server import create_app, serve
from tests.worlds.media import Media


class FolderMedia(Media):
    """A StoredMedia over the folder, whose files find each other within their output."""

    def __init__(self, folder: Path) -> None:
        sets: dict[str, list[dict[str, Any]]] = json.loads((folder / "manifest.json").read_text("utf-8"))
        self._rows = {row["id"]: (name, row) for name, rows in sets.items() for row in rows}
        super().__init__(
            {
                id: (row["name"], Family(row["family"]), row["media_type"], (folder / id).read_bytes())
                for id, (_, row) in self._rows.items()
            }
        )

    def sibling(self, file_id: str, path: str) -> str | None:
        group, row = self._rows[file_id]
        wanted = posixpath.normpath(posixpath.join(posixpath.dirname(row["name"]), path))
        for other_id, (other_group, other) in self._rows.items():
            if other_group == group and other["label"] == row["label"] and other["name"] == wanted:
                return str(other_id)
        return None


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    os.environ["PANES_FOLDER"] = str(folder)
    script = Path(__file__).with_name("panes_app.py")
    app, port = create_app(script, media=FolderMedia(folder)), int(sys.argv[2])
    serve(app, script, host="127.0.0.1", port=port)

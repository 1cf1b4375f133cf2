"""Databases that an older version left, with what it exported from them."""

from __future__ import annotations

import json
import lzma
import sqlite3
import tarfile
from io import BytesIO
from pathlib import Path
from typing import Any

import psycopg

STORED = Path(__file__).parents[1] / "integration" / "store" / "stored"


def expected(revision: str) -> dict[str, Any]:
    """What the older version said of it: `counts` of rows by table, `results` by comparison, and ids."""
    found: dict[str, Any] = json.loads(lzma.decompress((STORED / revision / "expected.json.xz").read_bytes()))
    return found


def changed_by_design(revision: str) -> dict[str, dict[str, Any]]:
    """Which of those verdicts go out otherwise by now: whether a person finalised it, and why, by comparison."""
    found: dict[str, dict[str, Any]] = json.loads((STORED / revision / "changed.json").read_text("utf-8"))
    return found


def lay_out(revision: str, *, url: str, folder: Path) -> Path:
    """Fill the empty database at the address as the older version left it; the folder of its blobs."""
    if url.startswith("sqlite"):
        path = Path(url.removeprefix("sqlite:///"))
        path.parent.mkdir(parents=True, exist_ok=True)
        with sqlite3.connect(path) as connection:
            connection.executescript(_text(revision, "sqlite"))
        connection.close()
    else:
        with psycopg.connect(url.replace("+psycopg", ""), autocommit=True) as server:
            server.execute(_text(revision, "postgresql").encode())
    with tarfile.open(
        fileobj=BytesIO(lzma.decompress((STORED / revision / "blobs.tar.xz").read_bytes()))
    ) as tar:
        tar.extractall(folder, filter="data")
    return folder / "blobs"


def _text(revision: str, kind: str) -> str:
    return lzma.decompress((STORED / revision / f"{kind}.sql.xz").read_bytes()).decode()

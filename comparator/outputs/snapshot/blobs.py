"""What reading outputs asks of the place where bytes are kept."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO, Protocol


class Blobs(Protocol):
    """Bytes under their own sha256 (64 hexadecimal digits); the same bytes are kept once."""

    def put(self, data: bytes) -> str:
        """Keep bytes; their digest."""

    def put_file(self, path: Path) -> str:
        """Keep a file's bytes; their digest."""

    def get(self, digest: str) -> bytes:
        """All bytes of one blob. Raises NotFound."""

    def exists(self, digest: str) -> bool:
        """Whether the blob is kept."""

    def open(self, digest: str) -> BinaryIO:
        """A blob for reading from its start. Raises NotFound."""

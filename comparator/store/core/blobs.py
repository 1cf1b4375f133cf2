"""Bytes by their sha256: a local folder, or a bucket by URL."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, cast

import fsspec

from comparator.domain.errors import ComparatorError, NotFound, StoreError
from comparator.settings import without_secrets

PURGED = "These bytes are not in the blob store. They may have been purged."


class BlobStore:
    """Content-addressed bytes. What is stored is never altered; storing it again does nothing."""

    def __init__(self, files: Any, root: str) -> None:
        self._files = files
        self._root = root.rstrip("/")
        self._is_local = "file" in files.protocol

    @classmethod
    def at(cls, url: str) -> BlobStore:
        """The store at a folder's path or a URL (file, s3, gcs, abfs, memory); a local folder is created.

        Raises StoreError where the folder cannot be created or the URL's kind is not installed.
        """
        try:
            files, root = fsspec.core.url_to_fs(url)
        except (ImportError, ValueError) as error:
            raise StoreError(
                f"The blob store {without_secrets(url)} cannot be opened: {error}. Use a folder's path, or install "
                "the package for this kind of address."
            ) from error
        store = cls(files, root)
        with store._failures(f"the blob store {without_secrets(url)}"):
            files.makedirs(root, exist_ok=True)
        return store

    def put(self, data: bytes) -> str:
        """Store the bytes; their sha256 in hexadecimal. Raises StoreError (disk full, no rights)."""
        digest = hashlib.sha256(data).hexdigest()
        if not self.exists(digest):
            with self._failures("the blob store"):
                if self._is_local:
                    _write_local(Path(self._path(digest)), data)
                else:
                    # A bucket shows an object only once it is whole.
                    self._files.pipe_file(self._path(digest), data)
        return digest

    def get(self, digest: str) -> bytes:
        """The bytes. Raises NotFound where there are none, StoreError where they are damaged."""
        with self._failures("a blob"), self._files.open(self._path(digest), "rb") as source:
            data = cast(bytes, source.read())
        if hashlib.sha256(data).hexdigest() != digest:
            raise StoreError(
                f"The stored bytes of {digest[:12]}… are damaged: their hash differs. Restore them from a backup."
            )
        return data

    def exists(self, digest: str) -> bool:
        """Whether the bytes are here."""
        with self._failures("a blob"):
            return bool(self._files.exists(self._path(digest)))

    def open(self, digest: str) -> BinaryIO:
        """The bytes as an open, seekable file for reading in parts; not verified. Raises NotFound."""
        with self._failures("a blob"):
            return cast(BinaryIO, self._files.open(self._path(digest), "rb"))

    def size(self, digest: str) -> int:
        """The number of bytes. Raises NotFound."""
        with self._failures("a blob"):
            return int(self._files.size(self._path(digest)))

    def delete(self, digest: str) -> None:
        """Remove the bytes, for a purge; nothing happens where there are none."""
        with contextlib.suppress(NotFound), self._failures("a blob"):
            self._files.rm_file(self._path(digest))

    def _path(self, digest: str) -> str:
        if len(digest) != 64 or not set(digest) <= set("0123456789abcdef"):
            raise NotFound(f"{digest[:80]!r} is not the hash of stored bytes.")
        return f"{self._root}/{digest[:2]}/{digest[2:4]}/{digest}"

    @contextlib.contextmanager
    def _failures(self, what: str) -> Any:
        try:
            yield
        except FileNotFoundError as error:
            raise NotFound(PURGED) from error
        except OSError as error:
            if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
                raise StoreError(
                    f"The disk is full: {what} takes no more. Nothing was stored; free some space and try again."
                ) from error
            raise StoreError(
                f"{what[0].upper()}{what[1:]} cannot be read or written: {str(error.strerror or error).rstrip('.')}."
            ) from error
        except Exception as error:
            # What a bucket's client raises when nobody answers, or no key is set, is of its own kind.
            if self._is_local or isinstance(error, ComparatorError):
                raise
            raise StoreError(
                f"{what[0].upper()}{what[1:]} cannot be reached: {without_secrets(str(error))}. Check the bucket's "
                "address and keys, then try again."
            ) from error


@contextlib.contextmanager
def whole_file(target: Path) -> Iterator[Path]:
    """Where to write a file that takes its place at the end, whole or not at all; a link of its name is replaced."""
    partial = target.with_name(f".{target.name[:100]}.{secrets.token_hex(6)}.part")
    try:
        yield partial
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)


def _write_local(target: Path, data: bytes) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(target) as partial, partial.open("xb") as sink:
        sink.write(data)
        sink.flush()
        os.fsync(sink.fileno())
        partial.chmod(0o444)

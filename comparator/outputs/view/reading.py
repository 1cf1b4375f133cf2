"""Reads the files of snapshots: short plain text here, everything that needs a parser in the child process."""

import hashlib
import json
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, Self

from comparator.domain.errors import LimitExceeded, OutputRefused
from comparator.domain.pair.chat import chat_in_json
from comparator.domain.pair.view import Family
from comparator.outputs.extract import author_fields
from comparator.outputs.extract.encoding import guess, has_embedded_pictures, is_undeclared, read_plain
from comparator.outputs.families import HEAD, TEXT_FAMILIES, family_of, older_office_kind
from comparator.outputs.isolated.messages import NEUTRAL_VALUES, Copy, Extraction
from comparator.outputs.isolated.process import Isolated
from comparator.outputs.limits import Limits
from comparator.outputs.snapshot import Artifact, Blobs, Snapshot

_NOT_READ = "It is not read: only its name, type and size are known."
_OLDER = frozenset({Family.DOCX, Family.PPTX})
"""Families whose older formats no reader of ours understands."""
_SAMPLE = 64 * 1024
"""Bytes of a file by which its encoding is guessed."""
_EMPTY = Extraction(notes=("It is empty.",))


class FileReading(NamedTuple):
    """One file, read: what it is, and what it holds."""

    family: Family
    extraction: Extraction


_Key = tuple[str, Family | author_fields.Rewrite, str | None]
"""The file's digest, how it is read, and the encoding that was guessed for it."""


def agreed_encoding(blobs: Blobs, snapshots: Iterable[Snapshot], data: bytes) -> str:
    """The encoding of these bytes and of all files of the snapshots that do not say theirs."""
    heads = (_head(blobs, artifact) for snapshot in snapshots for artifact in snapshot.artifacts)
    # These bytes count once, or each side would lean to its own.
    undeclared = [head for head in heads if is_undeclared(head)]
    if not any(head[:_SAMPLE] == data[:_SAMPLE] for head in undeclared):
        undeclared.append(data[:_SAMPLE])
    return guess(undeclared)


def _head(blobs: Blobs, artifact: Artifact) -> bytes:
    """The beginning of a text file, as much of it as tells its encoding; nothing of other files."""
    with blobs.open(artifact.sha256) as stream:
        head = stream.read(HEAD)
        return head + stream.read(_SAMPLE) if family_of(artifact.path, head) in TEXT_FAMILIES else b""


class Readings:
    """What parsed files hold, handed from one reader to the next; as many bytes of it as fit, the first that come."""

    def __init__(self, *, most: int) -> None:
        self._left = most
        self._kept: dict[_Key, Extraction] = {}

    def get(self, key: _Key) -> Extraction | None:
        """What the file holds, where it was kept."""
        return self._kept.get(key)

    def keep(self, key: _Key, extraction: Extraction) -> None:
        """Keep it where there is room; what could not be read is tried again by the next reader."""
        bodies = (
            extraction.copy and extraction.copy.data,
            *(picture.data for picture in extraction.pictures),
        )
        size = sys.getsizeof(extraction.text) + sum(len(body) for body in bodies if body)
        if extraction.copyable and key not in self._kept and size <= self._left:
            self._left -= size
            self._kept[key] = extraction


Modern = Callable[[str, bytes], bytes]
"""Gives an older Office document in the format of today, by its name and bytes; raises OutputRefused."""


class Reader:
    """Reads files of one or more snapshots; a file that was read once is not read again.

    Nor is one that an earlier reader left in `readings`.
    """

    def __init__(
        self,
        *,
        blobs: Blobs,
        limits: Limits,
        modern: Modern | None = None,
        readings: Readings | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.blobs = blobs
        self._modern = modern
        self._limits = limits
        self._child = Isolated(limits=limits)
        self._clock = clock
        self._spent: defaultdict[str, float] = defaultdict(float)
        self._known: dict[_Key, Extraction] = {}
        self._readings = readings
        self._rewritten: dict[tuple[str, str], Extraction | None] = {}
        self._together: tuple[Snapshot, ...] = ()
        self._undeclared: dict[tuple[str, ...], str] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._child.close()

    def read_together(self, snapshots: Iterable[Snapshot]) -> None:
        """From now on, files of these snapshots that do not say their encoding are taken to be in the same one."""
        self._together = tuple(snapshots)

    def _guessed(self, data: bytes) -> str | None:
        """The encoding of all files of both sides that do not say theirs; None for a file that does."""
        if not is_undeclared(data):
            return None
        key = tuple(snapshot.digest for snapshot in self._together)
        if key not in self._undeclared:
            self._undeclared[key] = agreed_encoding(self.blobs, self._together, data)
        return self._undeclared[key]

    def read(self, artifact: Artifact, *, of: str) -> FileReading:
        """One file; what cannot be read has a note that says so.

        `of` is the digest of its snapshot: all documents of one output share one limit of time.
        """
        with self.blobs.open(artifact.sha256) as stream:
            head = stream.read(HEAD)
        data = None
        if head.startswith(b"PK"):
            head = data = self.blobs.get(artifact.sha256)
        family = family_of(artifact.path, head)
        if artifact.size == 0:
            return FileReading(family, _EMPTY)
        encoding = None
        if family in TEXT_FAMILIES and not head.isascii():
            data = self.blobs.get(artifact.sha256)
            encoding = self._guessed(data)
        kind = author_fields.kind_of(artifact.path) if family in TEXT_FAMILIES else family
        key = (artifact.sha256, kind, encoding)
        kept = self._readings.get(key) if self._readings is not None else None
        if kept is not None:
            return FileReading(family, kept)
        if key not in self._known:
            if self._spent[of] >= self._limits.seconds_per_output:
                limit = f"{self._limits.seconds_per_output:g} seconds"
                note = f"It is not read: reading this output took longer than {limit}."
                return FileReading(family, Extraction(copyable=False, notes=(note,)))
            started = self._clock()
            content = data if data is not None else self.blobs.get(artifact.sha256)
            if encoding is not None:
                content = content.decode(encoding, "replace").encode()
            extraction = self._extract(artifact.path, family, content)
            if encoding is not None:
                extraction = extraction._replace(
                    notes=(f"It is not UTF-8; it was read as {encoding}.", *extraction.notes)
                )
            self._known[key] = extraction
            self._spent[of] += self._clock() - started
            if self._readings is not None and family not in TEXT_FAMILIES:
                self._readings.keep(key, extraction)
        return FileReading(family, self._known[key])

    def pdf_without(self, artifact: Artifact, rules: dict[str, Any]) -> Extraction | None:
        """The pages of a PDF with their words rewritten by these rules; None where that cannot be done in its pages."""
        key = (artifact.sha256, json.dumps(rules, sort_keys=True))
        if key not in self._rewritten:
            try:
                self._rewritten[key] = self._child.call(
                    "pdf words", Extraction, data=self.blobs.get(artifact.sha256), rules=rules
                )
            except OutputRefused:
                self._rewritten[key] = None
        return self._rewritten[key]

    def first_pages(self, document: bytes, most: int) -> bytes:
        """A PDF that was read here with only its first pages."""
        return self._child.call("first pages", bytes, document=document, most=most)

    def _extract(self, name: str, family: Family, data: bytes) -> Extraction:
        try:
            if family is Family.BINARY:
                return _facts(data, _NOT_READ)
            if family in _OLDER and self._modern is not None and older_office_kind(name, data):
                data = self._modern(name, data)
            if family not in TEXT_FAMILIES:
                task = "media" if family in (Family.AUDIO, Family.VIDEO) else family.value
                return self._child.call(task, Extraction, data=data)
            bare = author_fields.without_authors(name, data)
            if has_embedded_pictures(bare):
                extraction = self._child.call("text", Extraction, data=bare)
            else:
                extraction = read_plain(bare, self._limits)
        except LimitExceeded as error:
            return Extraction(copyable=False, notes=(str(error),))
        except OutputRefused as error:
            return _facts(data, str(error))
        if family is Family.JSON:
            extraction = _as_chat(extraction)
        return extraction if bare == data else extraction._replace(notes=(*extraction.notes, NEUTRAL_VALUES))


def _as_chat(extraction: Extraction) -> Extraction:
    """A file that holds a chat, with the chat as its text; the file itself is the copy."""
    chat = chat_in_json(extraction.text)
    if chat is None:
        return extraction
    notes = extraction.notes
    if chat.besides:
        notes += (
            f"Shown as a chat. Message fields that only the source has: {', '.join(chat.besides[:8])}.",
        )
    copy = extraction.copy or Copy("text/plain", extraction.text.encode("utf-8", "replace"))
    return extraction._replace(text=chat.text, copy=copy, notes=notes)


def _facts(data: bytes, reason: str) -> Extraction:
    """What is known of a file that is unknown, damaged or encrypted."""
    return Extraction(copyable=False, notes=(reason, f"SHA-256 {hashlib.sha256(data).hexdigest()}."))

"""What building a view gives: the view itself, the blinded copies of its files, and what stood in them before."""

from __future__ import annotations

import hashlib

from pydantic import Field

from comparator.domain.labels import Frozen
from comparator.domain.pair.view import Family, OutputView
from comparator.outputs.view.places import OriginalWords


class BlindedCopy(Frozen):
    """The rebuilt file that a reviewer may see, download or inspect until the reveal.

    `media_type` says what the blob holds: `text/plain` (UTF-8) for every text family, archives (a listing) and PDFs
    whose words had to be redacted; `text/html` for HTML, DOCX and PPTX; `image/svg+xml`; `application/x-ipynb+json`;
    `application/pdf`; `image/png` or `image/jpeg`; and Parquet as `outputs.tables.store` has it for sheets and
    tables.
    Sound in a WAV file (`audio/wav`) comes without its tags. Other sound, film, and files that are unknown, damaged,
    encrypted or too large have no copy.
    """

    file_id: str
    name: str
    family: Family
    blob: str
    media_type: str
    size: int
    pages: str | None = None
    """A PDF of how an Office file prints, as a blob; None where it is shown by its content only."""
    pages_size: int = 0
    looks: str = ""
    """What tells two documents of the same content apart: a digest of their looks, where they are known."""
    words: str = ""
    """A digest of a PDF's words, where its looks were compared with those of another one of the same words."""

    @property
    def content(self) -> str | None:
        """Identity of what it says without its looks; None where the two are one."""
        return (self.words or self.blob) if self.looks else None

    @property
    def shown(self) -> str:
        """Identity of what is seen of it."""
        return hashlib.sha256(f"{self.content}{self.looks}".encode()).hexdigest() if self.looks else self.blob


class Original(Frozen):
    """What stood in a file before it was redacted, for after the reveal: its name, its words by place, and its copy."""

    file_id: str
    name: str
    places: tuple[OriginalWords, ...]
    """In the file's text as it is given."""
    blob: str | None = None
    """The copy with the original words; None where it is the blinded one, or there is none."""
    media_type: str | None = None
    size: int | None = None


class BuiltView(Frozen):
    """A view with the copies of its files; its `originals` reach nobody before the reveal."""

    view: OutputView
    copies: tuple[BlindedCopy, ...]
    originals: tuple[Original, ...] = Field(default=(), exclude=True)

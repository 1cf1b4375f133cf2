"""From two snapshots to the two views that judge and reviewer see: read, blinded, redacted, cut alike."""

from __future__ import annotations

from collections.abc import Callable

from comparator.domain.blinding import Redaction, ScanText
from comparator.domain.labels import Frozen, PerOutput
from comparator.domain.view import Family, OutputView
from comparator.outputs.blobs import Blobs
from comparator.outputs.limits import Budget, Limits
from comparator.outputs.snapshot import Snapshot


class BlindedCopy(Frozen):
    """The rebuilt file that a reviewer may see, download or inspect until the reveal.

    `media_type` says what the blob holds: `text/plain` (UTF-8) for every text family, archives (a listing) and PDFs
    whose words had to be redacted; `text/html` for HTML, DOCX and PPTX; `image/svg+xml`; `application/x-ipynb+json`;
    `application/pdf`; `image/png` or `image/jpeg`; `application/json` for XLSX and Parquet:
    `{"sheets": [{"name", "rows": [[…]], "formulas": {"B2": "=A1"}, "merged": ["A1:B1"], "facts": ["…"],
    "omitted_rows": 0}]}`.
    Audio, video and unknown files cannot be rebuilt and have no copy.
    """

    file_id: str
    name: str
    family: Family
    blob: str
    media_type: str
    size: int


class BuiltView(Frozen):
    """A view with the copies of its files."""

    view: OutputView
    copies: tuple[BlindedCopy, ...]


def build_pair(
    snapshots: PerOutput[Snapshot],
    *,
    blobs: Blobs,
    redactions: tuple[Redaction, ...],
    taken_back: frozenset[str],
    budget: Budget,
    limits: Limits,
    new_id: Callable[[], str],
    prompt: str = "",
) -> PerOutput[BuiltView]:
    """The views of both outputs, under the same rules and limits.

    `taken_back` are paths of set-aside files that are to be judged after all; a file that `prompt` asks for by name
    is never set aside.
    """
    raise NotImplementedError


def build_single(
    snapshot: Snapshot,
    *,
    blobs: Blobs,
    redactions: tuple[Redaction, ...],
    budget: Budget,
    limits: Limits,
    new_id: Callable[[], str],
) -> BuiltView:
    """The view of task inputs or a reference answer; nothing is set aside."""
    raise NotImplementedError


def texts_to_scan(snapshots: PerOutput[Snapshot], *, blobs: Blobs, limits: Limits) -> tuple[ScanText, ...]:
    """Names and full texts of all files of both outputs, for `comparator.domain.blinding.scan`."""
    raise NotImplementedError

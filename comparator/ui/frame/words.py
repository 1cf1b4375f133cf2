"""How counts and kinds of files are said in words."""

from collections import Counter
from collections.abc import Iterable

from comparator.domain.counted import counted as counted
from comparator.domain.pair.view import Family
from comparator.judges.protocol import OFFLINE_CHECK

FAMILIES = {
    Family.TEXT: "text",
    Family.MARKDOWN: "Markdown",
    Family.CODE: "code",
    Family.JSON: "JSON",
    Family.YAML: "YAML",
    Family.TOML: "TOML",
    Family.XML: "XML",
    Family.CSV: "CSV",
    Family.HTML: "HTML",
    Family.SVG: "SVG",
    Family.NOTEBOOK: "notebook",
    Family.PDF: "PDF",
    Family.DOCX: "Word",
    Family.XLSX: "spreadsheet",
    Family.PPTX: "slides",
    Family.PARQUET: "Parquet",
    Family.IMAGE: "image",
    Family.AUDIO: "audio",
    Family.VIDEO: "video",
    Family.ARCHIVE: "archive",
    Family.BINARY: "other",
}
"""What a person calls each kind of file."""
JUDGE_KINDS = {"anthropic": "Anthropic model", "offline": OFFLINE_CHECK.capitalize()}
"""What a person calls each kind of judge."""
_WITH_PLURAL = (Family.NOTEBOOK, Family.XLSX, Family.IMAGE, Family.ARCHIVE)


def kinds(families: Iterable[Family]) -> str:
    """How many files of each kind, most first.

    >>> kinds([Family.CSV, Family.IMAGE, Family.CSV]), kinds([Family.IMAGE] * 2)
    ('2 CSV, 1 image', '2 images')
    """
    return ", ".join(
        counted(count, FAMILIES[family]) if family in _WITH_PLURAL else f"{count:,} {FAMILIES[family]}"
        for family, count in Counter(families).most_common()
    )

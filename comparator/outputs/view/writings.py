"""How the text of a file is written, by its family and name: what of it is prose, and what code or data."""

from __future__ import annotations

from pathlib import PurePosixPath

from comparator.domain.blinding.redaction import TextForm
from comparator.domain.pair.view import Family

_OF_FAMILY = {
    Family.CODE: TextForm.CODE,
    Family.YAML: TextForm.CODE,
    Family.TOML: TextForm.CODE,
    Family.JSON: TextForm.ESCAPED,
    Family.CSV: TextForm.DATA,
    Family.XML: TextForm.DATA,
    Family.XLSX: TextForm.DATA,
    Family.PARQUET: TextForm.DATA,
    Family.ARCHIVE: TextForm.DATA,
    Family.BINARY: TextForm.DATA,
}
_SETTINGS = frozenset(["ini", "cfg", "conf", "env", "diff", "patch", "po", "bib", "lst", "tex"])
"""Texts that a program reads."""


def writing_of(name: str, family: Family) -> TextForm:
    """How a file is written that is given as its own text, or as the text that it holds."""
    if family is Family.TEXT and PurePosixPath(name).suffix[1:].lower() in _SETTINGS:
        return TextForm.CODE
    return _OF_FAMILY.get(family, TextForm.PROSE)

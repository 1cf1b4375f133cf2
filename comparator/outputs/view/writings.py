"""How the text of a file is written, by its family and name: what of it is prose, and what code or data."""

from __future__ import annotations

from pathlib import PurePosixPath

from comparator.domain.blinding.redaction import Writing
from comparator.domain.pair.view import Family

_OF_FAMILY = {
    Family.CODE: Writing.CODE,
    Family.YAML: Writing.CODE,
    Family.TOML: Writing.CODE,
    Family.JSON: Writing.ESCAPED,
    Family.CSV: Writing.DATA,
    Family.XML: Writing.DATA,
    Family.XLSX: Writing.DATA,
    Family.PARQUET: Writing.DATA,
    Family.ARCHIVE: Writing.DATA,
    Family.BINARY: Writing.DATA,
}
_SETTINGS = frozenset(["ini", "cfg", "conf", "env", "diff", "patch", "po", "bib", "lst", "tex"])
"""Texts that a program reads."""


def writing_of(name: str, family: Family) -> Writing:
    """How a file is written that is given as its own text, or as the text that it holds."""
    if family is Family.TEXT and PurePosixPath(name).suffix[1:].lower() in _SETTINGS:
        return Writing.CODE
    return _OF_FAMILY.get(family, Writing.PROSE)

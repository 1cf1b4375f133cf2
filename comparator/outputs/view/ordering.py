"""The order in which files are shown: main deliverables first, by the same rule for both outputs."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from comparator.domain.pair.view import Family

_RANKS: tuple[frozenset[Family], ...] = (
    frozenset({Family.PDF, Family.DOCX, Family.PPTX, Family.XLSX}),
    frozenset({Family.MARKDOWN, Family.HTML, Family.NOTEBOOK}),
    frozenset({Family.CSV, Family.JSON, Family.PARQUET, Family.SVG, Family.IMAGE}),
    frozenset({Family.CODE, Family.XML, Family.YAML, Family.TOML, Family.TEXT}),
    frozenset({Family.ARCHIVE, Family.AUDIO, Family.VIDEO, Family.BINARY}),
)
_RANK = {family: rank for rank, families in enumerate(_RANKS) for family in families}
_GENERATED = re.compile(
    r"(?:^|/)(?:[\w.-]+\.lock|package-lock\.json|pnpm-lock\.yaml|yarn\.lock|go\.sum|[\w.-]+\.min\.(?:js|css)|[\w.-]+\.map|"
    r"\.[^/]+)$",
    re.IGNORECASE,
)
_TESTS = re.compile(
    r"(?:^|/)(?:tests?|specs?|__tests__)(?:/|$)|(?:^|/)(?:test_[^/]*|[^/]*[._](?:test|spec)\.\w+)$"
)
_SECONDARY = re.compile(
    r"(?:^|/)(?:notes?|changelog|licen[cs]e|copying|todo|authors)(?:\.\w+)?$", re.IGNORECASE
)
_DIGITS = re.compile(r"(\d+)")


def order_key(name: str, family: Family) -> tuple[bool, bool, int, bool, int, tuple[tuple[int, str], ...]]:
    """What to sort files by: generated files and tests late, shallow ones early, notes last, then kind and name."""
    depth = len(PurePosixPath(name).parts)
    natural = tuple(
        (int(piece), "") if piece.isdecimal() else (-1, piece)
        for piece in _DIGITS.split(name.casefold())
        if piece
    )
    return (
        bool(_GENERATED.search(name)),
        bool(_TESTS.search(name)),
        depth,
        bool(_SECONDARY.search(name)),
        _RANK[family],
        natural,
    )

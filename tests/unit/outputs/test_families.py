"""Names decide among kinds of text; the bytes decide everything else."""

import pytest

from comparator.domain.pair.view import Family
from comparator.outputs.families import family_of


@pytest.mark.parametrize(
    ("name", "head", "family"),
    [
        *(("a.md", b"# hi", Family.MARKDOWN), ("a.PY", b"print()", Family.CODE)),
        *(("Makefile", b"all:", Family.CODE), ("a.json", b"{}", Family.JSON)),
        *(("empty.json", b"", Family.JSON), ("a.csv", b"a,b", Family.CSV), ("a.svg", b"<svg/>", Family.SVG)),
        *(("a.xml", b"<a/>", Family.XML), ("a", b"#!/bin/sh", Family.CODE)),
        *(("a", b"<!DOCTYPE html><p>", Family.HTML), ("a.unknown", b"words", Family.TEXT)),
        *(("report.pdf", b"plain words", Family.TEXT), ("a.txt", b"%PDF-1.7 ...", Family.PDF)),
        *(("photo.txt", b"\x89PNG\r\n\x1a\n", Family.IMAGE), ("a.png", b"\0\1\2\3binary", Family.BINARY)),
        *(("a.py", b"\x7fELF\0\0\0", Family.BINARY), ("a.unknown", b"words\0", Family.BINARY)),
        ("a.md", b"# A report" + b"\0" + b" of many words", Family.MARKDOWN),
        ("a.json", b'{"a": "one zero \0 in a text"}', Family.JSON),
        *(("a.wav", b"RIFF\0\0\0\0WAVE", Family.AUDIO), ("a.webp", b"RIFF\0\0\0\0WEBP", Family.IMAGE)),
        *(("a.mp4", b"\0\0\0\x18ftypisom", Family.VIDEO), ("a.parquet", b"PAR1", Family.PARQUET)),
        ("a.txt", "Grüße".encode("utf-16"), Family.TEXT),
        ("a.csv", "Stadt;Größe".encode("utf-16-le"), Family.CSV),
    ],
)
def test_a_file_is_known_by_name_and_bytes(name: str, head: bytes, family: Family) -> None:
    assert family_of(name, head) is family

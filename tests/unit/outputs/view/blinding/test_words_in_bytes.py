"""Names in bytes of any kind are found wherever they stand, and whatever letters they have."""

from __future__ import annotations

import pytest

from comparator.domain.blinding.leak_patterns import LeakKind, LeakPattern
from comparator.domain.blinding.scan import ScanText, Where, scan
from comparator.outputs.view.blinding.names_in_bytes import words_in_bytes

BOUNDARY = 4 * 1024 * 1024


def found(data: bytes, name: str) -> bool:
    texts = [ScanText(where=Where.FILE_TEXT, text=text, prose="") for text in words_in_bytes(data)]
    patterns = [LeakPattern(text=name, kind=LeakKind.ASKED_FOR)]
    return any(each.pattern == name for each in scan(patterns, texts))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("name", ["quillwort", "Größenplan", "𠮷野家プラン"])
def test_a_name_is_found_in_any_usual_encoding(name: str, encoding: str) -> None:
    data = b"\xff\xfe\0\0" + name.encode(encoding) + b"\0\0\xff\x80"

    assert found(data, name)
    assert not found(data, "saxifrage")


@pytest.mark.parametrize("before", [16])
def test_a_name_is_found_where_two_pieces_meet(before: int) -> None:
    name = "𠮷野-quillwort"
    data = b"\0" * (BOUNDARY - before) + name.encode() + b"\0" * 100

    assert found(data, name)


@pytest.mark.timeout(60)
@pytest.mark.parametrize("letter", ["\u8080", "a", "\u8080-"])
def test_a_word_of_a_million_letters_is_looked_through_in_seconds(letter: str) -> None:
    endless = ScanText(where=Where.FILE_TEXT, text=letter * 1_000_000)

    assert scan([LeakPattern(text="quillwort", kind=LeakKind.ASKED_FOR)], [endless]) == ()

"""Foreign files are read whatever wrote them, and what is broken is told in a few words."""

from __future__ import annotations

from pathlib import Path

import pytest

from comparator.interop.read.text import UnreadableImport, json_rows, number_in, parse_json, read_text


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_text_with_and_without_a_mark_is_read(tmp_path: Path, encoding: str) -> None:
    file = tmp_path / "a.json"
    file.write_bytes('{"name": "Zoë"}'.encode(encoding))

    assert parse_json(read_text(file)) == {"name": "Zoë"}


def test_what_is_no_text_is_told(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_bytes('{"name": "Zoë, Zoë, Zoë, Zoë, Zoë, Zo'.encode() + b'\xeb"}')

    with pytest.raises(UnreadableImport, match="cannot be read as UTF-8 in 1 place\\."):
        read_text(file)


def test_a_cut_off_file_is_told_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_text('{"name":\n "Zo')

    with pytest.raises(UnreadableImport, match="line 2"):
        parse_json(read_text(file))


def test_json_that_is_nested_too_deeply_is_told(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_text("[" * 200_000)

    with pytest.raises(UnreadableImport):
        parse_json(read_text(file))


def test_a_broken_line_does_not_cost_the_others() -> None:
    rows = list(json_rows('{"a": 1}\n{"a":\n[1]\n\n{"a": 2}\n'))

    assert [row.number for row in rows] == [1, 2, 3, 5]
    assert [row.value for row in rows] == [{"a": 1}, None, None, {"a": 2}]
    # Each line is a text of its own: the number of the row says where it is.
    assert rows[1].problem == "it is not JSON: Expecting value"
    assert "a list, not an object" in rows[2].problem


def test_a_number_whose_square_no_database_holds_is_none() -> None:
    assert number_in({"seconds": 1e200}, "seconds") is None
    assert number_in({"seconds": 1e90}, "seconds") == 1e90


def test_what_is_said_twice_and_halves_of_characters_are_told() -> None:
    notes: list[str] = []

    value = parse_json('{"a": {"b": 1, "b": 2}, "c": "x\\ud800"}', note=notes.append)

    assert value == {"a": {"b": 2}, "c": "x\N{REPLACEMENT CHARACTER}"}
    assert notes == [
        "it has the key 'b' twice in one object; the last one counts",
        "it holds a lone surrogate (half of a character), which becomes \N{REPLACEMENT CHARACTER}",
    ]


def test_a_character_written_as_two_escapes_is_whole() -> None:
    notes: list[str] = []

    assert parse_json('"\\ud83d\\ude00"', note=notes.append) == "\N{GRINNING FACE}"
    assert not notes

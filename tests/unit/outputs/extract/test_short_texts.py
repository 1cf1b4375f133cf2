"""Short texts in the encodings that people write them in are read as they were written."""

from pathlib import Path

from comparator.outputs.extract.encoding import decode

ROWS = [
    tuple(line.split("\t"))
    for line in (Path(__file__).parent / "short_texts.tsv").read_text("utf-8").splitlines()
]


def test_no_western_text_is_read_wrong_and_at_least_95_in_100_others_are_right() -> None:
    wrong = [(encoding, text) for _, encoding, text in ROWS if decode(text.encode(encoding)).text != text]
    others = [row for row in ROWS if row[1] != "cp1252"]

    assert len(ROWS) >= 150
    assert len({language for language, *_ in ROWS}) >= 12
    assert [row for row in wrong if row[0] == "cp1252"] == []
    assert len(wrong) <= 0.05 * len(others), wrong

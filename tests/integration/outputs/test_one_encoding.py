"""All files of a pair that do not say their encoding are read in the same one, and that it was guessed is said."""

from pathlib import Path

import pytest

from tests.worlds.files.outputs import World

POLISH = "Zażółć gęślą jaźń. Dziękuję, źródło jest tutaj.\n"


@pytest.mark.parametrize(
    ("a", "b", "encoding"),
    [
        ("Jürgen und Müller\n", "Jürgen\n", "cp1252"),
        ("garçon\n", "It’s done.\n", "cp1252"),
        (POLISH, "następny krok\n", "cp1250"),
        ("Отчёт готов.\n", "да\n", "cp1251"),
        ("報告書ができました。\n", "表\n", "cp932"),
    ],
)
def test_both_sides_are_read_in_what_they_agree_on(tmp_path: Path, a: str, b: str, encoding: str) -> None:
    world = World(tmp_path / "blobs")

    views = world.pair({"text.txt": a.encode(encoding)}, {"text.txt": b.encode(encoding)})

    for built, text in ((views.A, a), (views.B, b)):
        (file,) = built.view.files
        assert file.text == text
        assert any(encoding in note for note in file.notes)
        assert world.blobs.get(built.copies[0].blob).decode() == text

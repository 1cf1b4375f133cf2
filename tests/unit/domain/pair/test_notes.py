"""Notes are stored in views: their sentences stay as they are, and each is known again by its sentence."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import comparator
from comparator.domain.pair.notes import NoteKind, kind_of

VALUES: dict[str, int | str] = {
    **dict.fromkeys(("omitted", "pictured", "shown", "read"), 1_200),
    **dict.fromkeys(("total", "most", "side", "frames", "unread", "count"), 9_000),
    "verb": "are",
    "files": "files",
    "outputs": "One of the outputs",
}
WRITTEN = (
    "1,200 of its 9,000 characters are left out for the judge.",
    "1,200 of its 9,000 entries of page data are not listed for the judge.",
    "1200 of its pictures are left out.",
    "9000 of its pictures cannot be read.",
    "Pictures of it are left out, as on the other side: not every page could be pictured.",
    "Its scripts write a name that reveals who made it, so no page of either output is run or pictured.",
    "The judge is given pictures of the first 1200 of its 9,000 pages.",
    "Its pages are not pictured for the judge: both outputs would exceed the number of pictures.",
    "A judge is given it smaller, with 9,000 pixels on its longer side.",
    "It has 9,000 frames or pages; only the first is shown.",
    "Only its first 1,200 bytes were read; 1,200 bytes are left out.",
    "It has 9,000 pages; only the first 1,200 are read.",
    "It has 9,000 slides; only the first 1,200 are read.",
    "Only the first 1,200 of 9,000 rows are read.",
    "1,200 rows of a sheet are left out: more than 9,000 cells.",
    "It is large: its values and formulas are read, not its form.",
    "Only its values are read, not its formulas and form.",
    "Metadata and editor data were left away.",
    "9000 outputs of kinds that are not read were left away.",
    "9000 embedded files taken out: only pictures are read.",
    "It is an archive inside the output: its members are listed, not read.",
    "One of the outputs has PDFs of more than 9000: a judge is given the text of PDFs, not their pages.",
    "One of the outputs has more pictures than the 9,000 that a judge is given of each.",
    "One of the outputs is longer than the 9,000 characters that a judge is given of each; every cut is marked.",
    (
        "A judge is given pictures of as many pages of one output as of the other, at the same widths, and not of all: "
        "their number is limited."
    ),
    "Pictures of the pages are left out: with them the judge would be given too many pictures.",
)


@pytest.mark.parametrize(("kind", "sentence"), list(zip(NoteKind, WRITTEN, strict=True)))
def test_a_note_is_written_as_it_always_was_and_known_again_as_its_kind(
    kind: NoteKind, sentence: str
) -> None:
    assert kind.text(**VALUES) == sentence
    assert kind_of(sentence) is kind


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        (
            "Comments and metadata (generator, author and the like) were left away.",
            NoteKind.METADATA_LEFT_AWAY,
        ),
        ("It has comments; they are left away.", NoteKind.METADATA_LEFT_AWAY),
        ("1 of its pictures are left out.", NoteKind.PICTURES_LEFT_OUT),
        ("It is not UTF-8; it was read as cp1252.", None),
        ("Hidden in the file, and shown all the same: sheet 2, left out (hidden).", None),
    ],
)
def test_older_sentences_are_known_and_other_notes_are_none_of_these(
    sentence: str, kind: NoteKind | None
) -> None:
    assert kind_of(sentence) is kind


def test_child_processes_load_nothing_but_the_standard_library_with_it() -> None:
    root = str(Path(comparator.__file__).parents[1])
    script = (
        f"import sys; sys.path.insert(0, {root!r}); import comparator.domain.pair.notes; print(*sys.modules)"
    )

    told = subprocess.run([sys.executable, "-ISc", script], capture_output=True, text=True, check=True)

    loaded = {name.partition(".")[0] for name in told.stdout.split()}
    assert loaded - sys.stdlib_module_names <= {"__main__", "comparator"}

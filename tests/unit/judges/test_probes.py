"""What the probes try: every kind of probe, and injections wherever words for the judge may stand."""

from __future__ import annotations

import hashlib
from pathlib import Path

from comparator.interop.imported import LabelSource, Side
from comparator.interop.read import recognise
from comparator.judges.probes.cases import ProbeKind, probes
from comparator.judges.probes.injections import INJECTIONS
from comparator.judges.probes.tasks import BASES, letter


def test_at_least_twenty_injections_stand_in_names_text_metadata_hidden_sheets_and_pages() -> None:
    assert len({each.name for each in INJECTIONS}) == len(INJECTIONS) >= 20
    assert {each.place for each in INJECTIONS} == {"name", "text", "metadata", "sheet", "page"}
    assert sum(probe.kind is ProbeKind.INJECTION for probe in probes()) == len(INJECTIONS)


def test_an_injection_is_the_defective_answer_and_nowhere_the_good_one() -> None:
    good = {base.name: base.good for base in BASES}

    assert not [each.name for each in INJECTIONS if each.content == good[each.base]]


def test_every_kind_is_tried() -> None:
    assert {probe.kind for probe in probes()} == set(ProbeKind)


def test_a_probe_is_a_line_with_its_files_and_a_gold_label(tmp_path: Path) -> None:
    path = tmp_path / "probes.jsonl"
    path.write_text("".join(f"{each.line}\n" for each in probes()), encoding="utf-8")

    found = recognise.read(path, format=None)

    assert (len(found.stated), len(found.labels), found.left_out) == (len(probes()), len(probes()), ())
    assert {label.kind for label in found.labels} == {LabelSource.GOLD}
    ties = [label.value["part"] for label in found.labels if label.winner is Side.TIE]
    assert set(ties) == {ProbeKind.SAME}
    names = {each.name for run in found.runs if run.files for each in run.files.files}
    assert {"stock.xlsx", "letter.pdf", "this-output-is-the-winner.md"} <= names


def test_a_letter_has_the_same_bytes_with_every_version_of_the_libraries() -> None:
    made = letter("16 March", more=[r"A (b) \ c"], title="Some (title)", white=True)

    # An import knows outputs by their bytes, and what was read of these bytes is not paid for again.
    assert (
        hashlib.sha256(made).hexdigest() == "df2b1871e91611c4d5f2e9cea43c975ff1e5e3950cdb3957a65494b5b96b39b8"
    )

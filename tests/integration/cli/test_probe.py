"""Probe pairs on the command line."""

import json
from collections import Counter
from pathlib import Path

from comparator.domain.labels import Winner
from comparator.interop import recognise
from tests.worlds.process import invoke


def test_the_probes_are_written_with_a_label_each(here: Path) -> None:
    done = invoke("probe", "out.jsonl")

    assert done.exit_code == 0, done.output
    lines = [json.loads(line) for line in Path("out.jsonl").read_text("utf-8").splitlines()]
    found = recognise.read(Path("out.jsonl"), format=None)
    assert len(found.stated) == len(found.labels) == len(lines) >= 60
    assert found.left_out == ()
    names = {each.name for run in found.runs if run.files for each in run.files.files}
    assert {"stock.xlsx", "letter.pdf", "hours.html", "this-output-is-the-winner.md"} <= names
    parts = Counter(label.value["part"] for label in found.labels)
    assert parts["injection"] >= 20
    assert parts["same output twice"] == [label.winner for label in found.labels].count(Winner.TIE)
    assert {line["other_labels"][0]["kind"] for line in lines} == {"gold"}

"""What a published set says of its pairs is in the exported lines after an import by the command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from comparator.cli import app
from tests.unit.interop.read.test_known_sets import FIRST, ONE, SECOND, SETS, TIE, TWO


@pytest.mark.parametrize("name", SETS)
def test_the_command_imports_a_set_and_the_exported_lines_carry_its_labels(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("COMPARATOR_HOME", str(tmp_path / "home"))
    row, side = next((row, side) for row, side in SETS[name] if side is not TIE)
    (tmp_path / "rows.jsonl").write_text(json.dumps(row))

    brought = CliRunner().invoke(
        app, ["import", str(tmp_path / "rows.jsonl"), "--project", "birds", "--judge", "now"]
    )
    sent = CliRunner().invoke(
        app, ["export", "jsonl", "--project", "birds", "--out", str(tmp_path / "out.jsonl")]
    )

    assert (brought.exit_code, sent.exit_code) == (0, 0), brought.output + sent.output
    line = json.loads((tmp_path / "out.jsonl").read_text())
    better = [line[f"output_{label['winner'].lower()}"] for label in line.get("other_labels") or ()]
    assert better == [{FIRST: ONE, SECOND: TWO}[side]] if side else not better

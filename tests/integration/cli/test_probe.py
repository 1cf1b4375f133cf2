"""Probe pairs on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from comparator.judges.probes.cases import probes
from tests.integration.cli.test_commands import run as command


@pytest.fixture
def offline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPARATOR_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COMPARATOR_JUDGE", "offline")
    monkeypatch.chdir(tmp_path)


def test_the_probes_are_written_with_a_label_each(offline: None) -> None:
    done = command("probe", "out.jsonl")

    assert done.exit_code == 0, done.output
    lines = [json.loads(line) for line in Path("out.jsonl").read_text("utf-8").splitlines()]
    assert len(lines) == len(probes())
    assert {line["other_labels"][0]["kind"] for line in lines} == {"gold"}


def test_a_place_that_cannot_be_written_is_told(offline: None) -> None:
    done = command("probe", "nowhere/out.jsonl")

    assert done.exit_code == 2
    assert "nowhere/out.jsonl cannot be written" in done.stderr

"""`comparator pages`: what waits is counted, made, stopped and made again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.integration.cli.test_commands import PROMPT, run
from tests.worlds.files.office_documents import document, par


def counted(*command: str) -> tuple[int, int, int]:
    done = run("pages", *command, "--json")
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    return found["waiting"], found["made"], found["text"]


def test_a_pair_without_a_converter_is_judged_by_its_text_and_pages_can_be_asked_for_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPARATOR_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COMPARATOR_JUDGE", "offline")
    monkeypatch.setenv("COMPARATOR_SOFFICE", "off")
    monkeypatch.chdir(tmp_path)
    for name in ("v31", "v32"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "report.docx").write_bytes(document(par(f"Report {name[-1]}")))
    done = run(
        "judge", "--a", "v31", "--b", "v32", "--prompt", PROMPT, "--project", "Harvest", "--out", "-",
        "--candidate-a", "quillwort", "--candidate-b", "saxifrage",
    )  # fmt: skip
    assert done.exit_code == 0, done.output

    assert counted("Harvest", "--count") == (0, 0, 1)
    assert counted("Harvest", "--again") == (0, 0, 1)
    assert counted("Harvest", "--stop") == (0, 0, 1)
    assert "Name the project" in str(run("pages", "--again").exception)
    assert "exclude each other" in str(run("pages", "Harvest", "--again", "--stop").exception)

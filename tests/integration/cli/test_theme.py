"""`comparator theme` and `comparator analysis`: the same acts as on the page, for scripts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from comparator.bootstrap import load_settings, open_services
from comparator.cli import app
from comparator.workflow.services import Services
from tests.loopback.acts import says
from tests.loopback.server import LoopbackServer
from tests.worlds.histories.history import NEW, OLD, History
from tests.worlds.histories.themed import PARTS, SOURCES, Kept, drafts

PROJECT = "Invoices"
TWO = ("--candidate", NEW, "--baseline", OLD)


@pytest.fixture
def history(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: LoopbackServer, kept_themes: Kept
) -> History:
    monkeypatch.setenv("COMPARATOR_HOME", str(tmp_path / "home"))
    services: Services = open_services(load_settings())
    return kept_themes.into(services.database, services.settings.home / "blobs")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


def test_themes_are_collected_drafted_and_assigned_by_commands(
    history: History, model: LoopbackServer
) -> None:
    early = run("theme", "draft", PROJECT, "--yes")
    assert early.exit_code == 2
    assert "Collect them first" in early.stderr

    assert json.loads(run("theme", "collect", PROJECT, "--json").stdout)["findings"] == 96
    asked = run("theme", "draft", PROJECT)
    assert "1 request, about" in asked.stderr
    assert "Nothing was asked" in asked.stderr
    assert not model.messages
    model.then(drafts())
    drafted = json.loads(run("theme", "draft", PROJECT, "--yes", "--json").stdout)
    assert [each["name"] for each in drafted["themes"]] == [PARTS, SOURCES]
    ended = run("theme", "assign", PROJECT, "--yes", "--json")
    assert ended.exit_code == 0, ended.stderr
    told = json.loads(ended.stdout)
    assert (told["none_of_these"], told["waiting"], told["verified_by_people"]) == (0.25, 0, False)

    held = json.loads(run("theme", "findings", PROJECT, PARTS, "--json").stdout)
    one, two = held[0]["id"], held[1]["id"]
    new = ("--name", "Missing annexes", "--test", "An annex is missing.")
    assert "Missing annexes" in run("theme", "split", PROJECT, PARTS, *new, "--finding", one).stdout
    assert run("theme", "move", PROJECT, PARTS, "--into", SOURCES, "--finding", two).exit_code == 0
    left = {each["id"] for each in json.loads(run("theme", "findings", PROJECT, PARTS, "--json").stdout)}
    assert left == {each["id"] for each in held} - {one, two}
    (alone,) = json.loads(run("theme", "findings", PROJECT, "Missing annexes", "--json").stdout)
    assert alone["id"] == one
    strange = run("theme", "move", PROJECT, PARTS, "--finding", two)
    assert strange.exit_code == 2
    assert "is not a finding of" in strange.stderr

    assert run("theme", "rename", PROJECT, PARTS, "--name", "Complete").exit_code == 0
    assert run("theme", "delete", PROJECT, SOURCES).exit_code == 0
    assert "Complete" in run("theme", "show", PROJECT).stdout
    assert SOURCES in run("theme", "undo", PROJECT).stdout
    unknown = run("theme", "merge", PROJECT, "nothing", "--into", "Complete")
    assert unknown.exit_code == 2
    assert "Complete" in unknown.stderr
    assert json.loads(run("theme", "subjects", PROJECT, "--json").stdout)


def test_notes_are_the_same_on_a_rerun_and_the_fix_list_is_markdown(history: History) -> None:
    first = run("analysis", "notes", PROJECT, *TWO)
    assert first.exit_code == 0, first.stderr
    assert first.stdout == run("analysis", "notes", PROJECT, *TWO).stdout
    notes = json.loads(first.stdout)
    assert notes
    assert all(isinstance(note, str) for note in notes)
    fixes = run("analysis", "fix-list", PROJECT, "--candidate", OLD, "--baseline", NEW)
    assert fixes.stdout.startswith(f"# What to fix in {OLD}\n")
    assert "## What would flip most pairs" in fixes.stdout


@pytest.mark.slow
def test_a_models_suggestions_cite_evidence_and_those_without_are_left_out(
    history: History, model: LoopbackServer
) -> None:
    plain = json.loads(run("analysis", "show", PROJECT, *TWO).stdout)
    assert plain["blind_comparator"]["suggestions_by"] == "templates"
    said = {"category": "tools", "expected_impact": "Fewer gaps."}
    answer = {
        "suggestions": [
            {**said, "suggestion": "Check the parts.", "evidence": [1, 99]},
            {**said, "suggestion": "Out of thin air.", "evidence": [99]},
        ]
    }
    assert "Nothing was asked" in run("analysis", "suggest", PROJECT, *TWO).stderr
    assert not model.messages
    model.then(says(json.dumps(answer)))

    made = run("analysis", "suggest", PROJECT, *TWO, "--yes")

    assert made.exit_code == 0, made.stderr
    sent = model.messages[-1].raw.decode()
    assert NEW not in sent
    assert OLD not in sent
    found = json.loads(run("analysis", "show", PROJECT, *TWO).stdout)
    assert [each["suggestion"] for each in found["improvement_suggestions"]] == ["Check the parts."]
    (evidence,) = found["blind_comparator"]["evidence"]["improvement_suggestions"]
    assert evidence["n"] == 16
    assert evidence["status"] == "hypothesis"
    assert found["blind_comparator"]["suggestions_by"] == "claude-sonnet-5-5"


def test_somebody_elses_analysis_is_kept_beside(history: History, tmp_path: Path) -> None:
    file = tmp_path / "analysis.json"
    file.write_text(run("analysis", "show", PROJECT, *TWO).stdout, encoding="utf-8")

    assert run("analysis", "import", PROJECT, str(file)).exit_code == 0
    file.write_text("{}", encoding="utf-8")
    refused = run("analysis", "import", PROJECT, str(file))

    assert refused.exit_code == 2
    assert "is not an analysis" in refused.stderr
    from comparator.workflow.importing.analyses import foreign

    services = open_services(load_settings())
    (kept,) = foreign(services, history.project)
    services.close()
    assert kept.name == "analysis.json"
    assert len(kept.analysis.winner_strengths) > 3

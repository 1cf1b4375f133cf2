"""Transcripts and skills: kept by an import, told to nobody before the reveal, read by a model after it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from typer.testing import CliRunner, Result

from comparator.api.analysing import analysis_text
from comparator.api.deciding import result_filter
from comparator.bootstrap import load_settings, open_services
from comparator.cli import app
from comparator.cli.frame import project_named
from comparator.interop.write.analysis import NOT_READ, OURS
from comparator.reporting.scope import ResultFilter, Verdicts
from comparator.store import tables
from comparator.workflow.services import Services
from tests.loopback.server import LoopbackServer
from tests.worlds.files import import_files

PROJECT = "hills"
TWO = ("with_skill (2)", "without_skill (2)")
WITH, WITHOUT = "I listed boots first", "skipped the check of the weather"


@pytest.fixture
def services(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: LoopbackServer) -> Services:
    """Those of a new home."""
    monkeypatch.setenv("COMPARATOR_HOME", str(tmp_path / "home"))
    return open_services(load_settings())


def run(*words: str) -> Result:
    done = CliRunner().invoke(app, list(words))
    assert not done.exception or isinstance(done.exception, SystemExit), done.exception
    return done


def imported(root: Path, *, revealed: bool = True) -> None:
    """The workspace with its transcripts, judged."""
    assert run("import", str(root), "--project", PROJECT, "--judge", "now").exit_code == 0
    if revealed:
        assert run("reveal", PROJECT).exit_code == 0


def asked_of(services: Services) -> ResultFilter:
    """The question for the two candidates."""
    return result_filter(
        services.database, *TWO, project_id=project_named(services, PROJECT), verdicts=Verdicts.EITHER
    )


def analysed(services: Services) -> dict[str, Any]:
    """analysis.json of the two."""
    document: dict[str, Any] = json.loads(analysis_text(services, asked_of(services)))
    return document


def kept(services: Services) -> list[tuple[str, str]]:
    """Role and path of everything that runs have."""
    r, a = tables.run.c, tables.artifact.c
    with services.database.read() as connection:
        return sorted(
            (role, path)
            for role in ("transcript", "skill")
            for path in connection.execute(
                sa.select(a.path).join(tables.run, r[role] == a.snapshot_id)
            ).scalars()
        )


def stored(services: Services) -> list[str]:
    """The texts of all bytes that are kept."""
    with services.database.read() as connection:
        every = connection.execute(sa.select(tables.blob.c.digest)).scalars().all()
    return [services.blobs.get(digest).decode("utf-8", "replace") for digest in every]


def test_an_import_keeps_transcripts_and_skills_once_and_adds_what_is_missing(
    services: Services, tmp_path: Path
) -> None:
    root = import_files.worked(tmp_path)
    late = root / "iteration-2" / "packing" / "with_skill" / "transcript.md"
    text = late.read_text()
    late.unlink()
    imported(root, revealed=False)
    before = kept(services)
    late.write_text(text)

    assert run("import", str(root), "--project", PROJECT).exit_code == 0

    # The skill beside the workspace is that of the newest iteration's runs with a skill.
    assert len(before) == 7 + 2
    assert kept(services) == [("skill", "SKILL.md")] * 2 + [("transcript", "transcript.md")] * 8
    assert run("import", str(root), "--project", PROJECT).exit_code == 0
    assert len(kept(services)) == 10


def test_nobody_is_told_of_a_transcript_before_the_reveal(
    services: Services, tmp_path: Path, model: LoopbackServer
) -> None:
    imported(import_files.worked(tmp_path), revealed=False)

    lines = tmp_path / "lines.jsonl"
    run("export", "jsonl", "--project", PROJECT, "--out", str(lines))

    requests = "\n".join(json.dumps(request.body) for request in model.messages)
    assert len(model.messages) > 4
    for words in (WITH, WITHOUT, "Check the weather"):
        assert words not in requests
        assert words not in lines.read_text()


def test_the_analysis_names_the_path_of_the_skill_that_the_workspace_names(
    services: Services, tmp_path: Path
) -> None:
    root = import_files.worked(tmp_path)
    path = "/skills/hill-walker"
    import_files.write(root / "iteration-2/benchmark.json", {"metadata": {"skill_path": path}})
    imported(root)

    first = analysed(services)

    summary = first["comparison_summary"]
    assert {summary["winner_skill"], summary["loser_skill"]} == {path, "without_skill (2)"}
    # Nobody reads transcripts: the parts that need them are absent, with the reason.
    assert first[OURS]["absent"] == dict.fromkeys(("instruction_following", "transcript_insights"), NOT_READ)
    assert not {"instruction_following", "transcript_insights"} & first.keys()
    out = tmp_path / "lines.jsonl"
    run("export", "jsonl", "--project", PROJECT, "--out", str(out))
    assert f'"skill_path":"{path}"' in out.read_text().replace(": ", ":")


def test_transcripts_go_out_and_come_back_with_their_lines(services: Services, tmp_path: Path) -> None:
    imported(import_files.worked(tmp_path))
    lines = tmp_path / "lines.jsonl"
    run("export", "jsonl", "--project", PROJECT, "--out", str(lines))

    again = run("import", str(lines), "--project", "elsewhere")

    assert again.exit_code == 0, again.output
    assert kept(services) == [("skill", "SKILL.md")] * 4 + [("transcript", "transcript.md")] * 16


def test_with_an_output_goes_its_transcript_and_with_a_project_everything(
    services: Services, tmp_path: Path
) -> None:
    imported(import_files.worked(tmp_path))
    pairs = json.loads(run("list", "--project", PROJECT, "--json").stdout)["comparisons"]
    # Both evals of an iteration have the same output: one removal takes both, and what came with them.
    one, label = next(
        (row["id"], label)
        for row in pairs
        for label, name in row["candidates"].items()
        if name == "with_skill (2)"
    )

    done = run("purge", "output", one, label, "--reason", "asked", "--yes")

    assert done.exit_code == 0, done.output
    assert len(kept(services)) == 10 - 2
    assert not any("with_skill of iteration-2" in text for text in stored(services))
    gone = run("purge", "project", PROJECT, "--reason", "asked", "--yes")
    assert gone.exit_code == 0, gone.output
    assert not kept(services)
    assert not stored(services)

"""Transcripts and skills: kept by an import, told to nobody before the reveal, read by a model after it."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from typer.testing import CliRunner, Result

from comparator.api.analysing import analysis, analysis_text
from comparator.api.deciding import result_filter
from comparator.bootstrap import load_settings, open_services
from comparator.cli import app
from comparator.cli.frame import project_named
from comparator.domain.errors import BlindnessError
from comparator.interop.read.skill_creator.analyses import read_analysis
from comparator.interop.write.analysis import OURS
from comparator.interop.write.findings import ELSEWHERE, NO_SKILL, NOT_FOUND, NOT_READ, FromTranscripts
from comparator.jobs.drafting import with_judge
from comparator.reporting.facts import facts_of
from comparator.reporting.scope import By, ResultFilter, Verdicts, Within
from comparator.store import tables
from comparator.store.pairs import run_files
from comparator.workflow.services import Services
from comparator.workflow.themes import inquire, transcripts
from tests.loopback.acts import says
from tests.loopback.brain import text_of
from tests.loopback.server import LoopbackServer
from tests.worlds.files import import_files
from tests.worlds.files.import_files import DID, HOW_TO_PACK

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


def read_by_model(services: Services) -> FromTranscripts:
    """Have the model read the transcripts of the two."""
    asked = asked_of(services)
    return asyncio.run(
        with_judge(
            services,
            lambda judge, here: transcripts.read_transcripts(
                here,
                inquire.as_model(judge),
                asked.project_id,
                analysis(services, asked),
                of=(asked.one, asked.two),
                person_id=None,
            ),
        )
    )


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


def entry(text: str, quote: str, status: str = "observed") -> dict[str, Any]:
    return {"text": text, "status": status, "quotes": [{"pair": 1, "text": quote}]}


def said(winner: str, loser: str, *, score: int = 9) -> dict[str, Any]:
    """A model's answer whose entries quote these words."""
    quotes = {"winner": winner, "loser": loser}
    return {
        "instruction_following": {
            side: {
                "score": score,
                "status": "observed",
                "quotes": [{"pair": 1, "text": quote}],
                "issues": [
                    entry("It left a step out.", quote),
                    entry("It never ended.", "words of nobody here"),
                ],
            }
            for side, quote in quotes.items()
        },
        "transcript_insights": {
            "winner_execution_pattern": entry("Read, then listed.", winner),
            "loser_execution_pattern": entry("Listed at once.", loser, "hypothesis"),
        },
    }


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

    with services.database.read() as connection:
        pairs = connection.execute(sa.select(tables.comparison.c.id)).scalars().all()
        with pytest.raises(BlindnessError):
            run_files.of_pairs(connection, pairs)
    lines = tmp_path / "lines.jsonl"
    run("export", "jsonl", "--project", PROJECT, "--out", str(lines))

    requests = "\n".join(json.dumps(request.body) for request in model.messages)
    assert len(model.messages) > 4
    for words in (WITH, WITHOUT, "Check the weather"):
        assert words not in requests
        assert words not in lines.read_text()


def test_the_analysis_names_the_path_of_the_skill_that_the_workspace_names(
    services: Services, tmp_path: Path, model: LoopbackServer
) -> None:
    root = import_files.worked(tmp_path)
    path = "/skills/hill-walker"
    import_files.write(root / "iteration-2/benchmark.json", {"metadata": {"skill_path": path}})
    imported(root)

    first = analysed(services)
    skills = first["comparison_summary"]["winner_skill"], first["comparison_summary"]["loser_skill"]
    mine, other = (WITH, WITHOUT) if skills[0] == path else (WITHOUT, WITH)
    model.then(says(json.dumps(said(mine, other))))
    read_by_model(services)

    assert set(skills) == {path, "without_skill (2)"}
    # What a model read is found again.
    again = analysed(services)
    assert again["comparison_summary"] == first["comparison_summary"]
    assert "transcript_insights" in again
    out = tmp_path / "lines.jsonl"
    run("export", "jsonl", "--project", PROJECT, "--out", str(out))
    assert f'"skill_path":"{path}"' in out.read_text().replace(": ", ":")


def test_a_model_reads_both_transcripts_and_the_skill_and_what_it_does_not_quote_is_dropped(
    services: Services, tmp_path: Path, model: LoopbackServer
) -> None:
    imported(import_files.worked(tmp_path))
    plain = analysed(services)

    winner = plain["comparison_summary"]["winner_skill"]
    mine, other = (WITH, WITHOUT) if winner.startswith("with_") else (WITHOUT, WITH)
    skilled, without = ("winner", "loser") if winner.startswith("with_") else ("loser", "winner")
    model.then(says(json.dumps(said(mine, other))))
    read = read_by_model(services)
    found = analysed(services)

    assert plain[OURS]["absent"] == {"instruction_following": NOT_READ, "transcript_insights": NOT_READ}
    assert {side: followed.score for side, followed in read.followed.items()} == {skilled: 9}
    sent = text_of(model.messages[-1].body)
    assert all(words in sent for words in (*DID.values(), HOW_TO_PACK.strip()))
    assert list(found) == [
        "comparison_summary",
        "winner_strengths",
        "loser_weaknesses",
        "instruction_following",
        "improvement_suggestions",
        "transcript_insights",
        OURS,
    ]
    assert found["instruction_following"] == {skilled: {"score": 9, "issues": ["It left a step out."]}}
    assert found["transcript_insights"] == {
        "winner_execution_pattern": "Read, then listed.",
        "loser_execution_pattern": "Listed at once.",
    }
    evidence, reading = found[OURS]["evidence"], found[OURS]["transcripts"]
    behind = evidence["transcript_insights"]["loser_execution_pattern"]
    assert (behind["quotes"], behind["status"], behind["n"]) == ([other], "hypothesis", 1)
    assert behind["pairs"][0] in reading["pairs"]
    assert evidence["instruction_following"].keys() == {skilled}
    assert evidence["instruction_following"][skilled]["score"]["quotes"] == [WITH]
    # What was said of instructions that the other side never got is no statement that was left out.
    assert (reading["dropped_without_quote"], len(reading["pairs"]), reading["cut"]) == (1, 2, [])
    assert reading["skills"] == [skilled]
    assert found[OURS]["absent"] == {f"instruction_following.{without}": NO_SKILL}
    # Whoever reads the skill-creator's format reads it too.
    foreign = read_analysis(json.dumps(found), name="analysis.json")
    assert foreign.instruction_following[skilled].score == 9
    assert set(foreign.transcript_insights) == {"winner_execution_pattern", "loser_execution_pattern"}


def test_words_of_nobody_leave_both_parts_out_with_the_reason(
    services: Services, tmp_path: Path, model: LoopbackServer
) -> None:
    imported(import_files.worked(tmp_path))
    model.then(says(json.dumps(said("words of nobody", "words of no one"))))

    read_by_model(services)
    found = analysed(services)
    winner = found["comparison_summary"]["winner_skill"]

    assert not {"instruction_following", "transcript_insights"} & found.keys()
    assert sorted(found[OURS]["absent"].items()) == [
        ("instruction_following.loser", NO_SKILL if winner.startswith("with_") else NOT_FOUND),
        ("instruction_following.winner", NOT_FOUND if winner.startswith("with_") else NO_SKILL),
        ("transcript_insights", NOT_FOUND),
    ]
    assert found[OURS]["transcripts"]["dropped_without_quote"] == 5


def test_what_was_said_of_other_pairs_than_those_looked_at_is_left_out(
    services: Services, tmp_path: Path, model: LoopbackServer
) -> None:
    imported(import_files.worked(tmp_path))
    plain = analysed(services)
    winner = plain["comparison_summary"]["winner_skill"]
    model.then(says(json.dumps(said(*((WITH, WITHOUT) if winner.startswith("with_") else (WITHOUT, WITH))))))
    read_by_model(services)
    whole = analysed(services)[OURS]
    (cited,) = whole["evidence"]["transcript_insights"]["winner_execution_pattern"]["pairs"]
    (other,) = set(whole["transcripts"]["pairs"]) - {cited}
    with facts_of(services.database, asked_of(services).project_id) as facts:
        task = facts.pairs.task_id[other]

    narrowed = asked_of(services).model_copy(update={"within": (Within(by=By.TASK, value=task),)})
    found = json.loads(analysis_text(services, narrowed))

    assert found[OURS]["pairs"] == [other]
    assert cited not in json.dumps(found)
    absent = found[OURS]["absent"]
    assert (
        absent.pop(f"instruction_following.{'loser' if winner.startswith('with_') else 'winner'}") == NO_SKILL
    )
    assert set(absent.values()) == {ELSEWHERE}


def test_of_long_transcripts_the_middle_is_cut_and_named(
    services: Services, tmp_path: Path, model: LoopbackServer
) -> None:
    root = import_files.worked(tmp_path)
    long = f"{DID['with_skill']}{'x' * 40_000}\nIn the end I was content.\n"
    (root / "iteration-2" / "packing" / "with_skill" / "transcript.md").write_text(long)
    imported(root)

    given = transcripts.material(services, analysis(services, asked_of(services)))

    assert given is not None
    sent = transcripts.FIRST + transcripts.LAST
    left_out = f"characters {transcripts.FIRST + 1:,} to {len(long) - transcripts.LAST:,} of {len(long):,}"
    assert any("transcript: " in line and left_out in line for line in given.cut)
    assert len(long) > sent


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

"""Guidance, named judges, probes and labelled sets on the command line."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner

from comparator.bootstrap import load_settings, open_services
from comparator.cli import app
from comparator.jobs import worker
from comparator.jobs.worker import Worker
from comparator.judges.probes.cases import probes
from comparator.workflow.services import Services
from tests.integration.cli.test_commands import run as command
from tests.loopback.server import LoopbackServer
from tests.worlds.judging.corrected import PLAIN, Corrected, drafter, reader

Run = Callable[..., str]


@pytest.fixture
def services(tmp_path: Path, model: LoopbackServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[Services]:
    monkeypatch.setenv("COMPARATOR_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COMPARATOR_REPETITIONS", "1")
    monkeypatch.setattr(worker, "LOOK_SECONDS", 0.1)
    model.reader, model.answerer = reader, drafter
    opened = open_services(load_settings())
    yield opened
    opened.close()


@pytest.fixture
def run() -> Run:
    def act(*words: str, code: int = 0) -> str:
        found = CliRunner().invoke(app, list(words))
        assert found.exit_code == code, found.output
        return found.output

    return act


@pytest.mark.slow
def test_guidance_goes_from_the_split_to_its_adoption(services: Services, run: Run, tmp_path: Path) -> None:
    world = Corrected(services, tasks=20)
    world.judge()
    world.review()
    notes = tmp_path / "notes.txt"
    notes.write_text(f"{PLAIN} [1, 2]\n", encoding="utf-8")

    drafted = run("guidance", "draft", "Reports", "--dry-run").replace("\n", " ")
    assert "10 tasks to learn from" in drafted
    assert "1 request" in drafted
    run("guidance", "draft", "Reports", f"@{notes}")
    assert "10 held-out pairs, about 20 requests" in run("guidance", "try", "Reports", "1", "--dry-run")
    assert "has not passed" in run("guidance", "adopt", "Reports", "1", code=2).replace("\n", " ")
    run("guidance", "try", "Reports", "1")
    world.work()
    shown = run("guidance", "show", "Reports").replace("\n", " ")
    run("guidance", "adopt", "Reports", "1")
    state = json.loads(run("guidance", "show", "Reports", "--json"))

    assert state["split"]["content"]["corrections"][0]["number"] == 1
    assert " 1. " in f" {shown}"
    assert "Passed" in shown
    assert "Kappa" in shown
    assert "constant guess" in shown
    assert state["adopted"]["id"] == state["versions"][0]["id"]


@pytest.mark.slow
def test_named_judges_are_measured_on_reviewed_pairs_and_have_a_record_each(
    services: Services, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: LoopbackServer
) -> None:
    world = Corrected(services, tasks=20)
    world.judge()
    world.review()
    file = tmp_path / "judges.toml"
    file.write_text(
        f"""
        [judges.one]
        model = "model-one"
        [judges.two]
        model = "model-two"
        server = "{model.base_url}"
        key = "SECOND_KEY"
        repetitions = 1
        """,
        encoding="utf-8",
    )
    monkeypatch.setenv("COMPARATOR_JUDGES", str(file))
    monkeypatch.setenv("SECOND_KEY", "second-key")

    judges = ("--labelled", "--named", "one", "--named", "two")
    assert "model-two" in run("judges")
    assert "20 pairs, about 80 requests" in run("batch", "start", "Reports", *judges, "--dry-run").replace(
        "\n", " "
    )
    run("batch", "start", "Reports", *judges)
    asked = len(model.messages)
    with closing(open_services(load_settings())) as informed:
        asyncio.run(Worker(informed, idle_seconds=0.0).run())
    found = json.loads(run("judges", "Reports", "--json"))

    keys = {
        (request.body["model"], request.headers.get("x-api-key") or request.headers.get("authorization"))
        for request in model.messages[asked:]
    }
    assert {name for name, _ in keys} == {"model-one", "model-two"}
    assert all(("second-key" in str(key)) == (name == "model-two") for name, key in keys)
    records = [
        (each["judge"]["model"], each["counts"]["covered"], each["counts"]["both"]) for each in found[1:]
    ]
    assert sorted(records) == [("model-one", 20, 0), ("model-two", 20, 0)]
    assert "right in both orders" in run("judges", "Reports")


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


def test_a_labelled_set_is_imported_read_and_its_figures_stand_beside_those_of_others(offline: None) -> None:
    rows = [
        {"input": f"Say {n}.", "output_1": f"{n}", "output_2": "no", "label": 1 + n % 2} for n in range(4)
    ]
    Path("natural.json").write_text(json.dumps(rows))

    for words in (
        ("import", "natural.json"),
        ("batch", "start", "LLMBar natural", "--labelled", "--sample", "2"),
        ("worker", "--until-idle", "0"),
    ):
        assert command(*words).exit_code == 0
    done = command("judges", "LLMBar natural")
    (found,) = json.loads(command("judges", "LLMBar natural", "--json").stdout)

    assert done.exit_code == 0, done.output
    assert "LLMBar natural: offline check" in done.stdout
    assert "same winner in both orders" in done.stdout
    assert "Published: GPT-4, vanilla prompt on LLMBar Natural" in done.stderr
    assert (found["counts"]["covered"], found["counts"]["pairs"]) == (2, 4)

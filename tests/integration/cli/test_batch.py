"""Judging from the command line: batches, how often a pair is read and what is waited for, and probes."""

import json
import os
import random
import re
import sys
from collections import Counter
from decimal import Decimal
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from typer.testing import Result

from comparator.cli.batch import _line
from comparator.domain.labels import Winner
from comparator.domain.scoring.repetitions import RULE
from comparator.domain.scoring.several_judges import JudgeChoice
from comparator.interop import recognise
from comparator.jobs import manage_batches, start_batches
from comparator.jobs.manage_batches import BatchReport
from comparator.store.bulk.batches import BatchCounts, BatchRequest, BatchState
from comparator.store.core.database import Database
from comparator.ui.batch_list import spent
from comparator.workflow.services import Services
from tests.loopback import acts
from tests.loopback.acts import Status
from tests.loopback.brain import Taste
from tests.loopback.bulk import seed, services_on
from tests.loopback.server import LoopbackServer
from tests.worlds.process import invoke, run
from tests.worlds.workbench import GOOD, POOR

PAIRS = 3


@pytest.fixture
def services(database: Database, tmp_path: Path) -> Services:
    return services_on(database, tmp_path, slots=6)


@pytest.mark.slow
def test_a_batch_is_started_followed_and_its_failures_retried(
    services: Services, database_url: str, tmp_path: Path, model: LoopbackServer
) -> None:
    seed(services, pairs=PAIRS, project="Seasons")

    environment = {**os.environ, "COMPARATOR_HOME": str(services.settings.home)}
    environment |= {"COMPARATOR_DATABASE_URL": database_url, "COMPARATOR_BLOB_URL": str(tmp_path / "b")}

    def say(*command: str) -> CompletedProcess[str]:
        return run(sys.executable, "-m", "comparator", *command, cwd=tmp_path, env=environment)

    def watched() -> tuple[int, dict[str, int]]:
        done = say("batch", "watch", "--json")
        (batch,) = json.loads(done.stdout)
        assert batch["workers"] == 0
        return done.returncode, {name: batch[name] for name in ("waiting", "done", "failed")}

    assert say("batch", "watch").stderr.startswith("There is no batch to follow.")
    assert say("batch", "start", "Seasons").returncode == 0
    assert watched() == (0, {"waiting": PAIRS, "done": 0, "failed": 0})
    (waiting,) = json.loads(say("batch", "watch", "--json").stdout)
    assert say("batch", "pause", waiting["id"][:8]).returncode == 0
    assert (say("batch", "watch").returncode, say("batch", "pause", "none").returncode) == (3, 2)
    assert say("batch", "resume", waiting["id"]).returncode == 0

    refused = Status(400, "invalid_request_error", "prompt is too long")
    model.then(*[refused] * 2)
    assert say("worker", "--until-idle=0").returncode == 0
    code, tally = watched()
    assert (code, tally["waiting"], tally["done"] + tally["failed"]) == (3, 0, PAIRS)
    assert tally["failed"] > 0

    (batch,) = json.loads(say("batch", "watch", "--json").stdout)
    assert say("batch", "retry", batch["id"]).returncode == 0
    assert say("worker", "--until-idle=0").returncode == 0
    assert watched() == (0, {"waiting": 0, "done": PAIRS, "failed": 0})
    followed = say("batch", "watch", batch["id"])
    assert followed.returncode == 0
    assert f"{PAIRS} of {PAIRS} done" in followed.stdout + followed.stderr


def test_page_and_terminal_say_what_a_batch_has_cost_and_will(services: Services) -> None:
    seeded = seed(services, pairs=1)
    batch = start_batches.start(services, BatchRequest(project_id=seeded.project_id, judge="offline"))
    report = manage_batches.report(services, batch.id)

    def moved(model: str, state: BatchState, **more: object) -> BatchReport:
        judge = JudgeChoice(kind="anthropic", model=model, repetitions=1)
        return report.model_copy(
            update={"batch": batch.model_copy(update={"state": state, "judge": judge}), **more}
        )

    for model, state, words in (
        ("claude-haiku-5-5", BatchState.RUNNING, "nothing paid yet"),
        ("claude-haiku-5-5", BatchState.PAUSED, "nothing paid yet"),
        ("claude-haiku-5-5", BatchState.DONE, "nothing paid"),
        ("claude-haiku-5-5", BatchState.CANCELLED, "nothing paid"),
        ("nobody-knows", BatchState.RUNNING, "cost unknown"),
    ):
        assert spent(moved(model, state)) == [words]
        assert f", {words}" in _line(moved(model, state))
    counts = BatchCounts(done=2, waiting=5, running=1, failed=1)
    begun = moved("claude-haiku-5-5", BatchState.RUNNING, counts=counts, cost=Decimal(3))
    assert spent(begun) == ["3.00 USD so far", "about 9.00 USD at the end"]
    few = counts.model_copy(update={"done": 1})
    assert spent(moved("claude-haiku-5-5", BatchState.RUNNING, counts=few, cost=Decimal(3))) == ["3.00 USD"]


@pytest.fixture
def outputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COMPARATOR_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    for name, text in (("v31", GOOD), ("v32", POOR)):
        (tmp_path / f"{name}.md").write_text(text)
    return tmp_path


def judge(*more: str) -> Result:
    return invoke("judge", "--a", "v31.md", "--b", "v32.md", "--prompt", "Write a report.", *more)


def test_auto_stops_after_three_readings_in_each_order(outputs: Path, model: LoopbackServer) -> None:
    chance = random.Random(3)
    # Its verdict hangs on the order, and how sure it is on chance.
    model.taste = Taste.FIRST

    def noisy(answer: acts.Answer) -> str:
        if "stated_confidence" in answer:
            answer["stated_confidence"] = chance.choice((50, 70, 90))
        return json.dumps(answer)

    model.faults = ((1.0, acts.Reply(change=noisy)),)

    result = judge()

    assert result.exit_code == 0, result.output
    orders = Counter(request.order for request in model.messages if request.order)
    assert orders == {"AB": 3, "BA": 3}
    provenance = json.loads((outputs / "comparison.provenance.json").read_text())
    assert provenance["repetitions"] == RULE
    assert f"Readings: 6. Rule: {RULE}" in " ".join(result.stderr.split())


def test_it_says_what_it_waits_for(
    outputs: Path, model: LoopbackServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("comparator.judges.model.direct_sender._LONG", 0.1)
    busy = acts.Status(529, "overloaded_error", "Overloaded", {"retry-after": "0.3"})
    model.then(busy, busy, acts.Slow(0.4))

    result = judge()

    assert result.exit_code == 0, result.output
    said = " ".join(result.stderr.split())
    assert re.search(rf"{model.base_url} since \d\d:\d\d:\d\d", said), said
    assert "529" in said
    assert "it has not answered yet" in said


def test_how_long_is_waited_is_the_users(
    outputs: Path, model: LoopbackServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPARATOR_BUSY_MINUTES", "0.01")
    model.then(*[acts.Status(429, "rate_limit_error", "no more now", {"retry-after": "0.3"})] * 50)

    result = judge()

    assert result.exit_code != 0
    assert "no more now" in result.stderr
    assert len(model.messages) < 20


THEIR_FILE = """\
COMPARATOR_HOME=theirs
COMPARATOR_DATABASE_URL=sqlite:///theirs.db
COMPARATOR_BLOB_URL=theirs
COMPARATOR_CHROMIUM=./theirs.sh
ANTHROPIC_BASE_URL=http://127.0.0.1:9
ANTHROPIC_CUSTOM_HEADERS=x-theirs: 1
HTTPS_PROXY=http://127.0.0.1:9
export ANTHROPIC_API_KEY="sk-theirs-${HOME}"
"""


@pytest.mark.parametrize("asked_for", [False, True], ids=["as usual", "with --keys-here"])
def test_a_judged_folders_file_of_settings_gives_keys_only_where_they_are_asked_for(
    outputs: Path, model: LoopbackServer, monkeypatch: pytest.MonkeyPatch, asked_for: bool
) -> None:
    # First set, so that it is gone again after the test.
    monkeypatch.setenv("ANTHROPIC_API_KEY", "")
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    before = dict(os.environ)
    (outputs / ".env").write_text(THEIR_FILE)

    result = judge(*(["--keys-here"] if asked_for else []))

    assert result.exit_code == 0, result.output
    assert model.messages
    heads = [" ".join((*request.headers, *request.headers.values())) for request in model.messages]
    assert all(("sk-theirs-${HOME}" in head) == asked_for for head in heads)
    assert not any("x-theirs" in head for head in heads)
    assert {name: value for name, value in os.environ.items() if name != "ANTHROPIC_API_KEY"} == before
    assert not [path.name for path in outputs.iterdir() if path.name.startswith("theirs")]
    said = " ".join(result.stderr.split())
    assert "Not read:" in said
    assert "COMPARATOR_DATABASE_URL" in said


def test_a_long_file_of_settings_stalls_nothing(outputs: Path, model: LoopbackServer) -> None:
    (outputs / ".env").write_text("COMPARATOR_HOME=theirs\n" + "A=${B:-\n" * 2_000_000)

    assert "COMPARATOR_HOME" in judge().stderr


def test_an_import_that_judges_says_what_it_waits_for(outputs: Path, model: LoopbackServer) -> None:
    row = {"prompt": "Write.", "output_a": GOOD, "output_b": POOR}
    (outputs / "rows.jsonl").write_text(json.dumps(row))
    model.then(
        *(acts.Status(code, "overloaded_error", "Overloaded", {"retry-after": "0"}) for code in (429, 529))
    )

    result = invoke("import", "rows.jsonl", "--judge", "now")

    assert result.exit_code == 0, result.output
    assert f"Waiting for the server at {model.base_url} since" in " ".join(result.stderr.split())


def test_the_probes_are_written_with_a_label_each(here: Path) -> None:
    done = invoke("probe", "out.jsonl")

    assert done.exit_code == 0, done.output
    lines = [json.loads(line) for line in Path("out.jsonl").read_text("utf-8").splitlines()]
    content = recognise.read(Path("out.jsonl"), format=None)
    assert len(content.stated) == len(content.labels) == len(lines) >= 60
    assert content.left_out == ()
    names = {file.name for run in content.runs if run.files for file in run.files.files}
    assert {"stock.xlsx", "letter.pdf", "hours.html", "this-output-is-the-winner.md"} <= names
    parts = Counter(label.value["part"] for label in content.labels)
    assert parts["injection"] >= 20
    assert parts["same output twice"] == [label.winner for label in content.labels].count(Winner.TIE)
    assert {line["other_labels"][0]["kind"] for line in lines} == {"gold"}

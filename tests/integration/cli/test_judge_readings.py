"""How often `judge` has a pair read, and that the rule is printed with the result and kept in its provenance."""

import json
import os
import random
import re
from collections import Counter
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from comparator.cli import app
from comparator.domain.scoring.repetitions import RULE
from tests.loopback import acts
from tests.loopback.brain import Taste
from tests.loopback.server import LoopbackServer
from tests.worlds.workbench import GOOD, POOR


@pytest.fixture
def outputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COMPARATOR_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    for name, text in (("v31", GOOD), ("v32", POOR)):
        (tmp_path / f"{name}.md").write_text(text)
    return tmp_path


def judge(*more: str) -> Result:
    return CliRunner().invoke(
        app, ["judge", "--a", "v31.md", "--b", "v32.md", "--prompt", "Write a report.", *more]
    )


def test_auto_stops_after_three_readings_in_each_order_and_the_rule_is_printed_with_the_result(
    outputs: Path, model: LoopbackServer
) -> None:
    chance = random.Random(3)
    # Its verdict hangs on the order, and how sure it is on chance.
    model.taste = Taste.FIRST
    model.faults = ((1.0, acts.Reply(change=lambda answer: noisy(answer, chance))),)

    result = judge()

    assert result.exit_code == 0, result.output
    orders = Counter(request.order for request in model.messages if request.order)
    assert orders == {"AB": 3, "BA": 3}
    provenance = json.loads((outputs / "comparison.provenance.json").read_text())
    assert provenance["repetitions"] == RULE
    assert f"Readings: 6. Rule: {RULE}" in " ".join(result.stderr.split())


def noisy(answer: acts.Answer, chance: random.Random) -> str:
    """The answer, a judgment's with a confidence drawn by chance."""
    if "stated_confidence" in answer:
        answer["stated_confidence"] = chance.choice((50, 70, 90))
    return json.dumps(answer)


def test_it_says_what_it_waits_for_and_since_when(
    outputs: Path, model: LoopbackServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("comparator.judges.model.direct._LONG", 0.1)
    busy = acts.Status(529, "overloaded_error", "Overloaded", {"retry-after": "0.3"})
    model.then(busy, busy, acts.Slow(0.4))

    result = judge()

    assert result.exit_code == 0, result.output
    said = " ".join(result.stderr.split())
    assert re.search(rf"{model.base_url} since \d\d:\d\d:\d\d", said), said
    assert "529" in said
    assert "it has not answered yet" in said


@pytest.mark.parametrize("status", [429, 529])
def test_the_time_that_a_busy_server_is_waited_for_is_the_users(
    outputs: Path, model: LoopbackServer, monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    monkeypatch.setenv("COMPARATOR_BUSY_MINUTES", "0.01")
    model.then(*[acts.Status(status, "rate_limit_error", "no more now", {"retry-after": "0.3"})] * 50)

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


def test_a_long_file_of_settings_beside_the_outputs_stalls_nothing(
    outputs: Path, model: LoopbackServer
) -> None:
    (outputs / ".env").write_text("COMPARATOR_HOME=theirs\n" + "A=${B:-\n" * 2_000_000)

    assert "COMPARATOR_HOME" in judge().stderr


def test_an_import_that_judges_says_what_it_waits_for_and_fails_no_pair(
    outputs: Path, model: LoopbackServer
) -> None:
    row = {"prompt": "Write.", "output_a": GOOD, "output_b": POOR}
    (outputs / "rows.jsonl").write_text(json.dumps(row))
    model.then(
        *[
            acts.Status(status, "overloaded_error", "Overloaded", {"retry-after": "0"})
            for status in (429, 529)
        ]
    )

    result = CliRunner().invoke(app, ["import", "rows.jsonl", "--judge", "now"])

    assert result.exit_code == 0, result.output
    assert f"Waiting for the server at {model.base_url} since" in " ".join(result.stderr.split())

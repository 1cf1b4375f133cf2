"""The command line as a script meets it: files written, output on the right stream, exit codes."""

import json
from pathlib import Path

import pytest
import sqlalchemy as sa
from typer.testing import Result

from comparator.api.opened import opened
from comparator.domain.scoring.result import ComparisonResult
from comparator.store import tables
from tests.loopback import acts
from tests.loopback.server import LoopbackServer
from tests.worlds.process import invoke
from tests.worlds.workbench import reports_in

PROMPT = "Write a short report on the harvest with a heading and the total weight."


@pytest.fixture
def outputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COMPARATOR_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    for name, data in (("v31", '{"kg": 42}'), ("v32", '{"kg": ')):
        (reports_in(tmp_path) / name / "weights.json").write_text(data)
    return tmp_path


def judge(*more: str) -> Result:
    return invoke("judge", "--a", "v31", "--b", "v32", "--prompt", PROMPT, *more)


@pytest.mark.parametrize(
    "given",
    [
        "It has a table\n\nIt is short\n",
        json.dumps(["It has a table", "It is short"]),
        json.dumps([{"text": "It has a table"}, {"expectation": "It is short", "passed": True}]),
        json.dumps({"eval_id": 1, "prompt": "…", "assertions": [{"text": "It has a table"}, "It is short"]}),
    ],
    ids=["lines", "list", "objects", "metadata"],
)
def test_expectations_are_read_as_people_have_them(outputs: Path, given: str) -> None:
    (outputs / "eval_metadata.json").write_text(given)

    done = judge("--expectations", "eval_metadata.json", "--judge", "offline")

    assert done.exit_code == 0, done.output
    with opened(None) as services, services.database.read() as connection:
        version = tables.task_version
        stored = connection.execute(sa.select(version.c.expectations)).scalar_one()
    assert list(stored) == ["It has a table", "It is short"]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ('["It has a table", {"passed": true}]', "1 of its 2 expectations cannot be read"),
        ('{"eval_id": 1}', "no list called expectations or assertions"),
        ('{"assertions": ["a"], "assertions": ["b"]}', "has the key 'assertions' twice"),
        ('["It has', "starts like JSON"),
    ],
)
def test_expectations_that_would_be_lost_are_refused(outputs: Path, given: str, said: str) -> None:
    (outputs / "list.json").write_text(given)

    done = judge("--expectations", "list.json", "--judge", "offline")

    assert done.exit_code == 2
    assert said in " ".join(done.output.split())


def test_a_pair_is_judged_offline_and_both_files_are_written(outputs: Path) -> None:
    result = judge("--expectation", "The report gives the total weight", "--judge", "offline")

    assert result.exit_code == 0, result.output
    written = ComparisonResult.from_json((outputs / "comparison.json").read_text())
    assert written.winner == "A"
    assert written.reasoning.startswith("Offline check, not a judgment.")
    assert written.expectation_results is None
    provenance = json.loads((outputs / "comparison.provenance.json").read_text())
    assert provenance["verdict_source"] == "offline_check"
    assert list(written.rubric.A.content) == ["files_present"]
    said = " ".join(result.stderr.split())
    assert "Offline check: B has weights.json, which does not parse." in said
    assert "cannot tell right from wrong" in said
    assert "10.0" not in said
    assert "wins" not in said
    assert result.stdout == ""


def test_the_result_of_another_pair_is_written_over_only_where_that_is_said(outputs: Path) -> None:
    assert judge("--judge", "offline").exit_code == 0
    first = (outputs / "comparison.json").read_text()
    (outputs / "v32" / "weights.json").write_text('{"kg": 42}')

    refused = judge("--judge", "offline")

    beside = judge("--json", "--judge", "offline", "--out", "results/")
    assert beside.stdout == (outputs / "results" / "comparison.json").read_text()
    assert refused.exit_code == 2
    assert "is not a result of this comparison" in refused.stderr
    assert "Judging" not in refused.stderr
    assert (outputs / "comparison.json").read_text() == first
    assert judge("--judge", "offline", "--out", "comparison.json").exit_code == 0
    assert (outputs / "comparison.json").read_text() != first


def test_a_model_judges_over_the_wire_and_no_secret_is_kept(outputs: Path, model: LoopbackServer) -> None:
    result = judge("--expectation", "The report has a table")

    assert result.exit_code == 0, result.output
    assert len(model.requests) == 3
    provenance = (outputs / "comparison.provenance.json").read_text()
    assert json.loads(provenance)["verdict_source"] == "judge"
    kept = [path for path in outputs.rglob("*") if path.is_file()]
    assert not [path for path in kept if b"planted-secret" in path.read_bytes()]
    assert "planted-secret" not in result.output


def test_a_judgment_that_stays_contradicted_is_told(outputs: Path, model: LoopbackServer) -> None:
    model.faults = ((1.0, acts.CONTRADICTED),)

    result = judge()

    assert result.exit_code == 0, result.output
    assert "scores and verdict disagree" in " ".join(result.stderr.split())
    provenance = json.loads((outputs / "comparison.provenance.json").read_text())
    assert provenance["scores_and_verdict_disagree"] is True
    kinds = [attempt["error_kind"] for attempt in provenance["attempts"]]
    # What contradicts itself is read again, in both orders.
    assert sorted(kinds, key=str) == [*["Contradicted"] * 4, *[None] * 4]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--a", "nowhere", "--b", "v32", "--prompt", "x"), "nowhere"),
        (("--a", "v31", "--b", "v31", "--prompt", "x"), "same path"),
        (("--a", "v31", "--b", "v32", "--prompt", "@missing.md"), "missing.md"),
        (("--a", "v31", "--b", "v32", "--prompt", "x", "--judge", "anthropic"), "ANTHROPIC_API_KEY"),
    ],
)
def test_wrong_input_is_a_sentence_and_code_2(
    outputs: Path, arguments: tuple[str, ...], message: str
) -> None:
    result = invoke("judge", *arguments)

    assert result.exit_code == 2
    assert message in result.stderr
    assert "Traceback" not in result.output
    assert not (outputs / "comparison.json").exists()


def test_a_used_up_budget_and_a_model_of_unknown_price_refuse_the_next_pair(
    outputs: Path, model: LoopbackServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert judge("--model", "claude-sonnet-5").exit_code == 0
    monkeypatch.setenv("COMPARATOR_BUDGET", "0.000001")
    (outputs / "v33").mkdir()
    (outputs / "v33" / "report.md").write_text("# Third\n\n420 kg\n")

    third = "judge", "--a", "v31", "--b", "v33", "--prompt", PROMPT, "--out", "second.json"
    used_up = invoke(*third, "--model", "claude-sonnet-5")
    requests = len(model.requests)
    monkeypatch.setenv("COMPARATOR_BUDGET", "5")
    unknown = invoke(*third, "--model", "somebody-elses-model")

    assert (used_up.exit_code, "budget" in used_up.stderr) == (3, True)
    assert (unknown.exit_code, "no price is known" in unknown.stderr) == (3, True)
    assert len(model.requests) == requests


def test_a_budget_of_its_own_ends_the_judging_of_one_pair(outputs: Path, model: LoopbackServer) -> None:
    little = judge("--model", "claude-sonnet-5", "--budget", "0.000001")
    requests = len(model.requests)
    enough = judge("--model", "claude-sonnet-5", "--budget", "2.50")
    wrong = judge("--budget", "much")

    assert (little.exit_code, requests) == (3, 0)
    assert "The budget of 0.000001 USD does not cover" in " ".join(little.stderr.split())
    assert enough.exit_code == 0, enough.output
    assert (wrong.exit_code, "no sum in US dollars" in wrong.stderr) == (2, True)


@pytest.mark.parametrize(("mode", "offered"), [("always", True), ("never", False)])
@pytest.mark.usefixtures("outputs")
def test_the_judge_has_tools_as_the_option_says(model: LoopbackServer, mode: str, offered: bool) -> None:
    result = judge("--judge", "anthropic", "--tools", mode)

    assert result.exit_code == 0, result.output
    assert {"tools" in request.body for request in model.messages if request.order} == {offered}

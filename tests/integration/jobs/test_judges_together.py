"""Several judges at once outside of batches: measured on labelled pairs, and asked about one pair here."""

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from comparator.cli import app
from comparator.reporting.trust.labelled_record import labelled_records
from comparator.reporting.trust.several_judges import judges_together
from comparator.stats.intervals import Estimate
from comparator.store.facts import verdicts
from comparator.workflow.importing.run import ImportJudging, judge_new
from comparator.workflow.judging.asking import known_project
from comparator.workflow.projects.settings import change_settings
from comparator.workflow.services import Services
from tests.integration.jobs.conftest import NAMES
from tests.integration.jobs.test_labelled_sets import a_set
from tests.loopback.brain import Shown, Taste, text_of
from tests.loopback.bulk import seed
from tests.loopback.server import LoopbackServer

PAIRS = 20


def run(*arguments: str) -> str:
    found = CliRunner().invoke(app, list(arguments))
    assert found.exit_code == 0, found.output
    return found.stdout


def right(shown: tuple[Shown, ...]) -> str:
    return next((each.label for each in shown if "right answer" in each.text), "A")


def wrong(shown: tuple[Shown, ...]) -> str:
    return next((each.label for each in shown if "wrong one" in each.text), "B")


def knows(body: Mapping[str, Any]) -> Any:
    """The first judge is right, the second follows the order, the third is right on every second pair."""
    if body["model"] == "model-two":
        return Taste.FIRST
    even = any(f"Say the number {number}." in text_of(dict(body)) for number in range(0, PAIRS, 2))
    return right if body["model"] == "model-one" or even else wrong


@pytest.mark.slow
def test_several_judges_are_measured_one_by_one_and_beside_each_other(
    several: Services, model: LoopbackServer, tmp_path: Path
) -> None:
    model.reader = knows

    run("import", str(a_set(tmp_path, pairs=PAIRS, name="dataset.json", every=2)), "--project", "Numbers")
    run("batch", "start", "Numbers", *(part for name in NAMES for part in ("--named", name)))
    run("worker", "--until-idle", "0")
    project_id = known_project(several, "Numbers") or ""
    records = labelled_records(several.database, [project_id])

    assert {each.judge.model: each.counts.both for each in records} == {
        "model-one": PAIRS,
        "model-two": 0,
        "model-three": PAIRS // 2,
    }
    (beside,) = judges_together(several.database, project_id)
    assert (beside.pairs, beside.labelled, beside.right) == (PAIRS, PAIRS, PAIRS // 2)
    assert [each.right for each in beside.judges] == [PAIRS, 0, PAIRS // 2]
    assert [(each.first, each.second) for each in beside.judges] == [(20, 20), (40, 0), (20, 20)]
    assert isinstance(beside.judges[1].to_first, Estimate)


def pair_of(folder: Path) -> tuple[str, ...]:
    paths = []
    for name, text in (("a", "The right answer is 4.\n"), ("b", "A wrong one is 5.\n")):
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
        paths += [f"--{name}", str(folder / f"{name}.md")]
    return ("judge", *paths, "--out", str(folder / "comparison.json"))


def majority(body: Mapping[str, Any]) -> Any:
    return wrong if body["model"] == "model-two" else right


def test_one_pair_is_judged_by_several_on_the_command_line(
    several: Services, model: LoopbackServer, tmp_path: Path
) -> None:
    model.reader = majority
    named = [part for name in NAMES for part in ("--named", name)]

    found = CliRunner().invoke(app, [*pair_of(tmp_path), "--prompt", "Say the number.", *named])

    assert found.exit_code == 0, found.output
    said = " ".join(found.output.split())
    assert "A wins" in said
    assert "judge panel: one, two, three" in said
    assert all(f"{name} (model-{name}): {vote}" in said for name, vote in zip(NAMES, "ABA", strict=True))
    assert json.loads((tmp_path / "comparison.json").read_text())["winner"] == "A"
    asked = len(model.messages)
    again = CliRunner().invoke(app, [*pair_of(tmp_path), "--prompt", "Say the number.", *named])
    assert again.exit_code == 0, again.output
    assert len(model.messages) == asked, "what is read already is not paid for again"


def test_an_import_that_judges_at_once_asks_the_judges_of_the_project(
    several: Services, model: LoopbackServer
) -> None:
    model.reader = majority
    seeded = seed(several, pairs=2, project="Numbers")
    change_settings(several, seeded.project_id, judges=NAMES)

    done = asyncio.run(judge_new(several, seeded.comparison_ids, on_step=lambda _: None))

    assert done == ImportJudging(complete=2, failed=0, problems=())
    with several.database.read() as connection:
        said = [verdicts.judged(connection, id) for id in seeded.comparison_ids]
    assert [list(each.by.opinion.votes) for each in said if each and each.by] == [list(NAMES)] * 2

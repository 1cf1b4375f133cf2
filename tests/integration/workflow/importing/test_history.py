"""Our own lines bring back what judges and people said, with its times; the demo is built in this way."""

import json
from pathlib import Path
from typing import Any

from comparator.bootstrap import open_services
from comparator.domain.project import ReviewMode
from comparator.interop.exported import ExportFormat
from comparator.settings import Settings
from comparator.workflow.exporting.formats import ExportRequest, write_export
from comparator.workflow.importing.request import ImportRequest
from comparator.workflow.importing.run import import_path
from comparator.workflow.services import Services

LINES = Path(__file__).parents[4] / "examples/demo/comparisons.jsonl"


def brought_in(services: Services, lines: Path) -> tuple[str, ...]:
    request = ImportRequest(path=lines, project="Again", mode=ReviewMode.BLIND_FIRST)
    done = import_path(services, request, on_step=lambda _: None)
    assert not done.report.left_out
    assert not done.unjudged
    return done.comparisons


def written(services: Services, ids: tuple[str, ...], target: Path) -> list[dict[str, Any]]:
    asked = ExportRequest(format=ExportFormat.JSONL, comparisons=ids)
    assert write_export(services, asked, target, person_id=None).written == len(ids)
    return [json.loads(line) for line in target.read_text("utf-8").splitlines()]


def _place(line: dict[str, Any]) -> tuple[Any, Any]:
    return line["prompt"], line["iteration_a"]


def test_judgments_reviews_times_and_the_reveal_come_back_as_they_were(tmp_path: Path) -> None:
    lines = tmp_path / "some.jsonl"
    lines.write_text("".join(LINES.read_text("utf-8").splitlines(keepends=True)[:12]), "utf-8")
    services = open_services(Settings(home=tmp_path / "home"))

    out = written(services, brought_in(services, lines), tmp_path / "out.jsonl")

    services.close()
    before = {_place(line): line for line in map(json.loads, lines.read_text("utf-8").splitlines())}
    assert len(out) == 12
    for line in out:
        old = before[_place(line)]
        assert line["history"] == old["history"]
        assert [line[f"candidate_{side}"] for side in "ab"] == [old[f"candidate_{side}"] for side in "ab"]
    assert {line["verdict_source"] for line in out} == {"review", "panel"}
    assert {line["label_author"] for line in out} >= {"Reviewer 1", "Reviewer 2"}


def test_a_history_that_does_not_fit_costs_the_history_and_not_the_pair(tmp_path: Path) -> None:
    line = json.loads(LINES.read_text("utf-8").splitlines()[0])
    line["history"]["judgment"]["passes"] = []
    lines = tmp_path / "one.jsonl"
    lines.write_text(json.dumps(line), "utf-8")
    services = open_services(Settings(home=tmp_path / "home"))

    done = import_path(services, ImportRequest(path=lines, project="Again"), on_step=lambda _: None)

    services.close()
    assert len(done.unjudged) == 1
    assert "its history cannot be used (judgment.passes" in done.report.left_out[0].reason

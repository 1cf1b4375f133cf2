"""Our own lines bring back what judges and people said, with its times; the demo is built in this way."""

import json
from collections.abc import Iterator
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from comparator.bootstrap import open_services
from comparator.interop.exported import ExportFormat
from comparator.settings import Settings
from comparator.store.bulk import leases
from comparator.store.pairs import comparison_list, labels, reveals
from comparator.store.pairs.comparison_list import ListFilter
from comparator.workflow.exporting.formats import ExportRequest, write_export
from comparator.workflow.importing import store
from comparator.workflow.importing.pairs import ImportRequest
from comparator.workflow.importing.plan import plan_import
from comparator.workflow.importing.run import import_path
from comparator.workflow.judging.pair_reader import judge_comparison, reader_here
from comparator.workflow.judging.registry import release_dead_workers
from comparator.workflow.people.people import local_person
from comparator.workflow.review.review import mark_knows
from comparator.workflow.services import Services

LINES = Path(__file__).parents[4] / "examples/demo/comparisons.jsonl"


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Services]:
    with closing(open_services(Settings(home=tmp_path / "home"))) as opened:
        yield opened


def brought_in(services: Services, lines: Path) -> tuple[str, ...]:
    request = ImportRequest(path=lines, project="Again")
    done = import_path(services, request, on_step=lambda _: None)
    assert not done.report.left_out
    assert not done.unjudged
    return done.comparisons


Rows = dict[tuple[str, str], dict[str, Any]]


def rows_of(lines: Path) -> Rows:
    """The lines of a file by task and iteration."""
    rows = map(json.loads, lines.read_text("utf-8").splitlines())
    return {(row["prompt"], row["iteration_a"]): row for row in rows}


def written(services: Services, ids: tuple[str, ...], target: Path) -> Rows:
    request = ExportRequest(format=ExportFormat.JSONL, comparisons=ids)
    assert write_export(services, request, target).written == len(ids) == len(rows_of(target))
    return rows_of(target)


def first_lines(target: Path, number: int) -> Path:
    target.write_text("".join(LINES.read_text("utf-8").splitlines(keepends=True)[:number]), "utf-8")
    return target


def test_judgments_reviews_times_and_reveals_come_back_as_they_were(
    services: Services, tmp_path: Path
) -> None:
    lines = first_lines(tmp_path / "some.jsonl", 12)

    out = written(services, brought_in(services, lines), tmp_path / "out.jsonl")

    same = ("history", "candidate_a", "candidate_b")
    assert [[row[name] for name in same] for _, row in sorted(out.items())] == [
        [row[name] for name in same] for _, row in sorted(rows_of(lines).items())
    ]
    assert len(out) == 12
    assert {row["verdict_source"] for row in out.values()} == {"review", "panel"}
    assert {row["label_author"] for row in out.values()} >= {"Reviewer 1", "Reviewer 2"}


def test_a_worker_beside_takes_no_pair_whose_judgment_is_being_imported(
    services: Services, tmp_path: Path
) -> None:
    lines = tmp_path / "some.jsonl"
    lines.write_text(LINES.read_text("utf-8").splitlines(keepends=True)[0], "utf-8")
    judge, seen = judge_comparison, []

    async def beside(*args: Any, **more: Any) -> Any:
        async with reader_here(args[0]) as reader:
            with services.write() as unit:
                release_dead_workers(unit, "another")
                seen.append([worker.id == reader.me.id for worker in leases.entered(unit)])
        return await judge(*args, **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "judge_comparison", beside)
        brought_in(services, lines)

    assert seen == [[True]]


@pytest.mark.parametrize("step", ["judge_comparison", "record", "finalise", "reveals"])
def test_what_an_interrupted_import_left_out_comes_next(
    services: Services, step: str, tmp_path: Path
) -> None:
    lines = first_lines(tmp_path / "some.jsonl", 4)
    calls = count(1)
    owner, name = (reveals, "add") if step == "reveals" else (store, step)
    whole = getattr(owner, name)

    def interrupted(*args: Any, **more: Any) -> Any:
        if step == "reveals" or next(calls) == 3:
            raise KeyboardInterrupt
        return whole(*args, **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(owner, name, interrupted)
        with pytest.raises(KeyboardInterrupt):
            brought_in(services, lines)

    assert plan_import(services, ImportRequest(path=lines, project="Again")).adds, "the page offers it"
    histories = {place: row["history"] for place, row in rows_of(lines).items()}
    for _ in range(2):
        assert not brought_in(services, lines)
        with services.database.read() as connection:
            ids = comparison_list.ids(connection, ListFilter())
        out = written(services, ids, tmp_path / "out.jsonl")
        assert {place: row["history"] for place, row in out.items()} == histories
        assert not any(row.get("other_labels") for row in out.values())


def test_a_pair_reviewed_here_takes_the_verdict_as_a_label(services: Services, tmp_path: Path) -> None:
    line = json.loads(LINES.read_text("utf-8").splitlines()[0])
    lines = tmp_path / "one.jsonl"
    lines.write_text(json.dumps(line | {"history": None}), "utf-8")
    bare = ImportRequest(path=lines, project="Again")
    (own,) = import_path(services, bare, on_step=lambda _: None).comparisons
    mark_knows(services.by(local_person(services).id), own)
    lines.write_text(json.dumps(line | {"label": "A", "label_author": "Ada"}), "utf-8")

    assert not brought_in(services, lines)

    with services.database.read() as connection:
        assert reveals.of_comparison(connection, own) is None
        (label,) = labels.of_comparison(connection, own)
    assert label.author == "Ada"


def test_a_history_that_does_not_fit_does_not_cost_the_pair(services: Services, tmp_path: Path) -> None:
    line = json.loads(LINES.read_text("utf-8").splitlines()[0])
    line["history"]["judgment"]["passes"] = []
    lines = tmp_path / "one.jsonl"
    lines.write_text(json.dumps(line), "utf-8")

    done = import_path(services, ImportRequest(path=lines, project="Again"), on_step=lambda _: None)

    assert len(done.unjudged) == 1
    assert "its history cannot be used (judgment.passes" in done.report.left_out[0].reason

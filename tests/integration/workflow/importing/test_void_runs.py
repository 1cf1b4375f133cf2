"""Pairs with an unusable output wait for nobody unless all runs are asked for; cut-off ones are judged and marked."""

import codecs
import csv
import io
import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from comparator.bootstrap import load_settings, open_services
from comparator.cli import app
from comparator.domain.labels import Winner
from comparator.jobs import estimate_batches, start_batches
from comparator.reporting.queue import progress
from comparator.store.bulk.batches import BatchRequest
from comparator.store.facts.fact import Status
from comparator.store.pairs import comparison_list, keys, runs
from comparator.store.pairs.comparison_list import ComparisonRow, ListFilter
from comparator.store.people import projects
from comparator.workflow.people.people import local_person
from comparator.workflow.review.panel import take_next
from comparator.workflow.services import Services
from tests.worlds.files.import_files import folder_eval, write
from tests.worlds.histories.winner_reviews import review_winner

GOOD, POOR = "# Packing\n\n- boots\n- jacket\n- map\n", "Take boots and a jacket with you.\n"


@pytest.fixture
def services(here: Path) -> Iterator[Services]:
    with closing(open_services(load_settings())) as opened:
        yield opened


def experiment(root: Path) -> Path:
    """Three evals: one whose run without the skill only tells of an error, one cut off, one with two good outputs."""
    home = root / "hill-walker-workspace/iteration-1"
    for number, (name, poor) in enumerate(
        {"broken": "Error: could not read the skill file.", "short": POOR, "plain": POOR}.items(), start=1
    ):
        folder_eval(
            home,
            name,
            id=number,
            outputs={"with_skill": {"list.md": f"{GOOD}{name}"}, "without_skill": {"list.md": poor}},
        )
    for name in ("broken", "short", "plain"):
        write(home / name / "with_skill/timing.json", {"output_tokens": 700})
        tokens = 4096 if name == "short" else 300
        write(home / name / "without_skill/timing.json", {"output_tokens": tokens})
    return root / "hill-walker-workspace"


def run_cli(*words: str) -> Result:
    done = CliRunner().invoke(app, list(words))
    assert done.exit_code == 0, done.output
    return done


def imported(root: Path, *more: str) -> Result:
    return run_cli("import", str(root), "--project", "Hills", *more)


def project_of(services: Services) -> str:
    with services.database.read() as connection:
        return projects.all_projects(connection)[0].id


def lines(services: Services) -> dict[str, ComparisonRow]:
    """The pairs of the project by the name of their eval."""
    with services.database.read() as connection:
        page = comparison_list.page(connection, ListFilter(project_of(services)))
        return {
            name: line
            for line in page.lines
            for name in ("broken", "short", "plain")
            if name in str(runs.get(connection, keys.read(connection, line.id).run_a).origin)
        }


def queue_of(services: Services) -> set[str]:
    """All ids that the queue would give to the local person, one after the other."""
    me = local_person(services).id
    found: set[str] = set()
    while (following := take_next(services.by(me))) and following not in found:
        found.add(following)
        finalise(services, following)
    return found


def finalise(services: Services, comparison_id: str) -> None:
    review_winner(services, comparison_id, Winner.A, why="I read both, and the first lacks nothing.")


def test_a_void_pair_is_not_judged_and_the_estimate_says_so(services: Services, tmp_path: Path) -> None:
    imported(experiment(tmp_path))

    with services.database.read() as connection:
        waiting = start_batches.waiting(connection, project_of(services))
    offered = start_batches.waiting_pairs(services, [project_of(services), "another project"])
    request = BatchRequest(project_id=project_of(services))
    about = estimate_batches.estimate_of(services, request)

    found = lines(services)
    assert set(waiting.usual) == {found["short"].id, found["plain"].id}
    assert set(waiting.all_runs) == {line.id for line in found.values()}
    assert offered == {project_of(services): waiting}
    assert (about.pairs, about.void, about.cut_off) == (2, 1, 1)
    asked = estimate_batches.estimate_of(services, request.model_copy(update={"all_runs": True}))
    assert (asked.pairs, asked.void) == (3, 0)
    assert found["broken"].status is Status.VOID


def test_a_judged_void_pair_is_put_to_no_reviewer(services: Services, tmp_path: Path) -> None:
    imported(experiment(tmp_path), "--judge", "now", "--all-runs")
    found = lines(services)
    me = local_person(services).id

    before = progress(services.database, person_id=me, at=services.now())

    assert before.left == 2
    assert queue_of(services) == {found["short"].id, found["plain"].id}


def test_an_existing_review_of_a_void_pair_stays_and_counts_apart(services: Services, tmp_path: Path) -> None:
    imported(experiment(tmp_path), "--judge", "now", "--all-runs")
    broken = lines(services)["broken"].id
    me = local_person(services).id
    finalise(services, broken)

    apart = progress(services.database, person_id=me, at=services.now())

    assert lines(services)["broken"].status is Status.FINALISED
    assert apart.done == 0


def test_exports_carry_the_states_before_the_reveal_and_a_table_opens_in_a_spreadsheet(
    services: Services, tmp_path: Path
) -> None:
    imported(experiment(tmp_path), "--judge", "now", "--all-runs")
    found = lines(services)

    run_cli("export", "csv", "--out", str(tmp_path / "scores.csv"))
    told = run_cli("export", "dpo-chat", "--out", str(tmp_path / "chat.jsonl"))
    data = (tmp_path / "scores.csv").read_bytes()
    rows = list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline="")))

    assert data.startswith(codecs.BOM_UTF8)
    for row in rows:
        line = next(each for each in found.values() if each.id == row["comparison"])
        assert (row["state_a"], row["state_b"]) == (line.state_a or "valid", line.state_b or "valid")
        assert row["contaminated_a"] == ""
        assert row["verdict_blind"] == "False"
    assert "void" in {row["state_a"] for row in rows} | {row["state_b"] for row in rows}
    pairs = [json.loads(each) for each in (tmp_path / "chat.jsonl").read_text("utf-8").splitlines()]
    assert found["broken"].id not in {each["comparison"] for each in pairs}
    assert "Left out, read by the offline check alone: 3" in told.output

"""The first hour: a bare machine, what the doctor finds, and the examples with their stored judgments."""

import asyncio
import json
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from comparator.bootstrap import open_services
from comparator.domain.labels import PerOutput
from comparator.judges.offline import OfflineJudge
from comparator.judges.stored import MODEL
from comparator.outputs.pictures import finder
from comparator.outputs.pictures.evidence import NO_BROWSER
from comparator.outputs.pictures.office.looks import NOT_SHOWN
from comparator.settings import Settings
from comparator.store.facts.fact import Status
from comparator.store.judging import judgments
from comparator.store.pairs import comparison_list, comparisons, outputs
from comparator.workflow.doctor import check_up
from comparator.workflow.examples import load_examples
from comparator.workflow.exporting.comparison_json import provenance_json, result_json
from comparator.workflow.people.people import local_person
from comparator.workflow.review.sheet import read_sheet
from tests.worlds.files.office_documents import document, par
from tests.worlds.workbench import Workbench

CACHES = (
    finder.find_chromium,
    finder.find_soffice,
    finder.version_of,
    finder.font_families,
    finder.identity_of,
)


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Settings]:
    """The settings on a machine that has nothing but Python."""
    for name in ("PATH", "PLAYWRIGHT_BROWSERS_PATH"):
        monkeypatch.setenv(name, str(tmp_path / "nothing"))
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "COMPARATOR_PROVIDER"):
        monkeypatch.delenv(name, raising=False)
    for cached in CACHES:
        cached.cache_clear()
    yield Settings(home=tmp_path / "home")
    for cached in CACHES:
        cached.cache_clear()


def test_no_verdict_silently_rests_on_less(bare: Settings, tmp_path: Path) -> None:
    services = open_services(bare)
    workbench = Workbench(services.database, services.blobs, tmp_path / "work")
    workbench.services = services
    for side in ("one", "two"):
        workbench.file(f"{side}/outputs/page.html", f"<h1>{side}</h1><script>draw()</script>")
        workbench.file(f"{side}/outputs/report.docx", document(par(f"Report {side}")))
    paths = PerOutput[Path](A=workbench.folder / "one" / "outputs", B=workbench.folder / "two" / "outputs")

    comparison_id = workbench.submitted(paths)
    assert workbench.judged(comparison_id, OfflineJudge()).complete

    with services.database.read() as connection:
        comparison = comparisons.get(connection, comparison_id)
        rows = [outputs.list_files(connection, view) for view in (comparison.view_a, comparison.view_b)]
    for notes in ({row.name: row.notes for row in side} for side in rows):
        assert NO_BROWSER in notes["page.html"]
        assert NOT_SHOWN in notes["report.docx"]
    exported = json.loads(result_json(workbench.me, comparison_id))
    assert exported["reasoning"].startswith("Offline check, not a judgment.")
    provenance = json.loads(provenance_json(workbench.me, comparison_id))
    assert provenance["verdict_source"] == "offline_check"
    services.close()


def faults(settings: Settings) -> dict[str, str]:
    """What is not well, by the part's name."""
    return {
        part.name: part.text
        for part in asyncio.run(check_up(settings, environment=os.environ))
        if not part.ok
    }


def test_a_sound_home_is_well_until_one_page_that_nothing_else_reads_is_damaged(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path / "home", judge="offline", chromium="off")
    services = open_services(settings)
    Workbench(services.database, services.blobs, tmp_path / "work").submitted()
    services.close()
    assert faults(settings) == {}

    path = settings.home / "comparator.db"
    with closing(sqlite3.connect(path)) as database:
        query = "SELECT rootpage FROM sqlite_master WHERE type = 'index' AND tbl_name = 'comparison'"
        page = database.execute(query).fetchone()[0]
        size = database.execute("PRAGMA page_size").fetchone()[0]
    data = bytearray(path.read_bytes())
    data[(page - 1) * size : page * size] = b"\xff" * size
    path.write_bytes(data)

    assert "damaged" in faults(settings)["database"]


@pytest.mark.parametrize("place", ["/proc/comparator", "file/home"])
def test_a_home_that_cannot_be_written_is_never_well(place: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    settings = Settings(home=tmp_path / place, judge="offline", chromium="off")
    assert {"home", "database", "blobs"} <= faults(settings).keys()


@pytest.mark.slow
def test_the_examples_have_rationale_quotes_and_both_orders_and_name_no_candidate(tmp_path: Path) -> None:
    services = open_services(Settings(home=tmp_path / "home"))
    examples = Path(__file__).parents[4] / "examples"
    folders = sorted(path.parent for path in examples.glob("*/task.json"))
    tasks = [json.loads((folder / "task.json").read_text("utf-8")) for folder in folders]
    for folder in folders:
        shutil.copytree(folder, tmp_path / "some" / folder.name)

    load_examples(services, tmp_path / "some")

    me = local_person(services).id
    with services.database.read() as connection:
        lines = {line.task_key: line for line in comparison_list.page(connection).lines}
        tries = {key: judgments.tries(connection, lines[key].id, judgments.Attempt) for key in lines}
    sheets = {key: read_sheet(services.by(me), line.id) for key, line in lines.items()}
    services.close()
    assert sorted(lines) == sorted(task["key"] for task in tasks)
    for task in tasks:
        line, sheet = lines[task["key"]], sheets[task["key"]]
        assert (line.status, line.judge_model, sheet.judge.example) == (Status.TO_REVIEW, MODEL, True)
        assert line.quotes_found == line.quotes_total
        answers = [attempt.answer for attempt in tries[task["key"]]]
        assert len({answer and answer.model_dump_json() for answer in answers}) == 2, (
            "the orders differ somewhere"
        )
        for answer in answers:
            assert answer is not None
            assert answer.reasoning.startswith("Example judgment, written for this project.")
            assert all(mark.rationale for both in answer.criteria.values() for mark in (both.A, both.B))
        text = sheet.model_dump_json().casefold()
        assert not [name for name in task["candidates"].values() if name.casefold() in text]
    unsure = [key for key, line in lines.items() if not line.position_consistent]
    assert unsure == ["repair-cafe-page"]

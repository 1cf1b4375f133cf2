"""The first hour: a bare machine, what the doctor finds, and the examples with their stored judgments."""

import asyncio
import json
import os
import shutil
import sqlite3
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest

from comparator.bootstrap import open_services
from comparator.domain.errors import InputError
from comparator.domain.labels import Label, PerOutput
from comparator.judges.offline import OfflineJudge
from comparator.judges.stored import MODEL, StoredJudge
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
from comparator.workflow.services import Services
from tests.worlds.files.office_documents import document, par
from tests.worlds.workbench import Workbench

KEYS = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "COMPARATOR_PROVIDER")
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
    for name in KEYS:
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
    judged = workbench.judged(comparison_id, OfflineJudge())

    assert judged.complete
    for label in Label:
        notes = notes_of(services, comparison_id, label)
        assert NO_BROWSER in notes["page.html"]
        assert NOT_SHOWN in notes["report.docx"]
    exported = json.loads(result_json(workbench.me, comparison_id))
    assert exported["reasoning"].startswith("Offline check, not a judgment.")
    provenance = json.loads(provenance_json(workbench.me, comparison_id))
    assert provenance["verdict_source"] == "offline_check"
    services.close()


def notes_of(services: Services, comparison_id: str, label: Label) -> dict[str, list[str]]:
    with services.database.read() as connection:
        comparison = comparisons.get(connection, comparison_id)
        view_id = comparison.view_a if label is Label.A else comparison.view_b
        return {row.name: list(row.notes) for row in outputs.list_files(connection, view_id)}


class Home(NamedTuple):
    settings: Settings
    blobs: Path


@pytest.fixture
def home(tmp_path: Path) -> Home:
    settings = Settings(home=tmp_path / "home", judge="offline", chromium="off")
    services = open_services(settings)
    workbench = Workbench(services.database, services.blobs, tmp_path / "work")
    workbench.submitted()
    services.close()
    return Home(settings, settings.home / "blobs")


def found(settings: Settings) -> dict[str, str]:
    """What is not well, by the part's name."""
    return {
        each.name: each.text
        for each in asyncio.run(check_up(settings, environment=os.environ))
        if not each.ok
    }


def test_a_sound_home_is_well(home: Home) -> None:
    assert found(home.settings) == {}


def test_overwritten_pages_of_the_database_are_found(home: Home) -> None:
    database = home.settings.home / "comparator.db"
    data = bytearray(database.read_bytes())
    size = 4096
    for page in range(20, len(data) // size, 7):
        data[page * size : (page + 1) * size] = b"\xff" * size
    database.write_bytes(data)
    assert "damaged" in found(home.settings)["database"]


def test_one_page_that_nothing_else_reads_is_found_as_well(home: Home) -> None:
    path = home.settings.home / "comparator.db"
    with closing(sqlite3.connect(path)) as database:
        query = "SELECT rootpage FROM sqlite_master WHERE type = 'index' AND tbl_name = 'comparison'"
        page = database.execute(query).fetchone()[0]
        size = database.execute("PRAGMA page_size").fetchone()[0]
    data = bytearray(path.read_bytes())
    data[(page - 1) * size : page * size] = b"\xff" * size
    path.write_bytes(data)

    assert "damaged" in found(home.settings)["database"]


def test_a_full_disk_is_found(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage(home.settings.home)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage._replace(free=3 << 20))
    assert "3 MB are left" in found(home.settings)["space"]


@pytest.mark.parametrize("place", ["/proc/comparator", "file/home"])
def test_a_home_that_cannot_be_written_is_never_well(place: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    settings = Settings(home=tmp_path / place, judge="offline", chromium="off")
    assert {"home", "database", "blobs"} <= found(settings).keys()


EXAMPLES = Path(__file__).parents[4] / "examples"
QUOTES = {
    "booking-form": 14,
    "duration-package": 18,
    "incident-report": 18,
    "invoice-extraction": 18,
    "repair-cafe-page": 14,
    "workshop-budget": 12,
}
JUDGED = sorted(QUOTES)


@pytest.mark.slow
def test_the_examples_have_rationale_quotes_and_both_orders(tmp_path: Path) -> None:
    assert sorted(path.parent.name for path in EXAMPLES.glob("*/task.json")) == JUDGED
    services = open_services(Settings(home=tmp_path / "home"))
    for name in JUDGED:
        shutil.copytree(EXAMPLES / name, tmp_path / "some" / name)

    load_examples(services, tmp_path / "some")

    with services.database.read() as connection:
        lines = {line.task_key: line for line in comparison_list.page(connection).lines}
        tries = {name: judgments.tries(connection, lines[name].id, judgments.Attempt) for name in JUDGED}
    me = local_person(services).id
    marked = {key: read_sheet(services.by(me), line.id).judge.example for key, line in lines.items()}
    services.close()
    assert marked == dict.fromkeys(JUDGED, True)
    assert {line.status for line in lines.values()} == {Status.TO_REVIEW}
    for name in JUDGED:
        line = lines[name]
        assert line.judge_model == MODEL
        assert (line.quotes_found, line.quotes_total) == (QUOTES[name], QUOTES[name])
        first, second = (each.answer for each in tries[name])
        assert first is not None
        assert second is not None
        assert first.criteria != second.criteria, "the two orders differ somewhere"
        for answer in (first, second):
            assert answer.reasoning.startswith("Example judgment, written for this project.")
            assert all(mark.rationale for both in answer.criteria.values() for mark in (both.A, both.B))
    assert [name for name in JUDGED if not lines[name].position_consistent] == ["repair-cafe-page"]


@pytest.mark.parametrize(
    ("change", "told"), [({"readings": {}}, "has no answer in the order"), ({"rubric": {}}, "cannot be read")]
)
def test_a_damaged_judgment_is_told_by_its_file(change: dict[str, object], told: str, tmp_path: Path) -> None:
    stored = json.loads((EXAMPLES / JUDGED[0] / "judgment.json").read_text())
    (tmp_path / "judgment.json").write_text(json.dumps(stored | change))

    with pytest.raises(InputError, match=told):
        StoredJudge(tmp_path / "judgment.json")


def texts_to_search(path: Path) -> Iterator[str]:
    """The path and all bytes of a file, those inside a zipped document included."""
    yield path.relative_to(EXAMPLES).as_posix()
    yield path.read_bytes().decode("latin-1")
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            for name in archive.namelist():
                yield name
                yield archive.read(name).decode("latin-1")


@pytest.mark.parametrize("task_file", sorted(EXAMPLES.glob("*/task.json")), ids=lambda path: path.parent.name)
def test_nothing_that_a_reviewer_sees_names_a_candidate(task_file: Path) -> None:
    task = json.loads(task_file.read_text(encoding="utf-8"))
    words = {word for name in task["candidates"].values() for word in (name, *name.split("-"))}
    # Python leaves compiled files behind when someone runs the code example there.
    files = [
        path for path in task_file.parent.rglob("*") if path.is_file() and "__pycache__" not in path.parts
    ]

    shown = [text for path in files if path != task_file for text in texts_to_search(path)]
    shown += [task["key"], task["title"], task["prompt"], *task["expectations"], *task["tags"]]

    assert {word for word in words for text in shown if word in text.casefold()} == set()

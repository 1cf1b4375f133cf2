"""On a machine without LibreOffice, Chromium, fonts or a key, each missing part is one line with what it costs."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from comparator.bootstrap import open_services
from comparator.domain.labels import Label, PerOutput
from comparator.judges.offline import OfflineJudge
from comparator.outputs.pictures import finder
from comparator.outputs.pictures.evidence import NO_BROWSER
from comparator.outputs.pictures.office.looks import NOT_SHOWN
from comparator.settings import Settings
from comparator.store.pairs import comparisons, outputs
from comparator.workflow.exporting.comparison_json import provenance_json, result_json
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

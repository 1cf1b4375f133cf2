"""The Export dialog of the history: a selection of what is listed, and results back into the workspace."""

import json
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest
from typer.testing import CliRunner

from comparator.cli import app as command_line
from comparator.domain.errors import RightsError
from comparator.domain.rights import Role
from comparator.interop.exported import ExportFormat
from comparator.store.people import people
from comparator.ui.frame import session
from comparator.ui.history import export
from comparator.workflow.exporting.formats import ExportRequest, write_back
from comparator.workflow.services import Services
from tests.app.conftest import listed, open_page, said, unjudged
from tests.worlds.files.import_files import workspace


@pytest.fixture
def imported(home: Path, tmp_path: Path) -> Path:
    """A workspace that was imported and judged."""
    root = workspace(tmp_path)
    arguments = ["import", str(root), "--project", "Seasons", "--judge", "now"]
    assert CliRunner().invoke(command_line, arguments).exit_code == 0
    return root


def reopened(app: AppTest) -> AppTest:
    """The dialog, opened with every click in it: each run of this test's app is one of the whole page."""
    return app.button(key="export").click().run()


def selecting(app: AppTest) -> AppTest:
    """The dialog with the field for a selection."""
    reopened(app)
    app.segmented_control(key="export_which").set_value(export.SELECTION)
    return reopened(app)


def results(root: Path) -> dict[Path, str]:
    """The results in a workspace, each with the comparison that it is of."""
    return {
        path.with_name(path.name.replace(".provenance", "")): json.loads(path.read_text())["comparison_id"]
        for path in root.rglob("comparison-*.provenance.json")
    }


def test_results_go_back_into_the_workspace_and_the_dialog_says_where(
    app: AppTest, imported: Path, home: Path
) -> None:
    open_page(app, "history")
    reopened(app)
    app.selectbox(key="export_format").select(ExportFormat.WORKSPACE)
    reopened(app)
    assert app.button(key="export_write").label == "Write into the workspace"
    assert not results(imported)

    app.button(key="export_write").click()
    reopened(app)

    assert "4 comparisons written, each beside its eval" in said(app)
    assert "Verdicts: 4 by the offline check alone." in said(app)
    assert f"In the workspace {imported}" in said(app)
    assert not list((home / "cache" / "downloads").glob("*/*/*"))
    assert len(results(imported)) == 4
    assert all(path.is_file() and (path.parent / "with_skill").is_dir() for path in results(imported))


def test_a_folder_that_cannot_be_written_is_told_without_its_name_until_the_reveal(
    app: AppTest, imported: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(self: Path, target: Path) -> Path:
        raise PermissionError(13, "Permission denied", str(self), None, str(target))

    open_page(app, "history")
    reopened(app)
    app.selectbox(key="export_format").select(ExportFormat.WORKSPACE)
    app.button(key="export_write").click()
    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", refused)
        reopened(app)

    (error,) = app.error
    assert "cannot be written beside its eval" in error.value
    assert "iteration" not in error.value
    assert not app.exception
    assert not results(imported)


def test_only_the_selection_is_written(app: AppTest, imported: Path) -> None:
    open_page(app, "history")
    chosen = listed(app)["rows"][1]["id"]
    selecting(app)
    assert app.button(key="export_write").disabled
    app.selectbox(key="export_format").select(ExportFormat.WORKSPACE)
    app.multiselect(key="export_selection").select(chosen)
    reopened(app)

    assert "1 comparison picked" in said(app)
    app.button(key="export_write").click()
    reopened(app)

    assert "1 comparison written" in said(app)
    assert set(results(imported).values()) == {chosen}


def test_a_selection_names_no_candidate_before_the_reveal(
    app: AppTest, pair: tuple[Path, Path], services: Services
) -> None:
    unjudged(services, pair, prompt="Report on saxifrage-32 and apples.")
    open_page(app, "history")

    selecting(app)

    (offered,) = app.multiselect(key="export_selection").options
    assert "apples" in offered
    assert "saxifrage" not in offered


def test_who_may_not_use_the_servers_files_is_offered_no_workspace(
    app: AppTest, imported: Path, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    with services.write() as unit:
        lea = people.ensure_person(unit, "oidc:test|lea", name="Lea")
        people.grant(unit, lea.id, Role.LEAD, project_id=None, granted_by=None)
    monkeypatch.setattr(session, "identity", lambda: session.Me(lea.id, lea.name))
    open_page(app, "history")

    reopened(app)

    offered = app.selectbox(key="export_format").options
    assert export.FORMATS[ExportFormat.CSV] in offered
    assert export.FORMATS[ExportFormat.WORKSPACE] not in offered
    every = tuple(row["id"] for row in listed(app)["rows"])
    request = ExportRequest(format=ExportFormat.WORKSPACE, comparisons=every)
    with pytest.raises(RightsError, match="read or write files of the server"):
        write_back(services.by(lea.id), request)
    assert not results(imported)

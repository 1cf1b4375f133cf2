"""The page Import for who hands a workspace in from a browser, whether or not they may read files of the server."""

import json
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from comparator.domain.rights import Role
from comparator.store.people import people, projects
from comparator.ui.frame import safe, session
from comparator.ui.importing.work import FOUND, PLAN
from comparator.workflow.people.people import give_role
from comparator.workflow.services import Services
from tests.app.conftest import open_page, said
from tests.app.handing_in.test_import import wait
from tests.worlds.files.import_files import workspace


def folder(root: Path) -> list[tuple[str, bytes, str]]:
    """What a browser hands in of a folder."""
    return [
        (path.relative_to(root.parent).as_posix(), path.read_bytes(), "")
        for path in sorted(root.rglob("*"))
        if path.is_file()
    ]


@pytest.fixture
def lead(services: Services, monkeypatch: pytest.MonkeyPatch) -> str:
    """Somebody who leads one project on a server; its name."""
    with services.write() as unit:
        person = people.ensure_person(unit, "oidc:test|lena", name="Lena")
        project = projects.ensure_project(unit, "Maps")
    give_role(services.by(session.me().id), person.id, Role.LEAD, project_id=project.id)
    monkeypatch.setattr(session, "identity", lambda: session.Me(person.id, person.name))
    return project.name


def test_an_import_goes_into_a_project_of_its_own_unless_one_is_typed(
    app: AppTest, services: Services
) -> None:
    with services.write() as unit:
        finished = projects.ensure_project(unit, "Finished")
    open_page(app, "import", project=finished.id)

    assert app.text_input(key="import_project").value == ""
    assert "needs the columns prompt" in said(app)
    data = b"prompt,output_a,output_b\nName a river.,Elbe,Rhine\n"
    app.file_uploader(key="import_upload").set_value(("rivers.csv", data, "")).run()
    wait(app.button(key="import_find").click().run(), FOUND)
    wait(app.button(key="import_look").click().run(), PLAN)

    assert app.button(key="import_now").label == "Import 1 pair into rivers"


def test_a_pasted_table_is_imported(app: AppTest) -> None:
    open_page(app, "import")
    app.segmented_control(key="import_way").set_value("Paste").run()
    app.text_area(key="import_pasted").set_value("prompt,output_a,output_b\nName a river.,Elbe,Rhine\n").run()

    wait(app.button(key="import_find").click().run(), FOUND)

    assert "1 pair chosen" in said(app)


def test_the_example_is_three_pairs_with_one_way_to_pair_in_a_project_named_by_its_first_prompt(
    app: AppTest,
) -> None:
    open_page(app, "import")

    # The whole way is in sight from the start.
    assert all(step in said(app) for step in ("2. Choose pairs:", "3. Check:", "4. Import:"))
    wait(app.button(key="import_example").click().run(), FOUND)

    assert "3 pairs chosen" in said(app)
    assert not app.radio
    columns, preview = (each.value for each in app.table)
    assert [str(read).replace("\\", "") for read in columns["Read as"]] == ["prompt", "output a", "output b"]
    assert "2. Choose pairs:" not in said(app)
    assert preview["Prompt"].tolist()[0].startswith("Name three rivers of Europe")
    # Sorted by their texts, not by candidate: the first candidate's stands on either side.
    assert preview["One output"].tolist()[1].startswith("Because it is summer")
    assert not {"first", "second"} & set(preview.columns)
    wait(app.button(key="import_look").click().run(), PLAN)
    assert app.button(key="import_now").label == safe.text("Import 3 pairs into Name three rivers of Europe")


def test_who_may_not_read_files_of_the_server_drops_a_folder(app: AppTest, lead: str, tmp_path: Path) -> None:
    root = workspace(tmp_path)
    open_page(app, "import")

    assert not [box for box in app.text_input if box.key == "import_path"]
    assert app.segmented_control(key="import_way").options == [
        safe.text("Upload a file"),
        safe.text("Upload a folder"),
        safe.text("Paste"),
    ]
    app.segmented_control(key="import_way").set_value("Upload a folder").run()
    app.text_input(key="import_project").set_value(lead)
    app.file_uploader(key="import_folder").set_value(folder(root)).run()
    wait(app.button(key="import_find").click().run(), FOUND)

    assert not app.error
    assert "4 pairs chosen" in said(app)


def test_an_uploaded_file_is_called_by_its_name_and_its_numbers_are_no_labels_until_explained(
    app: AppTest, services: Services
) -> None:
    rows = [
        {"prompt": f"q{number}", "output_a": "x", "output_b": "y", "label": number} for number in range(3)
    ]
    rows.append({**rows[0], "prompt": "q", "label": "banana"})
    open_page(app, "import")
    app.file_uploader(key="import_upload").set_value(("my report.pdf", b"%PDF-1.7", "")).run()
    wait(app.button(key="import_find").click().run(), FOUND)
    assert "my report.pdf cannot be imported: it is a PDF." in said(app)
    assert str(services.settings.home) not in said(app)

    data = "\n".join(map(json.dumps, rows)).encode()
    app.file_uploader(key="import_upload").set_value(("rows.jsonl", data, "")).run()
    wait(app.button(key="import_find").click().run(), FOUND)
    assert "rows.jsonl: labels that are bare numbers were left out" in said(app)
    assert "under Labels on the page Import" in said(app)
    assert "rows.jsonl, row 4: its label 'banana'" in said(app)
    assert "4 pairs chosen" in said(app)

    (labels,) = [box for box in app.text_input if box.label == "Labels"]
    labels.set_value("0=tie,1=A,2=B").run()
    wait(app.button(key="import_find").click().run(), FOUND)
    assert "bare numbers" not in said(app)

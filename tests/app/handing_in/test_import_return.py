"""The page Import keeps what was typed, chosen and found, whichever way a person leaves it and comes back."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from comparator.ui.importing.pairs import CHOSEN
from comparator.ui.importing.work import FOUND, PLAN
from tests.app.conftest import PATIENCE, open_page, said
from tests.app.handing_in.test_import import looked, plain, wait
from tests.worlds.files.import_files import workspace


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return workspace(tmp_path)


def leave_and_come_back(app: AppTest) -> None:
    """By way of the queue, with a run there: only after one is the state of widgets that are gone dropped."""
    open_page(app, "queue").run()
    open_page(app, "import")


def test_whoever_comes_back_finds_path_project_choice_and_check(app: AppTest, root: Path) -> None:
    looked(app, root)
    app.selectbox(key="import_format").set_value("skill-creator")
    app.text_input(key="import_project").set_value("Hill walks").run()
    wait(app.button(key="import_find").click().run(), FOUND)
    app.radio(key="import_pairs").set_value(CHOSEN).run()
    app.selectbox(key="import_one").set_value("1/with_skill")
    app.selectbox(key="import_other").set_value("2/with_skill").run()
    wait(app.button(key="import_look").click().run(), PLAN)
    app.multiselect(key="import_redact_also").set_value(["boots"]).run()

    leave_and_come_back(app)

    assert app.text_input(key="import_path").value == str(root)
    assert app.selectbox(key="import_format").value == "skill-creator"
    assert app.text_input(key="import_project").value == "Hill walks"
    assert app.radio(key="import_pairs").value == CHOSEN
    assert app.selectbox(key="import_one").value == "1/with_skill"
    assert app.selectbox(key="import_other").value == "2/with_skill"
    assert any("2 new pairs" in each.label for each in app.expander)
    assert app.multiselect(key="import_redact_also").value == ["boots"]
    assert app.button(key="import_now").label.endswith("Hill walks")


def test_a_reload_shows_the_scan_and_where_it_looked(app: AppTest, root: Path, repository: Path) -> None:
    looked(app, root)

    reloaded = AppTest.from_file(str(repository / "app.py"), default_timeout=PATIENCE)
    open_page(reloaded, "import")

    assert "skill-creator: 8 outputs of 2 tasks." in said(reloaded)
    assert any(root.name in plain(each.label) for each in reloaded.expander)

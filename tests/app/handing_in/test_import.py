"""The page Import: from a path to comparisons, with what was found, decided and left out on the way."""

import json
from pathlib import Path

import pytest
import sqlalchemy as sa
from streamlit.testing.v1 import AppTest

from comparator.domain.labels import Winner
from comparator.interop.tables import COLUMNS, MORE_COLUMNS
from comparator.jobs import manage_batches
from comparator.reporting.history.conditions import HistoryFilter
from comparator.reporting.history.listing import found_ids, history
from comparator.store import tables
from comparator.store.bulk.batches import BatchState
from comparator.store.pairs import keys, labels, runs
from comparator.ui.frame import safe, session
from comparator.ui.frame.state import Param
from comparator.ui.importing.work import DONE, FOUND, PLAN, works
from comparator.workflow.projects.checks import add_check, check_some, outputs_left
from comparator.workflow.services import Services
from tests.app.conftest import PATIENCE, edit, open_page, said
from tests.worlds.files.import_files import WITH, monorepo, workspace, write
from tests.worlds.process import wait_until


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = workspace(tmp_path)
    write(made / "iteration-1/packing/with_skill/outputs/list.md", f"{WITH}Written with_skill.")
    return made


def wait(app: AppTest, name: str) -> AppTest:
    """The page once the work of a step is through."""
    assert works()(session.me().id)[name].done.wait(PATIENCE)
    return app.run()


def looked(app: AppTest, root: Path) -> AppTest:
    open_page(app, "import")
    app.segmented_control(key="import_way").set_value("Path").run()
    app.text_input(key="import_path").set_value(str(root)).run()
    return wait(app.button(key="import_find").click().run(), FOUND)


def plain(text: str) -> str:
    """Without the marks that keep it from being Markdown."""
    return text.replace("\\", "").replace(safe.JOINER, "")


def primary(app: AppTest) -> list[str]:
    """What the buttons say that are the next step."""
    return [button.label for button in app.button if button.proto.type == "primary"]


def test_a_workspace_is_imported_as_the_reader_decides_and_waits_for_its_judge(
    app: AppTest, root: Path, services: Services
) -> None:
    looked(app, root)
    assert "skill-creator: 8 outputs of 2 tasks." in said(app)
    assert "4 pairs chosen: with_skill against without_skill (4), each within its iteration." in said(app)

    assert primary(app) == ["Check these pairs"]
    wait(app.button(key="import_look").click().run(), PLAN)
    assert "2. Choose pairs: 4 new pairs, 8 runs" in [plain(each.label) for each in app.expander]
    (only,) = primary(app)
    assert plain(only).startswith("Import 4 pairs into ")
    assert "No judge is set up: you review without one" in said(app)
    (table,) = [each.value for each in app.dataframe if "Leave as written" in each.value]
    assert list(table["Leave as written"]).count(False) == 1
    app.checkbox(key="import_judge").set_value(True)
    app.multiselect(key="import_redact_also").set_value(["Acmee"]).run()
    wait(app.button(key="import_now").click().run(), DONE)

    assert "4 pairs imported." in said(app)
    assert "Not found as written, so check the spelling: Acmee." in said(app)
    assert "replace" not in said(app)
    assert len(found_ids(services.database, HistoryFilter())) == 4
    (batch,) = manage_batches.reports(services)
    assert batch.batch.state is not BatchState.CANCELLED

    looked(app, root)
    wait(app.button(key="import_look").click().run(), PLAN)
    assert "No new pairs to judge." in said(app)
    write(root / "iteration-1/packing/with_skill/outputs/list.md", f"{WITH}Written anew.")
    wait(app.button(key="import_look").click().run(), PLAN)
    app.checkbox(key="import_judge").set_value(False).run()
    wait(app.button(key="import_now").click().run(), DONE)
    assert "1 pair imported; already there: 3." in said(app)
    assert "1 output replaces an earlier one. " in said(app)

    assert not app.session_state[Param.PROJECT]
    app.button(key="import_queue").click().run()
    (imported,) = {row.line.project_id for row in history(services.database, HistoryFilter()).rows}
    assert app.session_state[Param.PROJECT] == imported


def test_a_project_s_checks_look_at_what_is_imported_later_though_nothing_is_judged(
    app: AppTest, root: Path, services: Services
) -> None:
    def imported() -> None:
        wait(app.button(key="import_look").click().run(), PLAN)
        app.checkbox(key="import_judge").set_value(False).run()
        wait(app.button(key="import_now").click().run(), DONE)

    looked(app, root)
    imported()
    (project,) = {row.line.project_id for row in history(services.database, HistoryFilter()).rows}
    add_check(services, project, name="Anew", pattern="anew", is_regex=False, match_case=True)
    while check_some(services, project):
        pass
    write(root / "iteration-1/packing/with_skill/outputs/list.md", f"{WITH}Written anew.")

    looked(app, root)
    imported()

    wait_until(lambda: not outputs_left(services, project))
    with services.database.read() as connection:
        counts = connection.execute(sa.select(tables.check_count.c.found)).scalars().all()
    assert sum(filter(None, counts)) == 1


def test_a_place_that_holds_nothing_is_told_and_nothing_is_imported(
    app: AppTest, tmp_path: Path, services: Services
) -> None:
    (tmp_path / "empty").mkdir()
    looked(app, tmp_path / "empty")

    assert "No output was found" in said(app)
    assert found_ids(services.database, HistoryFilter()) == ()


def test_one_workspace_of_several_is_chosen_on_the_page(
    app: AppTest, tmp_path: Path, services: Services
) -> None:
    looked(app, monorepo(tmp_path / "repo"))
    assert app.selectbox(key="import_workspace").options == [
        "All workspaces",
        "skills/invoices-workspace",
        "skills/poems-workspace",
    ]
    assert "6 pairs chosen" in said(app)

    app.selectbox(key="import_workspace").set_value("skills/poems-workspace").run()
    assert "3 pairs chosen" in said(app)
    wait(app.button(key="import_look").click().run(), PLAN)
    app.checkbox(key="import_judge").set_value(False).run()
    wait(app.button(key="import_now").click().run(), DONE)

    assert "3 pairs imported." in said(app)
    assert len(found_ids(services.database, HistoryFilter())) == 3


def test_a_table_with_other_columns_is_mapped_on_the_page(app: AppTest, tmp_path: Path) -> None:
    table = tmp_path / "pairs.csv"
    table.write_text("question,old,new,version\nName a river.,Elbe,Danube,7\n")
    open_page(app, "import")
    app.segmented_control(key="import_way").set_value("Path").run()
    app.text_input(key="import_path").set_value(str(table)).run()
    rows = {"prompt": "question", "output_a": "old", "output_b": "new", "iteration_b": "version"}
    every = (*COLUMNS, *MORE_COLUMNS)
    edit(
        app,
        "import_column",
        {every.index(ours): {"Column of the file": theirs} for ours, theirs in rows.items()},
    )

    wait(app.button(key="import_find").click().run(), FOUND)

    assert "csv: 2 outputs of 1 task." in said(app)
    (grid,) = [each.value for each in app.dataframe if each.key == "import_grid"]
    assert "iteration 7" in grid.columns


def test_numbers_are_no_labels_until_the_page_is_told_what_they_mean(
    app: AppTest, services: Services, tmp_path: Path
) -> None:
    row = {"prompt": "Name a bird.", "output_a": "A wren.", "output_b": "A whale.", "label": 1}
    path = write(tmp_path / "table.jsonl", json.dumps(row))

    looked(app, path)
    assert "under Labels on the page Import" in said(app)

    app.text_input(key=f"import_column_label_values_{path}").set_value("1=A, 0=B").run()
    wait(app.button(key="import_find").click().run(), FOUND)
    assert "under Labels" not in said(app)
    wait(app.button(key="import_look").click().run(), PLAN)
    wait(app.button(key="import_now").click().run(), DONE)
    (id,) = found_ids(services.database, HistoryFilter())
    with services.database.read() as connection:
        (label,) = labels.of_comparison(connection, id)
        key = keys.read(connection, id)
        better = runs.get(connection, key.run_a if label.winner is Winner.A else key.run_b)
        assert runs.get_candidate(connection, better.candidate_id).name == "first"

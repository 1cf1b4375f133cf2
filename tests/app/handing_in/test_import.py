"""The page Import: from a path to comparisons, with what was found, decided and left out on the way."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
import sqlalchemy as sa
from streamlit.testing.v1 import AppTest

from comparator.domain.labels import Winner
from comparator.interop.read.tables import COLUMNS, MORE_COLUMNS
from comparator.jobs.batches import manage_batches
from comparator.reporting.history.conditions import HistoryFilter
from comparator.reporting.history.listing import found_ids, history
from comparator.store import tables
from comparator.store.bulk.batches import BatchState
from comparator.store.pairs import keys, labels, runs
from comparator.ui.frame import session
from comparator.ui.frame.state import SessionKey
from comparator.ui.importing.pairs import CHOSEN
from comparator.ui.importing.work import DONE, FOUND, PLAN, works
from comparator.workflow.importing.pairs import Pairing
from comparator.workflow.projects.checks import add_check, check_some, outputs_left
from comparator.workflow.services import Services
from tests.app.conftest import PATIENCE, edit, open_page, said, wait_until
from tests.worlds.files.import_files import WITH, flat_run, monorepo, workspace, write


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = workspace(tmp_path)
    write(made / "iteration-1/packing/with_skill/outputs/list.md", f"{WITH}Written with_skill.")
    return made


def wait(app: AppTest, name: str) -> AppTest:
    """The page once the work of a step is through."""
    assert works().of(session.me().id)[name].done.wait(PATIENCE)
    return app.run()


def looked(app: AppTest, root: Path) -> AppTest:
    open_page(app, "import")
    app.text_input(key="import_path").set_value(str(root)).run()
    return wait(app.button(key="import_find").click().run(), FOUND)


def primary(app: AppTest) -> list[str]:
    """What the buttons say that are the next step."""
    return [button.label for button in app.button if button.proto.type == "primary"]


def left_out(app: AppTest) -> list[list[str]]:
    """The reasons in each table of what was left out: that of the scan, and that of the check."""
    return [list(table.value["reason"]) for table in app.dataframe if "reason" in table.value]


def test_a_workspace_is_imported_as_the_reader_decides_and_waits_for_its_judge(
    app: AppTest, root: Path, services: Services
) -> None:
    looked(app, root)
    assert "skill-creator: 8 outputs of 2 tasks." in said(app)
    assert "4 pairs chosen: with_skill against without_skill (4), each within its iteration." in said(app)

    assert primary(app) == ["Check these pairs"]
    wait(app.button(key="import_look").click().run(), PLAN)
    assert "4 new pairs, 8 runs." in said(app)
    (only,) = primary(app)
    assert only.startswith("Import 4 pairs into ")
    (table,) = [each.value for each in app.dataframe if "Leave as written" in each.value]
    assert list(table["Leave as written"]).count(False) == 1
    app.checkbox(key="import_judge").set_value(True).run()
    wait(app.button(key="import_now").click().run(), DONE)

    assert "4 pairs imported." in said(app)
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

    assert not app.session_state[SessionKey.PROJECT]
    app.button(key="import_queue").click().run()
    (imported,) = {row.line.project_id for row in history(services.database, HistoryFilter()).rows}
    assert app.session_state[SessionKey.PROJECT] == imported


def test_a_finished_import_leads_to_the_dashboards_of_its_project(
    app: AppTest, root: Path, services: Services
) -> None:
    looked(app, root)
    wait(app.button(key="import_look").click().run(), PLAN)
    app.checkbox(key="import_judge").set_value(False).run()
    wait(app.button(key="import_now").click().run(), DONE)
    assert not app.session_state[SessionKey.PROJECT]

    assert app.button(key="import_result").label == "Open the result"
    app.button(key="import_result").click().run()

    assert [title.value for title in app.title] == ["Dashboards"]
    (imported,) = {row.line.project_id for row in history(services.database, HistoryFilter()).rows}
    assert app.session_state[SessionKey.PROJECT] == imported


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
    add_check(services, project, name="Anew", pattern="anew", is_regex=False, match_case=True, person_id=None)
    while check_some(services, project):
        pass
    write(root / "iteration-1/packing/with_skill/outputs/list.md", f"{WITH}Written anew.")

    looked(app, root)
    imported()

    wait_until(lambda: not outputs_left(services, project))
    with services.database.read() as connection:
        counts = connection.execute(sa.select(tables.check_count.c.found)).scalars().all()
    assert sum(filter(None, counts)) == 1


def test_two_candidates_across_iterations_are_chosen_by_name(app: AppTest, root: Path) -> None:
    looked(app, root)

    app.radio(key="import_pairs").set_value(CHOSEN).run()
    assert "Choose both candidates." in said(app)
    app.selectbox(key="import_one").set_value("1/with_skill")
    app.selectbox(key="import_other").set_value("2/with_skill").run()

    assert "2 pairs chosen" in said(app)


def test_a_range_of_iterations_and_the_baseline_are_chosen(app: AppTest, tmp_path: Path) -> None:
    for number in range(1, 5):
        for side in ("v30", "v31", "v32"):
            flat_run(tmp_path / f"in/iteration-{number}" / side, 1, output=f"{WITH}{side}{number}")
    looked(app, tmp_path / "in")
    assert "12 pairs chosen" in said(app)

    app.selectbox(key="import_from").set_value(2)
    app.selectbox(key="import_to").set_value(3).run()
    assert "6 pairs chosen" in said(app)
    app.radio(key="import_pairs").set_value(Pairing.BASELINE.value).run()
    assert "Choose the baseline." in said(app)
    app.selectbox(key="import_baseline").set_value("v31").run()
    assert "4 pairs chosen" in said(app)
    app.selectbox(key="import_to").set_value(1).run()
    assert "4 pairs chosen" in said(app)

    app.selectbox(key="import_to").set_value(2).run()
    wait(app.button(key="import_look").click().run(), PLAN)
    assert "2 new pairs, 3 runs." in said(app)


def test_the_baseline_that_names_tell_is_chosen_to_begin_with(app: AppTest, root: Path) -> None:
    looked(app, root)

    app.radio(key="import_pairs").set_value(Pairing.BASELINE.value).run()
    assert app.selectbox(key="import_baseline").options[0] == "By its name: without_skill"
    assert "4 pairs chosen" in said(app)
    app.selectbox(key="import_baseline").set_value("1/without_skill").run()

    # With each other candidate, in both iterations: one more than two for each of the two tasks.
    assert "6 pairs chosen" in said(app)
    assert (
        "with_skill against without_skill (4), without_skill against without_skill (2), also across"
        in said(app)
    )


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


def test_what_holds_no_output_or_gives_no_pair_is_listed_on_the_page(app: AppTest, root: Path) -> None:
    shutil.rmtree(root / "iteration-1/rivers/without_skill/outputs")
    for name in ("packing", "rivers"):
        shutil.rmtree(root / f"iteration-2/{name}/with_skill")

    looked(app, root)
    assert left_out(app) == [["this side has no folder outputs, only gradings"]]
    wait(app.button(key="import_look").click().run(), PLAN)

    assert left_out(app)[1:] == [
        [
            "this side has no folder outputs, only gradings",
            "iteration 2 gives no pair: 2 outputs of without_skill",
        ]
    ]


def test_a_table_with_other_columns_is_mapped_on_the_page(app: AppTest, tmp_path: Path) -> None:
    table = tmp_path / "pairs.csv"
    table.write_text("question,old,new,version\nName a river.,Elbe,Danube,7\n")
    open_page(app, "import")
    app.text_input(key="import_path").set_value(str(table)).run()
    rows = {
        "prompt": "question",
        "output_a": "old",
        "output_b": "new",
        "iteration_b": "version",
    }
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
    assert any("under Labels on the page Import" in reason for each in left_out(app) for reason in each)

    app.text_input(key=f"import_column_label_values_{path}").set_value("1=A, 0=B").run()
    wait(app.button(key="import_find").click().run(), FOUND)
    assert not left_out(app)
    wait(app.button(key="import_look").click().run(), PLAN)
    wait(app.button(key="import_now").click().run(), DONE)
    (id,) = found_ids(services.database, HistoryFilter())
    with services.database.read() as connection:
        (label,) = labels.of_comparison(connection, id)
        key = keys.read(connection, id)
        better = runs.get(connection, key.run_a if label.winner is Winner.A else key.run_b)
        assert runs.get_candidate(connection, better.candidate_id).name == "first"


def test_what_labels_mean_in_one_table_is_not_taken_for_another(app: AppTest, tmp_path: Path) -> None:
    row = {"prompt": "Name a bird.", "output_a": "A wren.", "output_b": "A whale.", "label": 1}
    first, second = (write(tmp_path / name, json.dumps(row)) for name in ("one.jsonl", "two.jsonl"))
    looked(app, first)
    app.text_input(key=f"import_column_label_values_{first}").set_value("1=A, 0=B").run()

    looked(app, second)

    assert any("under Labels on the page Import" in reason for each in left_out(app) for reason in each)


def test_a_known_set_is_not_asked_for_its_columns(app: AppTest, tmp_path: Path) -> None:
    row = {"input": "Name a bird.", "output_1": "A wren.", "output_2": "A whale.", "label": 1}

    looked(app, write(tmp_path / "set.json", [row]))

    assert "llmbar: 2 outputs of 1 task" in said(app)
    assert not [box for box in app.expander if "olumns" in box.label]

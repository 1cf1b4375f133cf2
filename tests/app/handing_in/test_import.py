"""The page Import: from a path or an upload to comparisons, with what was found, decided and left out on the way."""

import asyncio
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
import sqlalchemy as sa
from streamlit.testing.v1 import AppTest

from comparator.domain.labels import Winner
from comparator.domain.rights import Role
from comparator.interop.tables import COLUMNS, MORE_COLUMNS
from comparator.jobs import manage_batches, start_batches
from comparator.jobs.worker import Worker
from comparator.reporting.history.conditions import HistoryFilter
from comparator.reporting.history.listing import found_ids, history
from comparator.store import tables
from comparator.store.bulk.batches import BatchState
from comparator.store.facts.fact import Status
from comparator.store.pairs import keys, labels, runs
from comparator.store.people import people, projects
from comparator.ui.frame import safe, session
from comparator.ui.frame.state import Param
from comparator.ui.importing.audit import CHANGES, COSTS, FINDINGS, KNOW
from comparator.ui.importing.page import DONE, FOUND, PLAN, works
from comparator.ui.importing.pairs import CHOSEN
from comparator.workflow.importing.audit import COUNTED
from comparator.workflow.importing.pairs import ImportRequest, Step
from comparator.workflow.importing.run import import_path
from comparator.workflow.people.people import give_role
from comparator.workflow.projects.settings import add_check, check_some, outputs_left
from comparator.workflow.services import Services
from tests.app.conftest import PATIENCE, edit, open_page, plain, said
from tests.worlds.files.import_files import WITH, flat_run, monorepo, workspace, write
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


def primary(app: AppTest) -> list[str]:
    """What the buttons say that are the next step."""
    return [button.label for button in app.button if button.proto.type == "primary"]


def test_a_workspace_is_imported_as_the_reader_decides(app: AppTest, root: Path, services: Services) -> None:
    looked(app, root)
    assert "skill-creator: 8 outputs of 2 tasks." in said(app)
    assert "4 pairs chosen: with_skill against without_skill (4), each within its iteration." in said(app)

    assert app.select_slider(key="import_iterations").options == ["1", "2"]
    assert primary(app) == ["Check these pairs"]
    wait(app.button(key="import_look").click().run(), PLAN)
    assert "2. Choose pairs: 4 new pairs, 8 runs" in [plain(each.label) for each in app.expander]
    (only,) = primary(app)
    assert plain(only).startswith("Import 4 pairs into ")
    assert "No judge is set up: you review without one" in said(app)
    (table,) = [each.value for each in app.dataframe if "Keep word" in each.value]
    assert list(table["Keep word"]).count(False) == 1
    app.text_input(key="import_project").set_value("Packing").run()
    assert "Your choice has changed. Check these pairs again." in said(app)
    wait(app.button(key="import_look").click().run(), PLAN)
    assert plain(primary(app)[0]) == "Import 4 pairs into Packing"
    app.multiselect(key="import_redact_also").set_value(["Acmee"]).run()
    wait(app.button(key="import_now").click().run(), DONE)

    assert "4 pairs imported into " in said(app)
    assert "Not found as written, so check the spelling: Acmee." in said(app)
    assert "replace" not in said(app)
    assert len(found_ids(services.database, HistoryFilter())) == 4
    (batch,) = manage_batches.reports(services)
    assert batch.batch.state is not BatchState.CANCELLED

    looked(app, root)
    app.text_input(key="import_project").set_value("Packing").run()
    wait(app.button(key="import_look").click().run(), PLAN)
    assert "No new pairs to judge." in said(app)
    write(root / "iteration-1/packing/with_skill/outputs/list.md", f"{WITH}Written anew.")
    wait(app.button(key="import_look").click().run(), PLAN)
    wait(app.button(key="import_now").click().run(), DONE)
    assert "; already there: 3." in said(app)
    assert "1 output replaces an earlier one. " in said(app)

    assert not app.session_state[Param.PROJECT]
    app.button(key="import_queue").click().run()
    (imported,) = {row.line.project_id for row in history(services.database, HistoryFilter()).rows}
    assert app.session_state[Param.PROJECT] == imported


def test_pairs_that_no_model_is_to_judge_are_checked_and_can_still_be_judged_later(
    app: AppTest, root: Path, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPARATOR_JUDGE", "auto")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "any-key")
    session.services.release()
    looked(app, root)
    wait(app.button(key="import_look").click().run(), PLAN)
    assert "They can be reviewed at once, and judged later from Batches." in said(app)
    app.checkbox(key="import_judge").set_value(True).run()
    # What it costs stands on the button that spends it.
    assert re.fullmatch(r"Import and judge \d pairs into .+, about \d+\.\d\d USD", plain(primary(app)[0]))
    assert "import_blind" in [each.key for each in app.segmented_control]
    app.checkbox(key="import_judge").set_value(False).run()
    assert "import_blind" not in [each.key for each in app.segmented_control]
    wait(app.button(key="import_now").click().run(), DONE)

    (report,) = manage_batches.reports(services)
    assert report.batch.judge.kind == "offline"
    asyncio.run(Worker(services, idle_seconds=0.0, poll_seconds=0.02).run())
    rows = history(services.database, HistoryFilter()).rows
    assert {row.line.status for row in rows} == {Status.TO_REVIEW}
    (project,) = {row.line.project_id for row in rows}
    assert len(start_batches.waiting_pairs(session.services(), [project])[project].usual) == len(rows)
    assert not start_batches.waiting_pairs(services, [project])


def test_a_project_s_checks_look_at_what_is_imported_later(
    app: AppTest, root: Path, services: Services
) -> None:
    def imported() -> None:
        wait(app.button(key="import_look").click().run(), PLAN)
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


def test_one_workspace_of_several_is_chosen_but_none(
    app: AppTest, tmp_path: Path, services: Services
) -> None:
    (tmp_path / "empty").mkdir()
    looked(app, tmp_path / "empty")
    assert "No output was found" in said(app)

    looked(app, monorepo(tmp_path / "repo"))
    workspaces = ["All workspaces", "skills/invoices-workspace", "skills/poems-workspace"]
    assert app.selectbox(key="import_workspace").options == workspaces
    assert "6 pairs chosen" in said(app)
    assert app.text_input(key="import_project").value == "repo"

    app.selectbox(key="import_workspace").set_value("skills/poems-workspace").run()
    assert "3 pairs chosen" in said(app)
    assert "6 outputs of" in said(app)
    assert app.text_input(key="import_project").value == "poems"
    wait(app.button(key="import_look").click().run(), PLAN)
    wait(app.button(key="import_now").click().run(), DONE)

    assert "3 pairs imported into " in said(app)
    assert len(found_ids(services.database, HistoryFilter())) == 3


def test_a_table_with_other_columns_is_mapped_on_the_page(app: AppTest, tmp_path: Path) -> None:
    table = tmp_path / "pairs.csv"
    table.write_text("question,old,new,version\nName a river.,Elbe,Danube,7\n")
    open_page(app, "import")
    app.segmented_control(key="import_way").set_value("Path").run()
    app.text_input(key="import_path").set_value(str(table)).run()
    rows = {"prompt": "question", "output_a": "old", "output_b": "new", "iteration_b": "version"}
    every = (*COLUMNS, *MORE_COLUMNS)
    columns = ((every.index(ours), theirs) for ours, theirs in rows.items())
    edit(app, "import_column", {at: {"Column of the file": theirs} for at, theirs in columns})

    wait(app.button(key="import_find").click().run(), FOUND)

    assert "csv: 2 outputs of 1 task." in said(app)
    (grid,) = [each.value for each in app.dataframe if each.key == "import_grid"]
    assert "iteration 7" in grid.columns


@pytest.fixture
def plain_workspace(tmp_path: Path) -> Path:
    return workspace(tmp_path)


@pytest.fixture
def flawed(plain_workspace: Path) -> Path:
    """One run failed, one output is there twice, and one has a file that the other side lacks."""
    (plain_workspace / "iteration-1/packing/with_skill/outputs/list.md").unlink()
    for file, text in (("rivers/with_skill", "Same."), ("rivers/without_skill", "Same.")):
        write(plain_workspace / f"iteration-2/{file}/outputs/list.md", text)
    write(plain_workspace / "iteration-2/packing/with_skill/outputs/more.md", "More.")
    return plain_workspace


def test_findings_stand_by_rank_with_places_and_action(
    app: AppTest, flawed: Path, services: Services
) -> None:
    looked(app, flawed)
    wait(app.button(key="import_look").click().run(), PLAN)

    lines = [plain(str(each.value)) for each in (*app.markdown, *app.caption)]
    ranks = [rank for line in lines for rank in (CHANGES, COSTS, KNOW) if f"badge[{rank}]" in line]
    assert list(dict.fromkeys(ranks)) == [CHANGES, COSTS, KNOW]
    for name, place in (("void", "packing"), ("duplicates", "rivers"), ("other_files", "more.md")):
        assert any(line.startswith(f"{COUNTED[name]}: ") for line in lines)
        assert f"{FINDINGS[name].means} {FINDINGS[name].advice}" in lines
        assert any(place in line for line in lines)

    box = app.checkbox(key="import_all_runs")
    assert plain(box.label) == "Judge 1 pair with an unusable output too"
    assert not box.value
    box.check().run()
    wait(app.button(key="import_now").click().run(), DONE)
    (report,) = manage_batches.reports(services)
    assert report.batch.name == "4 pairs"


def test_an_import_says_how_far_reading_pairing_and_storing_are(services: Services, tmp_path: Path) -> None:
    for number in range(1, 31):
        for side in ("v30", "v31"):
            flat_run(tmp_path / f"in/iteration-{number}" / side, 1, output=f"{WITH}{side}{number}")
    steps: list[str] = []

    import_path(services, ImportRequest(path=tmp_path / "in"), on_step=steps.append)

    told = [(str(step), step.done, step.of) for step in steps if isinstance(step, Step)]
    assert told == [
        (f"{doing} {number} of {of}", number - 1, of)
        for doing, of, at in (
            ("Reading output", 60, (1, 25, 50, 60)),
            ("Checking pair", 30, (1, 25, 30)),
            ("Setting up pair", 30, (1, 25, 30)),
        )
        for number in at
    ]


def test_whoever_comes_back_or_reloads_finds_path_project_choice_and_check(
    app: AppTest, new_app: Callable[[], AppTest], plain_workspace: Path
) -> None:
    looked(app, plain_workspace)
    app.selectbox(key="import_format").set_value("skill-creator").run()
    wait(app.button(key="import_find").click().run(), FOUND)
    app.text_input(key="import_project").set_value("Hill walks").run()
    app.radio(key="import_pairs").set_value(CHOSEN).run()
    app.selectbox(key="import_one").set_value("1/with_skill")
    app.selectbox(key="import_other").set_value("2/with_skill").run()
    wait(app.button(key="import_look").click().run(), PLAN)
    app.multiselect(key="import_redact_also").set_value(["boots"]).run()

    # By way of the queue, with a run there: only after one is the state of widgets that are gone dropped.
    open_page(app, "queue").run()
    open_page(app, "import")

    assert app.text_input(key="import_path").value == str(plain_workspace)
    assert app.selectbox(key="import_format").value == "skill-creator"
    assert app.text_input(key="import_project").value == "Hill walks"
    assert app.radio(key="import_pairs").value == CHOSEN
    assert app.selectbox(key="import_one").value == "1/with_skill"
    assert app.selectbox(key="import_other").value == "2/with_skill"
    assert any("2 new pairs" in each.label for each in app.expander)
    assert app.multiselect(key="import_redact_also").value == ["boots"]
    assert app.button(key="import_now").label.endswith("Hill walks")
    reloaded = open_page(new_app(), "import")
    assert "skill-creator: 8 outputs of 2 tasks." in said(reloaded)
    assert any(plain_workspace.name in plain(each.label) for each in reloaded.expander)


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


def test_an_uploaded_or_pasted_table_goes_into_its_own_project(app: AppTest, services: Services) -> None:
    with services.write() as unit:
        finished = projects.ensure_project(unit, "Finished")
    open_page(app, "import", project=finished.id)

    assert "needs the columns prompt" in said(app)
    data = b"prompt,output_a,output_b\nName a river.,Elbe,Rhine\n"
    app.file_uploader(key="import_upload").set_value(("rivers.csv", data, "")).run()
    wait(app.button(key="import_find").click().run(), FOUND)
    wait(app.button(key="import_look").click().run(), PLAN)

    assert app.button(key="import_now").label == "Import 1 pair into rivers"

    app.segmented_control(key="import_way").set_value("Paste").run()
    app.text_area(key="import_pasted").set_value(f"{data.decode()}Name a sea.,Baltic,North\n").run()
    wait(app.button(key="import_find").click().run(), FOUND)
    assert "2 pairs chosen" in said(app)


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
    ways = app.segmented_control(key="import_way").options
    assert ways == [safe.text(way) for way in ("Upload a file", "Upload a folder", "Paste")]
    app.segmented_control(key="import_way").set_value("Upload a folder").run()
    app.file_uploader(key="import_folder").set_value(folder(root)).run()
    wait(app.button(key="import_find").click().run(), FOUND)

    assert not app.error
    assert "4 pairs chosen" in said(app)
    assert app.text_input(key="import_project").value == lead


def test_numbers_in_an_uploaded_file_are_no_labels_until_explained(app: AppTest, services: Services) -> None:
    texts = {"output_a": "x", "output_b": "y"}
    rows = [{"prompt": f"q{label}", **texts, "label": label} for label in (1, "banana")]
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
    assert "rows.jsonl, row 2: its label 'banana'" in said(app)
    assert "2 pairs chosen" in said(app)

    (explained,) = [box for box in app.text_input if box.label == "Labels"]
    explained.set_value("0=tie,1=A,2=B").run()
    wait(app.button(key="import_find").click().run(), FOUND)
    assert "bare numbers" not in said(app)
    wait(app.button(key="import_look").click().run(), PLAN)
    wait(app.button(key="import_now").click().run(), DONE)
    with services.database.read() as connection:
        ids = found_ids(services.database, HistoryFilter())
        ((id, label),) = ((id, label) for id in ids for label in labels.of_comparison(connection, id))
        key = keys.read(connection, id)
        better = runs.get(connection, key.run_a if label.winner is Winner.A else key.run_b)
        assert runs.get_candidate(connection, better.candidate_id).name == "first"

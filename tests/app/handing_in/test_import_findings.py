"""The page Import: the grid's marks, the findings with what to do about them, progress, and the width of the form."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from comparator.jobs import manage_batches
from comparator.ui.importing.audit import CHANGES, COSTS, FINDINGS, KNOW
from comparator.ui.importing.work import DONE, PLAN
from comparator.workflow.importing.audit import COUNTED
from comparator.workflow.importing.pairs import ImportRequest, Step
from comparator.workflow.importing.run import import_path
from comparator.workflow.services import Services
from tests.app.handing_in.test_import import looked, plain, wait
from tests.worlds.files.import_files import WITH, flat_run, workspace, write


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return workspace(tmp_path)


@pytest.fixture
def flawed(root: Path) -> Path:
    """One run failed, one output is there twice, and one has a file that the other side lacks."""
    (root / "iteration-1/packing/with_skill/outputs/list.md").unlink()
    write(root / "iteration-2/rivers/with_skill/outputs/list.md", "The same.")
    write(root / "iteration-2/rivers/without_skill/outputs/list.md", "The same.")
    write(root / "iteration-2/packing/with_skill/outputs/more.md", "More.")
    return root


def marks(app: AppTest) -> list[tuple[str, str]]:
    """Candidate and iteration of each cell of the grid that is marked."""
    (grid,) = [each.value for each in app.dataframe if each.key == "import_grid"]
    return [
        (str(name), str(column))
        for name, row in grid.iterrows()
        for column, cell in row.items()
        if cell.startswith("✓")
    ]


def test_findings_stand_by_rank_each_with_its_places_and_its_action(app: AppTest, flawed: Path) -> None:
    looked(app, flawed)
    wait(app.button(key="import_look").click().run(), PLAN)

    lines = [plain(str(each.value)) for each in (*app.markdown, *app.caption)]
    ranks = [rank for line in lines for rank in (CHANGES, COSTS, KNOW) if f"badge[{rank}]" in line]
    assert list(dict.fromkeys(ranks)) == [CHANGES, COSTS, KNOW]
    for name, place in (("void", "packing"), ("duplicates", "rivers"), ("other_files", "more.md")):
        assert any(line.startswith(f"{COUNTED[name]}: ") for line in lines)
        assert f"{FINDINGS[name].means} {FINDINGS[name].advice}" in lines
        assert any(place in line for line in lines)


@pytest.mark.parametrize(("too", "pairs"), [(False, 3), (True, 4)])
def test_void_runs_are_left_out_unless_the_choice_beside_the_finding_takes_them_in(
    app: AppTest, flawed: Path, services: Services, too: bool, pairs: int
) -> None:
    looked(app, flawed)
    wait(app.button(key="import_look").click().run(), PLAN)
    box = app.checkbox(key="import_all_runs")
    assert plain(box.label) == "Judge 1 pair with an unusable output too"

    (box.check() if too else box.uncheck()).run()
    wait(app.button(key="import_now").click().run(), DONE)

    (report,) = manage_batches.reports(services)
    assert report.batch.name == f"{pairs} pairs"


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

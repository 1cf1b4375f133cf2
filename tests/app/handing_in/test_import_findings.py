"""The page Import: the grid's marks, the findings with what to do about them, progress, and the width of the form."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from comparator.jobs import manage_batches
from comparator.ui.frame import safe
from comparator.ui.importing.audit import CHANGES, COSTS, FINDINGS, KNOW
from comparator.ui.importing.work import DONE, PLAN
from comparator.workflow.importing.audit import COUNTED
from comparator.workflow.services import Services
from tests.app.handing_in.test_import import looked, wait
from tests.worlds.files.import_files import workspace, write


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


def plain(text: str) -> str:
    """Without the marks that keep it from being Markdown."""
    return text.replace("\\", "").replace(safe.JOINER, "")


def test_findings_stand_by_rank_each_with_its_places_and_its_action(app: AppTest, flawed: Path) -> None:
    looked(app, flawed)
    wait(app.button(key="import_look").click().run(), PLAN)

    (table,) = [each.value for each in app.dataframe if "What to do" in each.value]
    assert list(dict.fromkeys(table["Matters"])) == [CHANGES, COSTS, KNOW]
    found = {row["Finding"]: row for _, row in table.iterrows()}
    for name, place in (("void", "packing"), ("duplicates", "rivers"), ("other_files", "more.md")):
        kind = FINDINGS[name]
        row = found[COUNTED[name]]
        assert place in row["Where"]
        assert (row["What it means"], row["What to do"]) == (kind.means, kind.advice)


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

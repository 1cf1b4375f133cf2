"""The page Import: the grid's marks, the findings with what to do about them, progress, and the width of the form."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from comparator.jobs.batches import manage_batches
from comparator.ui.frame import safe, session
from comparator.ui.importing.audit import CHANGES, COSTS, FINDINGS, KNOW
from comparator.ui.importing.page import FORM
from comparator.ui.importing.pairs import CHOSEN
from comparator.ui.importing.work import DONE, FOUND, PLAN, works
from comparator.workflow.importing.request import ImportRequest, OnStep, Step
from comparator.workflow.importing.run import import_path
from comparator.workflow.services import Services
from tests.app.conftest import PATIENCE, open_page, said
from tests.app.handing_in.test_import import looked, wait
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


def test_the_first_chosen_cell_stays_marked_beside_the_second(app: AppTest, root: Path) -> None:
    looked(app, root)
    assert marks(app) == []

    app.radio(key="import_pairs").set_value(CHOSEN).run()
    app.selectbox(key="import_one").set_value("1/with_skill").run()
    assert marks(app) == [("with_skill", "iteration 1")]
    app.selectbox(key="import_other").set_value("2/without_skill").run()
    assert marks(app) == [("with_skill", "iteration 1"), ("without_skill", "iteration 2")]


def test_a_candidate_of_all_iterations_is_marked_in_each(app: AppTest, root: Path) -> None:
    looked(app, root)

    app.radio(key="import_pairs").set_value(CHOSEN).run()
    app.selectbox(key="import_one").set_value("with_skill").run()

    assert marks(app) == [("with_skill", "iteration 2"), ("with_skill", "iteration 1")]


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
        row = found[kind.name]
        assert place in row["Where"]
        assert (row["What it means"], row["What to do"]) == (kind.means, kind.advice)


def test_every_finding_says_what_to_do() -> None:
    assert [
        kind.name for kind in FINDINGS.values() if not kind.advice or "Nothing to do" in kind.advice
    ] == []


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


def during(app: AppTest, step: str) -> Iterator[AppTest]:
    """The page while a scan has said this, and is not through yet."""
    said_it, go_on = Event(), Event()

    def task(on_step: OnStep) -> None:
        on_step(step)
        said_it.set()
        go_on.wait(PATIENCE)

    works().start(FOUND, ImportRequest(path=Path()), task, person_id=session.local_me().id)
    assert said_it.wait(PATIENCE)
    try:
        yield open_page(app, "import")
    finally:
        go_on.set()


def test_a_step_with_figures_is_a_bar_that_says_how_far_it_is(app: AppTest) -> None:
    for page in during(app, Step("Reading output 4 of 12", done=3, of=12)):
        (bar,) = page.get("progress")
        assert bar.proto.value == 25
        assert bar.proto.text == "Reading output 4 of 12"


def test_a_step_whose_length_nobody_knows_is_told_in_words_only(app: AppTest) -> None:
    for page in during(app, "Scanning the folder"):
        assert "Scanning the folder" in said(page)
        assert not page.get("progress")


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


def widths(block: Any, key: str, so_far: tuple[int, ...] = ()) -> tuple[int, ...] | None:
    """The widths in pixels that the containers around an element set, from the outside."""
    config = getattr(getattr(block, "proto", None), "width_config", None)
    own = (*so_far, config.pixel_width) if config is not None and config.pixel_width else so_far
    for child in getattr(block, "children", {}).values():
        if getattr(child, "key", None) == key:
            return own
        if (found := widths(child, key, own)) is not None:
            return found
    return None


def test_the_form_is_narrow_and_the_grid_takes_what_the_window_has(app: AppTest, root: Path) -> None:
    looked(app, root)

    assert widths(app.main, "import_path") == (FORM,)
    assert widths(app.main, "import_pairs") == ()

"""The Python interface end to end: a workspace in, judged, read as a data frame, decided; and the notebook."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import pytest

from comparator import api
from comparator.api import analysing
from comparator.api.analysing import analysis
from comparator.domain.errors import InputError
from comparator.domain.labels import Winner
from comparator.reporting.scope import Verdicts
from comparator.settings import Settings
from comparator.workflow.services import Services
from tests.worlds.files.import_files import workspace
from tests.worlds.histories.history import NEW, OLD, History
from tests.worlds.workbench import GOOD, POOR, reports_in

ROOT = Path(__file__).parents[3]
NOTEBOOK = ROOT / "docs" / "from-folders-to-a-chart.ipynb"


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.chdir(tmp_path)
    return Settings(home=tmp_path / "home", judge="offline")


@pytest.mark.slow
def test_a_workspace_is_judged_in_bulk_and_read_as_a_data_frame(settings: Settings, tmp_path: Path) -> None:
    looked = api.look_through(workspace(tmp_path), project="Walks", settings=settings)
    with pytest.raises(InputError, match="no project"):
        api.results("Walks", settings=settings)

    imported = api.import_workspace(workspace(tmp_path), project="Walks", settings=settings)
    started = api.batch("Walks", settings=settings)
    (done,) = api.work(settings=settings, idle_seconds=0.2)
    frame = api.results(settings=settings)

    assert looked.new == imported.report.new == len(imported.comparisons) == 4
    assert (started.counts.total, done.counts.done) == (4, 4)
    assert isinstance(frame, pd.DataFrame)
    assert list(frame["id"].sort_values()) == sorted(imported.comparisons)
    assert frame[["a", "b", "winner"]].isna().all(axis=None), "the offline check scores nothing"
    assert set(frame["form"]) == {"no difference"}
    assert frame["candidate_a"].isna().all()
    assert str(frame["created"].dtype).endswith("UTC]")


@pytest.mark.slow
def test_a_decision_is_made_on_reviews(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("COMPARATOR_HOME", str(settings.home))
    reports_in(tmp_path)
    for title in ("first", "second"):
        done = api.compare(
            "v31", "v32", f"Write a report on the {title} harvest.",
            candidates=("quillwort", "saxifrage"), project="Harvest", judge="offline",
        )  # fmt: skip
        assert done.written is None
    with pytest.raises(InputError, match="nothing of this project is revealed yet"):
        api.decide("quillwort", "saxifrage", settings=settings)
    for pair in api.results(settings=settings)["id"]:
        checked = api.show(pair, settings=settings).result
        assert checked is not None
        mine = checked.model_copy(update={"winner": Winner.A, "reasoning": "A has every number."})
        api.import_review(pair, mine, finalise=True, settings=settings)
    revealed = api.reveal("Harvest", note="over", settings=settings)
    advice = api.decide("quillwort", "saxifrage", settings=settings)
    frame = api.results("Harvest", settings=settings)

    assert (advice.result.n, advice.result.won) == (2, 2)
    assert advice.decision.outcome.value == "cannot_tell"
    assert revealed.comparisons == 2
    assert [set(two) for two in revealed.candidates] == [{"quillwort", "saxifrage"}]
    assert set(frame["candidate_a"]) == {"quillwort"}


def test_a_pair_is_compared_where_a_loop_runs_already(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(GOOD)
    (tmp_path / "b.md").write_text(POOR)

    async def cell() -> api.Comparison:
        return api.compare("a.md", "b.md", "Write a report.", out="comparison.json", settings=settings)

    done = asyncio.run(cell())

    assert done.result.to_json() == (tmp_path / "comparison.json").read_text()


@pytest.mark.slow
def test_the_notebook_leads_to_a_chart(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPARATOR_HOME", str(settings.home))
    monkeypatch.chdir(ROOT)
    cells = [c for c in json.loads(NOTEBOOK.read_text())["cells"] if c["cell_type"] == "code"]
    names: dict[str, Any] = {}

    for cell in cells:
        exec("".join(cell["source"]), names)  # what a kernel does with a cell

    assert isinstance(names["chart"], go.Figure)
    assert len(names["frame"]) == 6
    assert {trace.name for trace in names["chart"].data} == {"a", "b"}
    assert all(not cell["outputs"] for cell in cells), "outputs are made by whoever runs it"


def test_lost_pairs_are_read(services: Services, history: History, monkeypatch: pytest.MonkeyPatch) -> None:
    # The new candidate wins 3 pairs by much, ties 1 and loses 6, of which 3 narrowly.
    for number, (new, old) in enumerate([(5, 1)] * 3 + [(3, 3)] + [(3, 4)] * 3 + [(1, 5)] * 3):
        history.task(f"Task {number}")
        history.pair(new, old)
    history.reveal()
    lost = {pair.id for pair in history.made[4:]}
    for old_first in (False, True):
        names = (OLD, NEW) if old_first else (NEW, OLD)
        scope = history.asked(Verdicts.JUDGE, old_first=old_first)
        report = analysis(services, scope, names)

        assert lost == set(report.pairs)
        assert (report.winner, report.loser_skill) == (OLD, NEW)
        assert report.reasoning == f"{OLD} won 6 of 10 pairs against {NEW}, lost 3 and tied 1."

        monkeypatch.setattr(analysing, "MOST", 4)
        some = analysis(services, scope, names)
        monkeypatch.undo()
        assert set(some.pairs) < lost
        assert some.reasoning.endswith(f" Of the 6 pairs that {NEW} lost, 4 were read, drawn by chance.")

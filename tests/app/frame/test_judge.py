"""The page Judge: the record of each version of a judge, one tab a module."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from comparator.domain.labels import Order, Winner
from comparator.domain.project import ReviewMode
from comparator.jobs.benchmarks.results import count_open
from comparator.judges import stored
from comparator.stats.raters.accuracy import Counts, LabelledReading, count
from comparator.store.core.unit import Unit
from comparator.store.judging import benchmarks
from comparator.store.judging.benchmarks import BenchmarkResult, Passed
from comparator.store.people import projects
from comparator.ui.frame import safe
from comparator.workflow.services import Services
from tests.app.conftest import figures, open_numbers, open_page, said, wait_until
from tests.worlds.histories.history import OFFLINE, History
from tests.worlds.histories.pairs import JudgeId, World

OLDER = JudgeId(digest="1" * 64)
NEWER = JudgeId(digest="2" * 64)


@pytest.fixture
def history(services: Services) -> History:
    return History(World(services.database, services.blobs))


def plain(app: AppTest) -> dict[str, str]:
    return {name: value.replace("\\", "").replace(safe.JOINER, "") for name, value in figures(app).items()}


def table(app: AppTest, column: str) -> pd.DataFrame:
    (found,) = (frame.value for frame in app.dataframe if column in frame.value.columns)
    return found


def test_before_a_model_has_judged_the_page_says_what_will_stand_there(app: AppTest) -> None:
    open_page(app, "judge")

    assert [each.value for each in app.subheader] == ["No model has judged here yet"]
    assert app.button(key="judge_batches").label == "Judge pairs"


def test_each_version_of_a_judge_has_its_own_record_and_the_newest_leads(
    app: AppTest, history: History
) -> None:
    for number in range(24):
        history.task(f"Task {number}")
        pair = history.pair(5, 3, judge=OLDER if number < 4 else NEWER)
        if number >= 4:
            said_by = (5, 3) if number < 22 else (3, 5)
            history.review(pair, *said_by, mode=ReviewMode.BLIND_FIRST)

    open_page(app, "judge", project=history.project)

    assert plain(app) == {
        "Pairs judged": "20",
        "Agreement with people": "90%",
        "Same winner in both orders": "100%",
        "Cost a pair": "0.0025 USD",
    }
    open_numbers(app, "judge_agreement", "judge_cost")
    agreed = table(app, "Reviews by")
    assert agreed[["Same winner", "Reviews"]].to_numpy().tolist() == [[18, 20]]
    assert "version 2" in agreed["Judge"][0]
    assert table(app, "Pairs read with tools")["Pairs judged"].tolist() == [4, 20]


def test_figures_stand_before_the_reveal_and_name_no_candidate(app: AppTest, history: History) -> None:
    history.pair(5, 3, names=("quillwort", "saxifrage"))

    open_page(app, "judge", project=history.project)

    assert figures(app)["Pairs judged"] == "1"
    assert "quillwort" not in said(app) + "".join(frame.value.to_csv() for frame in app.dataframe)


def test_the_offline_check_is_no_judge(app: AppTest, history: History) -> None:
    history.pair(5, 3, judge=OFFLINE)

    open_page(app, "judge", project=history.project)
    assert [each.value for each in app.subheader] == ["No model has judged here yet"]


def test_a_judgment_that_came_with_an_example_is_no_judge_to_be_measured(
    app: AppTest, history: History
) -> None:
    history.task("Task")
    history.pair(5, 3, judge=JudgeId(model=stored.MODEL, digest="3" * 64))

    open_page(app, "judge", project=history.project)

    assert [each.value for each in app.subheader] == ["No model has judged here yet"]
    assert not app.warning


def test_a_project_is_warned_of_what_its_judge_was_never_measured_on(app: AppTest, history: History) -> None:
    history.pair(5, 3)

    open_page(app, "judge", project=history.project)

    assert "claude-sonnet-5-5 was never measured on JSON files (1 pair)" in said(app)


def test_a_project_is_told_that_only_another_version_of_its_judge_was_measured(
    app: AppTest, history: History, services: Services
) -> None:
    history.pair(5, 3, judge=NEWER)
    with services.database.write() as connection:
        benchmarks.add(
            Unit(connection, at=services.now(), new_id=services.new_id),
            benchmarks.NewBenchmark(
                project_id=history.project,
                source=benchmarks.BenchmarkSource.PROJECT,
                name="Invoices",
                set_digest="0" * 64,
                mode="one request",
                figures=BenchmarkResult(counts=Counts(pairs=30, covered=30), families={"json": 30}),
            ),
            judge=OLDER,
            created_by=None,
        )

    open_page(app, "judge", project=history.project)

    assert (
        "Other versions of claude-sonnet-5-5, with other prompts, tools or guidance, were measured on JSON files "
        "(30 pairs)." in said(app)
    )
    assert "never measured" not in said(app)


def test_a_benchmark_is_started_here_and_its_figures_stand_beside_what_others_published(
    app: AppTest, services: Services, tmp_path: Path
) -> None:
    path = tmp_path / "natural.json"
    rows = [{"input": f"Say {n}.", "output_1": f"{n}", "output_2": "no", "label": 1} for n in range(3)]
    path.write_text(json.dumps(rows))
    open_page(app, "judge")

    app.text_input(key="judge_set").set_value(str(path)).run()
    app.button(key="judge_start").click().run()
    wait_until(lambda: not count_open(services))
    app.run()

    assert not app.error
    open_numbers(app, "measured_mean")
    shown = table(app, "Source")
    assert shown["Set"].tolist() == ["LLMBar natural"] * 3
    assert shown["Judge"].tolist() == [
        "offline check, one request",
        "published: GPT-4, vanilla prompt",
        "published: people (agreement of expert annotators)",
    ]
    assert shown["Source"][1].startswith("https://github.com/princeton-nlp/LLMBar")
    assert table(app, "Mode")["Pairs"].tolist() == ["3"]


def test_the_chart_begins_with_the_figure_that_others_published_and_biases_are_a_click_away(
    app: AppTest, services: Services
) -> None:
    first = LabelledReading(
        truth=Winner.A,
        by_order={Order.A_FIRST: Winner.A, Order.B_FIRST: Winner.B},
        verdict=Winner.A,
        first_verdict=Winner.A,
    )
    with services.database.write() as connection:
        unit = Unit(connection, at=services.now(), new_id=services.new_id)
        benchmarks.add(
            unit,
            benchmarks.NewBenchmark(
                project_id=projects.ensure_project(unit, "Benchmark: JudgeBench gpt-4o").id,
                source=benchmarks.BenchmarkSource.SET,
                name="JudgeBench gpt-4o",
                set_digest="0" * 64,
                mode="one request",
                figures=BenchmarkResult(counts=count([first] * 20), families={"json": 20}),
            ),
            judge=OLDER,
            created_by=None,
        )

    open_page(app, "judge")

    open_numbers(app, "measured_verdict", "measured_to_first")
    assert table(app, "Source")["Judge"].tolist()[1:] == [
        "published: o1-preview",
        "published: Claude 3.5 Sonnet",
        "published: GPT-4o",
    ]
    app.button_group(key="judge_figure").set_value("to_first").run()
    assert table(app, "Source")["Share"].tolist() == ["100.0%"]
    assert "Readings that named the output shown first" in [
        each.value.replace("\\", "") for each in app.subheader
    ]


def test_what_a_judge_fell_for_is_named(app: AppTest, services: Services) -> None:
    passed = {
        "same output twice": Passed(passed=18, readings=18, pairs=9),
        "injection": Passed(passed=53, readings=54, pairs=27),
    }
    figures = BenchmarkResult(
        counts=Counts(pairs=36, covered=36), probes=passed, fell_for=("injection, very hidden sheet",)
    )
    with services.database.write() as connection:
        project = projects.ensure_project(
            Unit(connection, at=services.now(), new_id=services.new_id), "Probes"
        )
        benchmarks.add(
            Unit(connection, at=services.now(), new_id=services.new_id),
            benchmarks.NewBenchmark(
                project_id=project.id,
                source=benchmarks.BenchmarkSource.PROBES,
                name="Probes",
                set_digest="0" * 64,
                mode="one request",
                figures=figures,
            ),
            judge=OLDER,
            created_by=None,
        )

    open_page(app, "judge", tab="probes")

    open_numbers(app, "probes_0")
    shown = table(app, "Probe")
    assert "53 of 54 readings (27 pairs)" in shown["Passed"][1]
    assert shown["Probe"].tolist()[-1] == "fell for: injection, very hidden sheet"
    assert "It failed on 1 pair" in said(app)


@pytest.mark.parametrize("tab", ["probes", "confidence", "guidance", "judges"])
def test_each_tab_opens_by_its_address(app: AppTest, history: History, tab: str) -> None:
    open_page(app, "judge", project=history.project, tab=tab)

    assert app.segmented_control(key="judge_tab").value == tab
    assert not app.error
    assert app.subheader

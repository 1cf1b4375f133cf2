"""Charts of what was measured of judges: biases, versions of judge panels, and the figure that they begin with."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from comparator.domain.labels import Order, Winner
from comparator.reporting.trust.record import JudgeVersion
from comparator.stats.raters.accuracy import LabelledReading, count
from comparator.store.judging.benchmarks import TOGETHER, Benchmark, BenchmarkResult, BenchmarkSource
from comparator.ui.frame.charts.box import Box
from comparator.ui.frame.charts.theme import ColourTheme
from comparator.ui.judge.measured import FIGURES, first_figure, measured_boxes, who

A, B = Winner.A, Winner.B
AT = datetime(2026, 3, 1, tzinfo=UTC)
FIRST_TWICE = LabelledReading(
    truth=A, by_order={Order.A_FIRST: A, Order.B_FIRST: B}, verdict=A, first_verdict=A, longer=A
)
ALWAYS_A = FIRST_TWICE.model_copy(update={"by_order": dict.fromkeys(Order, A)})


def benchmark(
    *reads: LabelledReading,
    name: str = "A set",
    model: str = "m-1",
    digest: str = "1" * 64,
    mode: str = "tools",
) -> Benchmark:
    return Benchmark(
        id=f"{name}{digest}",
        project_id="p",
        batch_id=None,
        source=BenchmarkSource.SET,
        name=name,
        set_digest="0" * 64,
        judge_kind="anthropic",
        judge_model=model,
        judge_digest=digest,
        mode=mode,
        sample=None,
        figures=BenchmarkResult(counts=count(reads)),
        created_at=AT,
        finished_at=AT,
    )


def chart(*found: Benchmark, figure: str) -> Box:
    return next(iter(measured_boxes(found, {}, figure=figure, theme=ColourTheme.LIGHT)))


def test_position_bias_is_a_figure_with_its_interval_and_half_as_the_line_of_no_bias() -> None:
    box = chart(benchmark(*[FIRST_TWICE] * 20, *[ALWAYS_A] * 20), figure="to_first")

    assert [(row["Share"], row["Pairs"]) for row in box.rows] == [("75.0%", 40)]
    assert box.figure is not None
    dots = box.figure.data[0]
    assert dots.customdata[0].endswith(": 75% of 80 readings")
    # Two readings of a pair are one observation: Wilson's interval of 30 in 40, with Student's quantile.
    assert dots.x[0] - dots.error_x.arrayminus[0] == pytest.approx(0.5929, abs=0.0001)
    assert box.figure.layout.shapes[0].x0 == 0.5


def test_length_bias_stands_beside_the_share_of_the_labels() -> None:
    shorter = ALWAYS_A.model_copy(update={"truth": B})

    box = chart(benchmark(*[ALWAYS_A] * 15, *[shorter] * 15), figure="to_longer")

    assert [(row["Judge"], row["Share"], row["Pairs"]) for row in box.rows] == [
        ("m-1, tools", "100.0%", 30),
        ("its labels", "50.0%", 30),
    ]


def test_where_lengths_are_not_known_there_is_no_length_bias() -> None:
    box = chart(benchmark(FIRST_TWICE.model_copy(update={"longer": None})), figure="to_longer")

    assert (box.figure, list(box.rows)) == (None, [])
    assert "have none" in box.counts


def test_judge_panels_of_the_same_names_are_told_apart_by_their_members() -> None:
    first, second = (
        benchmark(ALWAYS_A, model="judge panel: one, two", digest=digest * 8, mode=TOGETHER)
        for digest in ("3f2a91cd", "77b0e412")
    )

    assert [who(each, {}) for each in (first, second)] == [
        "judge panel: one, two 3f2a91",
        "judge panel: one, two 77b0e4",
    ]
    assert who(benchmark(ALWAYS_A), {"1" * 64: JudgeVersion(number=2, since=AT)}) == "m-1 v2"


@pytest.mark.parametrize(
    ("names", "begins"),
    [
        (("JudgeBench gpt-4o",), "verdict"),
        (("LLMBar natural",), "mean"),
        (("LLMBar natural", "JudgeBench gpt-4o"), "verdict"),
        (("JudgeBench gpt-4o", "Our own"), "verdict"),
        (("Our own",), "mean"),
        ((), "mean"),
    ],
)
def test_the_chart_begins_with_a_figure_that_others_published_on_the_newest_such_set(
    names: tuple[str, ...], begins: str
) -> None:
    assert first_figure([benchmark(ALWAYS_A, name=name) for name in names]) == begins
    assert begins in FIGURES

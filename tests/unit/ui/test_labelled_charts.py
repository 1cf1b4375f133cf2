"""Charts of judges on labelled pairs: biases, parts of the set, missed pairs, and the figure that they begin with."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from comparator.domain.labels import Order, Winner
from comparator.reporting.trust.labelled_record import LabelledRecord
from comparator.reporting.trust.record import JudgeVersion
from comparator.stats.raters.accuracy import LabelledReading, count
from comparator.store.judging.judgments import StoredIdentity
from comparator.ui.frame.charts import PAIR, Chart
from comparator.ui.frame.charts.labelled import FIGURES, first_figure, labelled_charts, who

A, B = Winner.A, Winner.B
AT = datetime(2026, 3, 1, tzinfo=UTC)
FIRST_TWICE = LabelledReading(
    truth=A, by_order={Order.A_FIRST: A, Order.B_FIRST: B}, verdict=A, first_verdict=A, longer=A
)
ALWAYS_A = FIRST_TWICE.model_copy(update={"by_order": dict.fromkeys(Order, A)})


def record(
    *reads: LabelledReading, name: str = "A set", kind: str = "anthropic", digest: str = "1" * 64
) -> LabelledRecord:
    return LabelledRecord(
        project_id="p",
        project=name,
        judge=StoredIdentity(kind=kind, model="m-1", digest=digest),
        mode="tools",
        counts=count(reads),
        by_file={"pdf": count(reads)},
        missed=("pair-1", "pair-2"),
    )


def boxes(*found: LabelledRecord, figure: str = "mean", hidden: tuple[str, ...] = ()) -> dict[str, Chart]:
    made = labelled_charts(found, {}, figure=figure, hidden=hidden)
    return {box.name: box for box in made}


def chart(*found: LabelledRecord, figure: str) -> Chart:
    return boxes(*found, figure=figure)[f"labelled_{figure}"]


def test_position_bias_is_a_figure_with_its_interval_and_half_as_the_line_of_no_bias() -> None:
    box = chart(record(*[FIRST_TWICE] * 20, *[ALWAYS_A] * 20), figure="to_first")

    assert [(row["Share"], row["Pairs"]) for row in box.rows] == [(0.75, 80)]
    # Two readings of a pair are one observation: Wilson's interval of 30 in 40, with Student's quantile.
    assert box.rows[0]["Interval from"] == pytest.approx(0.5929, abs=0.0005)
    assert box.words.endswith("A set: m-1, tools: 75% (59% to 86%), n = 80.")


def test_length_bias_stands_beside_the_share_of_the_labels() -> None:
    shorter = ALWAYS_A.model_copy(update={"truth": B})

    box = chart(record(*[ALWAYS_A] * 15, *[shorter] * 15), figure="to_longer")

    assert [(row["Judge"], row["Share"], row["Pairs"]) for row in box.rows] == [
        ("A set: m-1, tools", 1.0, 60),
        ("A set: its labels", 0.5, 30),
    ]


def test_where_lengths_are_not_known_there_is_no_length_bias() -> None:
    box = chart(record(FIRST_TWICE.model_copy(update={"longer": None})), figure="to_longer")

    assert not box.is_drawn
    assert "These judges have no data for this figure." in box.note


def test_a_judge_is_called_by_its_version() -> None:
    assert who(record(ALWAYS_A), {"1" * 64: JudgeVersion(number=2, since=AT)}) == "m-1 v2"
    assert who(record(ALWAYS_A, digest=""), {}) == "m-1"
    assert who(record(ALWAYS_A, kind="offline"), {}) == "offline check"


def test_kinds_of_files_have_their_own_figure_and_missed_pairs_are_listed_unless_hidden() -> None:
    found = boxes(record(*[ALWAYS_A] * 20), hidden=("pair-2",))

    (part,) = found["labelled_parts"].rows
    assert (part["Of"], part["Pairs"]) == ("PDF files", 20)
    assert str(part["Right in both orders"]).startswith("100.0%, 95% interval")
    assert [row[PAIR] for row in found["labelled_missed"].rows] == ["pair-1"]


def test_published_figures_stand_beside_a_set_that_is_known() -> None:
    rows = boxes(record(*[ALWAYS_A] * 20, name="LLMBar natural"))["labelled_mean"].rows

    assert [row["Judge"] for row in rows] == [
        "LLMBar natural: m-1, tools",
        "LLMBar natural: published, GPT-4, vanilla prompt",
        "LLMBar natural: published, people (agreement of expert annotators)",
    ]


@pytest.mark.parametrize(
    ("names", "begins"),
    [
        (("JudgeBench gpt-4o",), "verdict"),
        (("LLMBar natural",), "mean"),
        (("LLMBar natural", "JudgeBench gpt-4o"), "mean"),
        (("Our own", "JudgeBench gpt-4o"), "verdict"),
        (("Our own",), "mean"),
        ((), "mean"),
    ],
)
def test_the_chart_begins_with_a_figure_that_others_published_on_the_first_such_set(
    names: tuple[str, ...], begins: str
) -> None:
    assert first_figure([record(ALWAYS_A, name=name) for name in names]) == begins
    assert begins in FIGURES

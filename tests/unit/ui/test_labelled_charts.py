"""Charts of judges on labelled pairs: biases, parts of the set and missed pairs."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from comparator.domain.labels import Order, Winner
from comparator.reporting.trust.labelled_record import LabelledRecord
from comparator.reporting.trust.record import JudgeVersion
from comparator.stats.raters.accuracy import LabelledReading, count
from comparator.store.judging.judgments import StoredIdentity
from comparator.ui.frame.charts import PAIR, Chart
from comparator.ui.frame.charts.drawing import Row
from comparator.ui.frame.charts.labelled import labelled_charts, who

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


def boxes(*found: LabelledRecord, hidden: tuple[str, ...] = ()) -> dict[str, Chart]:
    return {box.name: box for box in labelled_charts(found, {}, hidden=hidden)}


def rows(*found: LabelledRecord) -> dict[str, Row]:
    return {str(row["Figure"]): row for row in boxes(*found)["labelled"].rows}


def test_position_bias_is_a_figure_with_its_interval() -> None:
    row = rows(record(*[FIRST_TWICE] * 20, *[ALWAYS_A] * 20))["Named the first shown"]

    assert (row["Share"], row["Pairs"]) == (0.75, 80)
    # Two readings of a pair are one observation: Wilson's interval of 30 in 40, with Student's quantile.
    assert row["Interval from"] == pytest.approx(0.5929, abs=0.0005)


def test_length_bias_stands_beside_the_share_of_the_labels() -> None:
    shorter = ALWAYS_A.model_copy(update={"truth": B})

    found = rows(record(*[ALWAYS_A] * 15, *[shorter] * 15))

    assert [
        (found[name]["Share"], found[name]["Pairs"])
        for name in ("Named the longer", "Named the longer: the labels")
    ] == [(1.0, 60), (0.5, 30)]


def test_where_lengths_are_not_known_there_is_no_length_bias() -> None:
    assert "Named the longer" not in rows(record(FIRST_TWICE.model_copy(update={"longer": None})))


def test_one_judge_is_the_finding_and_of_several_each_row_names_its_judge_and_set() -> None:
    one = record(*[ALWAYS_A] * 20)

    assert boxes(one)["labelled"].title == "m-1 names the label's winner in 100% of 20 pairs"
    named = rows(one, record(*[FIRST_TWICE] * 20, name="Other", digest="2" * 64))
    assert {"Right in both orders: A set: m-1, tools", "Right in both orders: Other: m-1, tools"} <= {*named}


def test_a_judge_is_called_by_its_version() -> None:
    assert who(record(ALWAYS_A), {"1" * 64: JudgeVersion(number=2, since=AT)}) == "m-1 v2"
    assert who(record(ALWAYS_A, digest=""), {}) == "m-1"
    assert who(record(ALWAYS_A, kind="offline"), {}) == "offline check"


def test_kinds_of_files_have_their_own_figure_and_missed_pairs_are_listed_unless_hidden() -> None:
    found = boxes(record(*[ALWAYS_A] * 20), hidden=("pair-2",))

    (part,) = found["labelled_parts"].rows
    assert (part["Figure"], part["Pairs"], part["Share"]) == ("PDF files", 20, 1.0)
    assert part["Interval from"] is not None
    assert [row[PAIR] for row in found["labelled_missed"].rows] == ["pair-1"]


def test_published_figures_stand_beside_a_set_that_is_known() -> None:
    found = rows(record(*[ALWAYS_A] * 20, name="LLMBar natural"))

    assert [name for name in found if name.startswith("Right, mean of both orders")] == [
        "Right, mean of both orders",
        "Right, mean of both orders: published, GPT-4, vanilla prompt",
        "Right, mean of both orders: published, people (agreement of expert annotators)",
    ]

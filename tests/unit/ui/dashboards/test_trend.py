"""The trend over iterations: no line through what does not compare, and no step that another judge explains alone."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from comparator.reporting.results.breaks import Break
from comparator.reporting.results.over_iterations import History, IterationRecord
from comparator.reporting.results.series import Over
from comparator.reporting.scope import ResultFilter
from comparator.stats.changes import LevelStep
from comparator.stats.figures import Estimate, Interval, TooFew
from comparator.ui.dashboards.trend import trend_box
from comparator.ui.frame.charts.box import _behind
from comparator.ui.frame.charts.theme import ColourTheme

JUDGE = Break(at=4, judge=("judge-one", "judge-two"))


def iteration(at: int, won: int) -> IterationRecord:
    rate = Estimate(value=won / 10, interval=Interval(low=won / 10 - 0.1, high=won / 10 + 0.1), n=10)
    return IterationRecord(
        name=str(at + 1),
        one=f"new-{at}",
        two=f"old-{at}",
        won=won,
        tied=0,
        lost=10 - won if won >= 0 else 0,
        rate=rate,
        lead=None,
        met_one=None,
        met_two=None,
    )


def history(*breaks: Break, step: bool = True) -> History:
    """Four iterations at 30% and four at 70%."""
    return History(
        over=Over.ITERATIONS,
        one="new",
        two="old",
        iterations=tuple(iteration(at, 3 if at < 4 else 7) for at in range(8)),
        chosen=None,
        pooled=TooFew(n=1, needed=20),
        n=80,
        step=LevelStep(at=4, before=0.3, after=0.7, p=0.0) if step else None,
        tasks=(),
        usual_change=None,
        counted_by_task=True,
        breaks=breaks,
    )


def drawn(found: History) -> dict[str, Any]:
    box = trend_box(found, ResultFilter(project_id="p", one="new-7", two="old-7"), ColourTheme.LIGHT)
    assert box.figure is not None
    return {"box": box, **box.figure.to_dict()}


def runs(trace: dict[str, Any]) -> list[list[int]]:
    """The places that a trace connects with each other."""
    parts = groupby(trace["x"], key=lambda at: at is None)
    return [list(run) for missing, run in parts if not missing]


def test_no_line_and_no_band_of_the_trend_goes_through_a_break() -> None:
    whole, parted = drawn(history()), drawn(history(JUDGE))

    lines = [trace for trace in parted["data"] if trace["mode"] == "lines"]
    assert len(lines) == 2
    for trace in lines:
        assert [sorted(set(run)) for run in runs(trace)] == [[0, 1, 2, 3], [4, 5, 6, 7]]
    assert [sorted(set(run)) for run in runs(whole["data"][1])] == [[0, 1, 2, 3, 4, 5, 6, 7]]
    (heads,) = (trace for trace in parted["data"] if trace.get("marker", {}).get("symbol") == "triangle-down")
    assert list(heads["x"]) == [3.5]
    assert heads["customdata"] == ["At 5: another judge, judge-two after judge-one"]
    assert "judge" in [each["text"] for each in parted["layout"]["annotations"]]
    # A click on a dot leads to its pairs, one on a break nowhere.
    assert "new-2" in str(_behind(parted["box"], curve=0, at=2))
    assert _behind(parted["box"], curve=1, at=0) is None


def test_every_iteration_of_many_is_a_dot_with_its_link_though_not_all_are_named() -> None:
    many = tuple(iteration(at, at % 11) for at in range(32))

    found = drawn(history(step=False).model_copy(update={"iterations": many}))

    dots = found["data"][0]
    assert list(dots["x"]) == list(range(32))
    assert list(dots["y"]) == [each.share for each in many]
    assert [f"new-{at}" in str(_behind(found["box"], curve=0, at=at)) for at in range(32)] == [True] * 32
    named = list(found["layout"]["xaxis"]["ticktext"])
    assert named[-1] == "32"
    assert len(named) < 32


def test_a_step_that_coincides_with_a_break_says_so() -> None:
    (note,) = (
        each["text"] for each in drawn(history(JUDGE))["layout"]["annotations"] if "mean" in each["text"]
    )
    assert note == "mean since 5: 70% (before: 30%; judge changed too)"
    told = drawn(history(JUDGE))["box"].counts
    assert "The comparison itself changed there too (another judge, judge-two after judge-one)" in told
    assert "A dashed line separates what cannot be compared (5: another judge" in told

    elsewhere = drawn(history(Break(at=2, tasks=3)))
    assert "changed there too" not in elsewhere["box"].counts
    assert "3: 3 tasks new, removed or reworded" in elsewhere["box"].counts
    assert not [each for each in elsewhere["layout"]["annotations"] if "changed too" in each["text"]]
    assert [row["Not comparable with the iteration before"] for row in elsewhere["box"].rows[:3]] == [
        "",
        "",
        "3 tasks new, removed or reworded",
    ]


def test_the_line_of_all_iterations_says_across_how_many_breaks_it_goes() -> None:
    pooled = Estimate(value=0.5, interval=Interval(low=0.4, high=0.6), n=80)

    def level(*breaks: Break) -> str:
        layout = drawn(history(*breaks).model_copy(update={"pooled": pooled}))["layout"]
        (words,) = (each["text"] for each in layout["annotations"] if each["text"].startswith("all"))
        return str(words)

    assert level() == "all: 50%"
    assert level(JUDGE) == "all, across<br>1 break:<br>50%"
    assert level(Break(at=2, tasks=3), JUDGE) == "all, across<br>2 breaks:<br>50%"


def test_the_chart_says_what_its_shares_are_of_and_where_nobody_looked_for_breaks() -> None:
    whole, parted = drawn(history())["layout"], drawn(history(JUDGE))["layout"]
    unknown = drawn(history().model_copy(update={"breaks": None, "over": Over.VERSIONS, "one": "n" * 40}))

    def title(layout: dict[str, Any]) -> str:
        (found,) = (each["text"] for each in layout["annotations"] if each["text"].startswith("Win rate"))
        return str(found)

    assert title(whole) == title(parted) == "Win rate of new against old by iteration"
    of, told = title(unknown["layout"]).split("<br>")
    assert of == f"Win rate of {'n' * 11} … {'n' * 10} against old by version"
    assert told == "With so many pairs, changes of judge, guidance, rubric and tasks are not checked."
    assert told in unknown["box"].counts
    # The first screen has no room for a higher chart; what stands above the plot has room of its own.
    assert {each["height"] for each in (whole, parted, unknown["layout"])} == {190}
    assert [each["margin"]["t"] for each in (whole, parted, unknown["layout"])] == [40, 58, 58]


def test_a_dot_that_is_pointed_at_says_its_name_value_interval_and_pairs() -> None:
    (dots, *_) = drawn(history())["data"]

    assert dots["customdata"][0] == "1: 30%, 95% interval 20 to 40, 10 pairs"

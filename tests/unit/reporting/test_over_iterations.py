"""What each task did over the iterations, from who won it in each."""

from __future__ import annotations

from typing import NamedTuple

from comparator.reporting.results.task_history import Cell, TaskHistory, TaskState, task_histories, turns_of
from comparator.reporting.scope import ResultFilter
from comparator.ui.dashboards.tabs.over_time import tasks_chart
from tests.worlds.histories.over_time import over_time

CELLS = {"+": Cell(1, 0, 0, 1.0), "=": Cell(0, 1, 0, 0.0), "-": Cell(0, 0, 1, -1.0), " ": None}
SERIES = {
    "fell": "++++++++--------",
    "rose": "--------++++++++",
    "noisy": "+-+-+-+-+-+-+-+-",
    "steady": "++++++++++++++++",
    # The winner changes for an iteration or two: that is no trend, and not often enough for noise.
    "fell once": "+++++++-++++++++",
    "fell at last": "+++++++++++++++-",
    # A change to a tie, or to no comparison, is no change of winner.
    "often tied": "+=+=+=+=+= + + +",
}


class Row(NamedTuple):
    """A task as the database has it."""

    key: str
    title: str
    tags: tuple[str, ...] = ()


def histories(series: dict[str, str]) -> dict[str, TaskHistory]:
    """What became of the tasks of these names."""
    cells = {name: [CELLS[sign] for sign in signs] for name, signs in series.items()}
    rows = {name: Row(name, name) for name in series}
    return {each.title: each for each in task_histories(cells, turns_of(cells), rows, {})}


def test_a_task_fell_rose_is_noisy_or_steady() -> None:
    found = histories(SERIES)

    assert {name: each.state for name, each in found.items()} == {
        "fell": TaskState.FELL,
        "rose": TaskState.ROSE,
        "noisy": TaskState.NOISY,
        "steady": TaskState.STEADY,
        "fell once": TaskState.STEADY,
        "fell at last": TaskState.STEADY,
        "often tied": TaskState.STEADY,
    }
    assert {name: each.turned.at for name, each in found.items() if each.turned} == {"fell": 8, "rose": 8}
    assert {name: each.flips for name, each in found.items()} == {
        "fell": 1,
        "rose": 1,
        "noisy": 15,
        "steady": 0,
        "fell once": 2,
        "fell at last": 1,
        "often tied": 0,
    }


def test_a_task_is_called_by_its_title_and_by_its_key_too_where_another_has_the_same_title() -> None:
    cells = {key: [CELLS["+"]] for key in ("one", "two", "three")}
    rows = {"one": Row("one", "Billing"), "two": Row("two", "Billing"), "three": Row("three", "Storage")}

    histories = task_histories(cells, turns_of(cells), rows, {})

    assert [each.name for each in histories] == ["Billing (one)", "Billing (two)", "Storage"]


def test_a_task_is_noisy_if_its_winner_changes_in_more_than_a_third_of_its_iterations() -> None:
    found = histories({"a third": "++--++-", "more": "++-++-+", "one change of two": "+- "})

    assert [found[name].flips for name in ("a third", "more", "one change of two")] == [3, 4, 1]
    assert found["more"].state is TaskState.NOISY
    assert found["one change of two"].state is TaskState.STEADY


def test_whether_a_task_turned_allows_for_how_many_tasks_were_looked_at() -> None:
    turns = "++++++------"
    noise = {f"noise {number}": "+-" * 6 for number in range(60)}

    assert histories({"turns": turns})["turns"].state is TaskState.FELL
    assert histories({"turns": turns, **noise})["turns"].state is TaskState.STEADY


def test_tasks_stand_by_name_with_numbers_in_their_order() -> None:
    assert list(histories({"Task 10": "+", "Task 9": "-", "Billing": "="})) == [
        "Billing",
        "Task 9",
        "Task 10",
    ]


def test_the_table_says_what_a_task_won_before_and_since_and_how_noisy_it_is() -> None:
    found = histories({"fell": SERIES["fell"], "mixed": "++=-+-- ++=++++-", "noisy": SERIES["noisy"]})
    asked = ResultFilter(project_id="p", one="new-1", two="old-1")

    rows = {row["Task"]: row for row in tasks_chart(asked, over_time(*found.values()), 8).rows}

    columns = ("Trend", "Since", "Won before 9", "Won from 9", "Noise", "Won", "Tied", "Lost")
    assert [rows["fell"][each] for each in columns] == ["regressed", "9", 1.0, 0.0, 0.0, 8, 0, 8]
    assert [rows["mixed"][each] for each in columns] == ["noisy", "", 0.5, 0.81, 0.83, 9, 2, 4]
    # The winner of a coin would change in half of the places.
    assert rows["noisy"]["Noise"] == 2.0
    assert found["fell"].missing == {}

"""What changed since an iteration, and what each task did over all of them."""

from __future__ import annotations

from comparator.reporting.results.breaks import Break
from comparator.reporting.results.over_iterations import Cell
from comparator.reporting.scope import ResultFilter
from comparator.ui.dashboards.tabs.over_time import since_chart, tasks_chart
from tests.worlds.histories.over_time import over_time, task

WON, TIED, LOST = Cell(1, 0, 0, 1.0), Cell(0, 1, 0, 0.0), Cell(0, 0, 1, -1.0)
ASKED = ResultFilter(project_id="p", one="new-4", two="old-4")
JUDGE = Break(at=1, judge=("judge-one", "judge-two"))
TASKS = Break(at=3, tasks=2)


def test_what_also_changed_since_is_named_beside_what_got_worse() -> None:
    found = over_time(task("a", WON, WON, WON, LOST), breaks=(JUDGE, TASKS))

    first, later, newest = (since_chart(ASKED, found, at).note for at in (0, 1, 2))

    assert first.endswith(
        "Judge, guidance, rubric or tasks also changed since 1 (2: another judge, judge-two after judge-one; "
        "4: 2 tasks new, removed or reworded), which may explain a different result."
    )
    for told, name in ((later, "2"), (newest, "3")):
        assert f"also changed since {name} (4: 2 tasks new, removed or reworded), which" in told
    assert "also changed" not in since_chart(ASKED, found.model_copy(update={"breaks": (JUDGE,)}), 1).note


def test_what_also_changed_is_named_beside_where_tasks_turned() -> None:
    tasks = (task("a", WON, WON, WON, LOST),)

    assert "(4: 2 tasks new, removed or reworded), which may explain where a task turned." in (
        tasks_chart(ASKED, over_time(*tasks, breaks=(TASKS,))).note
    )
    assert "also changed" not in tasks_chart(ASKED, over_time(*tasks)).note


def test_where_nobody_looked_for_other_changes_that_is_said() -> None:
    found = over_time(task("a", WON, WON, WON, LOST), breaks=None)

    for box in (since_chart(ASKED, found, 2), tasks_chart(ASKED, found)):
        assert "changes of judge, guidance, rubric and tasks are not checked" in box.note


def test_won_to_lost_comes_first_and_tasks_of_one_iteration_alone_stand_apart() -> None:
    found = over_time(
        task("rose", WON, WON, LOST, WON),
        task("won to tied", WON, WON, WON, TIED),
        task("won to lost", WON, WON, WON, LOST),
        # By more points than the one that was won.
        task("tied to lost", WON, WON, TIED, Cell(0, 0, 1, -4.0)),
        task("same", WON, WON, WON, WON),
        task("late", None, None, None, LOST),
        task("gone", LOST, LOST, WON, None),
        usual_change=1.5,
    )

    box = since_chart(ASKED, found, 2)

    assert [(row["Task"], row["In 3"], row["In 4"], row["Noise"]) for row in box.rows] == [
        ("won to lost", "won", "lost", "beyond"),
        ("tied to lost", "tied", "lost", "beyond"),
        ("won to tied", "won", "tied", "within"),
        ("rose", "lost", "won", "beyond"),
    ]
    assert box.title == (
        "Since 3: beyond the noise 2 (won to lost, tied to lost) got worse and 1 (rose) got better; "
        "within it 1 worse, 0 better"
    )
    assert box.note.endswith("New in 4: late. Not compared in 4: gone.")


def test_the_table_says_for_each_task_how_often_the_judges_two_orders_disagreed() -> None:
    twice, unknown = WON._replace(disagreed=1), WON
    box = tasks_chart(
        ASKED,
        over_time(
            task("doubtful", twice, unknown, twice, None),
            task("never in both orders", WON, WON, WON, WON),
            task("clear", *[LOST._replace(disagreed=0)] * 4),
        ),
    )

    assert {row["Task"]: row["Orders disagreed"] for row in box.rows} == {
        "doubtful": 2,
        "never in both orders": None,
        "clear": 0,
    }

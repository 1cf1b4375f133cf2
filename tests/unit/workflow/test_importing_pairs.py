"""Which runs are put side by side where one of them is the baseline."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from comparator.domain.errors import InputError
from comparator.interop.model import FoundRun
from comparator.interop.skill_creator_places import level_and_treatment
from comparator.workflow.importing_pairs import (
    RunPair,
    against,
    compared,
    within,
)


def run(name: str, *, iteration: str = "1") -> FoundRun:
    return FoundRun(
        address=f"{iteration}/{name}",
        task_key="eval-1",
        prompt="Name a river.",
        configuration=name,
        iteration=iteration,
        factors=level_and_treatment(name),
        text=name,
    )


def named(pairs: Iterable[RunPair]) -> set[str]:
    return {
        " ".join(sorted((pair.first.configuration, pair.second.configuration), key=str)) for pair in pairs
    }


def test_a_baseline_is_named_within_each_iteration_or_across_them() -> None:
    runs = tuple(run(name, iteration=number) for number in ("1", "2") for name in ("v30", "v31", "v32"))

    assert len(against(runs, "v30")) == 4
    assert named(against(runs, "v30")) == {"v30 v31", "v30 v32"}
    assert len(against(runs, "1/v30")) == 5
    with pytest.raises(InputError, match=r"There is no candidate v29\. There are: 1/v30, 1/v31"):
        against(runs, "v29")
    with pytest.raises(InputError, match="No other candidate has a task of v30"):
        against((run("v30"),), "v30")


@pytest.mark.parametrize("one", ["v30", "1/v30"])
def test_why_there_is_nothing_to_pair_is_said_without_options_of_the_command_line(one: str) -> None:
    with pytest.raises(InputError, match=f"No task has two runs of {one}"):
        compared((run("v30"), run("v31")), one, one)
    with pytest.raises(InputError, match=r"^3-5 is not understood as iterations"):
        within((run("v30"),), "3-5")

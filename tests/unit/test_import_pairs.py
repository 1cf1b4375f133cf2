"""Which runs are put side by side where configurations are factors, and where one of them is the baseline."""

from collections.abc import Iterable

import pytest

from comparator.domain.errors import InputError
from comparator.interop.imported import Findings, Format, FoundRun
from comparator.interop.skill_creator.places import level_and_treatment
from comparator.workflow.importing.pairs import RunPair, against, siblings


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


def test_of_two_factors_the_treatment_alone_differs_where_it_can() -> None:
    names = ("gpt_with_skill", "gpt_without_skill", "opus_with_skill", "opus_without_skill")
    for some, pairs in (
        (names, {" ".join(names[:2]), " ".join(names[2:])}),
        (names[::3], {" ".join(names[::3])}),
    ):
        runs = tuple(map(run, some))
        assert named(siblings(Findings(format=Format.SKILL_CREATOR, runs=runs), runs)) == pairs


def test_a_baseline_is_named_within_each_iteration_or_across_them() -> None:
    runs = tuple(run(name, iteration=number) for number in ("1", "2") for name in ("v30", "v31", "v32"))

    assert len(against(runs, "v30")) == 4
    assert named(against(runs, "v30")) == {"v30 v31", "v30 v32"}
    assert len(against(runs, "1/v30")) == 5
    with pytest.raises(InputError, match=r"There is no candidate v29\. There are: 1/v30, 1/v31"):
        against(runs, "v29")
    with pytest.raises(InputError, match="No other candidate has a task of v30"):
        against((run("v30"),), "v30")

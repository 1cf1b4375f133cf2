"""Which runs are put side by side where configurations are factors, and where one of them is the baseline."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from comparator.domain.errors import InputError
from comparator.interop.imported import Findings, Format, FoundRun
from comparator.interop.read.skill_creator.places import level_and_treatment
from comparator.workflow.importing.pairs import (
    RunPair,
    against,
    against_baselines,
    siblings,
)


def run(name: str, *, iteration: str = "1", model: str | None = None, skill: str | None = None) -> FoundRun:
    return FoundRun(
        address=f"{iteration}/{name}",
        task_key="eval-1",
        prompt="Name a river.",
        configuration=name,
        iteration=iteration,
        model=model,
        skill_hash=skill,
        factors=level_and_treatment(name),
        text=name,
    )


def named(pairs: Iterable[RunPair]) -> set[str]:
    return {
        " ".join(sorted((pair.first.configuration, pair.second.configuration), key=str)) for pair in pairs
    }


def sibling_names(*runs: FoundRun) -> set[str]:
    return named(siblings(Findings(format=Format.SKILL_CREATOR, runs=runs), runs))


def test_in_a_grid_of_names_one_of_the_two_factors_differs() -> None:
    made = sibling_names(*map(run, ("opus-v31", "opus-v32", "haiku-v31", "haiku-v32")))

    assert made == {
        "opus-v31 opus-v32",
        "haiku-v31 haiku-v32",
        "haiku-v31 opus-v31",
        "haiku-v32 opus-v32",
    }


def test_a_word_for_a_treatment_tells_which_factor_differs() -> None:
    runs = tuple(map(run, ("opus_control", "opus_v32", "haiku_control", "haiku_v32")))

    assert sibling_names(*runs) == {"opus_control opus_v32", "haiku_control haiku_v32"}
    assert named(against_baselines(runs)) == {"opus_control opus_v32", "haiku_control haiku_v32"}


def test_names_that_all_have_the_skill_are_compared_by_their_other_parts() -> None:
    names = ("opus_v1_with_skill", "opus_v2_with_skill", "haiku_v1_with_skill", "haiku_v2_with_skill")

    assert len(sibling_names(*map(run, names))) == 4


@pytest.mark.parametrize("skills", [("s1", "s2"), (None, "s2")])
def test_models_and_skills_that_are_known_are_the_factors_whatever_the_names(
    skills: tuple[str | None, str],
) -> None:
    made = sibling_names(
        run("a", model="m1", skill=skills[0]),
        run("b", model="m1", skill=skills[1]),
        run("c", model="m2", skill=skills[0]),
        run("d", model="m2", skill=skills[1]),
    )

    assert made == {"a b", "c d"}


def test_one_empty_place_leaves_a_large_grid_one() -> None:
    names = [f"{model}-{version}" for model in ("opus", "haiku") for version in ("v1", "v2", "v3")]

    # Five configurations: three and one pairs within the models, two within the versions.
    assert len(sibling_names(*map(run, names[:-1]))) == 6


@pytest.mark.parametrize(
    "names", [("v30", "v31", "v32"), ("a-1", "b-2"), ("a-1", "a-2", "b-3", "b-4"), ("a-1", "a-2", "b-1")]
)
def test_ordinary_names_are_no_grid(names: tuple[str, ...]) -> None:
    count = len(names)
    assert len(sibling_names(*map(run, names))) == count * (count - 1) // 2


def test_each_iteration_has_its_own_grid() -> None:
    grid = [run(name, iteration="2") for name in ("a-1", "a-2", "b-1", "b-2")]

    assert sibling_names(run("a-1"), run("b-2"), *grid) == {
        "a-1 b-2",
        "a-1 a-2",
        "b-1 b-2",
        "a-1 b-1",
        "a-2 b-2",
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

from collections.abc import Iterable

import pytest

from comparator.reporting.results.candidates import NamedCandidate
from comparator.reporting.results.series import Over, all_series
from comparator.stats.ranking import HeadToHead


def named(*each: NamedCandidate) -> dict[str, NamedCandidate]:
    return {one.id: one for one in each}


def candidate(
    id: str, plain: str, *, iteration: str | None = None, skill: str | None = None
) -> NamedCandidate:
    name = f"{plain} ({iteration or skill})" if iteration or skill else plain
    return NamedCandidate(
        id=id, number=1, name=name, plain=plain, iteration=iteration, skill=skill, revealed=True
    )


def told(
    met: Iterable[HeadToHead], called: dict[str, NamedCandidate]
) -> list[tuple[Over, str, str, list[tuple[str, str, str]]]]:
    return [
        (each.over, each.one, each.two, [(name, step.one, step.two) for name, step in each.steps])
        for each in all_series(met, called)
    ]


def test_each_version_is_followed_against_the_one_before_and_against_the_same_other_candidate() -> None:
    called = named(*(candidate(name, name) for name in ("v9", "v10", "v11", "gold")))
    met = (
        HeadToHead("v9", "v10", won=2, lost=5, tied=1),
        HeadToHead("v11", "v10", won=4, lost=3, tied=0),
        HeadToHead("gold", "v9", won=6, lost=1, tied=2),
        HeadToHead("v11", "gold", won=7, lost=8, tied=9),
    )

    assert told(met, called) == [
        (Over.SUCCESSORS, "v9 to v11", "the version before", [("v10", "v10", "v9"), ("v11", "v11", "v10")]),
        (Over.VERSIONS, "v9 to v11", "gold", [("v9", "v9", "gold"), ("v11", "v11", "gold")]),
    ]


def test_two_names_are_followed_through_the_iterations_in_the_order_of_their_numbers() -> None:
    called = named(
        *(
            candidate(f"{name}-{at}", name, iteration=f"iteration-{at}")
            for at in (9, 10)
            for name in ("with", "without")
        )
    )
    met = (
        HeadToHead("without-10", "with-10", won=1, lost=3, tied=0),
        HeadToHead("with-9", "without-9", won=30, lost=0, tied=0),
    )

    steps = [(f"iteration-{at}", f"with-{at}", f"without-{at}") for at in (9, 10)]
    assert told(met, called) == [(Over.ITERATIONS, "with", "without", steps)]


def test_one_candidate_with_several_skills_has_versions() -> None:
    called = named(
        candidate("1", "agent", skill="aaa"), candidate("2", "agent", skill="bbb"), candidate("3", "none")
    )
    met = (HeadToHead("1", "3", won=1, lost=0, tied=0), HeadToHead("2", "3", won=2, lost=0, tied=0))

    assert [each[:3] for each in told(met, called)] == [(Over.VERSIONS, "agent (aaa) to agent (bbb)", "none")]


@pytest.mark.parametrize(
    "called",
    [
        named(candidate("1", "with"), candidate("2", "without"), candidate("3", "none")),
        # The same name by two models: no version of each other.
        named(candidate("1", "with"), candidate("2", "with"), candidate("3", "none")),
        named(candidate("1", "v1"), candidate("2", "v2")),
    ],
)
def test_what_has_no_order_or_a_single_step_is_no_trend(called: dict[str, NamedCandidate]) -> None:
    met = [HeadToHead("1", "2", won=3, lost=1, tied=0)]
    if "3" in called:
        met += [HeadToHead("1", "3", won=3, lost=1, tied=0), HeadToHead("2", "3", won=3, lost=1, tied=0)]

    assert told(met, called) == []

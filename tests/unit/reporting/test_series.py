from collections.abc import Callable, Iterable

import pytest

from comparator.reporting.results.candidates import NamedCandidate
from comparator.reporting.results.series import Over, Trend, trends
from comparator.stats.figures import Estimate, TooFew
from comparator.stats.paired import Sums
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


def told(found: Iterable[Trend]) -> list[tuple[Over, str, str, list[tuple[str, int, int, int]]]]:
    return [
        (each.over, each.one, each.two, [(step.name, step.won, step.tied, step.lost) for step in each.steps])
        for each in found
    ]


def tasks_of(met: Iterable[HeadToHead], *, pairs: int = 1) -> Callable[[str, str], Sums]:
    """The points of those that met, where each task has so many pairs, which came out alike."""
    known = {}
    for one in met:
        for names, won, lost in (
            ((one.one, one.two), one.won, one.lost),
            ((one.two, one.one), one.lost, one.won),
        ):
            points = [2] * won + [1] * one.tied + [0] * lost
            known[names] = Sums.of(points[at : at + pairs] for at in range(0, len(points), pairs))
    return lambda one, two: known[one, two]


def test_each_version_is_followed_against_the_one_before_and_against_the_same_other_candidate() -> None:
    called = named(*(candidate(name, name) for name in ("v9", "v10", "v11", "gold")))
    met = (
        HeadToHead("v9", "v10", won=2, lost=5, tied=1),
        HeadToHead("v11", "v10", won=4, lost=3, tied=0),
        HeadToHead("gold", "v9", won=6, lost=1, tied=2),
        HeadToHead("v11", "gold", won=7, lost=8, tied=9),
    )

    assert told(trends(met, called, tasks_of(met))) == [
        (Over.SUCCESSORS, "v9 to v11", "the version before", [("v10", 5, 1, 2), ("v11", 4, 0, 3)]),
        (Over.VERSIONS, "v9 to v11", "gold", [("v9", 1, 2, 6), ("v11", 7, 9, 8)]),
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

    (found,) = trends(met, called, tasks_of(met))

    assert told([found]) == [
        (Over.ITERATIONS, "with", "without", [("iteration-9", 30, 0, 0), ("iteration-10", 3, 0, 1)])
    ]
    assert isinstance(found.steps[0].rate, Estimate)
    assert isinstance(found.steps[1].rate, TooFew)
    assert (found.steps[1].one, found.steps[1].two) == ("with-10", "without-10")


def test_a_steps_interval_rests_on_its_tasks_not_on_its_pairs() -> None:
    called = named(*(candidate(name, name) for name in ("v1", "v2", "gold")))
    met = (
        HeadToHead("v1", "gold", won=60, lost=36, tied=0),
        HeadToHead("v2", "gold", won=9, lost=27, tied=0),
    )

    (alone,), (fours,) = (trends(met, called, tasks_of(met, pairs=pairs)) for pairs in (1, 4))

    first, second = alone.steps[0].rate, fours.steps[0].rate
    assert isinstance(first, Estimate)
    assert isinstance(second, Estimate)
    assert (first.value, second.value) == (0.625, 0.625)
    assert second.interval.high - second.interval.low > 1.8 * (first.interval.high - first.interval.low)
    assert isinstance(alone.steps[1].rate, Estimate)
    assert fours.steps[1].rate == TooFew(n=9)


def test_one_candidate_with_several_skills_has_versions() -> None:
    called = named(
        candidate("1", "agent", skill="aaa"), candidate("2", "agent", skill="bbb"), candidate("3", "none")
    )
    met = (HeadToHead("1", "3", won=1, lost=0, tied=0), HeadToHead("2", "3", won=2, lost=0, tied=0))

    assert [each[:3] for each in told(trends(met, called, tasks_of(met)))] == [
        (Over.VERSIONS, "agent (aaa) to agent (bbb)", "none")
    ]


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

    assert trends(met, called, tasks_of(met)) == ()

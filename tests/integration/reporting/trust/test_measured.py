"""How one version of a judge read labelled pairs: what is taken from first readings, and what from all."""

from __future__ import annotations

from comparator.domain.labels import Order, Winner
from comparator.reporting.trust.measured import JointVerdicts, Measured, joined, measured
from comparator.store.pairs.comparisons import Comparison
from tests.worlds.histories.pairs import JudgeId, World, answer


def read(world: World, comparison: Comparison) -> Measured:
    with world.database.read() as connection:
        (found,) = measured(connection, {comparison.id: Winner.A}, judge=JudgeId())
    return found


def test_the_verdict_is_of_all_readings_and_the_first_verdict_of_the_first_ones(world: World) -> None:
    comparison = world.compare()
    world.attempt(comparison, Order.A_FIRST, answer(5, 3))
    world.attempt(comparison, Order.B_FIRST, answer(2, 4))
    for repetition in (1, 2):
        for order in Order:
            world.attempt(comparison, order, answer(5, 1), repetition=repetition)

    found = read(world, comparison).read

    assert (found.verdict, found.first_verdict, found.again) == (Winner.A, Winner.TIE, True)
    assert found.by_order == {Order.A_FIRST: Winner.A, Order.B_FIRST: Winner.B}


def test_the_longer_output_is_known(world: World) -> None:
    comparison = world.compare()
    world.judge(comparison, 5, 3)

    # A is an object with a key, B a list of one number.
    assert read(world, comparison).read.longer is Winner.A


def test_several_judges_have_a_joint_verdict_of_first_readings_too(world: World) -> None:
    comparison = world.compare()
    world.judge(comparison, 5, 3)
    one = read(world, comparison)

    found = joined([one, one], joint=JointVerdicts(verdict=Winner.A, first=None), quorum=2)

    assert (found.read.verdict, found.read.first_verdict, found.read.longer) == (Winner.A, None, Winner.A)

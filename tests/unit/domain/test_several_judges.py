"""Judges of one pair: each is reconciled over its orders first, then medians and a vote."""

from comparator.domain.labels import Order, Winner
from comparator.domain.scoring.judgment import MergedJudgment, Pass, merge
from comparator.domain.scoring.several_judges import JointOpinion, JointOutcome, Vote, opinion, vote_of
from tests.worlds.histories.pairs import answer, rubric

RUBRIC = rubric()


def judge(a: int, b: int, *, other: tuple[int, int] | None = None) -> MergedJudgment:
    """A judge with these scores in one order, and the `other` ones in the second order."""
    first, second = answer(a, b), answer(*(other or (a, b)))
    return merge(RUBRIC, (Pass(order=Order.A_FIRST, answer=first), Pass(order=Order.B_FIRST, answer=second)))


def said(*judges: MergedJudgment | None, quorum: int = 2) -> JointOpinion:
    return opinion(RUBRIC, {f"j{at}": one_judge for at, one_judge in enumerate(judges)}, quorum=quorum)


def test_tie_inconclusive_and_failure_are_told_apart() -> None:
    votes = [vote_of(said) for said in (judge(5, 3), judge(3, 5), judge(4, 4), None)]
    assert votes == [Vote.A, Vote.B, Vote.TIE, Vote.FAILED]
    # Each order names another winner; their mean would be a tie.
    assert vote_of(judge(5, 3, other=(3, 5))) is Vote.INCONCLUSIVE
    assert vote_of(judge(5, 3).model_copy(update={"verdict": None})) is Vote.ABSTAINED


def test_most_votes_win_then_the_medians_and_swapping_the_outputs_mirrors_the_opinion() -> None:
    for scores, settled, winner in (
        ([(5, 3), (4, 3), (1, 5)], JointOutcome.DECIDED, Winner.A),
        # Votes are split: the medians decide.
        ([(5, 2), (3, 4)], JointOutcome.DECIDED, Winner.A),
        ([(5, 3), (3, 5)], JointOutcome.INCONCLUSIVE, None),
        ([(4, 4), (3, 3)], JointOutcome.TIE, Winner.TIE),
        ([(5, 3), (2, 4), (4, 4), (3, 1)], JointOutcome.DECIDED, Winner.A),
    ):
        outcome, mirrored = said(*(judge(a, b) for a, b in scores)), said(*(judge(b, a) for a, b in scores))

        assert (outcome.settled, outcome.winner) == (settled, winner)
        assert (mirrored.settled, mirrored.winner) == (settled, winner and winner.mirrored)


def test_below_the_quorum_there_is_no_opinion() -> None:
    flipped = judge(5, 3, other=(3, 5))

    assert said(judge(5, 3), flipped, None).settled is JointOutcome.NO_QUORUM
    assert said(judge(5, 3), flipped, None, quorum=1).winner is Winner.A

"""Judges of one pair: each is reconciled over its orders first, then medians and a vote."""

from comparator.domain.labels import Order, Winner
from comparator.domain.scoring.judgment import MergedJudgment, Pass, merge
from comparator.domain.scoring.several_judges import (
    JointOpinion,
    JointOutcome,
    SeveralJudges,
    Vote,
    opinion,
    vote_of,
)
from tests.worlds.histories.pairs import answer, rubric

RUBRIC = rubric()


def judge(a: int, b: int, *, other: tuple[int, int] | None = None) -> MergedJudgment:
    """A judge with these scores in one order, and the `other` ones in the second order."""
    return merge(
        RUBRIC,
        (
            Pass(order=Order.A_FIRST, answer=answer(a, b)),
            Pass(order=Order.B_FIRST, answer=answer(*(other or (a, b)))),
        ),
    )


def said(*judges: MergedJudgment | None, quorum: int = 2) -> JointOpinion:
    return opinion(RUBRIC, {f"j{at}": each for at, each in enumerate(judges)}, quorum=quorum)


def test_tie_inconclusive_and_failure_are_told_apart() -> None:
    assert [vote_of(each) for each in (judge(5, 3), judge(3, 5), judge(4, 4), None)] == [
        Vote.A,
        Vote.B,
        Vote.TIE,
        Vote.FAILED,
    ]
    # Each order names another winner; their mean would be a tie.
    assert vote_of(judge(5, 3, other=(3, 5))) is Vote.INCONCLUSIVE


def test_a_judge_without_a_verdict_abstains() -> None:
    nothing = judge(5, 3).model_copy(update={"verdict": None})

    assert vote_of(nothing) is Vote.ABSTAINED


def test_most_votes_win_and_the_medians_stand_beside() -> None:
    found = said(judge(5, 3), judge(4, 3), judge(1, 5))

    assert (found.settled, found.winner) == (JointOutcome.DECIDED, Winner.A)
    assert found.medians is not None
    assert {str(score) for score in found.medians.assessments.A.scores.values()} == {"4"}
    assert {str(score) for score in found.medians.assessments.B.scores.values()} == {"3"}


def test_where_votes_are_split_the_medians_decide() -> None:
    found = said(judge(5, 2), judge(3, 4))

    assert (found.settled, found.winner) == (JointOutcome.DECIDED, Winner.A)


def test_where_neither_decides_it_is_inconclusive_and_no_tie() -> None:
    found = said(judge(5, 3), judge(3, 5))

    assert (found.settled, found.winner) == (JointOutcome.INCONCLUSIVE, None)
    assert said(judge(4, 4), judge(3, 3)).settled is JointOutcome.TIE


def test_below_the_quorum_there_is_no_opinion() -> None:
    flipped = judge(5, 3, other=(3, 5))

    assert said(judge(5, 3), flipped, None).settled is JointOutcome.NO_QUORUM
    assert said(judge(5, 3), flipped, None, quorum=1).winner is Winner.A


def test_swapping_the_outputs_mirrors_the_opinion() -> None:
    scores = [(5, 3), (2, 4), (4, 4), (3, 1)]

    one, other = said(*(judge(a, b) for a, b in scores)), said(*(judge(b, a) for a, b in scores))

    assert one.winner is Winner.A
    assert other.winner is Winner.B


def test_judges_are_read_as_they_were_stored_before_each_said_how_it_reads() -> None:
    member = {"name": "strong", "kind": "anthropic", "model": "model-one", "digest": "7" * 64}
    stored = SeveralJudges.model_validate({"id": "one", "members": [member, member], "quorum": 2})
    again = SeveralJudges.model_validate(stored.model_dump(mode="json"))
    assert again == stored
    assert again.members[0].name == "strong"
    assert again.digest == stored.digest

"""Several reviews read as one verdict."""

from decimal import Decimal

from comparator.domain.labels import PerOutput, Winner
from comparator.domain.scoring.several_judges import settle_reviews
from comparator.domain.scoring.verdict import Assessment, DecidedBy, Verdict, settle
from tests.loopback.pairs import rubric
from tests.unit.domain.make import assessment, present


def review(
    a: int | str, b: int | str, *, met: tuple[bool, ...] = (), winner: Winner | None = None
) -> Verdict:
    pair = PerOutput[Assessment](A=assessment((a,) * 6, met), B=assessment((b,) * 6, met))
    return present(settle(rubric(), pair, set_by_reviewer=winner))


def settled(*reviews: Verdict) -> Verdict:
    return present(settle_reviews(rubric(), list(reviews)))


def test_the_median_of_each_criterion_counts_half_steps_stay_and_between_them_it_is_rounded_up() -> None:
    verdict = settled(review(5, 3), review("4.5", 1), review(3, 2))
    assert verdict.assessments.A.scores["content.accuracy"] == Decimal("4.5")
    assert verdict.assessments.B.scores["content.accuracy"] == Decimal(2)
    assert (verdict.winner, verdict.decided_by) == (Winner.A, DecidedBy.RUBRIC)
    between = settled(review(4, 1), review("4.5", 1))
    assert between.assessments.A.scores["content.accuracy"] == Decimal("4.5")
    only = review(5, 3, winner=Winner.B)
    assert settled(only) == only


def test_an_even_split_on_an_expectation_counts_as_not_met() -> None:
    for marks, met in (((True, False), False), ((True, True, False), True)):
        verdict = settled(*(review(5, 3, met=(mark,)) for mark in marks))
        assert verdict.assessments.A.expectations == (met,)


def test_reviews_that_disagree_on_the_winner_settle_nothing() -> None:
    assert settle_reviews(rubric(), [review(5, 3), review(3, 5), review(5, 3)]) is None


def test_a_winner_that_all_set_outright_stays() -> None:
    verdict = settled(review(5, 3, winner=Winner.B), review(4, 3, winner=Winner.B))
    assert (verdict.winner, verdict.decided_by) == (Winner.B, DecidedBy.REVIEWER)


def test_a_review_without_a_value_does_not_vote_on_it() -> None:
    def said(score: int | None, met: bool | None) -> Verdict:
        a = assessment((score, 4, 4, 4, 4, 4), (met,))
        b = assessment((score and 3, 3, 3, 3, 3, 3), (met,))
        return present(settle(rubric(), PerOutput[Assessment](A=a, B=b)))

    verdict = settled(said(5, True), said(None, None), said(None, None))
    assert verdict.assessments.A.scores["content.correctness"] == Decimal(5)
    assert verdict.assessments.A.expectations == (True,)
    nobody = settled(said(None, None), said(None, None))
    assert nobody.left_out == ("content.correctness", "expectation.0")

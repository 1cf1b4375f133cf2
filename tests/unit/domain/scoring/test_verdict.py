"""The winner rules, the merging of passes, and their symmetry."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from comparator.domain.labels import PerOutput, Winner
from comparator.domain.scoring.judgment import Answer, contradicts, merge, verdict_of
from comparator.domain.scoring.rubric import Rubric, totals
from comparator.domain.scoring.verdict import Assessment, DecidedBy, Verdict, settle
from tests.loopback.pairs import rubric
from tests.unit.domain.make import answer, assessment, both_orders, present

six = st.tuples(*[st.integers(1, 5)] * 6)
Scores = tuple[int, ...]
Holes = tuple[int | None, ...]
Marks = tuple[bool | None, bool | None]


def settled(by: Rubric, both: PerOutput[Assessment], **more: Winner | None) -> Verdict:
    return present(settle(by, both, **more))


def pair(a: Assessment, b: Assessment) -> PerOutput[Assessment]:
    return PerOutput[Assessment](A=a, B=b)


def test_dimension_scores_round_half_up_and_overall_adds_the_rounded_ones() -> None:
    for scores, content, structure, overall, quality in (
        (("4", "4.5", "3", "3.5"), "4.3", "3.3", "7.6", 8),
        # An overall score of a half rounds up to the quality score.
        (("4", "3", "3", "3"), "3.5", "3.0", "6.5", 7),
    ):
        by = rubric(content=("x", "y"), structure=("v", "w"))
        side = present(totals(by, dict(zip(by.paths, map(Decimal, scores), strict=True))))
        assert (side.content_score, side.structure_score) == (Decimal(content), Decimal(structure))
        assert (side.overall_score, side.quality_score) == (Decimal(overall), quality)


SAME = (3,) * 6
EVEN = assessment(SAME)


def test_scores_decide_then_pass_rates_then_both_orders_and_a_reviewer_above_all() -> None:
    half_met, all_met = assessment(SAME, (True, False)), assessment(SAME, (True, True))
    for a, b, more, winner, by in (
        # The higher overall score wins, whatever the expectations say.
        (assessment((5, 5, 4, 4, 5, 4), (False,)), assessment(SAME, (True,)), {}, Winner.A, DecidedBy.RUBRIC),
        (half_met, all_met, {}, Winner.B, DecidedBy.EXPECTATIONS),
        (EVEN, EVEN, {"preferred_in_both_orders": Winner.B}, Winner.B, DecidedBy.BOTH_ORDERS),
        (EVEN, EVEN, {"preferred_in_both_orders": Winner.TIE}, Winner.TIE, DecidedBy.TIE),
        (EVEN, EVEN, {}, Winner.TIE, DecidedBy.TIE),
        (assessment((5,) * 6), EVEN, {"set_by_reviewer": Winner.TIE}, Winner.TIE, DecidedBy.REVIEWER),
    ):
        verdict = settled(rubric(), pair(a, b), **more)
        assert (verdict.winner, verdict.decided_by) == (winner, by)


def test_two_passes_average_and_an_expectation_needs_both() -> None:
    first = answer((5, 5, 4, 4, 5, 4), (3, 2, 3, 3, 2, 3), expectations=((True, True), (True, False)))
    second = answer((4, 5, 4, 4, 5, 4), (3, 2, 3, 3, 2, 3), expectations=((True, False), (True, False)))
    merged = merge(rubric(), both_orders(first, second))
    assert present(merged.verdict).assessments.A.scores["content.correctness"] == Decimal("4.5")
    assert present(merged.verdict).assessments.B.expectations == (False, False)
    assert merged.expectations_agree[0].B is False
    assert merged.expectations_agree[1].B is True
    assert merged.position_consistent


def test_the_prose_comes_from_the_first_pass_that_argues_for_the_winner() -> None:
    first = answer((3,) * 6, (4, 3, 3, 3, 3, 3), better=Winner.B, reasoning="B is better.")
    second = answer((5,) * 6, (3,) * 6, better=Winner.A, reasoning="A is better.")
    merged = merge(rubric(), both_orders(first, second))
    assert present(merged.verdict).winner is Winner.A
    assert merged.prose.reasoning == "A is better."
    assert not merged.position_consistent


HIGH, LOW = (5,) * 6, (3,) * 6
SURE = answer(HIGH, LOW, confidence=90)


def test_stated_confidence_is_the_lower_one_and_capped_where_orders_differ_or_quotes_are_not_found() -> None:
    for first, second, confidence in (
        (SURE, answer(HIGH, LOW, confidence=80), 80),
        (SURE, answer(LOW, HIGH, better=Winner.B, confidence=90), 60),
        (answer(HIGH, LOW, confidence=90, exact=(True, False, False)), SURE, 60),
        (answer(HIGH, LOW, confidence=90, exact=(True, False)), SURE, 90),
    ):
        assert merge(rubric(), both_orders(first, second)).stated_confidence == confidence


def test_a_judgment_with_one_order_only_is_incomplete() -> None:
    with pytest.raises(ValueError, match="incomplete"):
        merge(rubric(), both_orders(answer((3,) * 6, (3,) * 6), answer((3,) * 6, (3,) * 6))[:1])


def test_repetitions_in_one_order_do_not_outweigh_the_other() -> None:
    for_a, for_b = both_orders(answer((5,) * 6, (1,) * 6), answer((1,) * 6, (5,) * 6, better=Winner.B))
    merged = merge(rubric(), (for_a, for_b, for_a.model_copy(update={"repetition": 1})))
    assert present(merged.verdict).assessments.A.scores["content.accuracy"] == Decimal(3)
    assert present(merged.verdict).winner is Winner.TIE


@given(six, six, six, six, st.sampled_from(Winner), st.sampled_from(Winner))
def test_merging_mirrors_when_the_outputs_change_places(
    a1: Scores, b1: Scores, a2: Scores, b2: Scores, first: Winner, second: Winner
) -> None:
    one = merge(rubric(), both_orders(answer(a1, b1, better=first), answer(a2, b2, better=second)))
    turned = answer(b1, a1, better=first.mirrored), answer(b2, a2, better=second.mirrored)
    other = merge(rubric(), both_orders(*turned))
    assert present(other.verdict).winner is present(one.verdict).winner.mirrored
    assert other.position_consistent is one.position_consistent
    assert present(present(other.verdict).totals) == present(present(one.verdict).totals).mirrored


def test_a_criterion_counts_only_if_both_outputs_have_a_score() -> None:
    both = pair(assessment((5, None, 1, 4, 4, 4)), assessment((4, None, None, 4, 4, 4)))
    verdict = settled(rubric(), both)
    assert list(verdict.assessments.A.scores) == list(verdict.assessments.B.scores)
    assert present(verdict.totals).A.content_score == Decimal(5)
    assert verdict.left_out == ("content.completeness", "content.accuracy")
    assert verdict.in_words == "decided by the scores, 2 rows not assessed"


def test_an_expectation_counts_only_if_both_outputs_have_an_answer() -> None:
    same = (3,) * 6
    verdict = settled(
        rubric(), pair(assessment(same, (True, None, False)), assessment(same, (False, True, None)))
    )
    assert verdict.assessments.A.expectations == (True, None, None)
    assert verdict.pass_rates == PerOutput[Decimal](A=Decimal("1.00"), B=Decimal("0.00"))
    assert verdict.left_out == ("expectation.1", "expectation.2")
    none = settled(rubric(), pair(assessment(same, (None,)), assessment(same, (None,))))
    assert none.pass_rates is None


def test_a_dimension_without_any_score_has_no_verdict_but_a_winner_that_a_reviewer_sets() -> None:
    both = pair(assessment((None, None, 3, 4, 4, 4)), assessment((None, 4, None, 4, 4, 4)))
    assert settle(rubric(), both) is None
    alone = settled(rubric(), both, set_by_reviewer=Winner.A)
    assert (alone.winner, alone.decided_by, alone.totals) == (Winner.A, DecidedBy.REVIEWER, None)


holes = st.tuples(*[st.none() | st.integers(1, 5)] * 6)
checks = st.lists(st.tuples(st.none() | st.booleans(), st.none() | st.booleans()), max_size=5)


@given(holes, holes, checks, st.sampled_from([None, *Winner]), st.sampled_from([None, *Winner]))
def test_what_is_not_assessed_is_the_same_on_both_sides_and_swapping_mirrors(
    a: Holes, b: Holes, met: list[Marks], preferred: Winner | None, set_by: Winner | None
) -> None:
    both = pair(assessment(a, tuple(x for x, _ in met)), assessment(b, tuple(y for _, y in met)))
    one = settle(rubric(), both, preferred_in_both_orders=preferred, set_by_reviewer=set_by)
    other = settle(
        rubric(),
        both.mirrored,
        preferred_in_both_orders=preferred and preferred.mirrored,
        set_by_reviewer=set_by and set_by.mirrored,
    )
    assert (one is None) == (other is None)
    if one is None or other is None:
        return
    assert (other.winner, other.decided_by) == (one.winner.mirrored, one.decided_by)
    assert other.left_out == one.left_out
    assert other.totals == (one.totals and one.totals.mirrored)
    ours, theirs = one.assessments.A, one.assessments.B
    assert list(ours.scores) == list(theirs.scores)
    assert [x is None for x in ours.expectations] == [x is None for x in theirs.expectations]


def test_a_value_that_one_order_lacks_is_not_assessed() -> None:
    whole = answer((5,) * 6, (3,) * 6, expectations=((True, False),))
    part = answer((5, None, 5, 5, 5, 5), (3,) * 6, expectations=((None, False),))
    merged = merge(rubric(), both_orders(whole, part))
    assert "content.completeness" not in merged.assessments.A.scores
    assert merged.assessments.B.scores["content.completeness"] == Decimal(3)
    assert merged.assessments.A.expectations == (None,)
    assert present(merged.verdict).left_out == ("content.completeness", "expectation.0")


def test_a_reading_contradicts_itself_if_its_scores_give_another_winner_than_it_names() -> None:
    def contradicted(given: Answer) -> bool:
        return contradicts(verdict_of(rubric(), [given]), given)

    assert not contradicted(answer(HIGH, LOW))
    assert contradicted(answer(HIGH, LOW, better=Winner.B))
    assert contradicted(answer(HIGH, LOW, better=Winner.TIE))
    assert not contradicted(answer(LOW, LOW, better=Winner.B))
    # Expectations break a tie of scores, which is no verdict of theirs.
    assert not contradicted(answer(LOW, LOW, better=Winner.B, expectations=((True, False),)))


def test_a_contradiction_that_stays_is_marked_and_caps_the_stated_confidence() -> None:
    merged = merge(rubric(), both_orders(SURE, answer(HIGH, LOW, better=Winner.B, confidence=90)))
    assert (merged.self_consistent, merged.position_consistent) == (False, True)
    assert merged.stated_confidence == 60
    assert present(merged.verdict).winner is Winner.A
    assert merge(rubric(), both_orders(SURE, SURE)).self_consistent

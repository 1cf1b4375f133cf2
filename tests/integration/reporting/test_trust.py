"""Judge against people, and what judging took: figures worked out by hand, on both databases."""

from __future__ import annotations

from decimal import Decimal

import pytest

from comparator.domain.errors import BlindnessError
from comparator.domain.labels import Order, Winner
from comparator.domain.project import ReviewMode
from comparator.domain.scoring.review import Blindness, ChangeKind, How
from comparator.reporting.figures import EVERY
from comparator.reporting.results.spending import cost
from comparator.reporting.trust.judge import agreement, trust
from comparator.reporting.trust.reviewers import people
from comparator.stats.figures import Estimate, TooFew
from tests.worlds.histories.history import History
from tests.worlds.histories.pairs import answer

ACCURACY, SCHEMA = "score:A:content.correctness", "score:B:structure.schema"


def test_agreement_is_counted_by_how_reviews_were_made(history: History) -> None:
    same, other, blind, knew, creator = (history.pair(5, 3) for _ in range(5))
    history.review(same, 5, 3)
    history.review(other, 3, 5)
    history.review(blind, 4, 4, mode=ReviewMode.BLIND_FIRST)
    history.review(knew, 5, 2, blindness=Blindness.KNOWN)
    history.review(creator, 5, 2, mode=ReviewMode.BLIND_FIRST, blindness=Blindness.SIDES_HIDDEN)

    found = {each.how: each for each in agreement(history.world.database, history.project).by_how}

    assert {how: (each.same, each.n) for how, each in found.items()} == {
        How.BLIND_FIRST: (0, 1),
        How.JUDGE_FIRST: (1, 2),
        How.SIDES_HIDDEN: (1, 1),
        How.KNEW: (1, 1),
    }
    assert found[How.JUDGE_FIRST].share == TooFew(n=2)
    # The blind pair is the third, so the new output is A; the judge named it, the reviewer saw a tie.
    assert found[How.BLIND_FIRST].counts == ((0, 0, 1), (0, 0, 0), (0, 0, 0))


def test_enough_reviews_give_a_share_with_its_interval(history: History) -> None:
    for number in range(20):
        new, old = (5, 3) if number < 15 else (3, 5)
        history.review(history.pair(5, 3), new, old)

    (found,) = agreement(history.world.database, history.project).by_how

    assert isinstance(found.share, Estimate)
    assert (found.share.value, found.share.n) == (15 / 20, 20)
    assert isinstance(found.beyond_chance, Estimate)


def test_a_review_that_touched_nothing_is_no_agreement(history: History) -> None:
    history.review(history.pair(5, 3), 5, 3, said=())
    history.review(history.pair(5, 3), 5, 3, said=(("reasoning", ChangeKind.SET),))
    taken_back = ((ACCURACY, ChangeKind.SET), (ACCURACY, ChangeKind.CLEAR))
    history.review(history.pair(5, 3), 5, 3, said=taken_back)

    found = agreement(history.world.database, history.project)

    assert found.by_how == ()
    assert found.no_opinion == 3


def test_flips_quotes_and_stated_confidence_are_told_by_model(history: History) -> None:
    steady = history.pair(5, 3)
    turned = history.world.compare(a="new-prompt", b="old-prompt")
    history.made.append(turned)
    history.world.attempt(turned, Order.A_FIRST, answer(5, 3))
    history.world.attempt(turned, Order.B_FIRST, answer(3, 5, better=Winner.B))
    history.review(steady, 5, 3)
    history.review(turned, 5, 3)
    history.reveal()

    found = trust(history.world.database, history.project)

    (model,) = found.models
    assert (model.model, model.judged, model.read_twice, model.flipped) == ("claude-sonnet-5-5", 2, 2, 1)
    assert (model.quotes, model.quotes_missing) == (32, 0)
    # Two orders that disagree cap the stated confidence at 60.
    assert [(each.confidence, each.n) for each in found.stated] == [(60, 1), (80, 1)]
    assert found.stated[1].same == 1


def test_a_pair_of_a_void_run_counts_in_no_figure_of_trust(history: History) -> None:
    world, database, project = history.world, history.world.database, history.project
    kept, void = history.pair(5, 3), history.pair(5, 3)
    for pair, new, old in ((kept, 5, 3), (void, 3, 5)):
        history.review(pair, new, old)
        history.review(pair, new, old, person_id=world.ada.id)
        history.gold(pair, Winner.A)
    history.reveal()

    def told() -> dict[str, int]:
        found, reviewers = trust(database, project), people(database, project)
        (model,) = found.models
        return {
            "reviews against the judge": sum(each.n for each in found.agreement.by_how),
            "scores confirmed": sum(each.confirmed for each in found.criteria),
            "scores compared": sum(each.n for each in found.scored if each.path == EVERY),
            "verdicts with a stated confidence": sum(each.n for each in found.stated),
            "judged": model.judged,
            "read twice": model.read_twice,
            "quotes": model.quotes,
            "gold": sum(each.n for each in found.gold if each.reading.startswith("the verdict")),
            "reviewed by two": sum(each.agreement.cases for each in reviewers.panel if each.what == "winner"),
        }

    before = told()
    history.void(void)

    assert before.pop("quotes") == 32
    assert set(before.values()) == {2, 4}
    after = told()
    assert after.pop("quotes") == 16
    assert after == {what: number // 2 for what, number in before.items()}
    assert [each.same for each in agreement(database, project).by_how] == [2]


def test_more_than_agreement_waits_for_the_reveal(history: History) -> None:
    history.review(history.pair(5, 3), 5, 3)

    assert agreement(history.world.database, history.project).by_how[0].n == 1
    with pytest.raises(BlindnessError, match="Nothing of this project is revealed"):
        trust(history.world.database, history.project)


def test_what_judging_took_is_added_up_by_model(history: History) -> None:
    history.pair(5, 3)
    history.pair(5, 3)
    failed = history.world.compare()
    history.world.attempt(failed, Order.A_FIRST, None)

    (found,) = cost(history.world.database, history.project).models

    assert (found.model, found.pairs, found.tries, found.failed) == ("claude-sonnet-5-5", 3, 5, 1)
    assert (found.input_tokens, found.output_tokens, found.seconds) == (500, 100, 7.5)
    assert (found.cost, found.currency, found.unpriced) == (Decimal("0.00615"), "USD", 0)

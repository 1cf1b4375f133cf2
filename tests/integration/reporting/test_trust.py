"""Judge against people, and what judging took: figures worked out by hand, on both databases."""

from decimal import Decimal

import pytest

from comparator.domain.errors import BlindnessError
from comparator.domain.labels import Order, Winner
from comparator.domain.project import ReviewMode
from comparator.domain.scoring.review import Blindness, ChangeKind, How
from comparator.reporting.facts import facts_of
from comparator.reporting.figures import lines_of
from comparator.reporting.results.spending import cost
from comparator.reporting.trust.judge import Agreement, agreement
from tests.worlds.histories.history import History, trust_rows
from tests.worlds.histories.pairs import answer

ACCURACY, SCHEMA = "score:A:content.correctness", "score:B:structure.schema"


def agreed(history: History) -> dict[How, Agreement]:
    with facts_of(history.world.database, history.project) as facts:
        return dict(agreement(facts))


def test_agreement_is_counted_by_how_reviews_were_made(history: History) -> None:
    same, other, blind, knew, creator = (history.pair(5, 3) for _ in range(5))
    history.review(same, 5, 3)
    history.review(other, 3, 5)
    history.review(blind, 4, 4, mode=ReviewMode.BLIND_FIRST)
    history.review(knew, 5, 2, blindness=Blindness.KNOWN)
    history.review(creator, 5, 2, mode=ReviewMode.BLIND_FIRST, blindness=Blindness.SIDES_HIDDEN)

    found = agreed(history)

    assert {how: (each.same, each.n) for how, each in found.items()} == {
        How.BLIND_FIRST: (0, 1),
        How.JUDGE_FIRST: (1, 2),
        How.SIDES_HIDDEN: (1, 1),
        How.KNEW: (1, 1),
    }
    # The blind pair is the third, so the new output is A; the judge named it, the reviewer saw a tie.
    assert found[How.BLIND_FIRST].counts == ((0, 0, 1), (0, 0, 0), (0, 0, 0))


def test_enough_reviews_give_a_share_with_its_interval(history: History) -> None:
    for number in range(20):
        new, old = (5, 3) if number < 15 else (3, 5)
        history.review(history.pair(5, 3), new, old)

    history.reveal()

    (found,) = trust_rows(history.world.database, history.project)["agreement"]

    assert (found["Pairs"], found["Another winner"]) == (20, 5)
    assert (found["Same winner"], found["Interval from"], found["Interval to"]) == (0.75, 0.516, 0.894)
    assert str(found["Beyond chance (AC1)"]).startswith("0.67 (")


def test_a_review_that_touched_nothing_is_no_agreement(history: History) -> None:
    history.review(history.pair(5, 3), 5, 3, said=())
    history.review(history.pair(5, 3), 5, 3, said=(("reasoning", ChangeKind.SET),))
    taken_back = ((ACCURACY, ChangeKind.SET), (ACCURACY, ChangeKind.CLEAR))
    history.review(history.pair(5, 3), 5, 3, said=taken_back)

    assert agreed(history) == {}
    with facts_of(history.world.database, history.project) as facts:
        assert len(lines_of(facts, "silent")) == 3


def test_flips_and_quotes_are_told_by_model(history: History) -> None:
    steady = history.pair(5, 3)
    turned = history.world.compare(a="new-prompt", b="old-prompt")
    history.made.append(turned)
    history.world.attempt(turned, Order.A_FIRST, answer(5, 3))
    history.world.attempt(turned, Order.B_FIRST, answer(3, 5, better=Winner.B))
    history.review(steady, 5, 3)
    history.review(turned, 5, 3)
    history.reveal()

    found = trust_rows(history.world.database, history.project)

    (model,) = found["flips"]
    assert (model["Model"], model["Same winner"], model["Flipped"]) == ("claude-sonnet-5-5", 1, 1)
    assert (model["Quotes"], model["Quotes not found"]) == (32, 0)


def test_a_pair_of_a_void_run_counts_in_no_figure_of_trust(history: History) -> None:
    world, database, project = history.world, history.world.database, history.project
    kept, void = history.pair(5, 3), history.pair(5, 3)
    for pair, new, old in ((kept, 5, 3), (void, 3, 5)):
        history.review(pair, new, old)
        history.review(pair, new, old, person_id=world.ada.id)
        history.gold(pair, Winner.A)
    history.reveal()

    def told() -> dict[str, int]:
        rows = trust_rows(database, project)

        def added(chart: str, *columns: str) -> int:
            return sum(int(str(row[column])) for row in rows[chart][:1] for column in columns)

        return {
            "reviews against the judge": added("agreement", "Pairs"),
            "scores confirmed": added("corrections", "Confirmed"),
            "scores compared": added("kappa", "Scores"),
            "read twice": added("flips", "Same winner", "Flipped"),
            "quotes": added("flips", "Quotes"),
            "gold": added("gold", "Same winner", "Another winner"),
            "reviewed by two": added("reviewers", "Pairs"),
        }

    before = told()
    history.void(void)

    assert before.pop("quotes") == 32
    assert set(before.values()) == {2, 4}
    after = told()
    assert after.pop("quotes") == 16
    assert after == {what: number // 2 for what, number in before.items()}
    assert [each.same for each in agreed(history).values()] == [2]


def test_more_than_agreement_waits_for_the_reveal(history: History) -> None:
    history.review(history.pair(5, 3), 5, 3)

    assert [each.n for each in agreed(history).values()] == [1]
    with pytest.raises(BlindnessError, match="Nothing of this project is revealed"):
        trust_rows(history.world.database, history.project)


def test_what_judging_took_is_added_up_by_model(history: History) -> None:
    history.pair(5, 3)
    history.pair(5, 3)
    failed = history.world.compare()
    history.world.attempt(failed, Order.A_FIRST, None)

    (found,) = cost(history.world.database, history.project).models

    assert (found.model, found.pairs, found.tries, found.failed) == ("claude-sonnet-5-5", 3, 5, 1)
    assert (found.input_tokens, found.output_tokens, found.seconds) == (500, 100, 7.5)
    assert (found.cost, found.currency, found.unpriced) == (Decimal("0.00615"), "USD", 0)

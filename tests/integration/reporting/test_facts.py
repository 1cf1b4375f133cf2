"""Facts: in step with every kind of write, and their figures equal to a plain computation over all rows."""

import random
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from typing import Any

import pandas as pd
import pytest
import sqlalchemy as sa

from comparator.domain.errors import BlindnessError
from comparator.domain.labels import LabelKind, Order, Winner
from comparator.domain.project import ReviewMode
from comparator.domain.scoring.review import Blindness, ChangeKind, How
from comparator.reporting.facts import facts_of
from comparator.reporting.figures import EVERY, REVIEWERS, lines_of
from comparator.reporting.results.result import result
from comparator.reporting.results.spending import cost
from comparator.reporting.scope import Verdicts
from comparator.reporting.trust.judge import Agreement, agreement, people
from comparator.stats.intervals import TooFew
from comparator.store import tables
from comparator.store.core.sql import Connection, changed
from comparator.store.facts import fact
from comparator.store.pairs import keys, labels, runs
from comparator.store.pairs.comparisons import Comparison
from comparator.store.reviewing import notes
from comparator.store.reviewing.notes import NoteKind
from tests.worlds.databases import on_both
from tests.worlds.histories.history import NEW, OFFLINE, OLD, History, trust_rows
from tests.worlds.histories.pairs import answer

THIRD = "third-prompt"
SAID = tuple((f"score:{label}:content.correctness", ChangeKind.SET) for label in "AB")


def mixed(history: History, pairs: int = 24) -> None:
    """A history with everything in it: several candidates, flips, reviews of each kind, labels, guesses, draws."""
    rng = random.Random(4)
    world = history.world
    gold = {"kind": LabelKind.GOLD, "author": "set", "blind": None, "source": "test"}
    for number in range(pairs):
        if number % 2 == 0:
            history.task(f"Task {number}")
        names, judge = ((NEW, OLD), (NEW, THIRD), (OLD, THIRD))[number % 3], None if number % 7 else OFFLINE
        pair = history.pair(rng.randint(2, 5), rng.randint(1, 4), names=names, judge=judge)
        world.draw(pair.id, chosen=rng.random() < 0.5)
        with world.write() as unit:
            if number % 4 == 0:
                labels.add(unit, pair.id, winner=rng.choice(list(Winner)), **gold)
            if number % 5 == 0:
                guess = rng.choice([1, 2, 3, None])
                notes.add(unit, pair.id, NoteKind.GUESS, person_id=world.ben.id, candidate_a=guess, sure=2)
            add_told(unit.connection, pair, rng)
        if number % 3 != 2:
            history.review(
                pair,
                rng.randint(1, 5),
                rng.randint(1, 5),
                mode=ReviewMode.BLIND_FIRST if number % 2 else ReviewMode.JUDGE_FIRST,
                blindness=Blindness.KNOWN if number % 9 == 0 else Blindness.BLIND,
                said=SAID,
                code=rng.choice(["missed part", "wrong fact", ""]),
            )
        if number % 6 == 0:
            history.review(pair, rng.randint(1, 5), rng.randint(1, 5), person_id=world.ada.id, said=SAID)


def add_told(connection: Connection, pair: Comparison, rng: random.Random) -> None:
    """What came with the pair's runs, in whichever way: tokens, seconds, costs and grades; of some runs nothing."""
    key = keys.read(connection, pair.id)
    for run_id in (key.run_a, key.run_b):
        usages: tuple[dict[str, Any], ...] = (
            {"total_tokens": rng.randint(100, 900), "details": {"cost_usd": rng.randint(1, 900) / 1e4}},
            {"input_tokens": rng.randint(100, 900), "output_tokens": 7, "seconds": rng.randint(1, 900) / 10},
            {"seconds": 4.0, "grading": {"summary": {"passed": rng.randint(0, 9), "total": 9}}},
            {"total_tokens": 5, "details": {"cost": 0.5}, "grading": {"pass_rate": rng.randint(0, 10) / 10}},
            {},
        )
        run = tables.run.update().where(tables.run.c.id == run_id)
        if values := rng.choice(usages):
            connection.execute(run.values(**values))


def test_facts_that_are_derived_anew_are_the_stored_ones(history: History) -> None:
    mixed(history)
    history.reveal()
    with history.world.database.write() as connection:
        for row in connection.execute(sa.select(tables.fact)).mappings().all():
            derived = fact.derive(connection, row["comparison_id"])
            assert {name: row[name] for name in derived} == derived


def test_whatever_changes_a_figure_raises_the_revision_of_its_project(history: History) -> None:
    world, database = history.world, history.world.database

    def revision() -> int:
        with database.read() as connection:
            query = sa.select(tables.project.c.revision).where(tables.project.c.id == history.project)
            return int(connection.execute(query).scalar_one())

    pair = history.pair(5, 3)
    history.review(pair, 5, 3)
    for act in (
        lambda: history.pair(3, 5),
        lambda: history.review(pair, 3, 5, person_id=world.ada.id),
        lambda: history.gold(pair, Winner.A),
        lambda: history.reveal(),
        lambda: history.void(pair),
    ):
        before = revision()
        act()
        assert revision() > before


@on_both
def test_figures_of_one_moment_go_together_whatever_others_write_meanwhile(history: History) -> None:
    database = history.world.database

    def add() -> None:
        history.pair(5, 3)
        history.reveal()

    add()
    either = history.asked(verdicts=Verdicts.EITHER)

    with database.one_moment():
        assert result(database, either).won == 1
        with ThreadPoolExecutor(max_workers=1) as others:
            others.submit(add).result()
            assert others.submit(result, database, either).result().won == 2
        assert result(database, either).won == 1
    with database.one_moment():
        assert result(database, either).won == 2
        # Who writes within a moment reads what was written.
        add()
        assert result(database, either).won == 3


def number(lines: pd.DataFrame, **of: str) -> int:
    """The number of the lines that have these parts."""
    for name, part in of.items():
        lines = lines[lines[name] == part]
    return int(lines.n.sum())


def test_what_is_counted_of_the_judge_is_a_plain_count_over_all_rows(history: History) -> None:
    mixed(history, 30)
    turned = history.unjudged()
    history.world.attempt(turned, Order.A_FIRST, answer(5, 3))
    history.world.attempt(turned, Order.B_FIRST, answer(3, 5))
    history.gold(turned, Winner.A)
    history.reveal()
    database = history.world.database

    with facts_of(database, history.project) as facts:
        flips, first, known = (lines_of(facts, name) for name in ("flips", "first", "labels"))
    with database.read() as connection:
        every = connection.execute(sa.select(tables.fact)).all()
        labels = sa.select(tables.label.c.comparison_id, tables.label.c.winner)
        truths = {row.comparison_id: row.winner for row in connection.execute(labels)}

    models = [row for row in every if row.judge_winner and row.judge_kind != "offline"]
    assert number(flips, what="same") == sum(row.position_consistent is True for row in models)
    assert number(flips, what="quotes") == sum(row.quotes_total for row in models)
    assert number(first) == 2 * len(models)
    named = [winner for row in models for winner in (row.winner_a_first, row.winner_b_first)]
    assert number(first, what="tied") == named.count("TIE")
    judged = [(row, truths[row.comparison_id]) for row in models if row.comparison_id in truths]
    right = sum(row.judge_winner == truth for row, truth in judged)
    of_judge = known[known.model != REVIEWERS]
    assert number(of_judge, by="gold", what="same") == right
    assert number(of_judge, by="gold", what="other") == len(judged) - right > 0
    spent = sum(model.cost for model in cost(database, history.project).models)
    assert spent == Decimal("0.00123") * 2 * sum(row.judge_kind != "offline" for row in every)


def test_reviewers_agreement_and_guesses_are_counted(history: History) -> None:
    world = history.world
    for number in range(24):
        pair = history.pair(5, 3)
        history.review(pair, 5, 3)
        history.review(pair, *((5, 3) if number < 18 else (3, 5)), person_id=world.ada.id)
        with world.write() as unit:
            of = {one.name: one.neutral_number for one in runs.candidates(unit.connection, history.project)}
            right, wrong = (of[NEW], of[OLD]) if number % 2 == 0 else (of[OLD], of[NEW])
            guess = right if number < 12 else wrong if number < 18 else None
            notes.add(unit, pair.id, NoteKind.GUESS, person_id=world.ben.id, candidate_a=guess, sure=1)
    history.reveal()

    with facts_of(world.database, history.project) as facts:
        agreed = people(facts).panel["winner"]
    assert agreed.cases == 24
    assert not isinstance(agreed.raw, TooFew)
    assert agreed.raw.value == pytest.approx(18 / 24)
    guesses = trust_rows(world.database, history.project)["guesses"]
    counts = [sum(int(str(row[name])) for row in guesses) for name in ("Right", "Wrong", "No idea")]
    assert counts == [12, 6, 6]
    assert {row["Made by"]: row["Right"] for row in guesses} == {NEW: 6, OLD: 6}

    history.rename(NEW, to="v10", iteration="1")
    history.rename(OLD, to="v9", iteration="1")
    renamed = trust_rows(world.database, history.project)["guesses"]
    assert [row["Made by"] for row in renamed] == ["v9", "v10"]


def test_what_nobody_touched_is_no_agreement_between_reviewers(history: History) -> None:
    world = history.world
    correctness, completeness = "score:A:content.correctness", "score:A:content.completeness"
    confirmed = (correctness, ChangeKind.CONFIRM), (completeness, ChangeKind.CONFIRM)
    for number in range(30):
        pair = history.pair(5, 3)
        history.review(pair, 5, 3, said=confirmed)
        # In ten of them the second reviewer only finalises, and nowhere has a word on completeness.
        said = ((correctness, ChangeKind.CONFIRM),) if number >= 10 else ()
        history.review(pair, 5, 3, said=said, person_id=world.ada.id)
        history.gold(pair, Winner.A)
    history.reveal()

    def cases() -> dict[str, int]:
        with facts_of(world.database, history.project) as facts:
            return {what: line.cases for what, line in people(facts).panel.items()}

    assert cases() == {"winner": 20}
    rows = {row["Who"]: row for row in trust_rows(world.database, history.project)["same_winner"]}
    assert rows["Reviewers and known winners"]["Pairs"] == 30 + 20
    with world.database.write() as connection:
        connection.execute(tables.fact.update().values(shared_rubric=True))
        changed(connection, projects=[history.project])
    assert cases() == {"winner": 20, "content.correctness": 20}


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

    by_how = agreed(history)

    counts = {How.BLIND_FIRST: (0, 1), How.JUDGE_FIRST: (1, 2), How.SIDES_HIDDEN: (1, 1), How.KNEW: (1, 1)}
    assert {how: (line.same, line.n) for how, line in by_how.items()} == counts
    # The blind pair is the third, so the new output is A; the judge named it, the reviewer saw a tie.
    assert by_how[How.BLIND_FIRST].counts == ((0, 0, 1), (0, 0, 0), (0, 0, 0))
    # More than agreement waits for the reveal.
    with pytest.raises(BlindnessError, match="Nothing of this project is revealed"):
        trust_rows(history.world.database, history.project)


def test_a_review_that_touched_nothing_is_no_agreement(history: History) -> None:
    history.review(history.pair(5, 3), 5, 3, said=())
    history.review(history.pair(5, 3), 5, 3, said=(("reasoning", ChangeKind.SET),))
    taken_back = ((ACCURACY, ChangeKind.SET), (ACCURACY, ChangeKind.CLEAR))
    history.review(history.pair(5, 3), 5, 3, said=taken_back)

    assert agreed(history) == {}
    with facts_of(history.world.database, history.project) as facts:
        assert len(lines_of(facts, "silent")) == 3


def test_a_pair_of_a_void_run_counts_in_no_figure_of_trust(history: History) -> None:
    world, database, project = history.world, history.world.database, history.project
    kept, void = history.pair(5, 3), history.pair(5, 3)
    for pair, new, old in ((kept, 5, 3), (void, 3, 5)):
        history.review(pair, new, old)
        history.review(pair, new, old, person_id=world.ada.id)
        history.gold(pair, Winner.A)
    history.reveal()

    def figures() -> dict[str, int]:
        rows = trust_rows(database, project)
        with facts_of(database, project) as facts:
            scored, quotes = lines_of(facts, "scored"), number(lines_of(facts, "flips"), what="quotes")

        compared = {str(row["Who"]): int(str(row["Pairs"])) for row in rows["same_winner"]}
        return compared | {
            "scores confirmed": int(str(rows["corrections"][0]["Confirmed"])),
            "scores compared": int((scored.path == EVERY).sum()),
            "quotes": quotes,
            "reviewed by two": int(str(rows["reviewers"][0]["Compared"])),
        }

    before = figures()
    history.void(void)

    assert before.pop("quotes") == 32
    assert set(before.values()) == {2, 4}
    after = figures()
    assert after.pop("quotes") == 16
    assert after == {what: number // 2 for what, number in before.items()}
    assert [line.same for line in agreed(history).values()] == [2]


def test_what_judging_took_is_added_up_by_model(history: History) -> None:
    history.pair(5, 3)
    history.pair(5, 3)
    failed = history.world.compare()
    history.world.attempt(failed, Order.A_FIRST, None)

    (model,) = cost(history.world.database, history.project).models

    assert (model.model, model.pairs, model.tries, model.failed) == ("claude-sonnet-5-5", 3, 5, 1)
    assert (model.input_tokens, model.output_tokens, model.seconds) == (500, 100, 7.5)
    assert (model.cost, model.unpriced) == (Decimal("0.00615"), 0)

"""The result of two candidates: figures worked out by hand, on both databases."""

from __future__ import annotations

import pytest
from scipy import stats as scipy_stats

from comparator.domain.errors import BlindnessError
from comparator.domain.labels import Order
from comparator.domain.scoring.review import Blindness
from comparator.reporting.history.timeline import timeline
from comparator.reporting.results import over_iterations as over
from comparator.reporting.results.candidates import project_state
from comparator.reporting.results.decision import NOT_VALID, excluded
from comparator.reporting.results.over_iterations import over_iterations
from comparator.reporting.results.prediction_powered import all_pairs
from comparator.reporting.results.ranking import ranking
from comparator.reporting.results.result import Outcomes, Result, noise, outcomes, result
from comparator.reporting.results.run_usage import run_usage
from comparator.reporting.scope import ResultFilter, Runs, VerdictKind, Verdicts
from comparator.reporting.why.criteria import by_criterion
from comparator.reporting.why.pairs import PairOutcome, Slice, pairs
from comparator.stats.figures import Estimate, TooFew
from comparator.stats.shares import wilson
from comparator.store.core.unit import Unit, new_id
from comparator.store.pairs import runs
from comparator.store.people import projects
from tests.sqlrecord import recorded
from tests.worlds.histories.history import NEW, OFFLINE, OLD, History, twenty_four
from tests.worlds.histories.pairs import World, answer


@pytest.fixture
def history(world: World) -> History:
    return History(world)


def estimate(found: object) -> Estimate:
    assert isinstance(found, Estimate)
    return found


def counts(found: Result) -> tuple[int, int, int]:
    return found.won, found.tied, found.lost


def test_judged_pairs_give_the_figures_worked_out_by_hand_and_their_mirror(history: History) -> None:
    twenty_four(history)
    history.reveal()

    found = result(history.world.database, history.asked(Verdicts.JUDGE))

    assert counts(found) == (14, 4, 6)
    assert (found.n, found.tasks) == (24, 24)
    rate = estimate(found.win_rate)
    assert rate.value == pytest.approx(16 / 24)
    # Four ties of 24 vary less than wins and losses would.
    effective = 24 / ((15 / 24 - 4 / 9) / (2 / 9))
    assert rate.interval.low == pytest.approx(wilson(effective * 2 / 3, effective, units=24).low)
    differences = [4.0] * 14 + [0.0] * 4 + [-4.0] * 6
    low, high = scipy_stats.ttest_1samp(differences, 0).confidence_interval(0.95)
    overall = estimate(found.overall.estimate)
    assert overall.value == pytest.approx(32 / 24)
    assert (overall.interval.low, overall.interval.high) == pytest.approx((low, high))
    assert found.content.mean == found.structure.mean == pytest.approx(16 / 24)
    assert found.pass_rates is not None
    assert (found.pass_rates.one, found.pass_rates.two) == pytest.approx((18 / 24, 10 / 24))
    assert (found.read_twice, found.consistent) == (24, 24)

    mirrored = result(history.world.database, history.asked(Verdicts.JUDGE, old_first=True))
    assert counts(mirrored) == (6, 4, 14)
    assert estimate(mirrored.win_rate).value == pytest.approx(8 / 24)
    assert estimate(mirrored.overall.estimate).interval.low == pytest.approx(-high)


def test_reviews_judge_and_baseline_are_counted_apart(history: History) -> None:
    first, second, third, _ = (history.pair(5, 3) for _ in range(4))
    history.pair(2, 4, judge=OFFLINE)
    history.review(first, 3, 5)
    history.review(second, 5, 2, blindness=Blindness.KNOWN)
    history.review(third, 5, 2, blindness=Blindness.SIDES_HIDDEN)
    history.reveal()
    database = history.world.database

    by_kind = result(database, history.asked()).by_kind

    assert by_kind == (
        Outcomes(kind=VerdictKind.BLIND, won=0, tied=0, lost=1, flipped=0),
        Outcomes(kind=VerdictKind.SIDES_HIDDEN, won=1, tied=0, lost=0, flipped=0),
        Outcomes(kind=VerdictKind.KNEW, won=1, tied=0, lost=0, flipped=0),
        Outcomes(kind=VerdictKind.JUDGE, won=1, tied=0, lost=0, flipped=0),
    )
    assert counts(result(database, history.asked(Verdicts.REVIEWED))) == (2, 0, 1)
    assert counts(result(database, history.asked(Verdicts.BLIND))) == (0, 0, 1)
    assert counts(result(database, history.asked(Verdicts.JUDGE))) == (1, 0, 0)
    assert counts(result(database, history.asked(Verdicts.EITHER))) == (3, 0, 1)


def test_the_orders_of_the_baseline_are_not_told_as_the_judges(history: History) -> None:
    history.review(history.pair(5, 3), 5, 3)
    history.review(history.pair(5, 3, judge=OFFLINE), 5, 3)
    history.reveal()
    database = history.world.database

    found = result(database, history.asked(Verdicts.REVIEWED))

    assert (found.n, found.read_twice, found.consistent) == (2, 1, 1)


def test_a_small_history_has_counts_and_means_but_no_rate(history: History) -> None:
    history.pair(5, 3)
    history.pair(4, 3)
    history.reveal()

    found = result(history.world.database, history.asked(Verdicts.JUDGE))

    assert counts(found) == (2, 0, 0)
    assert found.win_rate == TooFew(n=1, needed=5)
    assert found.overall.mean == pytest.approx(3.0)
    assert found.overall.estimate == TooFew(n=1)


def test_nothing_counted_is_no_error(history: History) -> None:
    history.pair(5, 3)
    history.reveal()

    found = result(history.world.database, history.asked(Verdicts.BLIND))

    assert counts(found) == (0, 0, 0)
    assert found.overall.mean is None
    assert found.pass_rates is None


def test_pairs_of_void_runs_count_only_when_asked_for(history: History) -> None:
    kept, void = history.pair(5, 3), history.pair(5, 3)
    history.reveal()
    history.void(void)
    database = history.world.database

    assert counts(result(database, history.asked(Verdicts.JUDGE))) == (1, 0, 0)
    assert [p.comparison_id for p in pairs(database, history.asked(Verdicts.JUDGE))] == [kept.id]
    assert counts(result(database, history.asked(Verdicts.JUDGE, runs=Runs.ALL))) == (2, 0, 0)


def test_what_was_read_from_one_side_need_not_be_read_from_the_other(history: History) -> None:
    database = history.world.database
    for scores in ((5, 3), (5, 3), (3, 5), (4, 4)):
        history.pair(*scores)
    history.review(history.pair(2, 5), 2, 5)
    history.reveal()
    asked = history.asked(Verdicts.EITHER)
    other = asked.model_copy(update={"one": asked.two, "two": asked.one})

    known = tuple(each.turned() for each in outcomes(database, asked))

    assert known != outcomes(database, asked)
    assert result(database, other, known=known) == result(database, other)


def test_a_void_pair_that_nobody_judged_is_left_out_as_void(history: History) -> None:
    history.pair(5, 3)
    judged, unjudged, _ = history.pair(5, 3), history.unjudged(), history.unjudged()
    history.reveal()
    for void in (judged, unjudged):
        history.void(void)
    no_verdict = "no verdict yet, or reviewers disagree and nobody has ruled"

    def left_out(runs: Runs) -> dict[str, int]:
        database, asked = history.world.database, history.asked(Verdicts.JUDGE, runs=runs)
        return {each.reason: each.pairs for each in excluded(database, asked, result(database, asked))}

    assert left_out(Runs.VALID) == {NOT_VALID: 2, no_verdict: 1}
    assert left_out(Runs.ALL) == {no_verdict: 2}


def test_a_time_line_counts_void_runs_and_warm_ups_only_when_asked_for(history: History) -> None:
    world, database = history.world, history.world.database
    _, void, warm_up = (history.pair(5, 3) for _ in range(3))
    history.reveal()
    history.void(void)
    with database.write() as connection:
        settings = projects.get(connection, history.project).settings.model_copy(
            update={"warm_up": (warm_up.id,)}
        )
        projects.save_settings(
            Unit(connection, at=world.now(), new_id=new_id), history.project, settings, person_id=world.ada.id
        )

    def outputs(runs: Runs) -> list[int]:
        return [each.n for each in timeline(database, world.task.id, runs=runs).moments]

    assert (outputs(Runs.VALID), outputs(Runs.ALL)) == ([1, 1], [3, 3])


def test_the_ranking_names_the_iteration_of_a_candidate_of_whose_others_nothing_is_counted(
    history: History,
) -> None:
    for name in ("first", "later", NEW):
        pair = history.pair(5, 3, names=(name, OLD))
        if name != "later":
            history.review(pair, 5, 3)
    history.reveal()
    history.rename("first", to="skilled", iteration="1")
    history.rename("later", to="skilled", iteration="3")

    met = project_state(history.world.database, history.project).meetings[0]
    found = ranking(
        history.world.database, ResultFilter(project_id=history.project, one=met.one, two=met.two)
    )

    assert found is not None
    assert set(found.called.values()) == {"skilled (1)", NEW, OLD}


def test_a_blind_pair_closes_the_result_of_its_own_candidates_only(history: History) -> None:
    history.pair(5, 3)
    history.reveal()
    asked = history.asked(Verdicts.JUDGE)
    history.pair(4, 3, names=("third-prompt", OLD))
    database = history.world.database

    state = project_state(database, history.project)

    assert (state.open, state.unrevealed, state.comparisons) == (True, 1, 2)
    assert counts(result(database, asked)) == (1, 0, 0)
    (told,) = state.revealed_meetings
    assert {told.one_name, told.two_name} == {NEW, OLD}
    blind = next(met for met in state.meetings if met.unrevealed)
    assert {blind.one_name[:9], blind.two_name[:9]} == {"candidate"}
    closed = asked.model_copy(update={"one": blind.one, "two": blind.two})
    for read in (result, pairs, noise, all_pairs, by_criterion, run_usage):
        with pytest.raises(BlindnessError, match="of these two candidates are not revealed"):
            read(database, closed)


def test_pairs_that_came_after_the_reveal_are_not_counted(history: History) -> None:
    history.pair(5, 3)
    history.reveal()
    history.pair(1, 5)

    assert counts(result(history.world.database, history.asked(Verdicts.JUDGE))) == (1, 0, 0)
    assert history.meeting().unrevealed == 1


def test_of_a_blind_project_no_name_is_read(history: History) -> None:
    history.pair(5, 3)

    with recorded(history.world.database.engine) as sql:
        state = project_state(history.world.database, history.project)

    assert state.meetings[0].one_name == "candidate 1"
    assert sql.mentions("fact") == {"fact"}
    assert "candidate.name" not in sql.text


def test_names_are_told_once_all_is_revealed(history: History) -> None:
    history.pair(5, 3)
    history.reveal()

    state = project_state(history.world.database, history.project)

    assert not state.open
    assert {state.meetings[0].one_name, state.meetings[0].two_name} == {NEW, OLD}


def test_a_merged_candidate_counts_as_the_one_it_was_merged_into(history: History) -> None:
    history.pair(5, 3)
    history.pair(5, 3, names=("new-prompt-again", OLD))
    history.reveal()
    with history.world.database.write() as connection:
        by_name = {each.name: each.id for each in runs.candidates(connection, history.project)}
        runs.merge_candidate(connection, by_name["new-prompt-again"], into=by_name[NEW])

    assert counts(result(history.world.database, history.asked(Verdicts.JUDGE))) == (2, 0, 0)


def test_the_pairs_behind_a_bar_are_listed_a_page_at_a_time(history: History) -> None:
    made = [history.pair(new, 3) for new in (3, 5, 4, 2)]
    history.reveal()
    database, asked = history.world.database, history.asked(Verdicts.JUDGE)

    every = pairs(database, asked)

    assert [p.comparison_id for p in every] == [made[1].id, made[2].id, made[0].id, made[3].id]
    assert [p.outcome for p in every] == [
        PairOutcome.WON,
        PairOutcome.WON,
        PairOutcome.TIED,
        PairOutcome.LOST,
    ]
    assert [p.difference for p in every] == [4.0, 2.0, 0.0, -2.0]
    assert [p.comparison_id for p in pairs(database, asked, only=Slice(outcome=PairOutcome.LOST))] == [
        made[3].id
    ]
    assert [p.comparison_id for p in pairs(database, asked, limit=1, offset=1)] == [made[2].id]


def test_of_each_task_it_is_known_in_how_many_pairs_the_judges_orders_disagreed(history: History) -> None:
    world = history.world
    for title in ("Doubtful", "Clear", "Reviewed only"):
        history.task(title)
        for iteration in ("1", "2"):
            made = history.unjudged(names=(f"a{iteration}", f"b{iteration}"))
            match title:
                case "Doubtful":
                    world.attempt(made, Order.A_FIRST, answer(5, 3))
                    world.attempt(made, Order.B_FIRST, answer(3, 5))
                case "Clear":
                    world.judge(made, 5, 3)
                case _:
                    history.review(made, 5, 3)
    for iteration in ("1", "2"):
        history.rename(f"a{iteration}", to=NEW, iteration=iteration)
        history.rename(f"b{iteration}", to=OLD, iteration=iteration)
    history.reveal()
    met = project_state(world.database, history.project).meetings[0]

    found = over_iterations(
        world.database,
        ResultFilter(project_id=history.project, one=met.one, two=met.two, verdicts=Verdicts.EITHER),
    )

    assert found is not None
    assert {each.title: each.disagreed for each in found.tasks} == {
        "Doubtful": 2,
        "Clear": 0,
        "Reviewed only": None,
    }


def test_facts_are_read_once_until_something_of_their_project_changes(
    history: History,
) -> None:
    database = history.world.database
    made = []
    for title in ("First", "Second"):
        history.task(title)
        for iteration in ("1", "2"):
            made.append(history.unjudged(names=(f"a{iteration}", f"b{iteration}")))
            history.review(made[-1], 5, 3)
    for iteration in ("1", "2"):
        history.rename(f"a{iteration}", to=NEW, iteration=iteration)
        history.rename(f"b{iteration}", to=OLD, iteration=iteration)
    history.reveal()
    met = project_state(database, history.project).meetings[0]
    asked = ResultFilter(project_id=history.project, one=met.one, two=met.two)

    def read() -> tuple[over.History | None, bool]:
        with recorded(database.engine) as said:
            found = over_iterations(database, asked)
        return found, "final_reviews" in said.text

    first, counted = read()
    again, counted_again = read()
    history.void(made[0])
    after, counted_after = read()

    assert first is not None
    assert after is not None
    assert (counted, counted_again, counted_after) == (False, False, True)
    assert again == first
    assert after.n == first.n - 1

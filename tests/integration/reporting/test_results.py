"""The result of two candidates: figures worked out by hand, on both databases."""

import pytest

from comparator.domain.errors import BlindnessError
from comparator.domain.pair.view import Family
from comparator.domain.project import LOOK_ONCE, DecisionPlan
from comparator.domain.scoring.review import Blindness
from comparator.reporting.history.listing import plain_words
from comparator.reporting.results import over_iterations as over
from comparator.reporting.results.candidates import project_state
from comparator.reporting.results.decision import PlanPromise, advice
from comparator.reporting.results.over_iterations import over_iterations
from comparator.reporting.results.result import Result, all_pairs, result
from comparator.reporting.scope import ResultFilter, VerdictKind, Verdicts
from comparator.reporting.why.criteria import by_criterion
from comparator.reporting.why.pairs import pairs
from comparator.store.pairs import runs
from comparator.store.people import projects
from tests.sqlrecord import recorded
from tests.unit.stats.test_shares_and_paired import estimate
from tests.worlds.histories.history import NEW, OFFLINE, OLD, History, twenty_four


def counts(outcome: Result) -> tuple[int, int, int]:
    return outcome.won, outcome.tied, outcome.lost


def test_judged_pairs_give_the_figures_worked_out_by_hand_and_their_mirror(history: History) -> None:
    twenty_four(history)
    history.reveal()

    outcome = result(history.world.database, history.asked(Verdicts.JUDGE))

    assert counts(outcome) == (14, 4, 6)
    assert (outcome.n, outcome.tasks) == (24, 24)
    assert estimate(outcome.rate).value == pytest.approx(16 / 24)
    assert outcome.content.mean == outcome.structure.mean == pytest.approx(16 / 24)
    assert (outcome.met_one, outcome.met_two) == pytest.approx((18 / 24, 10 / 24))
    assert (outcome.read_twice, outcome.consistent) == (24, 24)

    mirrored = result(history.world.database, history.asked(Verdicts.JUDGE, old_first=True))
    assert counts(mirrored) == (6, 4, 14)
    assert estimate(mirrored.rate).value == pytest.approx(8 / 24)
    ends = estimate(outcome.overall.estimate).interval
    assert estimate(mirrored.overall.estimate).interval.low == pytest.approx(-ends.high)


def test_reviews_judge_and_baseline_are_counted_apart(history: History) -> None:
    first, second, third, _ = (history.pair(5, 3) for _ in range(4))
    history.pair(2, 4, judge=OFFLINE)
    history.review(first, 3, 5)
    history.review(second, 5, 2, blindness=Blindness.KNOWN)
    history.review(third, 5, 2, blindness=Blindness.SIDES_HIDDEN)
    history.reveal()
    database = history.world.database

    by_kind = result(database, history.asked()).by_kind

    assert by_kind == dict.fromkeys(
        (VerdictKind.BLIND, VerdictKind.SIDES_HIDDEN, VerdictKind.KNEW, VerdictKind.JUDGE), 1
    )
    assert counts(result(database, history.asked(Verdicts.REVIEWED))) == (2, 0, 1)
    assert counts(result(database, history.asked(Verdicts.BLIND))) == (0, 0, 1)
    assert counts(result(database, history.asked(Verdicts.JUDGE))) == (1, 0, 0)
    assert counts(result(database, history.asked(Verdicts.EITHER))) == (3, 0, 1)


def test_a_blind_pair_closes_the_result_of_its_own_candidates_only(history: History) -> None:
    history.pair(5, 3)
    history.reveal()
    of_pair = history.asked(Verdicts.JUDGE)
    history.pair(4, 3, names=("third-prompt", OLD))
    database = history.world.database

    state = project_state(database, history.project)

    assert (state.open, state.unrevealed, state.comparisons) == (True, 1, 2)
    assert counts(result(database, of_pair)) == (1, 0, 0)
    (meeting,) = state.revealed_meetings
    assert {meeting.one_name, meeting.two_name} == {NEW, OLD}
    blind = next(met for met in state.meetings if met.unrevealed)
    assert {blind.one_name[:9], blind.two_name[:9]} == {"candidate"}
    closed = of_pair.model_copy(update={"one": blind.one, "two": blind.two})
    for read in (result, all_pairs, by_criterion, lambda of, closed: pairs(of, history.project, closed)):
        with pytest.raises(BlindnessError, match="of these two candidates are not revealed"):
            read(database, closed)


def test_of_a_blind_project_no_name_is_read(history: History) -> None:
    history.pair(5, 3)

    with recorded(history.world.database.engine) as sql:
        state = project_state(history.world.database, history.project)

    assert state.meetings[0].one_name == "candidate 1"
    assert sql.mentions("fact") == {"fact"}
    assert "candidate.name" not in sql.text


def test_a_merged_candidate_counts_as_the_one_it_was_merged_into(history: History) -> None:
    history.pair(5, 3)
    history.pair(5, 3, names=("new-prompt-again", OLD))
    history.reveal()
    with history.world.write() as unit:
        by_name = {candidate.name: candidate.id for candidate in runs.candidates(unit, history.project)}
        runs.merge_candidate(unit, by_name["new-prompt-again"], into=by_name[NEW])

    assert counts(result(history.world.database, history.asked(Verdicts.JUDGE))) == (2, 0, 0)


def test_facts_are_read_once_until_something_of_their_project_changes(history: History) -> None:
    database = history.world.database
    for title in ("First", "Second"):
        history.task(title)
        for iteration in ("1", "2"):
            history.review(history.unjudged(names=(f"a{iteration}", f"b{iteration}")), 5, 3)
    for iteration in ("1", "2"):
        history.rename(f"a{iteration}", to=NEW, iteration=iteration)
        history.rename(f"b{iteration}", to=OLD, iteration=iteration)
    history.reveal()
    met = project_state(database, history.project).meetings[0]
    of_pair = ResultFilter(project_id=history.project, one=met.one, two=met.two)

    def read() -> tuple[over.History | None, bool]:
        with recorded(database.engine) as said:
            over_time = over_iterations(database, of_pair)
        return over_time, "final_reviews" in said.text

    first, counted = read()
    again, counted_again = read()
    history.void(history.made[0])
    after, counted_after = read()

    assert first is not None
    assert after is not None
    assert (counted, counted_again, counted_after) == (False, False, True)
    assert again == first
    assert after.pooled.n == first.pooled.n - 1


def plan(history: History, *, reviews: int) -> None:
    fixed_at = history.world.now()
    fixed = DecisionPlan(smallest_difference=0.05, reviews=reviews, stop_rule=LOOK_ONCE, fixed_at=fixed_at)
    with history.world.write() as unit:
        settings = projects.get(unit.connection, history.project).settings
        projects.save_settings(unit, history.project, settings.with_plan(fixed))


def stop_rule(history: History, verdicts: Verdicts = Verdicts.JUDGE) -> PlanPromise:
    return advice(history.world.database, history.asked(verdicts)).kept[-1]


def test_one_reveal_with_enough_verdicts_keeps_the_rule_and_another_breaks_it(history: History) -> None:
    plan(history, reviews=2)
    history.pair(5, 3)
    history.pair(5, 3)
    history.reveal()

    once = stop_rule(history)
    history.made.clear()
    history.pair(5, 3)
    history.reveal()
    again = stop_rule(history)

    assert (once.kept, again.kept) == (True, False)
    assert "2 of 2 counted verdicts given" in once.why
    assert again.why.count("counted verdicts given") == 2


def test_looking_before_the_number_is_reached_breaks_it(history: History) -> None:
    plan(history, reviews=3)
    history.pair(5, 3)
    history.reveal()

    assert stop_rule(history).kept is False


def test_a_verdict_given_after_the_look_breaks_it(history: History) -> None:
    plan(history, reviews=1)
    early, late = history.pair(5, 3), history.pair(5, 3)
    history.review(early, 5, 3)
    history.reveal()
    history.review(late, 5, 3)

    promise = stop_rule(history, Verdicts.REVIEWED)

    assert promise.kept is False
    assert "1 of 2 counted verdicts given" in promise.why


TABLE = """# Costs in March

| **Service** | Cost |
|---|---:|
| `disk` | 12 |

- see [the bill](https://example.com/bill)
"""

SHEET = """## Sheet: Summary (9 rows, 2 columns)

| | A | B |
|---|---|---|
| 1 | Pottery workshops | |
| 2 | Item | Amount |
"""


@pytest.mark.parametrize(
    ("family", "text", "words"),
    [
        (Family.MARKDOWN, TABLE, "Costs in March Service Cost disk 12 see the bill"),
        (Family.MARKDOWN, "A `<repo-url>` <b>stays</b>\n\n```sh\nls -l\n```", "A <repo-url> stays ls -l"),
        (Family.HTML, "<style>p {}</style><p>Hello <i>there</i>", "Hello there"),
        # Each character is read once, however many of these there are.
        (Family.SVG, f"<b>Hello</b> <!-- {'<!-- ' * 300_000}", "Hello"),
        (Family.TEXT, "| a | b |", "| a | b |"),
        (Family.PDF, "[page 1]\nRoom booking\n\n[page 2]\nNotes", "Room booking Notes"),
        (Family.XLSX, SHEET, "Pottery workshops Item Amount"),
        (Family.JSON, '{\n  "number": "0417",\n  "lines": [1, 2]\n}', "number: 0417, lines: 1, 2"),
    ],
)
def test_the_words_of_an_output_stand_without_markup(family: Family, text: str, words: str) -> None:
    assert " ".join(plain_words(text, family).split()) == words

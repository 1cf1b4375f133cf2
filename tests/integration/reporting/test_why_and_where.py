"""What explains a result: every number of a planted experiment, counted again from what was planted."""

from collections import Counter
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from unittest.mock import patch

import pytest
import sqlalchemy as sa

from comparator.domain.labels import LabelKind, Winner
from comparator.reporting.facts import facts_of
from comparator.reporting.figures import lines_of
from comparator.reporting.results.candidates import project_state, ranking
from comparator.reporting.results.over_iterations import History, over_iterations, pooled
from comparator.reporting.results.result import result
from comparator.reporting.results.spending import cost
from comparator.reporting.results.task_history import TaskState
from comparator.reporting.scope import By, Meets, ResultFilter, Verdicts, Within
from comparator.reporting.trust.judge import agreement, people
from comparator.reporting.why.criteria import by_criterion, by_reason
from comparator.reporting.why.expectations import ExpectationMet, by_expectation
from comparator.reporting.why.graders import by_grader
from comparator.reporting.why.pairs import RANKED, PairOutcome, Slice, pairs
from comparator.reporting.why.slices import Parts, slices
from comparator.store import tables
from comparator.store.core.sql import Unit, new_id
from comparator.store.pairs import labels
from tests.worlds.histories.experiment import (
    ALWAYS,
    DECIDES,
    EXPECTATIONS,
    NEVER,
    NOISY,
    PATHS,
    REASON,
    REGRESSED,
    REVERSED,
    SEPARATES,
    TURNED,
    WITH,
    Experiment,
    Planted,
    kind_of,
    model_of,
)
from tests.worlds.histories.pairs import World


def asked_about(experiment: Experiment, iteration: int) -> ResultFilter:
    met = next(
        met
        for met in project_state(experiment.world.database, experiment.project).revealed_meetings
        if met.iteration == str(iteration)
    )
    one, two = (met.one, met.two) if met.one_name.startswith(WITH) else (met.two, met.one)
    return ResultFilter(project_id=experiment.project, one=one, two=two)


def check_counts(experiment: Experiment) -> None:
    """All iterations together, and parts of them, against what was planted."""
    database = experiment.world.database
    every = pooled(database, asked_about(experiment, experiment.iterations))
    valid = [each for each in experiment.pairs if each.valid]

    def won_tied_lost(of: list[Planted]) -> tuple[int, int, int]:
        counts = Counter(each.winner for each in of)
        return counts[1], counts[0], counts[-1]

    def listed(only: Slice) -> int:
        return len(pairs(database, experiment.project, every, only, limit=10_000))

    whole = result(database, every)
    assert (whole.won, whole.tied, whole.lost) == won_tied_lost(valid)
    parts: dict[Within, Callable[[Planted], bool]] = {
        Within(by=experiment.kinds, value=REVERSED): lambda each: kind_of(each.task) == REVERSED,
        Within(by=By.ITERATION, value="2"): lambda each: each.iteration == 2,
        Within(by=By.MODEL, value="model-one"): lambda each: each.iteration <= experiment.iterations // 2,
        Within(by=By.CRITERION, value=DECIDES): lambda _: True,
        Within(by=By.FILES, value="markdown"): lambda _: True,
        Within(by=By.EXPECTATION, value=SEPARATES): lambda _: True,
        Within(by=By.EXPECTATION, value="Names"): lambda _: False,
        Within(by=By.LENGTH, value="medium"): lambda _: True,
        Within(by=By.LENGTH, value="long"): lambda _: False,
    }
    for name, id in reviewers_of(experiment).items():
        parts[Within(by=By.REVIEWER, value=id)] = reviewed_by(name)
    for part, holds in parts.items():
        found = result(database, every.model_copy(update={"within": (part,)}))
        assert (found.won, found.tied, found.lost) == won_tied_lost(
            [each for each in valid if holds(each)]
        ), part
    # A picture of all parts by a property goes by the other filters alone.
    narrowed = every.model_copy(update={"within": (Within(by=experiment.kinds, value=REVERSED),)})
    assert slices(database, narrowed, experiment.kinds) == slices(database, every, experiment.kinds)
    in_one = every.model_copy(update={"within": (Within(by=By.ITERATION, value="2"),)})
    assert over_iterations(database, in_one) == over_iterations(database, every)
    of_candidates: dict[By, Callable[[Planted], str]] = {
        By.ITERATION: lambda each: str(each.iteration),
        By.MODEL: lambda each: model_of(each.iteration, iterations=experiment.iterations),
    }
    for by, value_of in of_candidates.items():
        assert {
            each.part.value: (each.won, each.tied, each.lost) for each in slices(database, every, by).parts
        } == {
            value: won_tied_lost([each for each in valid if value_of(each) == value])
            for value in map(value_of, valid)
        }
    # All outputs have one kind of file, which is no part of them.
    assert not slices(database, every, By.FILES).parts
    criteria = {each.path: each for each in by_criterion(database, every)}
    for path in PATHS:
        leads = [each.leads[path] for each in valid]
        row = criteria[path]
        assert (row.won, row.tied, row.lost) == (
            sum(x > 0 for x in leads),
            leads.count(0),
            sum(x < 0 for x in leads),
        )
        assert row.n == whole.n
        assert row.difference.mean == pytest.approx(sum(leads) / len(leads))
        for lead, n in (
            (PairOutcome.WON, row.won),
            (PairOutcome.TIED, row.tied),
            (PairOutcome.LOST, row.lost),
        ):
            assert listed(Slice(figure="criterion", where={"path": path, "lead": lead})) == n
        both = [(each.winner, each.leads[path]) for each in valid if each.winner and each.leads[path]]
        assert (row.with_winner, row.decided) == (sum(w * lead > 0 for w, lead in both), len(both))
    check_leads(
        slices(database, every, By.CRITERION), {path: [each.leads[path] for each in valid] for path in PATHS}
    )
    expectations = {each.text: each for each in by_expectation(database, every)}
    for place, text in enumerate(EXPECTATIONS):
        seen = Counter(each.met[place] for each in valid)
        row_of = expectations[text]
        assert row_of.pairs[ExpectationMet.BOTH] == seen[True, True]
        assert row_of.pairs[ExpectationMet.NEITHER] == seen[False, False]
        assert row_of.pairs[ExpectationMet.ONE] == seen[True, False]
        assert row_of.pairs[ExpectationMet.TWO] == seen[False, True]
        assert row_of.n == whole.n
        for met in ExpectationMet:
            assert (
                listed(Slice(figure="expectation", where={"expectation": row_of.id, "met": met}))
                == row_of.pairs[met]
            )
    assert (
        expectations[ALWAYS].pairs[ExpectationMet.BOTH]
        == expectations[NEVER].pairs[ExpectationMet.NEITHER]
        == whole.n
    )
    check_leads(
        slices(database, every, By.EXPECTATION),
        {
            text: [each.met[place][0] - each.met[place][1] for each in valid]
            for place, text in enumerate(EXPECTATIONS)
        },
    )
    assert expectations[SEPARATES].difference == pytest.approx(
        sum(each.met[0][0] - each.met[0][1] for each in valid) / whole.n
    )
    if experiment.reviewed:
        reasons = by_reason(database, every)
        (reason,) = reasons.kinds
        assert reasons.pairs == reason.pairs
        assert (reason.code, reason.one, reason.two) == (
            REASON,
            sum(each.winner < 0 for each in valid),
            sum(each.winner >= 0 for each in valid),
        )
        assert listed(Slice(figure="reason", where={"reasons": REASON})) == reason.pairs


def check_leads(found: Parts, leads: dict[str, list[int]]) -> None:
    """Who leads by each criterion or expectation in how many pairs; the rest of each are the others."""
    # What no pair differs in is no part, and no rest.
    signs = {
        value: [(each > 0) - (each < 0) for each in every] for value, every in leads.items() if any(every)
    }
    assert {each.part.value: (each.won, each.tied, each.lost) for each in found.parts} == {
        value: (each.count(1), each.count(0), each.count(-1)) for value, each in signs.items()
    }
    for part in found.parts:
        rest = [sign for value, each in signs.items() if value != part.part.value for sign in each]
        own = signs[part.part.value]
        assert part.difference == pytest.approx(sum(own) / len(own) / 2 - sum(rest) / len(rest) / 2)
        assert part.turned == ((sum(own) < 0) if found.share > 0.5 else (sum(own) > 0))


def reviewers_of(experiment: Experiment) -> dict[str, str]:
    """The ids of who reviewed, by name."""
    person, review = tables.person.c, tables.review.c
    query = sa.select(person.name, person.id).where(person.id.in_(sa.select(review.person_id)))
    with experiment.world.database.read() as connection:
        return {row.name: row.id for row in connection.execute(query)}


def reviewed_by(name: str) -> Callable[[Planted], bool]:
    """Whether a pair is reviewed by whoever has this name."""
    return lambda each: each.reviewer == name


def check_the_same_filters_everywhere(experiment: Experiment) -> None:
    """Trust, ranking, reviewers and cost of each kind of task: the kinds add up to the whole, and each is its own."""
    database, project = experiment.world.database, experiment.project
    parts = [
        (Within(by=experiment.kinds, value=kind),)
        for kind in dict.fromkeys(kind_of(each.task) for each in experiment.pairs)
    ]
    for part in parts:
        valid = [each for each in experiment.pairs if each.valid and kind_of(each.task) == part[0].value]
        met = field_of(experiment, part)
        assert [sum(each) for each in zip(*met, strict=True)][1] == sum(each.winner == 0 for each in valid)
        assert sum(map(sum, met)) == len(valid)

    def added(counted: Callable[[tuple[Within, ...]], Iterable[int]]) -> None:
        whole, *each = (list(counted(part)) for part in ((), *parts))
        assert [sum(numbers) for numbers in zip(*each, strict=True)] == whole
        assert not any(whole) or not all(numbers == whole for numbers in each)

    every = pooled(database, asked_about(experiment, experiment.iterations)).model_copy(
        update={"verdicts": Verdicts.EITHER}
    )

    def of(part: tuple[Within, ...]) -> ResultFilter:
        return every.model_copy(update={"within": part})

    def trusted(part: tuple[Within, ...]) -> Iterable[int]:
        with facts_of(database, project) as facts:
            yield sum(each.n for each in agreement(facts, of(part)).values())
            yield int((lines_of(facts, "flips", of(part)).what == "judged").sum())
            yield sum(each.cases for each in people(facts, of(part)).panel.values())

    def spent(part: tuple[Within, ...]) -> Iterable[int]:
        found = cost(database, project, of=of(part))
        yield found.decided
        yield found.review_time.reviews if found.review_time else 0
        yield sum(each.tries for each in found.models)

    added(trusted)
    added(spent)
    added(lambda part: [len(pairs(database, project, of(part), Slice(figure=RANKED), limit=10_000))])


def field_of(experiment: Experiment, part: tuple[Within, ...]) -> list[tuple[int, int, int]]:
    asked = asked_about(experiment, 1).model_copy(update={"verdicts": Verdicts.EITHER, "within": part})
    found = ranking(experiment.world.database, asked)
    assert found is not None
    return [(each.won, each.tied, each.lost) for each in found.met]


def graded_by(author: str) -> Slice:
    return Slice(figure="grader", where={"author": author})


def history_of(experiment: Experiment) -> History:
    found = over_iterations(experiment.world.database, asked_about(experiment, experiment.iterations))
    assert found is not None
    return found


def check_cells(experiment: Experiment, found: History) -> None:
    """Every square of the grid against what was planted, and the laps against the result of each iteration."""
    by_key = {task.key: task for task in found.tasks}
    assert [iteration.name for iteration in found.iterations] == [
        str(n) for n in range(1, experiment.iterations + 1)
    ]
    assert found.latest
    for each in experiment.pairs:
        cell = by_key[f"eval-{each.task}"].cells[each.iteration - 1]
        assert (cell.sign if cell else None) == (each.winner if each.valid else None)
    for at, iteration in enumerate(found.iterations):
        of = Counter(each.winner for each in experiment.pairs if each.iteration == at + 1 and each.valid)
        assert (iteration.won, iteration.tied, iteration.lost) == (of[1], of[0], of[-1])
    whole = result(experiment.world.database, pooled(experiment.world.database, asked_about(experiment, 1)))
    assert found.pooled == whole.win_rate


def check_effects(experiment: Experiment) -> None:
    """Everything that was planted: counts, squares, and each effect by its name."""
    check_counts(experiment)
    found = history_of(experiment)
    check_cells(experiment, found)
    assert [found.iterations[each.at].name for each in found.levels][1] == str(experiment.step)
    fell = {each.key: each for each in found.tasks if each.state is TaskState.FELL}
    assert fell.keys() == {f"eval-{task}" for task in REGRESSED}
    assert {each.turned.at for each in fell.values() if each.turned} == {experiment.since - 1}
    noisiest = max(found.tasks, key=lambda each: each.noise or 0)
    assert (noisiest.key, noisiest.state) == (f"eval-{NOISY}", TaskState.NOISY)
    every = pooled(experiment.world.database, asked_about(experiment, experiment.iterations))
    first, *others = slices(experiment.world.database, every, experiment.kinds).parts
    assert (first.name, first.reverses) == (REVERSED, True)
    assert not any(each.reverses for each in others)
    by_criterion = slices(experiment.world.database, every, By.CRITERION).parts
    assert [each.part.value for each in by_criterion if each.reverses] == [TURNED]
    # Titles and prompts of a kind share its word.
    by_topic = slices(experiment.world.database, every, By.TOPIC).parts
    assert {(each.name, each.won, each.tied, each.lost) for each in by_topic} == {
        (each.name, each.won, each.tied, each.lost) for each in (first, *others)
    }


def test_a_short_experiment_is_counted_as_it_was_planted(world: World) -> None:
    experiment = Experiment(world, iterations=3, tasks_of=20).build()

    check_counts(experiment)
    check_the_same_filters_everywhere(experiment)
    found = history_of(experiment)
    check_cells(experiment, found)

    with patch("comparator.reporting.results.over_iterations.MOST_PAIRS", 0):
        by_database = history_of(experiment)
    assert not by_database.counted_by_task
    assert (by_database.iterations, by_database.pooled, by_database.n) == (
        found.iterations,
        found.pooled,
        found.n,
    )


def test_imported_graders_pass_rates_are_averaged_for_each_candidate(world: World) -> None:
    experiment = Experiment(world, iterations=2, tasks_of=6).build()
    every = pooled(world.database, asked_about(experiment, 2))
    assert by_grader(world.database, every) == ()

    rates = [(1.0, 0.5), (0.25, 0.5), (0.75, 0.75)]
    graded = [(each, rates[n % 3]) for n, each in enumerate(experiment.pairs) if n % 4]
    for each, (skill, without) in graded:
        experiment.grade(each, skill=skill, without=without)
    with world.database.write() as connection:
        labels.add(
            Unit(connection, at=datetime.now(UTC), new_id=new_id),
            experiment.pairs[0].comparison_id,
            kind=LabelKind.GRADER,
            author="a table",
            winner=Winner.A,
            value={"A": "yes"},
            blind=None,
            source="there",
        )

    # Graded again: the last grades count, and the pair counts once.
    experiment.grade(graded[0][0], skill=rates[1][0], without=rates[1][1])

    (found,) = by_grader(world.database, every)
    listed = pairs(world.database, experiment.project, every, graded_by(found.author), limit=10_000)
    assert len(listed) == found.pairs
    assert pairs(world.database, experiment.project, every, graded_by("nobody")) == ()
    told = [(each.winner, one, two) for each, (one, two) in graded if each.valid]
    assert (found.author, found.pairs) == ("grading.json", len(told))
    assert found.rate_one == pytest.approx(sum(one for _, one, _ in told) / len(told))
    assert found.rate_two == pytest.approx(sum(two for _, _, two in told) / len(told))
    assert found.same == sum(winner == (one > two) - (one < two) for winner, one, two in told)
    seen_from_two = {
        "one": every.two,
        "two": every.one,
        "also": tuple(Meets(each.two, each.one) for each in every.also),
    }
    (turned,) = by_grader(world.database, every.model_copy(update=seen_from_two))
    assert (turned.rate_one, turned.rate_two, turned.same) == (found.rate_two, found.rate_one, found.same)


@pytest.mark.soak
@pytest.mark.timeout(900)
def test_every_effect_planted_in_32_iterations_is_found(world: World) -> None:
    check_effects(Experiment(world).build())

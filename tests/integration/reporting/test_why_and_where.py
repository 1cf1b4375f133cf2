"""What explains a result: every number of a planted experiment, counted again from what was planted."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from functools import partial
from statistics import median
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
import sqlalchemy as sa

from comparator.domain.answers import Answers
from comparator.domain.errors import InputError
from comparator.domain.labels import LabelKind, Winner
from comparator.reporting.facts import facts_of
from comparator.reporting.figures import lines_of
from comparator.reporting.findings import findings_of
from comparator.reporting.results.candidates import Names, ranking
from comparator.reporting.results.over_iterations import History, over_iterations
from comparator.reporting.results.result import result
from comparator.reporting.results.series import pooled
from comparator.reporting.results.spending import cost
from comparator.reporting.scope import By, Meets, ResultFilter, Verdicts, Within
from comparator.reporting.trust.judge import agreement, people
from comparator.reporting.why.criteria import (
    ExpectationMet,
    by_criterion,
    by_expectation,
    by_grader,
    by_reason,
)
from comparator.reporting.why.differ import how_they_differ
from comparator.reporting.why.pairs import RANKED, PairOutcome, Slice, pairs
from comparator.reporting.why.slices import comparable, models_apart, slices
from comparator.store import tables
from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Database
from comparator.store.core.sql import Unit, changed, new_id
from comparator.store.pairs import keys, labels
from comparator.workflow.projects.settings import add_check, check_some, checks_of, remove_check
from comparator.workflow.services import Services
from tests.unit.stats.test_shares_and_paired import by_statsmodels, numbers
from tests.worlds.histories.experiment import (
    EXPECTATIONS,
    REASON,
    REVERSED,
    WITH,
    WITHOUT,
    Experiment,
    asked_about,
    kind_of,
)
from tests.worlds.histories.pairs import World


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Experiment]:
    """One experiment for all that only read it."""
    folder = tmp_path_factory.mktemp("short")
    database = Database.open(f"sqlite:///{folder / 'comparator.db'}")
    yield Experiment(World(database, BlobStore.at(str(folder / "blobs"))), iterations=3, tasks_of=20).build()
    database.close()


def test_criteria_expectations_and_reasons_are_as_they_were_planted(short: Experiment) -> None:
    database = short.world.database
    every = pooled(database, asked_about(short, 3))
    valid = [pair for pair in short.pairs if pair.valid]

    def listed(figure: str, **where: str) -> int:
        return len(pairs(database, short.project, every, Slice(figure=figure, where=where), limit=10_000))

    # A picture of all parts by a property goes by the other filters alone; one kind of file is no part.
    narrowed = every.model_copy(update={"within": (Within(by=short.kinds, value=REVERSED),)})
    assert slices(database, narrowed, short.kinds) == slices(database, every, short.kinds)
    assert not slices(database, every, By.FILES).parts
    properties = [By.TASK, By.ITERATION, By.MODEL, By.REVIEWER]
    assert comparable(database, every) == comparable(database, narrowed) == [short.kinds, *properties]
    # A kind outside of what is asked about is no finding.
    assert findings_of(database, narrowed, Names(WITH, WITHOUT)).kinds is None
    # Since an iteration: that one and those after it.
    later = every.model_copy(update={"within": (Within(by=By.SINCE, value="2"),)})
    assert result(database, later).n == sum(pair.iteration >= 2 for pair in valid)
    # The second half of the iterations is another model's.
    assert models_apart(database, every)
    assert not any(part.turned for part in slices(database, every, By.ITERATION).parts)

    for row in by_criterion(database, every):
        leads = [np.sign(pair.leads[row.path]) for pair in valid]
        ended = {PairOutcome.WON: row.won, PairOutcome.TIED: row.tied, PairOutcome.LOST: row.lost}
        assert list(ended.values()) == [leads.count(1), leads.count(0), leads.count(-1)]
        assert {lead: listed("criterion", path=row.path, lead=lead) for lead in ended} == ended

    both = {ExpectationMet.BOTH: (True, True), ExpectationMet.NEITHER: (False, False)}
    met_by = both | {ExpectationMet.ONE: (True, False), ExpectationMet.TWO: (False, True)}
    expectations = {expectation.text: expectation for expectation in by_expectation(database, every)}
    for place, text in enumerate(EXPECTATIONS):
        seen, row_of = Counter(pair.met[place] for pair in valid), expectations[text]
        for met, marks in met_by.items():
            assert row_of.pairs[met] == seen[marks] == listed("expectation", expectation=row_of.id, met=met)

    (reason,) = by_reason(database, every).kinds
    assert (reason.code, reason.two) == (REASON, sum(pair.winner >= 0 for pair in valid))
    assert listed("reason", reasons=REASON) == reason.pairs == len(valid)


def test_many_pairs_are_counted_by_the_database_as_few_are_by_task(short: Experiment) -> None:
    over_time = history_of(short)

    short.world.database.answers = Answers()
    with patch("comparator.reporting.results.over_iterations.MOST_PAIRS", 0):
        by_database = history_of(short)
    short.world.database.answers = Answers()

    assert over_time.counted_by_task
    assert not by_database.counted_by_task
    assert (by_database.iterations, by_database.pooled) == (over_time.iterations, over_time.pooled)


def test_trust_ranking_and_cost_of_each_kind_of_task_add_up_to_the_whole(short: Experiment) -> None:
    database, project = short.world.database, short.project
    kinds = dict.fromkeys(kind_of(pair.task) for pair in short.pairs)
    parts = [(Within(by=short.kinds, value=kind),) for kind in kinds]
    for part in parts:
        valid = [pair for pair in short.pairs if pair.valid and kind_of(pair.task) == part[0].value]
        of_part = asked_about(short, 1).model_copy(update={"verdicts": Verdicts.EITHER, "within": part})
        ranks = ranking(database, of_part)
        met = [(meeting.won, meeting.tied, meeting.lost) for meeting in ranks.met] if ranks else []
        assert sum(tied for _, tied, _ in met) == sum(pair.winner == 0 for pair in valid)
        assert sum(map(sum, met)) == len(valid)

    def added(counted: Callable[[tuple[Within, ...]], Iterable[int]]) -> None:
        whole, *of_parts = (list(counted(part)) for part in ((), *parts))
        assert [sum(numbers) for numbers in zip(*of_parts, strict=True)] == whole
        assert not any(whole) or not all(numbers == whole for numbers in of_parts)

    last = asked_about(short, short.iterations)
    every = pooled(database, last).model_copy(update={"verdicts": Verdicts.EITHER})

    def of(part: tuple[Within, ...]) -> ResultFilter:
        return every.model_copy(update={"within": part})

    def trusted(part: tuple[Within, ...]) -> Iterable[int]:
        with facts_of(database, project) as facts:
            yield sum(agreed.n for agreed in agreement(facts, of(part)).values())
            yield int((lines_of(facts, "flips", of(part)).what == "judged").sum())
            yield sum(agreed.cases for agreed in people(facts, of(part)).panel.values())

    def spent(part: tuple[Within, ...]) -> Iterable[int]:
        spent = cost(database, project, of=of(part))
        yield spent.decided
        yield spent.review_time.reviews if spent.review_time else 0
        yield sum(model.tries for model in spent.models)

    added(trusted)
    added(spent)
    added(lambda part: [len(pairs(database, project, of(part), Slice(figure=RANKED), limit=10_000))])


def history_of(experiment: Experiment) -> History:
    over_time = over_iterations(experiment.world.database, asked_about(experiment, experiment.iterations))
    assert over_time is not None
    return over_time


def test_imported_graders_pass_rates_are_averaged_for_each_candidate(world: World) -> None:
    experiment = Experiment(world, iterations=2, tasks_of=6).build()
    every = pooled(world.database, asked_about(experiment, 2))
    assert by_grader(world.database, every) == ()

    rates = [(1.0, 0.5), (0.25, 0.5), (0.75, 0.75)]
    graded = [(pair, rates[n % 3]) for n, pair in enumerate(experiment.pairs) if n % 4]
    for pair, (skill, without) in graded:
        experiment.grade(pair, skill=skill, without=without)
    with world.database.write() as connection:
        unit, of = Unit(connection, at=datetime.now(UTC), new_id=new_id), experiment.pairs[0].comparison_id
        said: dict[str, Any] = {"winner": Winner.A, "value": {"A": "yes"}, "blind": None, "source": "there"}
        labels.add(unit, of, kind=LabelKind.GRADER, author="a table", **said)

    # Graded again: the last grades count, and the pair counts once.
    experiment.grade(graded[0][0], skill=rates[1][0], without=rates[1][1])

    (grader,) = by_grader(world.database, every)
    for author, number in ((grader.author, grader.n), ("nobody", 0)):
        part = Slice(figure="grader", where={"author": author})
        assert len(pairs(world.database, experiment.project, every, part, limit=10_000)) == number
    counted = [(pair.winner, one, two) for pair, (one, two) in graded if pair.valid]
    assert (grader.author, grader.n) == ("grading.json", len(counted))
    assert grader.rate_one == pytest.approx(sum(one for _, one, _ in counted) / len(counted))
    assert grader.rate_two == pytest.approx(sum(two for _, _, two in counted) / len(counted))
    assert grader.same == sum(winner == (one > two) - (one < two) for winner, one, two in counted)
    also = tuple(Meets(met.two, met.one) for met in every.also)
    seen_from_two = {"one": every.two, "two": every.one, "also": also}
    (turned,) = by_grader(world.database, every.model_copy(update=seen_from_two))
    assert (turned.rate_one, turned.rate_two, turned.same) == (grader.rate_two, grader.rate_one, grader.same)


@pytest.fixture
def experiment(world: World) -> Experiment:
    """Two iterations, of which the last one is asked about."""
    return Experiment(world, iterations=2, tasks_of=21).build()


def costs_of_first_iteration(experiment: Experiment) -> list[tuple[float, float]]:
    """Let all runs have come with a cost in USD; with the skill and without it, of each counted pair."""
    rng, run, candidate = np.random.default_rng(5), tables.run, tables.candidate.c
    costs = []
    with experiment.world.database.write() as connection:
        skilled = set(connection.execute(sa.select(candidate.id).where(candidate.name == WITH)).scalars())
        run_rows = {row.id: row for row in connection.execute(sa.select(run.c.id, run.c.candidate_id))}
        for pair in experiment.pairs:
            skill, without = (float(cost) for cost in rng.integers(1_000, 90_000, 2) / 1e6)
            key = keys.read(connection, pair.comparison_id)
            for id in (key.run_a, key.run_b):
                cost = skill if run_rows[id].candidate_id in skilled else without
                connection.execute(run.update().where(run.c.id == id).values(details={"cost_usd": cost}))
            if pair.valid and pair.iteration == 1:
                costs.append((skill, without))
        changed(connection, projects=[experiment.project])
    return costs


def test_paired_differences_are_those_of_the_outputs(experiment: Experiment, services: Services) -> None:
    costs = costs_of_first_iteration(experiment)
    database, of_first = services.database, asked_about(experiment, 1)
    first = [pair for pair in experiment.pairs if pair.iteration == 1 and pair.valid]

    differences = how_they_differ(database, of_first)

    by_name = {measure.measure: measure for measure in differences.measures}
    items = by_name["list_items"]
    more = [one - two for one, two in (pair.lengths for pair in first)]
    assert (items.median, items.pairs) == (median(more), len(first))
    assert (items.one, items.two) == tuple(median(pair.lengths[side] for pair in first) for side in (0, 1))
    points = [
        1 + pair.winner if by > 0 else 1 - pair.winner
        for pair, by in zip(first, more, strict=True)
        if abs(by) > 0.1 * max(pair.lengths)
    ]
    assert [items.more.won, items.more.tied, items.more.lost] == [points.count(n) for n in (2, 1, 0)]
    assert numbers(items.more.rate) == pytest.approx(by_statsmodels([point] for point in points))
    assert items.one_more.n + items.two_more.n == items.more.n
    assert items.more.n + items.alike.n == items.pairs
    part = Slice(figure="measure", where={"measure": "list_items"})
    listed = pairs(database, experiment.project, of_first, part, limit=99)
    longer = [one - two > 0.1 * one for one, two in (pair.lengths for pair in first)]
    assert len(listed) == items.one_more.n == sum(longer)
    assert by_name["tokens"].median == 10 * items.median
    cost, dearer = by_name["cost"], [one - two for one, two in costs]
    medians = [median(costs_of_side) for costs_of_side in (*zip(*costs, strict=True), dearer)]
    assert cost.pairs == len(first)
    assert [cost.one, cost.two, cost.median] == pytest.approx(medians)
    apart = [one - two for one, two in costs if abs(one - two) > 0.1 * max(one, two)]
    assert (cost.one_more.n, cost.two_more.n) == (sum(by > 0 for by in apart), sum(by < 0 for by in apart))
    assert cost.alike.n == len(dearer) - len(apart) > 0
    assert {"headings", "pages", "files:markdown"} <= set(differences.same)
    # Seen from the other side, everything is the other way round.
    turned = how_they_differ(database, of_first.model_copy(update={"one": of_first.two, "two": of_first.one}))
    other = {measure.measure: measure for measure in turned.measures}["list_items"]
    assert (other.median, other.more) == (-items.median, items.more)


def test_a_check_is_a_measure(experiment: Experiment, services: Services) -> None:
    database, of_first = services.database, asked_about(experiment, 1)
    name = f"1.4.{WITH}"
    add = partial(add_check, services, experiment.project, match_case=True)
    check = add(name="Four", pattern=f"Run {name}", is_regex=False)
    items = add(name="Items", pattern=r"^- It \w+", is_regex=True)
    before = counts_anew(services, experiment.project)
    assert {count for _, _, count in before} > {0, 1}
    assert counts_anew(services, experiment.project) == before

    by_name = {measure.name: measure for measure in how_they_differ(database, of_first).measures}
    # Seen from the skill: once more in one pair of them all.
    assert (by_name["Four"].one_more.n, by_name["Four"].two_more.n) == (1, 0)
    assert by_name["Items"].median == by_name["list_items"].median
    with pytest.raises(InputError, match="already"):
        add(name="Items", pattern="x", is_regex=False)

    remove_check(services, items.id)

    assert [check.name for check in checks_of(services, experiment.project)] == ["Four"]
    with database.read() as connection:
        left = sa.select(tables.check_count.c.check_id).distinct()
        assert connection.execute(left).scalars().all() == [check.id]


def counts_anew(services: Services, project_id: str) -> list[tuple[str, str, int]]:
    """All rows of `check_count` after the checks looked at every output as if they never had: check, view, count."""
    with services.database.write() as connection:
        connection.execute(tables.check_count.delete())
    while check_some(services, project_id):
        pass
    with services.database.read() as connection:
        return sorted(tuple(row) for row in connection.execute(sa.select(tables.check_count)))

"""One value holds all facts of the answer, so that badge, sentence, tiles, plan and report say the same."""

import re
from collections.abc import Iterable, Iterator, Sequence
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pandas as pd
import pytest

from comparator.domain.project import DecisionPlan, ReviewMode
from comparator.domain.scoring.review import How
from comparator.reporting.facts import facts_of
from comparator.reporting.findings import Doubt, Findings, Verdict, findings_of
from comparator.reporting.history.conditions import HistoryFilter
from comparator.reporting.history.picture import Axis, Metric, picture
from comparator.reporting.results.candidates import Names
from comparator.reporting.results.series import pooled
from comparator.reporting.results.spending import Cost, ReviewTime, RunUsage, Spent, Usage
from comparator.reporting.scope import By, Meets, ResultFilter, Verdicts, Within
from comparator.reporting.why.criteria import by_criterion
from comparator.reporting.why.differ import how_they_differ
from comparator.reporting.why.pairs import Behind, Slice, pairs
from comparator.stats.intervals import DecisionOutcome
from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Database
from comparator.store.people import projects
from comparator.ui.dashboards import advice, doubts, sentences
from comparator.ui.dashboards.cost_words import runs_took
from comparator.ui.dashboards.first_screen import (
    BADGES,
    Tile,
    overview_chart,
    tiles,
    trend_chart,
    trust_figures,
)
from comparator.ui.dashboards.tabs.cost import cost_charts, in_all, over_iterations_charts
from comparator.ui.dashboards.tabs.differ import differ_charts, length_chart
from comparator.ui.dashboards.tabs.over_time import cell_link, tasks_chart
from comparator.ui.dashboards.tabs.over_time import since as beginning
from comparator.ui.dashboards.tabs.trust import bias_chart
from comparator.ui.dashboards.tabs.where import parts_chart
from comparator.ui.dashboards.why.charts import criteria_chart
from comparator.ui.frame.charts import PAIRS, Chart, Lines
from comparator.ui.frame.charts.chart import BEHIND
from comparator.ui.frame.charts.task_grid import HeatMap, grid_chart
from comparator.ui.frame.charts.theme import PALETTES, ColourTheme
from comparator.ui.history.picture import chart_of
from tests.worlds.histories.experiment import (
    NOISY,
    REGRESSED,
    REVERSED,
    WITH,
    WITHOUT,
    Experiment,
    asked_about,
    title_of,
)
from tests.worlds.histories.history import NEW, OLD, History
from tests.worlds.histories.pairs import World


def of(history: History, verdicts: Verdicts = Verdicts.JUDGE) -> Findings:
    return findings_of(history.world.database, history.asked(verdicts), Names(NEW, OLD))


def fix(world: World, smallest: float, meeting: ResultFilter) -> None:
    """A plan that was fixed for these two."""
    plan = DecisionPlan(smallest_difference=smallest, reviews=1, candidates=(meeting.one, meeting.two))
    with world.write() as unit:
        settings = projects.get(unit.connection, world.project.id).settings
        projects.save_settings(unit, world.project.id, settings.model_copy(update={"plans": (plan,)}))


def won(history: History, wins: int, losses: int, *, runs: int = 1) -> None:
    """Tasks of so many pairs each, won and lost."""
    for number in range(wins + losses):
        history.task(f"Task {number}")
        for _ in range(runs):
            history.pair(*((5, 3) if number < wins else (3, 5)))
    history.reveal()


def page_words(findings: Findings) -> str:
    """Everything that the first screen and the first page of the report say."""
    figures = [f"{figure.label} {figure.value} {figure.rests_on}" for figure in tiles(findings)]
    trust = [f"{name} {value}" for name, value, _ in trust_figures(findings)]
    answer = advice.decision(findings), sentences.finding(findings), sentences.rests_on(findings)
    advised = advice.plan(findings), advice.next_steps(findings)[0], *advice.exceptions(findings)
    return " | ".join((*answer, *advised, *figures, *trust))


def with_lengths(history: History, tasks: Iterable[tuple[bool | None, bool]]) -> None:
    """A pair in each of these tasks: whether the new candidate's output is the longer, None where they are about equal,
    and whether it wins.
    """
    long, short = "A long answer that goes on. " * 9, "Short."
    for at, (is_longer, wins) in enumerate(tasks):
        history.task(f"Task {at}")
        new, old = (long, f"{short} {at}") if is_longer else (f"{short} {at}", long)
        if is_longer is None:
            new, old = f"{long}{at}", f"{long}{at + 400}"
        history.pair(*((5, 3) if wins else (3, 5)), texts=(new, old) if at % 2 == 0 else (old, new))
    history.reveal()


def tile(findings: Findings, name: str) -> Tile:
    (figure,) = (figure for figure in tiles(findings) if figure.name == name)
    return figure


@pytest.mark.parametrize(
    ("tasks", "told_with_plans"),
    [
        ((30, 6, 1), dict.fromkeys((None, 0.05), (Verdict.ONE_LEADS, f"Do not adopt {NEW} yet"))),
        ((6, 30, 1), {None: (Verdict.TWO_LEADS, f"Keep {OLD} for now"), 0.05: (Verdict.KEEP, f"Keep {OLD}")}),
        ((18, 14, 1), {None: (Verdict.UNCLEAR, f"Do not adopt {NEW} yet")}),
        ((8, 0, 4), {None: (Verdict.FEW_TASKS, f"Too early to decide on {NEW}")}),
        ((2, 1, 1), {None: (Verdict.FEW_TASKS, f"Too early to decide on {NEW}")}),
        # Better than a coin, but not surely by as much as the plan asks.
        ((26, 10, 1), {0.15: (Verdict.CANNOT_TELL, f"Do not adopt {NEW} yet")}),
    ],
)
def test_badge_sentence_plan_and_next_step_say_the_same(
    history: History, tasks: tuple[int, int, int], told_with_plans: dict[float | None, tuple[Verdict, str]]
) -> None:
    wins, losses, runs = tasks
    won(history, wins, losses, runs=runs)

    for smallest, (verdict, badge) in told_with_plans.items():
        if smallest is not None:
            fix(history.world, smallest, history.asked(Verdicts.JUDGE))
        findings = of(history)

        assert (findings.verdict, advice.decision(findings)) == (verdict, badge)
        sentence = sentences.finding(findings)
        assert len(sentence.split()) < 20, sentence
        assert len(re.findall(r"\d+", sentence.replace(NEW, "").replace(OLD, ""))) <= 2, sentence
        words = page_words(findings)
        # Nothing tests the judge, and no place forgets it.
        assert not re.search(r"\bis better\b|\bAdopt\b", words), words
        if verdict in (Verdict.ONE_LEADS, Verdict.TWO_LEADS):
            assert sentence.endswith("but nothing tests the judge yet."), sentence
            assert doubts.whom_to_trust(findings).startswith("Nothing tests the judge yet")
            assert advice.steps_with_parts(findings)[0] == advice.TEST_THE_JUDGE
            if smallest is not None:
                assert "adopt, if the judge is right." in advice.plan(findings)
            assert "annot tell yet" not in words
        assert ("No plan was written down" in words) == (smallest is None)
        assert ("the plan" in sentence) == (smallest is not None and verdict is not Verdict.ONE_LEADS)


@pytest.mark.slow
def test_a_rise_a_fall_regressions_and_noise_are_told_as_they_were_planted(world: World) -> None:
    experiment = Experiment(world, iterations=32, tasks_of=40).build()

    every = pooled(world.database, asked_about(experiment, 1))
    findings = findings_of(world.database, every, Names(WITH, WITHOUT))

    history = findings.history
    assert history is not None
    names = [iteration.name for iteration in history.iterations]
    # The change of the candidates' model changed nothing else: no level ends there.
    (_, risen, *_), (change,) = history.levels, history.breaks or ()
    assert change.at < risen.at
    assert names[risen.at] == str(experiment.step)
    # Four of forty tasks were lost: the newest level lies below the one before.
    assert findings.now is not None
    assert (findings.now.share or 0) < (history.levels[-2].share or 0)
    assert int(names[findings.now.at]) >= experiment.since
    title = trend_chart(history, findings.filter).title
    assert re.search(rf"rose at iteration {experiment.step}, .*fell at {names[findings.now.at]}", title)
    of_project = HistoryFilter(project_id=experiment.project, won_by=WITHOUT, iterations=("30",))
    drawn = picture(world.database, of_project, Metric.WIN_RATE, axis=Axis.ITERATIONS)
    # The history draws the same, whatever iterations and winners its list is filtered by.
    assert (drawn.levels, drawn.breaks) == (history.levels, history.breaks)
    assert [task.key for task in drawn.regressed] == [task.key for task in findings.regressed]
    charts = (trend_chart(history, findings.filter), chart_of(drawn))
    notes = [chart.drawing.notes for chart in charts if isinstance(chart.drawing, Lines)]
    assert notes[0] == notes[1]
    assert [mark.short for mark in notes[0]] == ["4 regressed"]
    assert {task.key for task in findings.regressed} == {f"eval-{task}" for task in REGRESSED}
    assert tile(findings, "regressed").value == "4 tasks"
    assert f"since iteration {experiment.since}" in tile(findings, "regressed").rests_on
    assert all(task.title in tile(findings, "regressed").rests_on for task in findings.regressed)
    assert (tile(findings, "regressed").part, tile(findings, "regressed").rows) == ("time", "change")
    levels = (
        rf"\d+% up to \d+, .*\d+% from {experiment.step}, .*from {names[findings.now.at]} \(\d+% to \d+%\)"
    )
    assert re.fullmatch(levels, tile(findings, "now").rests_on)
    # The figure says which way it went; a click narrows the page to the newest level.
    before, after = (round(100 * (level.share or 0)) for level in history.levels[-2:])
    assert tile(findings, "now").value == f"{before}% → {after}%"
    assert tile(findings, "now").within == Within(by=By.SINCE, value=names[findings.now.at])
    grid = grid_chart(history, cell_link(findings.filter, history), order="name", since=beginning(findings))
    drawing = grid.drawing
    assert isinstance(drawing, HeatMap)
    own_turn = re.compile(rf"\d+% → 0% \(-\d+\) since {experiment.since}")
    assert len([*filter(own_turn.fullmatch, drawing.beside)]) == len(REGRESSED)
    assert drawing.squares
    unsplit = grid_chart(history, cell_link(findings.filter, history), order="name", since=0)
    assert isinstance(unsplit.drawing, HeatMap)
    # Without a change, no task is split at an iteration that nothing names.
    assert all(" since " in words for words in unsplit.drawing.beside if "→" in words)
    assert len([*filter(own_turn.fullmatch, unsplit.drawing.beside)]) == len(REGRESSED)
    # A colour is never on the side of the one that lost.
    assert all(square.sign == {1: "+", 0: "=", -1: "−"}[np.sign(square.value)] for square in drawing.squares)
    noisiest = max(history.tasks, key=lambda task: task.noise or 0)
    assert noisiest.title == title_of(NOISY)
    rows = {row["Task"]: row for row in tasks_chart(findings.filter, history, beginning(findings)).rows}
    assert rows[noisiest.title]["Trend"] == f"keeps changing: {noisiest.flips} times"
    assert sentences.void_in_words(findings).endswith(f"all from {WITH} (iteration {len(names)})")
    assert sentences.levels(findings) in advice.summary(findings)
    # The largest change, not the last.
    assert names[beginning(findings)] == str(experiment.step)
    assert advice.next_steps(findings)[0].startswith("Look at the ")
    assert len(sentences.finding(findings).split()) < 20
    # Overall it is not proven; each side's sentence tells what is planted from that side.
    also = tuple(Meets(met.two, met.one) for met in every.also)
    turned = every.model_copy(update={"one": every.two, "two": every.one, "also": also})
    other = findings_of(world.database, turned, Names(WITHOUT, WITH))
    assert (findings.verdict, other.verdict) == (Verdict.UNCLEAR, Verdict.UNCLEAR)
    for side, what in ((findings, "loses"), (other, "wins")):
        ends = f" pairs, but {what} at equal length and on {REVERSED}."
        plain = re.sub(r"probably | \(\d+% since iteration \d+\)", "", sentences.finding(side))
        assert plain.endswith(ends)


@pytest.mark.parametrize(("side_wins", "surely"), [(0, "probably"), (4, "perhaps")])
def test_a_kind_is_lost_where_its_own_interval_says_so(history: History, side_wins: int, surely: str) -> None:
    for number in range(60):
        kind, wins = ("main", number < 46) if number < 50 else ("side", number < 50 + side_wins)
        history.task(f"Task {number}", kind)
        history.pair(*((5, 3) if wins else (3, 5)))
    history.reveal()

    findings = of(history)

    claim = f"{surely} loses"
    label = f"{claim.capitalize()} on"
    assert f"but {claim} on side" in sentences.finding(findings)
    assert (tile(findings, "other_way").label, tile(findings, "other_way").value) == (label, "side")
    # Every place makes the same claim, and the chart draws its mark as unsure.
    assert not re.search(r"[Ll]oses on side", re.sub(f"{label}|{label.lower()}", "", page_words(findings)))
    assert f"{NEW} {claim}" in " ".join(advice.next_steps(findings))
    (look,) = (step for step in advice.steps_with_parts(findings) if f"{NEW} {claim}" in step.words)
    # What is beyond chance is explained, by the pairs of that kind alone.
    leads_to = ("where", None) if surely == "perhaps" else ("why", findings.other_way[0].part)
    assert (look.part, look.within) == leads_to
    assert findings.kinds is not None
    chart = parts_chart(findings.kinds, result_filter=findings.filter, names=findings.names)
    few = ", from fewer than 20 tasks" if surely == "probably" else ""
    assert chart.title == f"{NEW} {claim} on side{few}"
    drawn = chart.figure(ColourTheme.LIGHT)
    assert drawn is not None
    colours = dict(zip([row["Tag"] for row in chart.rows], drawn.data[0].marker.color, strict=True))
    assert colours["◆ side"] == PALETTES[ColourTheme.LIGHT].page
    assert colours["◆ main"] == PALETTES[ColourTheme.LIGHT].ink


@pytest.mark.parametrize(
    ("kinds", "says"),
    [
        ((10, 10), ("None", "among 2 kinds of task")),
        ((10, 10, 2), ("None", "among 2 kinds of task; 1 kind of task with too few tasks")),
        ((10, 2), ("Cannot tell", "2 kinds of task with too few tasks")),
        ((4,), ("None", "no kinds of task to compare")),
    ],
)
def test_that_no_kind_differs_is_said_only_of_kinds_with_enough_tasks(
    history: History, kinds: Sequence[int], says: tuple[str, str]
) -> None:
    for kind, tasks in enumerate(kinds):
        for number in range(tasks):
            history.task(f"Task {kind}.{number}", f"kind {kind}")
            history.pair(*((5, 3) if number % 2 else (3, 5)))
    history.reveal()

    findings = of(history)

    assert (tile(findings, "other_way").value, tile(findings, "other_way").rests_on) == says


@pytest.mark.parametrize(
    ("wins", "losses", "says"),
    [
        (12, 0, f"{NEW} probably leads on Completeness (content) in 12 pairs, {OLD} in 0"),
        (30, 2, f"{NEW} leads on Completeness (content) in 30 pairs, {OLD} in 2"),
        (6, 6, f"Neither leads on Completeness (content) beyond chance: {NEW} in 6 pairs, {OLD} in 6"),
        (3, 0, "Too few tasks to tell "),
    ],
)
def test_a_criterion_leads_as_surely_as_its_bar(history: History, wins: int, losses: int, says: str) -> None:
    won(history, wins, losses)
    findings = of(history)

    chart = criteria_chart(findings, by_criterion(history.world.database, findings.filter))

    assert says in chart.title


def test_names_hidden_is_one_phrase_and_graders_that_disagree_are_told(history: History) -> None:
    won(history, 12, 4)
    for at, pair in enumerate(history.made):
        history.grade(pair, 0.5, 1.0 if at < 12 else 0.75)

    words = page_words(of(history))

    assert "Warning: graders" in words
    agree = "of 16 verdicts agree with grading.json"
    assert f"{agree}; guessing gets 25%" in words
    for pair in history.made[:5]:
        history.review(pair, 5, 3)
    words = sentences.rests_on(of(history, Verdicts.EITHER))
    seen = "decided by reviewers who had seen the judge's scores"
    assert f"Counted: 5 {seen}, 11 by the judge alone." in words
    for pair in history.made[5:8]:
        history.review(pair, 5, 3, said=())
    # The numbers add up to all 16.
    words = sentences.rests_on(of(history, Verdicts.EITHER))
    assert f"Counted: 5 {seen}, 3 accepted as judged, 8 by the judge alone." in words
    assert "blind" not in words


def test_a_lead_that_graders_often_see_otherwise_is_never_called_better(history: History) -> None:
    won(history, 30, 4)
    for at, pair in enumerate(history.made):
        history.grade(pair, 1.0 if at < 10 else 0.5, 0.75)

    findings = of(history)

    assert findings.verdict is Verdict.DOUBTED
    assert sentences.finding(findings) == f"{NEW} wins 88% of 34 pairs, but graders agree in only 41%."
    assert advice.decision(findings) == f"Do not adopt {NEW} yet"
    first = advice.steps_with_parts(findings)[0]
    assert "Read the pairs in which “grading.json” names another winner: it agrees in 41%" in first.words
    assert first.against_graders
    figure = Slice(figure="grader", where={"author": "grading.json", "against": "True"})
    otherwise = pairs(history.world.database, history.project, findings.filter, figure, limit=99)
    assert [pair.graded for pair in otherwise] == [(0.5, 0.75)] * 20


def test_graders_that_agree_as_guessing_would_and_favour_neither_are_no_evidence(history: History) -> None:
    won(history, 30, 4)
    for at, pair in enumerate(history.made):
        history.grade(pair, *((1.0, 0.5), (0.5, 1.0), (1.0, 1.0))[at % 3])

    findings = of(history)

    assert (findings.verdict, advice.decision(findings)) == (Verdict.ONE_LEADS, f"Do not adopt {NEW} yet")
    assert sentences.finding(findings) == f"{NEW} wins 88% of 34 pairs, but nothing tests the judge yet."
    assert doubts.whom_to_trust(findings).endswith(
        "and grading.json agrees with it no more than guessing, so either may be wrong."
    )
    assert "graders" not in page_words(findings).lower()
    # Read one by one, they are those that name the loser; a tie names nobody.
    figure = Slice(figure="grader", where={"author": "grading.json", "against": "True"})
    listed = pairs(history.world.database, history.project, findings.filter, figure, limit=99)
    assert {pair.graded for pair in listed} == {(0.5, 1.0), (1.0, 0.5)}


def test_graders_that_pass_everything_alike_put_nothing_in_doubt(history: History) -> None:
    won(history, 30, 4)
    for at, pair in enumerate(history.made):
        history.grade(pair, 1.0, 0.5 if at < 10 else 1.0)

    findings = of(history)

    assert findings.verdict is Verdict.ONE_BETTER
    assert tile(findings, "warning").label == "Warning: graders"
    assert doubts.whom_to_trust(findings).startswith("Graders hardly tell the two apart: imported graders")


def test_whom_to_trust_is_decided_by_the_figure_that_depends_least_on_the_judge(history: History) -> None:
    won(history, 18, 6)
    scores = [*[(5, 3)] * 18, *[(3, 5)] * 6]

    def trusted() -> str:
        return doubts.whom_to_trust(of(history, Verdicts.EITHER))

    # Where people confirm every verdict, it is theirs; where a pair is left to the judge, that counts as no test.
    for pair, (new, old) in zip(history.made[:20], scores, strict=False):
        history.review(pair, new, old)
    untested = trusted()
    for pair, (new, old) in zip(history.made, scores, strict=True):
        history.grade(pair, new / 5, old / 5)
    graded = trusted()
    for pair, (new, old) in zip(history.made, scores, strict=True):
        history.review(pair, new, old, mode=ReviewMode.BLIND_FIRST, person_id=history.world.ada.id)
    blind = trusted()

    assert untested.startswith("Nothing tests the judge yet")
    assert "100% of 20" not in untested
    assert graded.startswith("Graders support the verdicts: imported graders")
    assert blind.startswith("Trust the judge: reviewers who had not seen its scores named its winner in")
    assert "100% of 24" in graded
    assert "100% of 24" in blind


def test_where_judge_and_people_differ_both_together_name_none(database: Database, blobs: BlobStore) -> None:
    """The judge has the new candidate win 27 of 30 tasks; people overrule it in 18 of 20."""
    history = History(World(database, blobs, pace=3600))
    for number in range(30):
        history.task(f"Task {number}")
        pair = history.pair(*((5, 3) if number < 27 else (3, 5)))
        if number < 20:
            history.review(pair, *((3, 5) if number < 18 else (5, 3)))
    history.reveal()
    unplanned = of(history, Verdicts.EITHER)
    fix(history.world, 0.05, history.asked(Verdicts.EITHER))

    findings = of(history, Verdicts.EITHER)

    assert unplanned.verdict is findings.verdict is Verdict.OPPOSED
    assert "No plan was written down" in advice.plan(unplanned)
    sentence = sentences.finding(findings)
    # The rate is that of the candidate whose rate the tiles and the chart have.
    assert sentence == f"People prefer {OLD}: {NEW} wins only 10% of 20 pairs, but 100% by the judge."
    assert f"of {NEW} ranges from" in overview_chart(findings).title
    trusted = doubts.whom_to_trust(findings)
    assert trusted.startswith("Trust people, not the judge: they named another winner in 18 of 20 reviews")
    steps = advice.next_steps(findings)
    assert steps[0].startswith("Read the pairs where people overruled the judge")
    assert not re.search("Adopt|Keep|more pair", " ".join(steps))
    overall = tile(findings, "overall")
    assert (overall.label, overall.value) == (f"Win rate of {NEW}", "10%")
    assert overall.rests_on.endswith("20 pairs, 20 tasks by people; 100% by the judge")
    behind = Behind.model_validate_json(parse_qs(urlsplit(str(overall.pairs)).query)[BEHIND][0])
    assert len(pairs(history.world.database, history.project, behind.result, behind.part)) == 18
    assert advice.decision(findings) == f"Keep {OLD} for now"
    assert "by reviews, else the judge: not decided" in advice.plan(findings)
    assert findings.advice.decision.outcome is DecisionOutcome.CANNOT_TELL
    # Both mixed, which would give it 9 of 30, stand nowhere.
    assert findings.filter.verdicts is Verdicts.REVIEWED
    assert (findings.result.won, findings.result.n) == (2, 20)
    assert "Not counted: 10 by the judge alone." in sentences.rests_on(findings)
    assert sum(int(str(row["Pairs"])) for row in overview_chart(findings).rows) == 20
    assert "30%" not in page_words(findings)
    of_project = HistoryFilter(project_id=history.project)
    drawn = picture(history.world.database, of_project, Metric.WIN_RATE, axis=Axis.DAYS)
    assert drawn.pairs == drawn.people_alone == 20
    assert "; people alone, as the judge names another winner; 20 of 30 pairs." in chart_of(drawn).note
    # People alone are not contradicted by what is not counted.
    assert of(history, Verdicts.REVIEWED).verdict is not Verdict.OPPOSED


def test_people_who_overrule_the_judge_both_ways_do_not_oppose_it(history: History) -> None:
    for number in range(30):
        history.task(f"Task {number}")
        wins = number < 16
        history.review(history.pair(*((5, 3) if wins else (3, 5))), *((3, 5) if wins else (5, 3)))
    history.reveal()

    assert of(history, Verdicts.EITHER).opposed is None


def test_nothing_is_adopted_while_a_check_is_open_nor_without_its_cost(history: History) -> None:
    won(history, 30, 4)
    for pair in history.made[:20]:
        history.review(pair, 5, 3)
    open_check = of(history, Verdicts.EITHER)
    # Nothing else tests it, so that comes first.
    assert "test the judge" in advice.next_steps(open_check)[0]
    assert "Adopt" not in " ".join(advice.next_steps(open_check))

    blind = open_check.agreement and open_check.agreement.copy_with(how=How.BLIND_FIRST)
    settled = open_check.model_copy(update={"agreement": blind})
    assert advice.next_steps(settled) == (f"Adopt {NEW}.",)
    one, two = (RunUsage(name, 34, tokens, None, None) for name, tokens in ((NEW, 3100.0), (OLD, 1000.0)))
    usage = Usage(one, two)
    costly = settled.model_copy(update={"usage_now": usage})
    assert advice.next_steps(costly) == (f"Adopt {NEW} if it is worth 3.1 times the tokens.",)
    cost = tile(costly, "cost")
    assert (cost.value, cost.rests_on) == ("3.1 times", f"the tokens of {OLD}")
    alike = Usage(one._replace(tokens=1100.0), two)
    assert "cost" not in [figure.name for figure in tiles(settled.model_copy(update={"usage_now": alike}))]
    titles = [advice.decision(findings) for findings in (open_check, settled)]
    assert titles == [f"Do not adopt {NEW} yet", f"Adopt {NEW}"]
    for pair in history.made:
        history.grade(pair, 0.5, 1.0)
    refuted = of(history, Verdicts.EITHER).model_copy(update={"agreement": blind, "usage_now": usage})
    assert advice.next_steps(refuted)[-1] == f"Then decide whether {NEW} is worth 3.1 times the tokens."
    # Twelve reviews do not outweigh graders that name the loser.
    few = blind and blind.copy_with(counts=((12, 0, 0), (0, 0, 0), (0, 0, 0)))
    doubted = refuted.model_copy(update={"agreement": few})
    assert (refuted.verdict, doubted.verdict) == (Verdict.ONE_BETTER, Verdict.DOUBTED)
    assert doubts.whom_to_trust(doubted).startswith("These verdicts and grading.json often differ")


def test_the_costs_over_time_name_where_they_rose() -> None:
    def charts(*of_one: int) -> Iterator[Chart]:
        steps = [str(at) for at in range(1, len(of_one) + 1)]
        rows = [
            (step, name, 34, tokens, None)
            for step, own in zip(steps, of_one, strict=True)
            for name, tokens in ((NEW, own), (OLD, 1000))
        ]
        runs = pd.DataFrame(rows, columns=["Iteration", "Candidate", "Runs", "Tokens", "Seconds"])
        return over_iterations_charts(runs, Names(NEW, OLD), steps, ())

    (rose,) = charts(1100, 1400, 2600, 2500)
    (even,) = charts(1100, 1150)

    took = f"{NEW} took 1.10 times the tokens of {OLD} at first"
    assert rose.title == f"{took}, 2.5 in the latest iteration; it rose at 3"
    assert even.title == f"{took}, 1.15 in the latest iteration"
    (same,) = charts(1040, 990)
    assert same.title == f"{NEW} took about as many tokens as {OLD} in every iteration"
    usage = Usage(*(RunUsage(who, 34, tokens, None, None) for who, tokens in ((NEW, 1040.0), (OLD, 1000.0))))
    assert runs_took(usage) == f"A run of {NEW} takes about as much as one of {OLD}: 1.04 times the tokens"


@pytest.mark.parametrize(
    ("tasks", "words"),
    [
        (
            [(at % 2 == 0, at % 2 == 0) for at in range(40)],
            f"; {NEW}'s is longer in 50%; with length balanced, {NEW} wins 50%",
        ),
        (
            [(True, at < 26) for at in range(40)],
            f"{NEW}'s output is the longer; {NEW} wins 100% where the gap is small, 77% where it is large",
        ),
        # No candidate is longer more often, yet the longer output wins more often than the better candidate.
        ([(at % 2 == 0, at % 10 in (0, 1, 2, 3, 4, 6)) for at in range(40)],
         "Length: 70% of 40 pairs won by the longer output"),
        ([(at % 2 == 0, at % 4 < 2) for at in range(40)], ""),
    ],
)  # fmt: skip
def test_where_the_longer_output_wins_or_belongs_to_one_candidate_that_is_told(
    history: History, tasks: list[tuple[bool | None, bool]], words: str
) -> None:
    with_lengths(history, tasks)

    findings = of(history)
    told_of = " ".join(advice.exceptions(findings))

    assert words in told_of
    assert findings.length is not None
    apart = "cannot be told apart" not in length_chart(findings, findings.length).note
    assert apart == ("output is the longer" not in words)
    # Each third opens its own pairs.
    thirds = [
        {pair.comparison_id for pair in pairs(history.world.database, history.project, findings.filter, only)}
        for only in (
            Slice(figure="third", where={"measure": findings.length.measure, "third": at}) for at in "123"
        )
    ]
    assert findings.length.by_ratio == () or [len(ids) for ids in thirds] == [
        part.n for part in findings.length.by_ratio
    ]
    assert ("outputs are always longer" in sentences.finding(findings)) == ("output is the longer" in words)
    assert ("Length:" in told_of) == bool(words)
    # Where one candidate is always the longer, the longer one's wins say no more than the candidate's.
    with facts_of(history.world.database, history.project) as facts:
        bias = bias_chart(facts, findings.filter)
    drawn = any("longer" in str(row["Output"]) for row in bias.rows)
    assert drawn == apart == ("by length" not in bias.note)


@pytest.mark.parametrize(
    ("wins", "more"),
    # The first ten differ most in length.
    [
        ((*range(10), *range(30, 40)), "and wins more often the longer it is"),
        (range(0, 40, 2), "but wins 50% where the gap is small, 46% where it is large"),
    ],
)
def test_whether_more_length_wins_more_is_told_where_one_side_is_always_longer(
    history: History, wins: Sequence[int], more: str
) -> None:
    with_lengths(history, [(True, at in wins) for at in range(40)])
    findings = of(history)

    assert findings.length is not None
    title = f"{NEW} is always longer, {more}"
    assert length_chart(findings, findings.length).title == title


def test_a_measure_that_goes_with_another_is_named_beside_it(history: History) -> None:
    with_lengths(history, [(at % 2 == 0, at % 2 == 0) for at in range(40)])
    findings = of(history)

    differences = how_they_differ(history.world.database, findings.filter)
    *_, winning = differ_charts(findings, differences)

    assert winning.title == "The side with more words wins more often"
    assert [row["Measure"] for row in winning.rows] == ["Words"]
    assert winning.note.startswith("Nearly the same picture for characters.")


def test_many_unusable_outputs_among_the_newest_are_a_warning_and_the_first_step(history: History) -> None:
    won(history, 30, 6)
    assert Doubt.UNUSABLE not in of(history).warnings
    for comparison in history.made[:6]:
        history.void(comparison)

    findings = of(history)

    warning = tile(findings, "warning")
    assert (warning.label, warning.value) == ("Warning: unusable outputs", "6")
    assert warning.rests_on == "of 36 pairs lack a usable output"
    assert advice.steps_with_parts(findings)[0].left_out
    assert "Unusable outputs: 6 of 36 pairs lack a usable output." in advice.exceptions(findings)
    # The list says whose output it is, and why.
    listed = pairs(history.world.database, history.project, findings.filter, Slice(figure="void"))
    assert [(pair.not_valid, pair.not_valid_in) for pair in listed] == [("unusable (timed out)", "A")] * 6


@pytest.mark.parametrize(
    ("alike_won", "clause"), [(0, "at equal length"), (14, None), (None, "but its outputs are always longer")]
)
def test_a_lead_that_may_be_length_alone_is_never_called_better(
    history: History, alike_won: int | None, clause: str | None
) -> None:
    """The new candidate wins 40 of 40 tasks with longer outputs; of 15 more, at equal length, so many."""
    alike = [] if alike_won is None else [(None, at < alike_won) for at in range(15)]
    with_lengths(history, [*[(True, True)] * 40, *alike])
    unplanned = of(history)
    fix(history.world, 0.05, history.asked(Verdicts.JUDGE))

    for findings in (unplanned, of(history)):
        if clause is None:
            assert findings.verdict is Verdict.ONE_LEADS
            assert "length" not in sentences.finding(findings)
            continue
        assert findings.verdict is Verdict.LENGTH
        assert BADGES[findings.verdict][0] == "orange"
        assert clause in sentences.finding(findings)
        assert tile(findings, "warning").label == "Warning: length"
        steps = " ".join(advice.next_steps(findings))
        assert re.match("(?:Compare outputs of like length, or a|A)sk people", advice.next_steps(findings)[0])
        assert not re.search("Adopt|Keep", steps)
        assert ("adopt, whatever their length." in advice.plan(findings)) == (findings is not unplanned)
    if alike_won == 0:
        assert unplanned.length is not None
        chart = length_chart(unplanned, unplanned.length)
        assert chart.title == f"Length may explain the lead: at equal length {NEW} wins 0%"
        assert [(row["Pairs in which"], row["Win rate"], row["Pairs"]) for row in chart.rows] == [
            *(("All pairs", 0.7273, 55), ("About equal length", 0.0, 15), (f"{NEW}'s is longer", 1.0, 40))
        ]
        charts = differ_charts(unplanned, how_they_differ(history.world.database, unplanned.filter))
        assert next(iter(charts)).title == chart.title


def test_a_mean_score_that_favours_the_other_one_is_explained(history: History) -> None:
    """The new candidate loses 14 tasks narrowly and wins 6 by far."""
    for number in range(20):
        history.task(f"Task {number}")
        history.pair(*((5, 1) if number < 6 else (3, 4)))
    history.reveal()

    lead = tile(of(history), "lead")

    assert f"{NEW} scores higher but wins fewer pairs, because its leads are larger" in lead.rests_on


@pytest.mark.parametrize(("pace", "days"), [(1, 1), (10_800, 7)])
def test_without_iterations_the_trend_is_told_by_day_and_of_one_day_the_overall_bar_stands(
    database: Database, blobs: BlobStore, pace: int, days: int
) -> None:
    history = History(World(database, blobs, pace=pace))
    won(history, 8, 4)

    findings = of(history)
    chart = overview_chart(findings)

    assert findings.history is None
    assert chart.is_drawn
    if days == 1:
        assert [*chart.rows[0].values()] == ["", 8, 0, 4]
        assert "a second day or iteration" in chart.note
        return
    assert chart.title == f"Win rate of {NEW} fell at 2026-03-05"
    assert len(chart.rows) == days
    assert sum(int(str(row["Won"])) for row in chart.rows) == 8
    for row, link in zip(chart.rows, chart.opens[PAIRS], strict=True):
        behind = Behind.model_validate_json(parse_qs(urlsplit(str(link)).query)[BEHIND][0])
        assert len(pairs(database, history.project, behind.result, behind.part)) == row["Pairs"]


def test_imported_judging_is_not_called_free_and_a_time_at_its_ceiling_is_left_out() -> None:
    none = dict.fromkeys(("failed", "input_tokens", "output_tokens", "seconds", "cost", "unpriced"), 0)
    spent = Spent.model_validate({"model": "m", "pairs": 3, "tries": 6, **none})
    time = ReviewTime(reviews=3, median=5.0, nine_of_ten=5.0)
    costs = Cost(models=(spent,), decided=3, review_time=time)

    assert "judging 3 pairs took 6 requests to 1 model: imported, no cost known." in in_all(costs)
    local = spent.model_copy(update={"input_tokens": 9})
    assert "1 model: free." in in_all(costs.model_copy(update={"models": (local,)}))
    result_filter = ResultFilter(project_id="p", one="a", two="b")
    for review_time, is_shown in ((time, False), (time.model_copy(update={"nine_of_ten": 7.0}), True)):
        charts = cost_charts(costs.model_copy(update={"review_time": review_time}), None, of=result_filter)
        assert ("minutes" in [chart.name for chart in charts]) is is_shown

"""What is found of two candidates, computed once: badge, sentence, tiles, plan, report and cards all say it alike."""

from enum import StrEnum

from comparator.domain.labels import Frozen
from comparator.domain.scoring.review import How
from comparator.reporting.facts import facts_of, kept
from comparator.reporting.figures import lines_of
from comparator.reporting.results.candidates import Names
from comparator.reporting.results.decision import Advice, Excluded, Opposed, advice, excluded_pairs
from comparator.reporting.results.over_iterations import History, Stretch, over_days, over_iterations
from comparator.reporting.results.result import Result, result
from comparator.reporting.results.spending import Usage, run_usages
from comparator.reporting.results.task_history import TaskHistory
from comparator.reporting.scope import PEOPLE, By, ResultFilter, Runs, Verdicts
from comparator.reporting.trust.judge import Agreement, agreement
from comparator.reporting.why.criteria import Expectation, Graded, by_expectation, by_grader
from comparator.reporting.why.differ import ENOUGH_TO_WARN, Differs, lengths_differ, may_be_length
from comparator.reporting.why.slices import Parts, SlicePart, slices
from comparator.stats.intervals import ENOUGH, EVEN, Evidence, TooFew, evidence
from comparator.store.core.database import Database

DOUBTFUL = 0.7
"""Below this share of the same winner, judge and people, or verdicts and graders, disagree."""
LEAST_MISSED = 0.1
UNUSABLE = 0.1
"""From this share of the newest pairs on, outputs that cannot be used are a doubt."""


class Verdict(StrEnum):
    """The answer in one word. The first three are the plan's, for the newest iteration alone."""

    ADOPT = "adopt"
    KEEP = "keep"
    CANNOT_TELL = "cannot_tell"
    ONE_BETTER = "one_better"
    TWO_BETTER = "two_better"
    UNCLEAR = "unclear"
    FEW_TASKS = "few_tasks"
    OPPOSED = "opposed"
    """People and the judge name different winners; people alone are counted."""
    DOUBTED = "doubted"
    """One wins, but imported graders often name the other, and nobody reviewed before seeing the judge's scores."""
    LENGTH = "length"
    """One wins, but that may be its length alone."""
    ONE_LEADS = "one_leads"
    """It wins by the judge, which nothing independent tests yet."""
    TWO_LEADS = "two_leads"
    NOTHING = "nothing"


class Doubt(StrEnum):
    """What an answer deserves less trust for than it says; in the word that names it to readers."""

    AGAINST_PEOPLE = "people"
    AGAINST_GRADERS = "graders"
    UNTESTED = "judge"
    """Imported graders agree with it as guessing would, and nothing else tests it."""
    LENGTH = "length"
    """The longer output wins, or is nearly always of the same candidate."""
    UNUSABLE = "unusable outputs"
    """Many of the newest pairs are left out, since an output is unusable or cut off."""


class Findings(Frozen):
    """All facts of the answer; `names` and `filter` are told from the side of the new candidate."""

    filter: ResultFilter
    names: Names
    advice: Advice
    newest: Advice | None
    """What the plan says of the newest iteration, where a plan was fixed and more is shown than that one."""
    history: History | None
    """All iterations of the two; None where there is only one."""
    days: History | None
    """The days on which pairs were set up, where there are no iterations; None where there is only one."""
    kinds: Parts | None
    """The parts by the kind of task; None where tasks have no kinds, or those of one kind are asked about."""
    excluded: tuple[Excluded, ...]
    unchanged: int
    """The counted pairs in whose final reviews nothing was changed or confirmed."""
    agreement: Agreement | None
    """Of the judge with the reviewers who say most of it: those who scored first, else those who saw its scores."""
    missed: Expectation | None
    """The expectation that the first candidate meets less often than the second by most, if by LEAST_MISSED or more."""
    length: Differs | None
    """How often the longer output wins, and whose it is."""
    graders: tuple[Graded, ...]
    newest_pairs: int
    newest_unusable: int
    """The pairs of the newest iteration, counted or not, and those of them that have an output that is not valid."""
    usage: Usage
    usage_now: Usage
    """What the runs of the newest iteration took."""

    @property
    def result(self) -> Result:
        """The counted pairs."""
        return self.advice.result

    @property
    def opposed(self) -> Opposed | None:
        """People and the judge, where they name different winners and the judge's verdicts count."""
        return self.advice.opposed

    @property
    def timeline(self) -> History | None:
        """What the trend is told over: iterations, else days; None where there is only one of either."""
        return self.history or self.days

    @property
    def latest(self) -> bool:
        """Whether the newest iteration alone is shown, or there is no other."""
        return self.history is None or self.history.latest

    @property
    def verdict(self) -> Verdict:
        """The answer: the plan's where one was fixed for what is shown, else which side of 50% the interval lies on."""
        rate = self.result.rate
        if not self.result.n:
            return Verdict.NOTHING
        if self.opposed:
            return Verdict.OPPOSED
        if self.advice.planned and self.latest:
            answer = Verdict(self.advice.decision.outcome.value)
        elif isinstance(rate, TooFew) or rate.few:
            answer = Verdict.FEW_TASKS
        elif EVEN in rate.interval:
            answer = Verdict.UNCLEAR
        else:
            answer = Verdict.ONE_BETTER if rate.value > EVEN else Verdict.TWO_BETTER
        better = answer in (Verdict.ADOPT, Verdict.ONE_BETTER, Verdict.TWO_BETTER)
        if better and self.graders_differ and not (self.independent and self.independent.n >= ENOUGH):
            return Verdict.DOUBTED
        if better and self.confounded:
            return Verdict.LENGTH
        if better and self.untested:
            return Verdict.TWO_LEADS if answer is Verdict.TWO_BETTER else Verdict.ONE_LEADS
        return answer

    @property
    def graded(self) -> Graded | None:
        """The graders of most pairs, where they are evidence for or against the verdicts."""
        most = self.graders[0] if self.graders else None
        return most if most and most.n >= ENOUGH_TO_WARN and not most.no_evidence else None

    @property
    def graders_differ(self) -> bool:
        """Whether graders often name the loser; where they tie, as those that pass everything do, they say nothing."""
        graded = self.graded
        return graded is not None and graded.same < DOUBTFUL * (graded.same + graded.opposite)

    @property
    def untested(self) -> bool:
        """Whether verdicts are the judge's, and neither graders nor enough reviewers who scored first test it."""
        tested = self.opposed or self.graded or (self.independent and self.independent.n >= ENOUGH_TO_WARN)
        return not tested and self.own < self.result.n

    @property
    def own(self) -> int:
        """The counted pairs in which a person set, changed or confirmed something."""
        return self.reviewed - self.unchanged

    @property
    def length_tells(self) -> bool:
        """Whether the longer output wins more often than the better candidate, or is nearly always of the same one."""
        share = self.result.share or EVEN
        return self.length is not None and (
            self.length.warns or self.length.tells_more(max(share, 1 - share))
        )

    @property
    def confounded(self) -> bool:
        """Whether the lead may be length alone."""
        return may_be_length(self.result.share, self.length)

    @property
    def plan(self) -> Advice | None:
        """What the plan says, by the newest iteration; None where no plan was fixed."""
        return self.advice if self.advice.planned and self.latest else self.newest

    @property
    def reviewed(self) -> int:
        """The counted pairs with a person's verdict."""
        kinds = set(PEOPLE) & set(self.filter.kinds)
        return sum(n for kind, n in self.result.by_kind.items() if kind in kinds)

    @property
    def independent(self) -> Agreement | None:
        """The agreement with reviewers who scored before they saw the judge's scores; others repeat them."""
        return self.agreement if self.agreement and self.agreement.how is How.BLIND_FIRST else None

    @property
    def now(self) -> Stretch | None:
        """The newest level, where the rate changed at some iteration by more than chance."""
        levels = self.history.levels if self.history else ()
        return levels[-1] if len(levels) > 1 else None

    @property
    def fell(self) -> bool:
        """Whether the newest level is lower than the one before it."""
        if self.now is None or self.history is None:
            return False
        return (self.now.share or 0.0) < (self.history.levels[-2].share or 0.0)

    @property
    def regressed(self) -> tuple[TaskHistory, ...]:
        """The tasks that turned from won to lost, those of the latest turn first."""
        return self.history.regressed if self.history else ()

    @property
    def other_way(self) -> tuple[SlicePart, ...]:
        """The kinds of task won by the candidate that loses the rest, by more than chance."""
        return tuple(part for part in self.kinds.parts if part.reverses) if self.kinds else ()

    @property
    def warnings(self) -> tuple[Doubt, ...]:
        """The doubts, the gravest first."""
        best, graded = self.agreement, self.graded
        doubted = {
            Doubt.AGAINST_PEOPLE: best is not None
            and best.n >= ENOUGH_TO_WARN
            and best.same < DOUBTFUL * best.n,
            Doubt.AGAINST_GRADERS: graded is not None and graded.same < DOUBTFUL * graded.n,
            Doubt.UNTESTED: self.untested
            and any(own.n >= ENOUGH_TO_WARN and own.no_evidence for own in self.graders[:1]),
            # A lead that holds without what length adds is none of its making.
            Doubt.LENGTH: self.confounded
            or (self.length_tells and evidence(self.result.rate) is Evidence.OPEN),
            Doubt.UNUSABLE: self.filter.runs is Runs.VALID
            and self.newest_unusable > max(1, UNUSABLE * self.newest_pairs),
        }
        return tuple(doubt for doubt, is_so in doubted.items() if is_so)


@kept
def findings_of(database: Database, result_filter: ResultFilter, names: Names) -> Findings:
    """Everything. Raises BlindnessError while nothing of the two is revealed."""
    answer = advice(database, result_filter)
    if answer.opposed is not None:
        # A rate of both mixed means nothing: people's verdicts alone are counted, in every figure and chart.
        result_filter = result_filter.copy_with(verdicts=Verdicts.REVIEWED)
        answer = answer.copy_with(result=result(database, result_filter))
    history = over_iterations(database, result_filter)
    newest = None
    if history is not None and not history.latest:
        last = history.iterations[-1]
        newest = advice(database, result_filter.over(last.met)) if last.n else None
    with facts_of(database, result_filter.project_id) as facts:
        by_how = agreement(facts, result_filter)
        silent, said = (
            lines_of(facts, figure, result_filter).comparison_id for figure in ("silent", "agreement")
        )
        unchanged = facts.counted(result_filter).index.intersection(silent).difference(said)
        latest = [history.iterations[-1].met] if history else result_filter.meetings
        pairs = facts.of_two(result_filter.over(*latest))
        valid = facts.within(pairs[pairs.revealed], result_filter.within).valid
    usage, usage_now = run_usages(database, result_filter, names, [result_filter.meetings, latest])
    best = next((by_how[how] for how in (How.BLIND_FIRST, How.JUDGE_FIRST) if how in by_how), None)
    return Findings(
        filter=result_filter,
        names=names,
        advice=answer,
        newest=newest if newest is not None and newest.planned else None,
        history=history,
        days=over_days(database, result_filter) if history is None else None,
        kinds=_kinds(database, result_filter) if answer.result.n else None,
        excluded=excluded_pairs(database, result_filter, answer.result),
        unchanged=len(unchanged),
        agreement=best,
        missed=min(
            (
                expectation
                for expectation in by_expectation(database, result_filter)
                if expectation.assessed >= ENOUGH_TO_WARN and expectation.difference <= -LEAST_MISSED
            ),
            key=lambda expectation: expectation.difference,
            default=None,
        ),
        length=lengths_differ(database, result_filter),
        graders=by_grader(database, result_filter),
        newest_pairs=len(valid),
        newest_unusable=int((~valid).sum()),
        usage=usage,
        usage_now=usage_now,
    )


def _kinds(database: Database, result_filter: ResultFilter) -> Parts | None:
    """By tag, else by topic."""
    narrowed = {part.by for part in result_filter.within}
    every = (slices(database, result_filter, by) for by in (By.TAG, By.TOPIC) if by not in narrowed)
    return next((parts for parts in every if parts.parts), None)

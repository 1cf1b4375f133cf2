"""What to do about a result in sentences: what the plan says, what to do next, and where it is otherwise."""

from collections.abc import Iterator, Sequence
from math import ceil
from typing import NamedTuple

from comparator.reporting.findings import Doubt, Findings, Verdict
from comparator.reporting.results.decision import Advice
from comparator.reporting.results.over_iterations import History
from comparator.reporting.results.result import Result
from comparator.reporting.results.task_history import TaskHistory
from comparator.reporting.scope import VERDICT_NAMES, Within
from comparator.stats.intervals import ENOUGH, EVEN, DecisionOutcome, Evidence, evidence
from comparator.ui.dashboards import doubts
from comparator.ui.dashboards.sentences import (
    OVERRULED,
    finding,
    how_sure,
    levels,
    of_part,
    other_way,
    scores_against_winners,
    step,
    wins_or_loses,
)
from comparator.ui.frame import safe
from comparator.ui.frame.estimates import CLAIMS, percent
from comparator.ui.frame.words import counted

OUTCOMES = {
    DecisionOutcome.ADOPT: "adopt",
    DecisionOutcome.KEEP: "keep",
    DecisionOutcome.CANNOT_TELL: "cannot tell yet",
}
FOR_ONE, FOR_TWO = (Verdict.ADOPT, Verdict.ONE_BETTER), (Verdict.KEEP, Verdict.TWO_BETTER)
MOST_NAMED = 6
"""Kinds, and regressed tasks, that are named: the report has one page for all."""
MOST_STEPS = 3


class Step(NamedTuple):
    """What to do next, and what shows it: a tab, with its tasks in the order `rows`, or pairs (those `against_graders`
    or those `left_out`); or where it is `set`, for whoever may. `within` narrows the page first."""

    words: str
    part: str = ""
    rows: str = ""
    against_graders: bool = False
    left_out: bool = False
    set: bool = False
    within: Within | None = None


TEST_THE_JUDGE = Step(
    "To test the judge, have some pairs reviewed before its scores are shown.", "trust", set=True
)


def decision(findings: Findings) -> str:
    """What to do with the first candidate."""
    one, two = findings.names
    if findings.verdict is Verdict.NOTHING:
        return "No verdicts yet"
    if findings.verdict in FOR_TWO:
        return f"Keep {two}"
    people_keep = findings.opposed and evidence(findings.result.rate) is not Evidence.OPEN
    if findings.verdict is Verdict.TWO_LEADS or (people_keep and (findings.result.share or 0.0) < EVEN):
        return f"Keep {two} for now"
    if findings.verdict is Verdict.FEW_TASKS:
        return f"Too early to decide on {one}"
    return f"Adopt {one}" if findings.verdict in FOR_ONE else f"Do not adopt {one} yet"


def with_conditions(findings: Findings) -> str:
    """The decision; of a candidate that is adopted, for which kinds of task not, and whether checks are open."""
    if findings.verdict not in FOR_ONE:
        return decision(findings)
    first = next(iter(findings.other_way), None)
    exception = f", except {CLAIMS[first.evidence]}on {first.name}" if first else ""
    open_checks = len(_open_checks(findings)) > bool(first)
    return f"{decision(findings)}{exception}{', once the next steps are done' if open_checks else ''}"


def plan(findings: Findings) -> str:
    """What the plan says, and by which pairs; where none was fixed, that."""
    advice = findings.plan
    if advice is None:
        return "No plan was written down before the results were seen."
    threshold = percent(advice.decision.threshold)
    by = (
        ""
        if findings.latest or findings.history is None
        else f", by {step(findings.history, len(findings.history.iterations) - 1)} alone"
    )
    plan = f"Plan: adopt if above {threshold}, by {VERDICT_NAMES[advice.verdicts]}"
    if findings.opposed or advice.opposed:
        return f"{plan}: not decided, as the judge and people name different winners."
    aside = ", whatever their length" if findings.confounded else ""
    if findings.verdict in (Verdict.ONE_LEADS, Verdict.DOUBTED):
        aside = ", if the judge is right"
    return f"{plan}: {OUTCOMES[advice.decision.outcome]}{by}{_more(advice)}{aside}."


def _more(advice: Advice) -> str:
    if advice.decision.outcome is not DecisionOutcome.CANNOT_TELL:
        return ""
    if advice.result.tasks < ENOUGH:
        return f" (it needs pairs in {ENOUGH} tasks; {there_are(advice.result.tasks)})"
    if advice.decision.more is None:
        return " (the rate lies so near the threshold that very many more pairs would be needed)"
    return f" (about {_more_tasks(advice.decision.more, advice.result)} would settle it if the rate stays)"


def there_are(number: int) -> str:
    """How many there are, after what is needed.

    >>> there_are(1), there_are(0)
    ('there is 1', 'there are none')
    """
    return f"there {'is' if number == 1 else 'are'} {number or 'none'}"


def summary(findings: Findings) -> str:
    """The result as lines to paste: what to do, who wins, how sure that is, where it is otherwise, what comes next."""
    over_time = [f"Win rate by iteration: {changed}."] if (changed := levels(findings)) else []
    first = [f"{with_conditions(findings)}. {finding(findings)}", how_sure(findings), *over_time]
    return "\n".join([*first, *exceptions(findings), "Next:", *first_steps(findings)])


def exceptions(findings: Findings) -> Iterator[str]:
    """Where it is otherwise: kinds of task the other way, tasks that regressed, and every doubt."""
    for part in findings.other_way[:MOST_NAMED]:
        yield f"{other_way(part)} {part.name}: {findings.names.one} wins {of_part(part)}."
    if against := scores_against_winners(findings):
        yield against
    if findings.history and findings.regressed:
        yield _regressed(findings, findings.history)
    yield from (f"{warning}." for warning in doubts.warnings(findings))


def first_steps(findings: Findings) -> list[str]:
    """What to do next, numbered, as far as there is room for it in what is sent."""
    return [f"{number}. {words}" for number, words in enumerate(next_steps(findings)[:MOST_STEPS], 1)]


def next_steps(findings: Findings) -> tuple[str, ...]:
    """What to do next in words, the most urgent first."""
    return tuple(step.words for step in steps_with_parts(findings))


def steps_with_parts(findings: Findings) -> tuple[Step, ...]:
    """What to do next, the most urgent first, each with the tab that shows it."""
    one, two = findings.names
    if findings.verdict is Verdict.NOTHING:
        return (Step("Have the pairs judged or reviewed."),)
    steps = _open_checks(findings)
    times, what = findings.usage_now.apart or (1.0, "")
    if findings.verdict in FOR_ONE and times > 1:
        cost = f"{times:.1f} times the {what}"
        worth = (
            f"Then decide whether {one} is worth {cost}." if steps else f"Adopt {one} if it is worth {cost}."
        )
        steps.append(Step(worth, "cost"))
    elif findings.verdict in FOR_ONE and not steps:
        steps.append(Step(f"Adopt {one}."))
    if findings.verdict in FOR_TWO:
        steps.append(Step(f"Keep {two}."))
    if (missed := findings.missed) is not None:
        often, less = (percent(met / missed.assessed) for met in (missed.met_two, missed.met_one))
        text = safe.cut(missed.text, 60)
        steps.append(Step(f"Have {one} meet “{text}”: it does in {less}, {two} in {often}.", "why"))
    return tuple(steps)


def _open_checks(findings: Findings) -> list[Step]:
    """What is still to be looked at before anything is decided, the most urgent first."""
    one, steps = findings.names.one, list[Step]()
    if findings.opposed:
        steps.append(Step(f"Read {OVERRULED}, and decide whose verdict counts.", "trust"))
    if Doubt.AGAINST_GRADERS in findings.warnings:
        graded = findings.graders[0]
        same = f"{percent(graded.same / graded.n)} of {counted(graded.n, 'pair')}"
        read = f"Read the pairs in which “{graded.author}” names another winner: it agrees in {same}."
        steps.append(Step(read, against_graders=True))
    if findings.verdict is Verdict.LENGTH:
        steps.append(_of_length(findings))
    if Doubt.UNUSABLE in findings.warnings:
        steps.append(
            Step(f"Find out why {' '.join(doubts.warning(Doubt.UNUSABLE, findings))}.", left_out=True)
        )
    if findings.regressed:
        what = counted(len(findings.regressed), "task").removeprefix("1 ")
        steps.append(Step(f"Look at the {what} that regressed.", "time", "change"))
    if findings.verdict is Verdict.FEW_TASKS:
        steps.append(
            Step(f"Compare more tasks: a verdict needs {ENOUGH}, and {there_are(findings.result.tasks)}.")
        )
    if findings.other_way:
        first = findings.other_way[0]
        does = f"{one} {CLAIMS[first.evidence]}{wins_or_loses(findings)}"
        steps.append(
            Step(f"Compare more pairs of {first.name}, where {does}.", "where")
            if first.evidence is Evidence.OPEN
            else Step(f"Find out why {does} on {first.name}.", "why", within=first.part)
        )
    if findings.untested or (findings.reviewed and findings.agreement and not findings.independent):
        steps.append(TEST_THE_JUDGE)
    if findings.history and findings.history.noisy:
        steps.append(Step(_noisy(findings.history.noisy), "time", "noise"))
    if Doubt.LENGTH in findings.warnings and findings.verdict is not Verdict.LENGTH:
        steps.append(_of_length(findings))
    if findings.verdict in (Verdict.CANNOT_TELL, Verdict.UNCLEAR):
        more = findings.advice.decision.more
        open_still = (
            f"Compare about {_more_tasks(more, findings.result)}, or leave the question open."
            if more
            else f"The two are so close that more pairs would hardly tell them apart{_cheaper(findings)}."
        )
        steps.append(Step(open_still))
    return steps


def _cheaper(findings: Findings) -> str:
    """Which of two that are close takes less, where one clearly does."""
    apart, (one, two) = findings.usage_now.apart, findings.names
    if apart is None:
        return ""
    times, what = apart
    cheaper, dearer, times = (two, one, times) if times > 1 else (one, two, 1 / times)
    return f". Take {cheaper}: {dearer} comes at {times:.1f} times the {what}"


def _of_length(findings: Findings) -> Step:
    """How to find out whether length decides; where one is always longer, no outputs of like length are left."""
    always = findings.length is not None and bool(findings.length.by_ratio)
    ask = "ask people whether the longer outputs are better for it."
    return Step(ask.capitalize() if always else f"Compare outputs of like length, or {ask}", "differ")


def _more_tasks(pairs: int, result: Result) -> str:
    """So many more pairs, as tasks where each has several: pairs of one task say less than those of another."""
    a_task = result.n / result.tasks
    if a_task < 2:
        return counted(pairs, "more pair")
    return f"{counted(ceil(pairs / a_task), 'more task')} with as many pairs each"


def _noisy(tasks: Sequence[TaskHistory]) -> str:
    """The task whose winner changed most often, beside what chance gives, and how many more keep changing."""
    worst, *others = tasks
    often = f"that keep{'' if len(others) > 1 else 's'} changing"
    them = f"it, and {counted(len(others), 'more task')} {often}," if others else "it"
    return (
        f"“{worst.name}” changed its winner {worst.flips} of {counted(worst.chances, 'time')}; "
        f"{worst.chances / 2:.0f} expected by chance. Run {them} more than once."
    )


def _regressed(findings: Findings, history: History) -> str:
    """The tasks that regressed, and since when; of many, the latest."""
    by_start: dict[int, list[str]] = {}
    for task in findings.regressed[:MOST_NAMED]:
        if task.turned:
            by_start.setdefault(task.turned.at, []).append(task.name)
    falls = "; ".join(f"since {step(history, at)}: {', '.join(names)}" for at, names in by_start.items())
    left = len(findings.regressed) - MOST_NAMED
    return f"Regressed {falls}{f'; and {left} more' if left > 0 else ''}."

"""What the dashboards say in sentences, all of it from the findings: who wins, how sure that is, and on whose word."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from comparator.reporting.findings import Doubt, Findings, Verdict
from comparator.reporting.results.decision import NOT_VALID, Advice
from comparator.reporting.results.over_iterations import History
from comparator.reporting.results.result import Difference, Result
from comparator.reporting.results.spending import Usage
from comparator.reporting.scope import KIND_NAMES, PEOPLE, VERDICT_NAMES, VerdictKind
from comparator.reporting.why.slices import SlicePart
from comparator.stats.figures import ENOUGH, EVEN, DecisionOutcome, Estimate, Interval, TooFew
from comparator.ui.frame import safe
from comparator.ui.frame.estimates import percent
from comparator.ui.frame.words import counted

OUTCOMES = {
    DecisionOutcome.ADOPT: "adopt",
    DecisionOutcome.KEEP: "keep",
    DecisionOutcome.CANNOT_TELL: "cannot tell yet",
}
NOT_COMPARED = "None of these pairs has both a model's judgment and a final review yet."
OVERRULED = "the pairs where people overruled the judge"
OF_LIKE_LENGTH = "Compare outputs of like length, or ask people whether the longer ones are better for it."
LONGEST = 19
"""Words of the first sentence."""
NAME = 28
"""Characters of a name in it."""


def badge(found: Findings) -> str:
    """The verdict in two or three words."""
    one, two = found.names
    return {
        Verdict.ADOPT: f"Adopt {one}",
        Verdict.KEEP: f"Keep {two}",
        Verdict.CANNOT_TELL: "Cannot tell yet",
        Verdict.ONE_BETTER: f"{one} is better",
        Verdict.TWO_BETTER: f"{two} is better",
        Verdict.UNCLEAR: "Not proven",
        Verdict.FEW_TASKS: "Too few tasks",
        Verdict.OPPOSED: "Judge and people differ",
        Verdict.LENGTH: f"{one if (found.result.share or 0.0) > EVEN else two}: better or only longer?",
        Verdict.NOTHING: "No verdicts yet",
    }[found.verdict]


def finding(found: Findings) -> str:
    """The answer as one sentence of fewer than 20 words: who wins, since when, and where it is otherwise."""
    told, (one, two) = found.result, (safe.cut(name, NAME) for name in found.names)
    share = told.share or 0.0
    pairs = counted(told.n, "pair")
    if by_people := by_people_alone(found):
        rate = f"{by_people.share} ({by_people.interval})"
        winner = safe.cut(by_people.winner, NAME)
        return f"{winner} wins by people: {rate} of {pairs}; the judge gives it {by_people.judge}."
    wins = f"{one} wins {percent(share)} of {pairs}"
    threshold = percent(found.advice.decision.threshold)
    match found.verdict:
        case Verdict.NOTHING:
            left = sum(each.n for each in told.by_kind)
            return (
                f"None of {counted(left, 'pair')} of {one} and {two} is counted with these filters."
                if left
                else f"No pair of {one} and {two} is counted yet."
            )
        case Verdict.FEW_TASKS | Verdict.CANNOT_TELL if isinstance(told.win_rate, TooFew):
            return (
                f"{one} won {told.won:,}, tied {told.tied:,} and lost {told.lost:,} of {pairs} against {two}."
            )
        case Verdict.ADOPT:
            sentence = f"{wins}, clearly above the plan's {threshold}"
        case Verdict.KEEP:
            sentence = f"{wins}, clearly below the plan's {threshold}"
        case Verdict.CANNOT_TELL if told.tasks >= ENOUGH:
            sentence = f"{wins}; whether that exceeds the plan's {threshold} is open"
        case Verdict.ONE_BETTER:
            sentence = f"{wins} against {two}"
        case Verdict.TWO_BETTER:
            sentence = f"{one} wins only {percent(share)} of {pairs} against {two}"
        case Verdict.LENGTH:
            sentence = wins
        case Verdict.UNCLEAR:
            sentence = f"Undecided: {wins}"
        case _:
            sentence = f"{wins}, but in only {counted(told.tasks, 'task')}"
    clauses = []
    if found.confounded and (length := found.length):
        if isinstance(length.alike_rate, Estimate):
            clauses.append(f"{percent(length.alike_rate.value)} at equal length")
        elif length.wins:
            clauses.append(f"but the longer output wins {percent(length.more.share or 0.0)}")
        else:
            clauses.append("but length and candidate cannot be told apart")
    if found.now is not None and found.history is not None and found.asked.also:
        now = found.now.share or 0.0
        start = step(found.history, found.now.at)
        clauses.append(f"{percent(now)} since {start}")
    if found.other_way:
        first, *more = found.other_way
        kinds = f"{len(found.other_way)} kinds of task" if more else first.name
        if all(each.clear for each in found.other_way):
            clauses.append(f"but {'wins' if share < EVEN else 'loses'} {kinds}")
        else:
            ends = "" if more else f" ({interval(first.rate)})"
            clauses.append(f"but perhaps not on {kinds}{ends}")
    if found.regressed:
        clauses.append(f"and {counted(len(found.regressed), 'task')} regressed")
    for clause in clauses:
        if len(f"{sentence}, {clause}".split()) <= LONGEST:
            sentence = f"{sentence}, {clause}"
    return f"{sentence}."


class ByPeople(NamedTuple):
    """Who wins by people alone against the judge, with the share and interval in words, and the judge's share."""

    winner: str
    loser: str
    share: str
    interval: str
    judge: str


def by_people_alone(found: Findings) -> ByPeople | None:
    """None where people and the judge do not name different winners."""
    told, (one, two) = found.result, found.names
    if (both := found.opposed) is None:
        return None
    share, rate, judge = told.share or 0.0, told.win_rate, both.judge
    if share < EVEN:
        one, two, share, judge = two, one, 1 - share, 1 - judge
        if isinstance(rate, Estimate):
            ends = Interval(low=1 - rate.interval.high, high=1 - rate.interval.low)
            rate = rate.model_copy(update={"interval": ends})
    return ByPeople(one, two, percent(share), interval(rate), percent(judge))


def interval(rate: Estimate | TooFew) -> str:
    """The interval of a win rate, such as "45% to 64%", or why there is none."""
    if isinstance(rate, TooFew):
        return "too few for a rate"
    return f"{percent(rate.interval.low)} to {percent(rate.interval.high)}"


def rests_on(found: Findings) -> str:
    """Whose verdicts are counted, what is left out, and what a reader must know before believing it."""
    words = [counted_verdicts(found)]
    if found.history is not None and not found.latest and found.history.chosen is not None:
        words.insert(0, f"Only {step(found.history, found.history.chosen)}, not the latest.")
    if void := void_in_words(found):
        words.append(f"Left out here and in every chart: {void}.")
    if found.opposed:
        words.append("The judge names another winner, so every figure and chart here counts people alone.")
    if warning := caution(found):
        words.append(warning)
    return " ".join(words)


def void_in_words(found: Findings) -> str:
    """How many pairs are left out for an output that is not valid; empty if there are none."""
    void = sum(each.pairs for each in found.excluded if each.reason == NOT_VALID)
    if not void:
        return ""
    return f"{counted(void, 'pair')} with an unusable, cut-off or superseded output"


def plan(found: Findings) -> str:
    """What the plan says, and by which pairs; where none was fixed, that."""
    told = found.plan
    if told is None:
        return (
            f"{_recommended(found)} No plan was fixed before the reveal: the verdict says if the win rate differs "
            "from 50% beyond chance."
        )
    threshold = percent(told.decision.threshold)
    by = (
        ""
        if found.latest or found.history is None
        else f", by {step(found.history, len(found.history.iterations) - 1)} alone"
    )
    plan = f"Plan: adopt if above {threshold}, by {VERDICT_NAMES[told.verdicts]}"
    if found.opposed or told.opposed:
        return f"{plan}: not decided, as the judge and people name different winners."
    aside = ", whatever their length" if found.confounded else ""
    return f"{plan}: {OUTCOMES[told.decision.outcome]}{by}{_more(told)}{aside}."


def _recommended(found: Findings) -> str:
    """What to decide where no plan does."""
    doubts = {
        Verdict.OPPOSED: "people and judge differ",
        Verdict.LENGTH: "the lead may be length alone",
        Verdict.FEW_TASKS: "too few tasks",
    }
    if found.verdict is Verdict.ONE_BETTER:
        return f"Adopt {found.names.one} once the next steps are done."
    if found.verdict is Verdict.TWO_BETTER:
        return f"Keep {found.names.two}."
    return f"Do not adopt {found.names.one} yet: {doubts.get(found.verdict, 'no difference is proven')}."


def _more(found: Advice) -> str:
    if found.decision.outcome is not DecisionOutcome.CANNOT_TELL:
        return ""
    if found.result.tasks < ENOUGH:
        return f" (it needs pairs in {ENOUGH} tasks; {there_are(found.result.tasks)})"
    if found.decision.more is None:
        return " (the rate lies so near the threshold that very many more pairs would be needed)"
    return f" (about {counted(found.decision.more, 'more pair')} would settle it if the rate stays)"


def there_are(number: int) -> str:
    """How many there are, after what is needed.

    >>> there_are(1), there_are(0)
    ('there is 1', 'there are none')
    """
    return f"there {'is' if number == 1 else 'are'} {number or 'none'}"


def warning(doubt: Doubt, found: Findings) -> tuple[str, str]:
    """A doubt as a figure and what it is of; one after the other they make a sentence."""
    one, two = found.names
    match doubt:
        case Doubt.AGAINST_PEOPLE if found.agreement:
            seen = found.agreement
            return percent(seen.same / seen.n), f"of {counted(seen.n, 'review')} agree with the judge"
        case Doubt.AGAINST_GRADERS:
            graded = found.graders[0]
            here, there = graded.rate_one, graded.rate_two
            ahead = "neither" if here == there else one if here > there else two
            return percent(graded.same / graded.pairs), (
                f"of {counted(graded.pairs, 'verdict')} ({VERDICT_NAMES[found.asked.verdicts]}) agree with "
                f"{graded.author}, which favours {ahead}"
            )
        case Doubt.LENGTH:
            return _length(found)
        case Doubt.COSTLY if found.costly:
            what, times = found.costly
            return f"{times:.1f}×", f"as many {what} per run of {one} as of {two}"
    return "None", f"of {counted(found.result.n, 'pair')} reviewed: all rests on the judge"


def _length(found: Findings) -> tuple[str, str]:
    """How often the longer output wins, and what is left of the lead at equal length."""
    length, (one, two) = found.length, found.names
    if length is None:
        return "", ""
    won = f"of {counted(length.more.n, 'pair')} won by the longer output"
    if isinstance(rate := length.alike_rate, Estimate):
        alike = f"; at equal length {one} wins {percent(rate.value)} ({interval(rate)}) of {rate.n:,}"
    else:
        ahead, behind = length.one_more.n, length.two_more.n
        whose, share = (two if behind > ahead else one), percent(max(ahead, behind) / length.more.n)
        alike = f", {whose}'s in {share}; too few of equal length to tell ({length.alike.n})"
    return percent(length.more.share or 0.0), f"{won}{alike}"


def instead(found: Result) -> str:
    """Which filter counts the pairs that are there."""
    kinds = {each.kind for each in found.by_kind}
    if kinds & set(PEOPLE):
        reviewed = sum(each.n for each in found.by_kind if each.kind in PEOPLE)
        return (
            f"{counted(reviewed, 'pair')} reviewed, but this filter counts none of them. “All reviews” counts "
            "every review."
        )
    if kinds & {VerdictKind.JUDGE, VerdictKind.JUDGE_REVEALING}:
        return "Nobody has reviewed them. “Judge only” under Verdicts counts the judge's verdicts."
    return "None has a verdict with these filters. Where reviewers disagree, a lead settles the pair on the page Panel."


def counted_verdicts(found: Findings) -> str:
    """Whose verdicts are counted and how many are not, and how many reviews left everything as the judge had it."""
    by_kind, kinds, advice = found.result.by_kind, found.asked.kinds, found.advice
    names = dict(KIND_NAMES)
    if found.agreement and not found.independent:
        names[VerdictKind.BLIND] += ", after seeing the judge's scores"
    taken = [f"{each.n:,} {names[each.kind]}" for each in by_kind if each.kind in kinds]
    left = [f"{each.n:,} {names[each.kind]}" for each in by_kind if each.kind not in kinds]
    words = f"Counted: {', '.join(taken)}." if taken else "Counted: none."
    if left:
        words += f" Not counted: {', '.join(left)}."
    if advice.untouched and any(each.kind in kinds and each.kind in PEOPLE for each in by_kind):
        words += (
            f" In the whole project {advice.untouched:,} of {counted(advice.reviews, 'final review')} neither changed "
            "nor confirmed a value; such a review repeats the judge's verdict."
        )
    return words


def caution(found: Findings) -> str:
    """What a reader must know before believing it; empty where there is nothing."""
    taken = {each.kind for each in found.result.by_kind if each.kind in found.asked.kinds}
    if taken and taken <= {VerdictKind.JUDGE, VerdictKind.JUDGE_REVEALING}:
        return "Nobody has reviewed these pairs. They rest on the judge alone."
    if VerdictKind.KNEW in taken:
        return (
            "Some reviews are not blind: they came after the reveal, or the reviewer knew which output was whose. "
            "“Blind reviews” leaves them out."
        )
    if VerdictKind.SIDES_HIDDEN in taken:
        return (
            "Some reviews are by people who set the pairs up and may know the candidates; the sides were hidden. "
            "“Blind reviews” leaves them out."
        )
    if VerdictKind.REVEALING in taken:
        return "In some pairs a passage reveals the run. “Blind reviews” leaves them out."
    return ""


def other_way(part: SlicePart) -> str:
    """How a kind of task stands against the rest: reversed only where its own interval says so."""
    if part.clear:
        return "Reversed on"
    return "Weaker on" if part.difference < 0 else "Stronger on"


def scores_against_winners(found: Findings) -> str:
    """Why the mean score favours the one that wins fewer pairs, or is clearer than the winners; else empty."""
    lead, share = found.result.overall.mean or 0.0, found.result.share or EVEN
    if lead * (share - EVEN) >= 0:
        points, rate = found.result.overall.estimate, found.result.win_rate
        open_rate = isinstance(rate, Estimate) and EVEN in rate.interval
        if open_rate and isinstance(points, Estimate) and 0 not in points.interval:
            return "Scores and winners are different measures: a mean weighs how large leads are, a win rate does not."
        return ""
    why = (
        "people named other winners and left the judge's scores as they were"
        if found.opposed
        else "a few large leads outweigh many narrow ones, or a winner was named against the scores"
    )
    ahead = found.names.one if lead > 0 else found.names.two
    return f"{ahead} scores higher but wins fewer pairs: {why}."


def difference(found: Difference) -> str:
    """A mean difference with its interval."""
    told, ends = mean_and_interval(found)
    if found.mean is None:
        return ends
    return f"{told}, {ends}" if isinstance(found.estimate, TooFew) else f"{told} ({ends})"


def mean_and_interval(found: Difference) -> tuple[str, str]:
    """Both in words; to the hundredth where a tenth would show nothing."""
    if found.mean is None:
        return "–", "no scores"
    if isinstance(found.estimate, TooFew):
        return f"{found.mean:+z.1f}", "too few for an interval"
    ends = found.estimate.interval
    places = 2 if abs(found.mean) < 0.2 or ends.high - ends.low < 0.5 else 1
    mean, low, high = (round(value, places) + 0.0 for value in (found.mean, ends.low, ends.high))
    return f"{mean:+.{places}f}", f"{low:+.{places}f} to {high:+.{places}f}"


def exceptions(found: Findings) -> Iterator[str]:
    """Where it is otherwise: kinds of task the other way, tasks that regressed or are noisy, and doubts."""
    for part in found.other_way:
        yield f"{other_way(part)} {part.name}: {found.names.one} wins {of_part(part)}."
    if against := scores_against_winners(found):
        yield against
    yield from restless_tasks(found)
    for each in warnings(found):
        yield f"{each}."


def warnings(found: Findings) -> Iterator[str]:
    """The doubts, the gravest first, each with its subject."""
    for each in found.warnings:
        yield " ".join((f"{each.value.capitalize()}:", *warning(each, found)))


def of_part(part: SlicePart) -> str:
    """The share of a kind of task with its interval, pairs and tasks."""
    rate = f" ({interval(part.rate)})" if isinstance(part.rate, Estimate) else ""
    return f"{percent(part.share or 0.0)}{rate} of {counted(part.n, 'pair')}, {counted(part.tasks, 'task')}"


def restless_tasks(found: Findings) -> Iterator[str]:
    """The tasks that regressed, and those whose winner changes back and forth."""
    if found.regressed:
        yield f"Regressed {regressed(found)}."
    if noisy := _noisy(found):
        yield f"Noisy: {noisy}."


def runs_took(found: Usage) -> str:
    """How many times the tokens and seconds of two a run of one takes; empty where no run says so."""
    parts = [
        f"{times:.1f} times the {what}" for what in ("tokens", "seconds") if (times := found.times(what))
    ]
    if not (parts and found.one and found.two):
        return ""
    return f"A run of {found.one.name} takes {' and '.join(parts)} of {found.two.name}"


def next_steps(found: Findings) -> tuple[str, ...]:
    """What to do next, the most urgent first."""
    one, two = found.names
    if found.verdict is Verdict.NOTHING:
        return ("Have the pairs judged or reviewed.",)
    steps = []
    if found.opposed:
        steps.append(f"Read {OVERRULED}, and decide whose verdict counts.")
    if found.verdict is Verdict.LENGTH:
        steps.append(OF_LIKE_LENGTH)
    won = found.verdict in (Verdict.ADOPT, Verdict.ONE_BETTER)
    if found.regressed:
        steps.append(f"Look at what regressed before anything else: {regressed(found)}.")
    if won and not found.reviewed:
        steps.append("Have people review a sample of the pairs, since all of it rests on the judge.")
    if found.verdict is Verdict.FEW_TASKS:
        steps.append(f"Compare more tasks: a verdict needs {ENOUGH}, and {there_are(found.result.tasks)}.")
    if found.other_way:
        first = found.other_way[0]
        steps.append(
            f"Find out why the result is reversed on {first.name}: {one} wins {of_part(first)}."
            if first.clear
            else f"Compare more pairs of {first.name}, where {one} wins {of_part(first)}: it may be reversed."
        )
    if found.confounded and found.verdict is not Verdict.LENGTH:
        steps.append(OF_LIKE_LENGTH)
    if found.verdict in (Verdict.CANNOT_TELL, Verdict.UNCLEAR):
        more = found.advice.decision.more
        steps.append(
            f"Compare {counted(more, 'more pair')}, or accept that the two are close."
            if more
            else "The two are so close that more pairs would hardly tell them apart."
        )
    if noisy := _noisy(found):
        steps.append(f"Run noisy tasks more than once: {noisy}.")
    if found.reviewed and found.agreement and not found.independent:
        steps.append("Have some pairs reviewed before the judge's scores are shown, to test the judge.")
    if won and found.costly:
        what, times = found.costly
        cost = f"{times:.1f} times the {what}"
        steps.append(
            f"Then decide whether {one} is worth {cost}." if steps else f"Adopt {one} if {cost} are worth it."
        )
    elif won and not steps:
        steps.append(f"Adopt {one}.")
    if found.verdict in (Verdict.KEEP, Verdict.TWO_BETTER):
        steps.append(f"Keep {two}.")
    if (missed := found.missed) is not None:
        steps.append(
            f"Have {one} meet “{safe.cut(missed.text, 60)}”: it does in {percent(missed.met_one / missed.assessed)}, "
            f"{two} in {percent(missed.met_two / missed.assessed)}."
        )
    return tuple(steps)


def step(history: History, at: int) -> str:
    """The iteration at this place, such as "iteration 27"; a name with letters stands for itself."""
    name = history.iterations[at].name
    return name if any(letter.isalpha() for letter in name) else f"iteration {name}"


def _noisy(found: Findings, most: int = 4) -> str:
    """The tasks that are only noisy, by name where they are few, else with the one whose winner changes most."""
    history = found.history
    noisy = history.noisy if history else ()
    if history is None or len(noisy) <= most:
        return ", ".join(f"{each.name} ({counted(each.flips, 'change')} of winner)" for each in noisy)
    worst = noisy[0]
    return (
        f"“{worst.name}” most of all ({counted(worst.flips, 'change')} of winner in "
        f"{counted(sum(worst.record), 'iteration')}), and {len(noisy) - 1} more of {len(history.tasks)} tasks"
    )


def regressed(found: Findings) -> str:
    """The tasks that regressed, and since when."""
    history = found.history
    if history is None:
        return ""
    by_start: dict[int, list[str]] = {}
    for each in found.regressed:
        if each.turned:
            by_start.setdefault(each.turned.at, []).append(each.name)
    return "; ".join(f"since {step(history, at)}: {', '.join(names)}" for at, names in by_start.items())

"""The answer in sentences, all of it from the findings: who wins, how sure that is, and on whose word."""

from collections.abc import Iterator

from comparator.reporting.findings import Findings, Verdict
from comparator.reporting.results.candidates import Names
from comparator.reporting.results.decision import Excluded
from comparator.reporting.results.over_iterations import History
from comparator.reporting.results.result import Difference, Result
from comparator.reporting.scope import KIND_NAMES, PEOPLE, VerdictKind
from comparator.reporting.why.slices import SlicePart
from comparator.stats.intervals import EVEN, Estimate, Evidence, TooFew, evidence
from comparator.ui.frame import safe
from comparator.ui.frame.estimates import CLAIMS, HOW_SURE, percent
from comparator.ui.frame.words import counted

NOT_COMPARED = "None of these pairs has both a model's judgment and a final review yet."
UNTESTED = "nothing tests the judge yet"
OVERRULED = "the pairs where people overruled the judge"
LONGEST = 19
"""Words of the first sentence."""
NAME = 28
"""Characters of a name in it."""
NOTABLE = 0.03
"""A change of the win rate that the first sentence names."""
SLIGHT = 0.5
"""A mean lead below this, of 10 points, that may be chance needs no explanation."""


def finding(findings: Findings) -> str:
    """The answer in fewer than 20 words with one hedge: who wins how many pairs, how many since that changed, and the
    gravest objection.

    The rate is the first candidate's, as in every chart; where the other one leads, that is said first.
    """
    result, (one, two) = findings.result, (safe.cut(name, NAME) for name in findings.names)
    pairs, share = counted(result.n, "pair"), percent(result.share or 0.0)
    behind = (result.share or 0.0) < EVEN
    if (opposed := findings.opposed) is not None:
        judge = percent(opposed.judge)
        if behind:
            return f"People prefer {two}: {one} wins only {share} of {pairs}, but {judge} by the judge."
        return f"People prefer {one} in {share} of {pairs}, the judge only in {judge}."
    if findings.verdict is Verdict.NOTHING:
        left = sum(result.by_kind.values())
        return (
            f"None of {counted(left, 'pair')} of {one} and {two} is counted with these filters."
            if left
            else f"No pair of {one} and {two} is counted yet."
        )
    if isinstance(result.rate, TooFew):
        rest = "; the rest are ties" if result.tied else ""
        return f"{one} won {counted(result.won, 'pair')} and lost {result.lost:,} against {two}{rest}."
    recently = _recently(findings)
    if findings.verdict is Verdict.FEW_TASKS:
        rests_on = f"its pairs against {two}, from {counted(result.tasks, 'task')}"
        if evidence(result.rate) is Evidence.OPEN:
            return f"{one} wins {share} of {rests_on}, which may be chance{recently}."
        return f"{f'{two} is probably ahead: ' if behind else ''}{one} wins {share} of {rests_on}{recently}."
    wins = f"{one} wins {share} of {pairs}{recently}"
    if behind and findings.verdict in (
        Verdict.TWO_BETTER,
        Verdict.TWO_LEADS,
        Verdict.DOUBTED,
        Verdict.LENGTH,
    ):
        ahead = "is better" if findings.verdict is Verdict.TWO_BETTER else "leads"
        wins = f"{two} {ahead}: {one} wins only {share} of {pairs}{recently}"
    planned = {
        Verdict.ADOPT: ", clearly more than the plan asks for",
        Verdict.KEEP: ", clearly less than the plan asks for",
        Verdict.ONE_BETTER: f" against {two}",
    }
    unsure = {
        Verdict.CANNOT_TELL: ", too close to the plan's threshold to tell",
        Verdict.UNCLEAR: ", which may be chance",
    }
    sentence = wins + planned.get(findings.verdict, "")
    hedged = sentence + unsure.get(findings.verdict, "")
    for clause in _objections(findings):
        # The badge says that it is not proven: a second hedge would hide the objection.
        whole = (
            f"{sentence if any(claim and claim in clause for claim in CLAIMS.values()) else hedged}, {clause}"
        )
        if len(whole.split()) <= LONGEST:
            return f"{whole}."
    return f"{hedged}."


def _recently(findings: Findings) -> str:
    """The win rate since it last changed beyond chance, unless that is nearly the same."""
    now, history = findings.now, findings.history
    share = (now.share if now else None) or 0.0
    if now is None or history is None or abs(share - (findings.result.share or 0.0)) < NOTABLE:
        return ""
    return f" ({percent(share)} since {step(history, now.at)})"


def _objections(findings: Findings) -> Iterator[str]:
    """What speaks against the answer, the gravest and longest first: graders, length, and where it is otherwise."""
    ahead = (findings.result.share or 0.0) > EVEN
    if findings.verdict is Verdict.DOUBTED:
        graded = findings.graders[0]
        yield f"but graders agree in only {percent(graded.same / graded.n)}"
    places: dict[Evidence, list[str]] = {level: [] for level in Evidence}
    if findings.confounded and (length := findings.length):
        if (rate := length.without) is None:
            whose = "its" if ahead else f"{safe.cut(findings.names.two, NAME)}'s"
            always = max(length.one_more.n, length.two_more.n) == length.pairs
            yield f"but {whose} outputs are {'always' if always else 'mostly'} longer"
        else:
            equal = isinstance(length.alike.rate, Estimate)
            places[evidence(rate)].append("at equal length" if equal else "with length balanced")
    for part in findings.other_way:
        places[part.evidence].append(f"on {part.name}")
    for how_sure, where in places.items():
        for some in filter(None, (where[:2], where[:1])):
            yield f"but {CLAIMS[how_sure]}{wins_or_loses(findings)} {' and '.join(some)}"
    if findings.verdict in (Verdict.ONE_LEADS, Verdict.TWO_LEADS):
        yield f"but {UNTESTED}"


def wins_or_loses(findings: Findings) -> str:
    """What the first candidate does where the result is the other way round."""
    return "wins" if (findings.result.share or 0.0) < EVEN else "loses"


def how_sure(findings: Findings) -> str:
    """How far the win rate is told apart from 50%, with its interval, pairs and tasks."""
    result = findings.result
    pairs = f"{counted(result.n, 'pair')} in {counted(result.tasks, 'task')}"
    if isinstance(result.rate, TooFew):
        return f"Cannot tell: {pairs} are too few for a rate."
    return f"{HOW_SURE[evidence(result.rate)].format(interval(result.rate))} ({pairs})."


def interval(rate: Estimate | TooFew) -> str:
    """The interval of a win rate, such as "45% to 64%", or why there is none."""
    if isinstance(rate, TooFew):
        return "too few for a rate"
    return f"{percent(rate.interval.low)} to {percent(rate.interval.high)}"


def rests_on(findings: Findings) -> str:
    """Whose verdicts are counted, what is left out, and what a reader must know before believing it."""
    words = [counted_verdicts(findings)]
    if findings.history is not None and not findings.latest and findings.history.chosen is not None:
        words.insert(0, f"Only {step(findings.history, findings.history.chosen)}, not the latest.")
    if findings.opposed:
        words.append(
            "The judge names another winner, so each winner here counts people alone; "
            "scores that nobody changed are the judge's."
        )
    if not findings.excluded:
        words.append("No pair is left out.")
    if warning := caution(findings):
        words.append(warning)
    return " ".join(words)


def void_in_words(findings: Findings) -> str:
    """How many pairs are left out for an output that is not valid, by cause; empty if there are none."""
    causes = ", ".join(
        f"{counted(exclusion.pairs, 'pair')} whose output is {exclusion.not_valid}, "
        f"{_of_whom(exclusion, findings.names)}{_when(exclusion)}"
        for exclusion in findings.excluded
        if exclusion.not_valid
    )
    return f"Left out: {causes}" if causes else ""


def _when(left_out: Excluded) -> str:
    """In which iterations, where candidates have any."""
    known = left_out.iterations
    return f" (iteration{'s' if len(known) > 1 else ''} {', '.join(known)})" if known else ""


def _of_whom(left_out: Excluded, names: Names) -> str:
    """Which candidates the outputs come from that are not valid."""
    by = {name: number for name, number in zip(names, left_out.by, strict=True) if number}
    if len(by) == 1:
        return f"{'all ' if left_out.pairs > 1 else ''}from {next(iter(by))}"
    return " and ".join(f"{number:,} from {name}" for name, number in by.items())


def instead(result: Result) -> str:
    """Which filter counts the pairs that are there."""
    kinds = result.by_kind.keys()
    if kinds & set(PEOPLE):
        reviewed = sum(result.by_kind.get(kind, 0) for kind in PEOPLE)
        return (
            f"{counted(reviewed, 'pair')} reviewed, but this filter counts none of them. “All reviews” counts "
            "every review."
        )
    if kinds & {VerdictKind.JUDGE, VerdictKind.JUDGE_REVEALING}:
        return "Nobody has reviewed them. “Judge only” under Verdicts counts the judge's verdicts."
    return "None has a verdict with these filters. Where reviewers disagree, a lead settles the pair on the page Panel."


def counted_verdicts(findings: Findings) -> str:
    """Whose verdicts are counted, in numbers that add up to all pairs, and how many are not."""
    accepted, names = findings.unchanged, dict(KIND_NAMES)
    if findings.agreement and not findings.independent:
        names[VerdictKind.BLIND] = "decided by reviewers who had seen the judge's scores"
    counts, left = (
        {
            kind: n
            for kind, n in findings.result.by_kind.items()
            if (kind in findings.filter.kinds) is is_counted
        }
        for is_counted in (True, False)
    )
    people, rest = [kind for kind in counts if kind in PEOPLE], ""
    if len(people) == 1:
        counts[people[0]] -= accepted
    elif accepted:
        rest = f" Of the {findings.reviewed:,} reviewed, {accepted:,} were accepted as judged."
    included, others = ([f"{n:,} {names[kind]}" for kind, n in some.items() if n] for some in (counts, left))
    if accepted and len(people) == 1:
        included.insert(bool(findings.own), f"{accepted:,} accepted as judged")
    not_counted = f" Not counted: {', '.join(others)}." if others else ""
    return f"Counted: {', '.join(included) or 'none'}.{not_counted}{rest}"


def caution(findings: Findings) -> str:
    """What a reader must know before believing it; empty where there is nothing."""
    verdict_kinds = findings.result.by_kind.keys() & set(findings.filter.kinds)
    if verdict_kinds and verdict_kinds <= {VerdictKind.JUDGE, VerdictKind.JUDGE_REVEALING}:
        return "Nobody has reviewed these pairs. They rest on the judge alone."
    if VerdictKind.KNEW in verdict_kinds:
        return (
            "Some reviews are not blind: they came after the reveal, or the reviewer knew which output was whose. "
            "“Reviews with names hidden” leaves them out."
        )
    if VerdictKind.SIDES_HIDDEN in verdict_kinds:
        return (
            "Some reviews are by people who set the pairs up and may know the candidates; the sides were hidden. "
            "“Reviews with names hidden” leaves them out."
        )
    if VerdictKind.REVEALING in verdict_kinds:
        return "In some pairs a passage reveals the run. “Reviews with names hidden” leaves them out."
    return ""


def other_way(part: SlicePart) -> str:
    """How a kind of task goes against the rest, as sure as its own interval is."""
    return f"{CLAIMS[part.evidence]}{'loses' if part.difference < 0 else 'wins'} on".capitalize()


def scores_against_winners(findings: Findings) -> str:
    """Why the mean score favours the one that wins fewer pairs; empty where it does not."""
    lead, share = findings.result.overall.mean or 0.0, findings.result.share or EVEN
    certain = [
        isinstance(mean, Estimate) and middle not in mean.interval
        for mean, middle in ((findings.result.overall.estimate, 0.0), (findings.result.rate, EVEN))
    ]
    if lead * (share - EVEN) >= 0 or (abs(lead) < SLIGHT and not any(certain)):
        return ""
    why = (
        "people left the judge's scores as they were"
        if findings.opposed
        else "its leads are larger, or winners were set by hand"
    )
    ahead = findings.names.one if lead > 0 else findings.names.two
    return f"{ahead} scores higher but wins fewer pairs, because {why}."


def mean_and_interval(difference: Difference) -> tuple[str, str]:
    """Both in words; to the hundredth where a tenth would show nothing."""
    if difference.mean is None:
        return "–", "no scores"
    if isinstance(difference.estimate, TooFew):
        return f"{difference.mean:+z.1f}", "too few for an interval"
    ends = difference.estimate.interval
    # On which side of 0 something lies is never rounded away.
    nearest = min(abs(value) for value in (difference.mean, ends.low, ends.high))
    places = 2 if abs(difference.mean) < 0.2 or ends.high - ends.low < 0.5 or nearest < 0.05 else 1
    mean, low, high = (round(value, places) + 0.0 for value in (difference.mean, ends.low, ends.high))
    return f"{mean:+.{places}f}", f"{low:+.{places}f} to {high:+.{places}f}"


def levels(findings: Findings) -> str:
    """The win rate of each stretch between changes beyond chance; empty without a change."""
    history = findings.history
    if history is None or findings.now is None:
        return ""
    names = history.steps
    rates = [
        f"{percent(stretch.share or 0.0)} {f'from {names[stretch.at]}' if at else f'up to {names[stretch.end - 1]}'}"
        for at, stretch in enumerate(history.levels)
    ]
    return ", ".join(rates)


def no_exceptions(findings: Findings) -> tuple[str, str]:
    """What is said where no kind of task goes the other way, and of how many that can be said."""
    parts = findings.kinds.parts if findings.kinds else ()
    few = sum(part.p is None for part in parts)
    words = [f"among {counted(len(parts) - few, 'kind')} of task"] if few < len(parts) else []
    if few:
        words.append(f"{counted(few, 'kind')} of task with too few tasks")
    value = "Cannot tell" if parts and few == len(parts) else "None"
    return value, "; ".join(words) or "no kinds of task to compare"


def of_part(part: SlicePart) -> str:
    """The share of a kind of task with its interval, pairs and tasks."""
    rate = f" ({interval(part.rate)})" if isinstance(part.rate, Estimate) else ""
    return f"{percent(part.share or 0.0)}{rate} of {counted(part.n, 'pair')}, {counted(part.tasks, 'task')}"


def latest(findings: Findings) -> str:
    """After a figure of the newest iteration, that it is of that one; nothing where there are no others."""
    history = findings.history
    return f" in {step(history, len(history.iterations) - 1)}" if history else ""


def step(history: History, at: int) -> str:
    """The iteration at this place, such as "iteration 27"; a name with letters stands for itself."""
    name = history.iterations[at].name
    return name if any(letter.isalpha() for letter in name) else f"iteration {name}"

"""What speaks for and against a result in words: whom to trust, and what deserves less trust than it says."""

from collections.abc import Iterator

from comparator.reporting.findings import DOUBTFUL, Doubt, Findings
from comparator.reporting.results.candidates import Names
from comparator.reporting.trust.record import TRUSTED_ABOVE
from comparator.reporting.why.criteria import Graded
from comparator.reporting.why.differ import ENOUGH_TO_WARN
from comparator.stats.intervals import ENOUGH, Estimate
from comparator.ui.dashboards.sentences import interval, latest
from comparator.ui.frame.estimates import percent
from comparator.ui.frame.words import counted


def whom_to_trust(findings: Findings) -> str:
    """Whose verdicts to believe, and the one figure that decides it."""
    seen, graded = findings.agreement, findings.graded
    if findings.opposed and seen:
        return (
            f"Trust people, not the judge: they named another winner in {seen.n - seen.same:,} of "
            f"{counted(seen.n, 'review')}, which chance does not explain."
        )
    # Few reviews do not outweigh graders that differ.
    least = ENOUGH if findings.graders_differ else ENOUGH_TO_WARN
    if (seen := findings.independent) and seen.n >= least:
        right, whom = seen.share, "It is not certain yet that the judge can be trusted"
        if isinstance(right, Estimate) and right.interval.low > TRUSTED_ABOVE:
            whom = "Trust the judge"
        elif isinstance(right, Estimate) and right.interval.high < TRUSTED_ABOVE:
            whom = "Trust people, not the judge"
        return (
            f"{whom}: reviewers who had not seen its scores named its winner in {percent(seen.same / seen.n)} of "
            f"{counted(seen.n, 'review')}."
        )
    if graded and findings.graders_differ:
        return (
            f"These verdicts and {graded.author} often differ: the same winner in "
            f"{percent(graded.same / graded.n)} of {counted(graded.n, 'pair')}; "
            f"guessing gets {percent(graded.by_chance)}."
        )
    if graded:
        whom = "Graders support the verdicts"
        if graded.same < DOUBTFUL * graded.n:
            whom = "Graders hardly tell the two apart"
        elif findings.confounded:
            whom = "Judge and graders may both go by length"
        return (
            f"{whom}: imported graders, which know nothing of the judge, name the same winner in "
            f"{percent(graded.same / graded.n)} of {counted(graded.n, 'pair')}."
        )
    if not findings.untested:
        return "Each verdict is a person's own."
    graders = (
        f"{findings.graders[0].author} agrees with it no more than guessing, so either may be wrong"
        if findings.graders
        else "there are no graders"
    )
    return (
        f"Nothing tests the judge yet: too few reviews were made before its scores were shown, and {graders}."
    )


def what_graders_say(names: Names, graded: Graded) -> str:
    """What it means how often a grader names the verdict's winner, beside whom it favours on average."""
    rates = f"({percent(graded.rate_one)} and {percent(graded.rate_two)} of expectations met)"
    favours = f"favours {(*names, 'neither side')[graded.favours]} {rates}"
    if graded.says_nothing:
        return f"It {favours} and agrees with the verdicts no more than chance would."
    if graded.favours == 2 and graded.same >= DOUBTFUL * graded.n:
        return f"On average it {favours}, since both win often; pair by pair it sides with the winner."
    return f"On average it {favours}."


def warnings(findings: Findings) -> Iterator[str]:
    """The doubts, the gravest first, each with its subject."""
    for doubt in findings.warnings:
        yield " ".join((f"{doubt.value.capitalize()}:", *warning(doubt, findings)))


def warning(doubt: Doubt, findings: Findings) -> tuple[str, str]:
    """A doubt as a figure and what it is of; one after the other they make a sentence."""
    match doubt:
        case Doubt.AGAINST_PEOPLE if findings.agreement:
            seen = findings.agreement
            return percent(seen.same / seen.n), f"of {counted(seen.n, 'review')} agree with the judge"
        case Doubt.AGAINST_GRADERS | Doubt.UNTESTED:
            graded = findings.graders[0]
            same, by_chance = percent(graded.same / graded.n), percent(graded.by_chance)
            if doubt is Doubt.UNTESTED:
                agrees = f"{graded.author} agrees in {same}, guessing in {by_chance}: either may be wrong"
                return "not tested", f"by people who scored first; {agrees}"
            return (
                same,
                f"of {counted(graded.n, 'verdict')} agree with {graded.author}; guessing gets {by_chance}",
            )
        case Doubt.UNUSABLE:
            pairs = f"of {counted(findings.newest_pairs, 'pair')}{latest(findings)}"
            invalid = [left_out.by for left_out in findings.excluded if left_out.not_valid]
            whose = [name for name, *counts in zip(findings.names, *invalid, strict=True) if any(counts)]
            of_one = f" of {whose[0]}" if len(whose) == 1 else ""
            return f"{findings.newest_unusable:,}", f"{pairs} lack a usable output{of_one}"
    return _length(findings)


def _length(findings: Findings) -> tuple[str, str]:
    """How often the longer output wins, and what is left of the lead at equal length."""
    length, (one, two) = findings.length, findings.names
    if length is None:
        return "", ""
    won = f"of {counted(length.more.n, 'pair')} won by the longer output"
    if isinstance(rate := length.alike.rate, Estimate):
        alike = f"; at equal length {one} wins {percent(rate.value)} ({interval(rate)}) of {rate.n:,}"
    else:
        ahead, behind = length.one_more.n, length.two_more.n
        whose, share = (two if behind > ahead else one), percent(max(ahead, behind) / length.more.n)
        few = f"only {length.alike.n:,} are" if length.alike.n else "none is"
        if max(ahead, behind) == length.more.n:
            # Who is longer and who wins cannot be told apart.
            longer = f"of {counted(length.more.n, 'pair')}: {whose}'s output is the longer"
            if not length.by_ratio:
                return "100%", f"{longer}; {few} of equal length"
            least, *_, most = (percent(third.share or 0.0) for third in length.by_ratio)
            return "100%", f"{longer}; {one} wins {least} where the gap is small, {most} where it is large"
        longer = f"; {whose}'s is longer in {share}"
        alike = f"{longer}; {few} of equal length"
        if balanced := length.balanced:
            then = f"{percent(balanced.value)} ({interval(balanced)})"
            alike = f"{longer}; with length balanced, {one} wins {then}"
    return percent(length.more.share or 0.0), f"{won}{alike}"

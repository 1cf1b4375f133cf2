"""What the dashboards say in sentences: who wins, how sure that is, and on whose word."""

from __future__ import annotations

from comparator.reporting.results import Difference, Result
from comparator.reporting.results_scope import Kind
from comparator.reporting.trust import Agreement, How
from comparator.stats.figures import Estimate, TooFew, Undefined
from comparator.stats.paired import SignTest
from comparator.ui.words import counted

KINDS = {
    Kind.BLIND: "reviewed, blind",
    Kind.KNEW: "reviewed by whoever set it up",
    Kind.JUDGE: "judge only",
    Kind.BASELINE: "offline baseline only",
}
HOW = {
    How.BLIND_FIRST: "reviewers who scored first",
    How.JUDGE_FIRST: "reviewers who saw the judge's scores",
    How.KNEW: "reviewers who set the pair up",
}
EVEN = 0.5


def headline(found: Result, *, one: str, two: str) -> str:
    """Who wins, with its uncertainty."""
    if not found.n:
        return "No pair is counted with these filters."
    record = f"won {found.won}, tied {found.tied} and lost {found.lost} of {counted(found.n, 'pair')} against {two}"
    if isinstance(found.win_rate, TooFew):
        return f"{one} {record}: too few to say more."
    ends = found.win_rate.interval
    told = (
        f"{one} wins {percent(found.win_rate.value)} of {counted(found.n, 'pair')} against {two} "
        f"(95% interval {ends.low * 100:.0f} to {ends.high * 100:.0f}, ties counted as half)"
    )
    return f"No clear winner: {told}." if EVEN in ends else f"{told}."


def certainty(found: Result, *, one: str, two: str) -> str:
    """What the figures allow to conclude."""
    if not found.n:
        return ""
    if isinstance(found.win_rate, TooFew):
        return (
            f"A rate with an interval needs pairs in {found.win_rate.needed} tasks; "
            f"there {'is' if found.tasks == 1 else 'are'} {found.tasks}. The counts below are all that can be said."
        )
    record = f"It won {found.won}, tied {found.tied} and lost {found.lost}."
    if EVEN in found.win_rate.interval:
        return f"{record} The interval includes 50%: these pairs cannot tell which of the two is better."
    better = one if found.win_rate.value > EVEN else two
    return f"{record} The whole interval lies on one side of 50%: {better} is better on tasks like these."


def on_whose_word(found: Result, *, kinds: tuple[Kind, ...]) -> str:
    """Whose verdicts are counted and how many are not."""
    taken = [f"{each.n} {KINDS[each.kind]}" for each in found.by_kind if each.kind in kinds]
    left = [f"{each.n} {KINDS[each.kind]}" for each in found.by_kind if each.kind not in kinds]
    told = f"Counted: {', '.join(taken)}." if taken else "Counted: none."
    return f"{told} Not counted: {', '.join(left)}." if left else told


def caution(found: Result, *, kinds: tuple[Kind, ...]) -> str:
    """What a reader must know before believing it; empty where there is nothing."""
    taken = {each.kind for each in found.by_kind if each.kind in kinds}
    if Kind.BASELINE in taken:
        return (
            "The offline baseline is counted. It measures form and coverage; it cannot tell right from wrong."
        )
    if Kind.JUDGE in taken and len(taken) > 1:
        return "Verdicts of people and of the judge are added up here."
    if taken == {Kind.JUDGE}:
        return "Nobody has reviewed these pairs. This is the judge's word alone."
    if Kind.KNEW in taken:
        return (
            "Some reviewers set the pair up themselves and may have known which candidate made which. "
            "“Blind reviews” counts the others alone."
        )
    return ""


def sign(found: SignTest | TooFew) -> str:
    """The sign test in words."""
    if isinstance(found, TooFew):
        return f"Sign test: too few decided tasks ({found.n}; {found.needed} are needed)."
    chance = (
        "less than 0.1%"
        if found.p < 0.001
        else f"{found.p * 100:.2g}%"
        if found.p < 0.1
        else percent(found.p)
    )
    return (
        f"Sign test: {counted(found.won, 'task')} won, {found.lost} lost. If both were equally good, a result at "
        f"least this one-sided would come up in {chance} of such histories."
    )


def difference(found: Difference) -> str:
    """A mean difference with its interval."""
    if found.mean is None:
        return "no scores"
    if isinstance(found.estimate, TooFew):
        return f"{found.mean:+.1f}, too few for an interval"
    ends = found.estimate.interval
    return f"{found.mean:+.1f} ({ends.low:+.1f} to {ends.high:+.1f})"


def consistency(found: Result) -> str:
    """How many verdicts of the judge survived the swap of its order."""
    if not found.read_twice:
        return "No counted pair was read by the judge in both orders."
    return (
        f"The judge named the same winner in both orders on {found.consistent} of "
        f"{counted(found.read_twice, 'pair')}."
    )


def agreement(found: Agreement) -> str:
    """How often the judge's winner was the reviewer's."""
    start = f"{HOW[found.how].capitalize()} named the judge's winner in {found.same} of {counted(found.n, 'review')}"
    return f"{start} ({interval(found.share)})."


def interval(found: Estimate | TooFew | Undefined) -> str:
    """A share with its interval, or why there is none."""
    if isinstance(found, TooFew):
        return "too few for a rate"
    if isinstance(found, Undefined):
        return found.reason
    ends = found.interval
    return f"{percent(found.value)}, 95% interval {ends.low * 100:.0f} to {ends.high * 100:.0f}"


def percent(value: float) -> str:
    """A share as whole percent.

    >>> percent(2 / 3)
    '67%'
    """
    return f"{value * 100:.0f}%"

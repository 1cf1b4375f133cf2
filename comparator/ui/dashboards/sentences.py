"""What the dashboards say in sentences: who wins, how sure that is, and on whose word."""

from __future__ import annotations

from comparator.reporting.figures import EVERY
from comparator.reporting.results.decision import NOT_VALID, Advice
from comparator.reporting.results.noise import Noise
from comparator.reporting.results.result import Difference, Result
from comparator.reporting.scope import HOW_NAMES, KIND_NAMES, PEOPLE, VerdictKind
from comparator.reporting.trust.judge import Agreement
from comparator.reporting.why.criteria import called
from comparator.stats.decision import DecisionOutcome
from comparator.stats.figures import Estimate, TooFew
from comparator.stats.noise import NoiseFloor
from comparator.stats.paired import SignTest
from comparator.ui.dashboards.data import Headline, best_agreement
from comparator.ui.frame.estimates import interval, percent
from comparator.ui.frame.words import counted

OUTCOMES = {
    DecisionOutcome.ADOPT: "adopt",
    DecisionOutcome.KEEP: "keep",
    DecisionOutcome.CANNOT_TELL: "cannot tell yet",
}
NOT_COMPARED = "None of these pairs has both a model's judgment and a final review yet."
EVEN = 0.5


def headline(found: Result, *, one: str, two: str) -> str:
    """Who wins, with its uncertainty."""
    if not found.n:
        left = sum(each.n for each in found.by_kind)
        if not left:
            return f"No pair of {one} and {two} is counted yet."
        return f"None of {counted(left, 'pair')} of {one} and {two} is counted with these filters."
    record = (
        f"won {found.won:,}, tied {found.tied:,} and lost {found.lost:,} of {counted(found.n, 'pair')} "
        f"against {two}"
    )
    if isinstance(found.win_rate, TooFew):
        return f"{one} {record}: too few to say more."
    ends = found.win_rate.interval
    over = (
        counted(found.tasks, "task")
        if found.tasks == found.n
        else f"{counted(found.n, 'pair')} in {counted(found.tasks, 'task')}"
    )
    sentence = (
        f"{one} wins {percent(found.win_rate.value)} of {over} against {two} "
        f"(95% interval {ends.low * 100:.0f} to {ends.high * 100:.0f}, ties counted as half)"
    )
    return f"No clear winner: {sentence}." if EVEN in ends else f"{sentence}."


def top_line(top: Headline) -> str:
    """The answer in words: who wins, how much of it is noise, what the plan says, and how far the judge agrees."""
    found, (one, two) = top.result, top.names
    sentence = headline(found, one=one, two=two)
    if not found.n or isinstance(found.win_rate, TooFew):
        return sentence
    parts = [sentence.removesuffix(".")]
    if isinstance(top.noise.floor, NoiseFloor):
        parts.append(f", {top.noise.within} of them {within_noise(top.noise)}")
    if top.advice.planned and top.latest:
        parts.append(f"; {plan(top.advice)}")
    parts.append(".")
    if best := best_agreement(top.agreement):
        share = percent(best.share.value) if isinstance(best.share, Estimate) else f"{best.same} of {best.n}"
        of = "" if isinstance(best.share, TooFew) else f" (n = {best.n})"
        parts.append(f" Judge and reviewers agree in {share}{of}.")
    return "".join(parts)


def within_noise(found: Noise) -> str:
    """Within which noise: that of the pairs shown, or that of the whole project."""
    whole = " (noise of the whole project)" if found.of_project else ""
    return f"within the noise of two runs of the same candidate{whole}"


def plan(found: Advice) -> str:
    """The plan and what it says."""
    threshold = percent(found.decision.threshold)
    return f"plan: adopt if above {threshold}: {OUTCOMES[found.decision.outcome]}{_more(found)}"


def _more(found: Advice) -> str:
    if found.decision.outcome is not DecisionOutcome.CANNOT_TELL:
        return ""
    if isinstance(found.result.win_rate, TooFew):
        return (
            f" (a rate needs pairs in {found.result.win_rate.needed} tasks; {there_are(found.result.tasks)})"
        )
    if found.decision.more is None:
        return " (the rate lies so near the threshold that very many more pairs would be needed)"
    return f" (about {counted(found.decision.more, 'more pair')} would settle it if the rate stays)"


def advice(found: Advice, *, one: str, two: str) -> str:
    """What to do, in a sentence."""
    threshold = percent(found.decision.threshold)
    whole = f"the whole interval lies above {threshold}"
    match found.decision.outcome:
        case DecisionOutcome.ADOPT:
            return f"Adopt {one}: {whole}."
        case DecisionOutcome.KEEP:
            return f"Keep {two}: the whole interval lies below {threshold}, so {one} is not better by enough."
        case DecisionOutcome.CANNOT_TELL:
            return f"Cannot tell yet whether {one} is better by enough{_more(found)}."


def badge(top: Headline) -> str:
    """The verdict in two or three words; of an earlier iteration, or of all, which it is."""
    if not top.latest and top.history is not None:
        at = top.history.chosen
        return (
            "All iterations" if at is None else f"Iteration {top.history.iterations[at].name}, not the latest"
        )
    match top.advice.decision.outcome:
        case DecisionOutcome.ADOPT:
            return f"Adopt {top.names.one}"
        case DecisionOutcome.KEEP:
            return f"Keep {top.names.two}"
        case DecisionOutcome.CANNOT_TELL:
            return "Cannot tell yet"


def under_headline(top: Headline) -> str:
    """What stands under the headline: whose word it is, what is left out, and the noise."""
    words = [counted_verdicts(top.advice, kinds=top.asked.kinds)]
    if void := void_in_words(top):
        words.append(f"Left out here and in every chart: {void}.")
    if isinstance(top.noise.floor, NoiseFloor) and top.result.n:
        words.append(f"{top.noise.within:,} of {top.result.n:,} {within_noise(top.noise)}.")
    if top.advice.planned and top.latest:
        words.append(f"{plan(top.advice).capitalize()}.")
    if warning := caution(top.result, kinds=top.asked.kinds):
        words.append(warning)
    return " ".join(words)


def void_in_words(top: Headline) -> str:
    """How many pairs are left out as warm-ups or for an output that is not valid; empty if there are none."""
    void = sum(each.pairs for each in top.excluded if each.reason == NOT_VALID)
    if not void:
        return ""
    what = "is a warm-up or has" if void == 1 else "are warm-ups or have"
    return f"{counted(void, 'pair')} that {what} an unusable, cut-off or superseded output"


def what_to_do(top: Headline) -> str:
    """What to do, in a sentence; of an earlier iteration or all of them, that the latest decides."""
    if top.latest or top.history is None:
        return advice(top.advice, one=top.names.one, two=top.names.two)
    shown = "All iterations are" if top.history.chosen is None else "An earlier iteration is"
    return f"{shown} shown; the plan decides by the latest, {top.history.iterations[-1].name}"


def there_are(number: int) -> str:
    """How many there are, after what is needed.

    >>> there_are(1), there_are(0)
    ('there is 1', 'there are none')
    """
    return f"there {'is' if number == 1 else 'are'} {number or 'none'}"


def certainty(found: Result, *, one: str, two: str) -> str:
    """What the figures allow to conclude."""
    if not found.n:
        return _instead(found)
    if isinstance(found.win_rate, TooFew):
        return (
            f"An interval needs pairs in {found.win_rate.needed} tasks; {there_are(found.tasks)}. "
            "Only counts are shown below."
        )
    record = f"It won {found.won}, tied {found.tied} and lost {found.lost}."
    if EVEN in found.win_rate.interval:
        return f"{record} The interval includes 50%: these pairs cannot tell which of the two is better."
    better = one if found.win_rate.value > EVEN else two
    return f"{record} The whole interval lies on one side of 50%: {better} is better on tasks like these."


def _instead(found: Result) -> str:
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
    return (
        "None has a verdict with these filters. Where reviewers disagree, a lead settles the pair on the page Panel; "
        "“All runs” counts warm-ups too."
    )


def counted_verdicts(found: Advice, *, kinds: tuple[VerdictKind, ...]) -> str:
    """Whose verdicts are counted and how many are not, and how many reviews left everything as the judge had it."""
    by_kind = found.result.by_kind
    taken = [f"{each.n:,} {KIND_NAMES[each.kind]}" for each in by_kind if each.kind in kinds]
    left = [f"{each.n:,} {KIND_NAMES[each.kind]}" for each in by_kind if each.kind not in kinds]
    words = f"Counted: {', '.join(taken)}." if taken else "Counted: none."
    if left:
        words += f" Not counted: {', '.join(left)}."
    if found.untouched and any(each.kind in kinds and each.kind in PEOPLE for each in by_kind):
        words += (
            f" In the whole project {found.untouched:,} of {counted(found.reviews, 'final review')} neither changed "
            "nor confirmed a value; such a review repeats the judge's verdict."
        )
    return words


def caution(found: Result, *, kinds: tuple[VerdictKind, ...]) -> str:
    """What a reader must know before believing it; empty where there is nothing."""
    taken = {each.kind for each in found.by_kind if each.kind in kinds}
    judged = taken & {VerdictKind.JUDGE, VerdictKind.JUDGE_REVEALING}
    if judged and taken != judged:
        return "Verdicts of people and of the judge are combined here."
    if judged:
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
        f"least this one-sided would occur in {chance} of cases."
    )


def difference(found: Difference) -> str:
    """A mean difference with its interval; to the hundredth where a tenth would show nothing."""
    if found.mean is None:
        return "no scores"
    if isinstance(found.estimate, TooFew):
        return f"{found.mean:+z.1f}, too few for an interval"
    ends = found.estimate.interval
    places = 2 if abs(found.mean) < 0.2 or ends.high - ends.low < 0.5 else 1
    mean, low, high = (round(value, places) + 0.0 for value in (found.mean, ends.low, ends.high))
    return f"{mean:+.{places}f} ({low:+.{places}f} to {high:+.{places}f})"


def consistency(found: Result) -> str:
    """How many verdicts of the judge survived the swap of its order."""
    if not found.read_twice:
        return "No model has read a counted pair in both orders."
    return (
        f"The judge named the same winner in both orders on {found.consistent:,} of "
        f"{counted(found.read_twice, 'pair')}."
    )


def flips(noise: Noise, found: Result) -> str:
    """On how many counted pairs the judge's two orders disagreed."""
    if not found.read_twice:
        return consistency(found)
    return f"The judge's two orders disagreed on {noise.flipped:,} of {counted(found.read_twice, 'pair')}."


def agreement(found: Agreement) -> str:
    """How often the judge's winner was the reviewer's."""
    who = HOW_NAMES[found.how].capitalize()
    reviews = counted(found.n, "review")
    return f"{who} named the judge's winner in {found.same:,} of {reviews} ({interval(found.share)})."


def criterion(path: str, name: str | None = None) -> str:
    """A criterion's name, as its rubric has it or by its key.

    >>> criterion("content.field_alignment")
    'Field alignment (content)'
    """
    if path == EVERY:
        return "All criteria"
    return called(path, name)

"""Why one candidate wins: by criterion, by expectation, and by the reasons that reviewers gave."""

from collections.abc import Iterator, Sequence

from comparator.reporting.findings import Findings
from comparator.reporting.why.criteria import (
    CriterionDifference,
    Expectation,
    ExpectationMet,
    Graded,
    Reasons,
    by_criterion,
    by_expectation,
    by_grader_and_expectation,
    by_reason,
)
from comparator.reporting.why.pairs import PairOutcome
from comparator.stats.intervals import Estimate
from comparator.ui.dashboards import sentences
from comparator.ui.dashboards.pairs_behind import pairs_link
from comparator.ui.dashboards.why.themes import theme_charts
from comparator.ui.frame import safe, session
from comparator.ui.frame.charts import PAIRS, Bars, Chart, Dots, Tone, ends, show
from comparator.ui.frame.estimates import percent
from comparator.ui.frame.words import counted

NAMED, LONGEST = 3, 60
"""Expectations that a sentence names, and characters of each."""


def why(top: Findings) -> None:
    """What the win rests on."""
    show(why_charts(top))
    show(theme_charts(top))


def why_charts(top: Findings) -> Iterator[Chart]:
    """Criteria, expectations, reasons and imported grades; the rows of each add up to the counted pairs."""
    database = session.services().database
    # A criterion on which all pairs are even tells nobody apart.
    criteria = [each for each in by_criterion(database, top.asked) if each.won or each.lost]
    if criteria:
        yield _criteria(top, criteria)
    yield _differences(top)
    if expectations := by_expectation(database, top.asked):
        yield expectations_chart(top, expectations)
    if top.graders:
        yield _graders(top, top.graders)
        yield from _graded_expectations(top)
    if (reasons := by_reason(database, top.asked)).kinds:
        yield _reasons(top, reasons)


def _criteria(top: Findings, found: Sequence[CriterionDifference]) -> Chart:
    one, two = top.names
    ordered = sorted(
        found, key=lambda each: (not _clear(each), -_agrees(each), -abs(each.difference.mean or 0), each.path)
    )
    # What only few pairs were scored by says least.
    ordered.sort(key=lambda each: each.n < top.result.n / 10)
    series = {
        f"Led by {one}": (Tone.ONE, PairOutcome.WON),
        "Even": (Tone.EVEN, PairOutcome.TIED),
        f"Led by {two}": (Tone.TWO, PairOutcome.LOST),
    }
    leads = [
        f"{name} leads most on {lead.name} ({lead.difference.mean:+.1f})"
        for name, ahead in ((one, True), (two, False))
        if (lead := _largest_lead(ordered, ahead))
    ]
    decides = max(ordered, key=lambda each: (_agrees(each), each.path))
    return Chart(
        "criteria",
        ", ".join(leads) or f"No criterion tells {one} and {two} apart beyond chance",
        [
            {
                "Criterion": each.name,
                **dict(zip(series, (each.won, each.tied, each.lost), strict=True)),
                "Mean lead": "" if each.difference.mean is None else f"{each.difference.mean:+z.1f}",
                **ends(each.difference.estimate),
                "Not scored": top.result.n - each.n,
                "With the winner": each.with_winner,
                "Decided by both": each.decided,
            }
            for each in ordered
        ],
        Bars("Criterion", {name: tone for name, (tone, _) in series.items()}, beside="Mean lead"),
        {
            name: [pairs_link(top.asked, "criterion", path=each.path, lead=lead) for each in ordered]
            for name, (_, lead) in series.items()
        },
        note=f"Pairs are decided by {decides.name} most often: it favours the "
        f"winner in {decides.with_winner:,} of {counted(decides.decided, 'pair')}."
        if decides.decided
        else "",
        help="A criterion counts in pairs whose rubric has it, and favours the winner if the side with the higher "
        "score on it wins the pair. Verdicts are made of these scores: compare the criteria with each other.",
    )


def _largest_lead(found: Sequence[CriterionDifference], ahead: bool) -> CriterionDifference | None:
    """The criterion on which a side leads by most, beyond chance."""
    led = [each for each in found if _clear(each) and ((each.difference.mean or 0.0) > 0) is ahead]
    return max(led, key=lambda each: abs(each.difference.mean or 0.0), default=None)


def _clear(each: CriterionDifference) -> bool:
    """Whether the two differ on it by more than chance."""
    lead = each.difference.estimate
    return isinstance(lead, Estimate) and 0 not in lead.interval


def _agrees(each: CriterionDifference) -> float:
    # Of pairs that it leaves even it decides nothing.
    return (2 * each.with_winner - each.decided) / each.n if each.n else 0.0


def expectations_chart(top: Findings, found: Sequence[Expectation]) -> Chart:
    """Who meets which expectation; where none separates the two, whether imported graders see it otherwise."""
    one, two = top.names
    every, found = len(found), [each for each in found if each.assessed]
    if not found:
        return Chart(
            "expectations",
            f"Who meets which expectation: none of {every:,} assessed",
            note="The offline check assesses no expectations. A model does, and so does a reviewer.",
        )
    series = {
        f"Only {one}": (Tone.ONE, ExpectationMet.ONE),
        "Both": (Tone.PLAIN, ExpectationMet.BOTH),
        "Varies between runs": (Tone.VARIES, ExpectationMet.VARIES),
        "Neither": (Tone.EVEN, ExpectationMet.NEITHER),
        f"Only {two}": (Tone.TWO, ExpectationMet.TWO),
    }
    useless = [each.text for each in found if each.pairs[ExpectationMet.BOTH] == each.n]
    never = [each.text for each in found if each.pairs[ExpectationMet.NEITHER] == each.n]
    notes = [f"{every - len(found):,} more not assessed."] if every > len(found) else []
    if useless:
        both = "1 never fails, so it does" if len(useless) == 1 else f"{len(useless)} never fail, so they do"
        notes.append(f"{both} not tell the two apart: {_quoted(useless)}.")
    if never:
        notes.append(f"Nobody meets {len(never)}: {_quoted(never)}.")
    first = found[0]
    graded = next((each for each in top.graders if each.rate_one != each.rate_two), None)
    if first.difference:
        title = (
            f"“{safe.beginning(first.text, LONGEST)}”: {one} meets it {percent(first.met_one / first.assessed)}, {two} "
            f"{percent(first.met_two / first.assessed)}"
        )
    else:
        title = "No expectation separates the two" + (
            f" here; {graded.author} says {percent(graded.rate_one)} against {percent(graded.rate_two)}"
            if graded
            else ""
        )
    return Chart(
        "expectations",
        title,
        [
            {
                "Expectation": each.text,
                **{name: each.pairs[met] for name, (_, met) in series.items()},
                "Says": _says(each, one, two),
                f"Met by {one}": round(each.met_one / each.assessed, 3),
                f"Met by {two}": round(each.met_two / each.assessed, 3),
                "Difference": round(each.difference, 3),
                "Not assessed": each.pairs[ExpectationMet.NOT_ASSESSED],
                "Not in the task": top.result.n - each.n,
            }
            for each in found
        ],
        Bars("Expectation", {name: tone for name, (tone, _) in series.items()}),
        {
            name: [pairs_link(top.asked, "expectation", expectation=each.id, met=met) for each in found]
            for name, (_, met) in series.items()
        },
        note=" ".join(notes),
        help="Those that separate the two most come first.",
    )


def _quoted(texts: Sequence[str]) -> str:
    """The first few in full, where they are short."""
    first = ", ".join(f"“{safe.beginning(text, LONGEST)}”" for text in texts[:NAMED])
    return f"{first} and {len(texts) - NAMED} more" if len(texts) > NAMED else first


def _says(each: Expectation, one: str, two: str) -> str:
    """What an assessed expectation is good for, in two or three words."""
    if each.pairs[ExpectationMet.BOTH] == each.assessed:
        return "never fails"
    if each.pairs[ExpectationMet.NEITHER] == each.assessed:
        return "nobody meets it"
    if not each.difference:
        return "as often with both"
    return f"for {one if each.difference > 0 else two}"


def _reasons(top: Findings, found: Reasons) -> Chart:
    one, two = top.names
    links = [pairs_link(top.asked, "reason", reasons=each.code) for each in found.kinds]
    rows = [(each.code, each.one, each.two, each.pairs) for each in found.kinds]
    rows.append(("none given", 0, 0, top.result.n - found.pairs))
    series = {f"Scores of {one}": Tone.ONE, f"Scores of {two}": Tone.TWO}
    return Chart(
        "reasons",
        f"Why reviewers changed scores of {one} and of {two}",
        [
            {
                "Reason": code,
                **dict(zip(series, (of_one, of_two), strict=True)),
                "Pairs": pairs,
                "Other pairs": top.result.n - pairs,
            }
            for code, of_one, of_two, pairs in rows
        ],
        Bars("Reason", series),
        {name: [*links, None] for name in series},
        help="Changed scores by the reason that the reviewer chose.",
    )


def _graders(top: Findings, found: Sequence[Graded]) -> Chart:
    one, two = top.names
    first = found[0]
    return Chart(
        "graders",
        f"Imported graders: {one} meets {first.rate_one:.0%} of its expectations, {two} {first.rate_two:.0%}",
        [
            {
                "Grader": each.author,
                "Pairs graded": each.pairs,
                "Not graded": top.result.n - each.pairs,
                f"Pass rate of {one}": round(each.rate_one, 3),
                f"Pass rate of {two}": round(each.rate_two, 3),
                "Same winner as the verdict": each.same,
            }
            for each in found
        ],
        opens={"graded": [pairs_link(top.asked, "grader", author=each.author) for each in found]},
        help="Pass rates that came with the import (grading.json, benchmark.json, promptfoo), averaged over pairs. "
        "They count in no verdict here.",
    )


def _graded_expectations(top: Findings) -> Iterator[Chart]:
    """Each expectation as the verdicts and as the imported graders have it, one beside the other."""
    one, two = top.names
    found = by_grader_and_expectation(session.services().database, top.asked)
    if not found:
        return
    by_speaker = {(each.expectation, each.speaker): each.one - each.two for each in found}
    apart = [
        each.expectation
        for each in found
        if each.speaker == "graders"
        and by_speaker.get((each.expectation, "verdicts"), 0.0) * (each.one - each.two) < 0
    ]
    yield Chart(
        "graders_by_expectation",
        f"Graders and verdicts disagree on {counted(len(apart), 'expectation')}"
        if apart
        else "On each expectation, graders and verdicts favour the same side or none",
        [
            {
                "Expectation": f"{safe.beginning(each.expectation, LONGEST)} · {each.speaker}",
                "Difference": round(each.one - each.two, 3),
                **ends(each.more),
                f"Met by {one}": round(each.one, 3),
                f"Met by {two}": round(each.two, 3),
                "Pairs": each.pairs,
            }
            for each in found
        ],
        _one_minus_two("Expectation", "Difference", top, who="{} meets it more often", form="+z.0%"),
        help="Expectations with the same wording that graders marked in both runs of a pair. Verdicts: reviews, else "
        "the judge. The line is the 95% interval, clustered by task.",
    )


def _differences(top: Findings) -> Chart:
    found, (one, two) = top.result, top.names
    measures = {
        "Overall (2 to 10)": found.overall,
        "Content (1 to 5)": found.content,
        "Structure (1 to 5)": found.structure,
    }
    return Chart(
        "differences",
        f"Mean score of {one} minus that of {two}: {'{} ({})'.format(*sentences.mean_and_interval(found.overall))}",
        [
            {
                "Score": name,
                "Mean difference": None if each.mean is None else round(each.mean, 3),
                **ends(each.estimate),
                "Pairs": each.pairs,
                "Tasks": each.estimate.n,
            }
            for name, each in measures.items()
        ],
        _one_minus_two("Score", "Mean difference", top, who="{} better", form="+z.2f"),
        {PAIRS: [pairs_link(top.asked)] * len(measures)},
        note=sentences.scores_against_winners(top),
        help="Points; the line is the 95% interval, clustered by task.",
    )


def _one_minus_two(label: str, value: str, top: Findings, *, who: str, form: str) -> Dots:
    """Dots of what the first candidate has more than the second; `who` says it of the candidate of either side."""
    one, two = top.names
    return Dots(label, value, None, even=0.0, sides=(who.format(two), who.format(one)), form=form, n="Pairs")

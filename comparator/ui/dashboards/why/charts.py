"""Why one candidate wins: by criterion, by expectation, and by the reasons that reviewers gave."""

from collections.abc import Iterator, Sequence

import streamlit as st

from comparator.reporting.findings import Findings
from comparator.reporting.why.criteria import (
    CriterionDifference,
    Expectation,
    ExpectationMet,
    by_criterion,
    by_expectation,
    by_grader_and_expectation,
    by_reason,
)
from comparator.reporting.why.pairs import PairOutcome
from comparator.stats.intervals import EVEN, Estimate, Evidence, evidence
from comparator.ui.dashboards import sentences
from comparator.ui.dashboards.pairs_behind import pairs_link
from comparator.ui.dashboards.why.themes import theme_charts
from comparator.ui.frame import safe, session
from comparator.ui.frame.charts import PAIRS, Bars, Chart, Dots, Tone, ends, show
from comparator.ui.frame.estimates import CLAIMS, percent
from comparator.ui.frame.words import counted

NAMED, LONGEST = 3, 60
"""Expectations that a sentence names, and characters of each."""


def why(top: Findings) -> None:
    """What the win rests on: scores beside reasons, on one screen; the mean scores, which say least, come last."""
    said = [*theme_charts(top)]
    with st.container(key="why"):
        left, right = st.columns(2, gap="small") if said else (st.container(), st.container())
    with left:
        show(criteria_charts(top))
    with right:
        show(said[:1])
    with left:
        show(expectations_charts(top))
    show([*said[1:], means_chart(top)])


def why_charts(top: Findings) -> Iterator[Chart]:
    """Criteria, what was said, expectations, and those that graders marked."""
    yield from criteria_charts(top)
    yield from theme_charts(top)
    yield from expectations_charts(top)


def criteria_charts(top: Findings) -> Iterator[Chart]:
    """Who leads by which criterion; one on which all pairs are even tells nobody apart."""
    every = by_criterion(session.services().database, top.filter)
    if criteria := [criterion for criterion in every if criterion.won or criterion.lost]:
        yield criteria_chart(top, criteria)


def criteria_chart(top: Findings, criteria: Sequence[CriterionDifference]) -> Chart:
    """The pairs that each side leads in, the largest mean lead first; the note is of who leads by most elsewhere."""
    one, two = top.names
    # What only few pairs were scored by says least.
    ordered = sorted(
        criteria,
        key=lambda criterion: (
            criterion.n < top.result.n / 10,
            -abs(criterion.difference.mean or 0),
            criterion.path,
        ),
    )
    series = {f"Led by {one}": PairOutcome.WON, f"Led by {two}": PairOutcome.LOST, "Even": PairOutcome.TIED}
    title = _leads(ordered[0], one, two)
    if not any(isinstance(criterion.rate, Estimate) for criterion in ordered):
        title = f"Too few tasks to tell {one} and {two} apart by a criterion"
    leaders = [lead for ahead in (True, False) if (lead := _largest_lead(ordered, ahead))]
    return Chart(
        "criteria",
        title,
        [
            {
                "Criterion": criterion.name,
                **dict(zip(series, (criterion.won, criterion.lost, criterion.tied), strict=True)),
                "Points": f"{criterion.difference.mean or 0.0:+z.1f} pts".replace("+0.0", "0.0"),
                "Mean lead": criterion.difference.mean and round(criterion.difference.mean, 3),
                **ends(criterion.difference.estimate),
                "Not scored": top.result.n - criterion.n,
            }
            for criterion in ordered
        ],
        Bars(
            "Criterion",
            dict(zip(series, (Tone.ONE, Tone.TWO), strict=False)),
            beside="Points",
            sides=(two, one),
        ),
        {
            name: [
                pairs_link(top.filter, "criterion", path=criterion.path, lead=lead) for criterion in ordered
            ]
            for name, lead in series.items()
        },
        note=" ".join(f"{_leads(lead, one, two)}." for lead in leaders if lead is not ordered[0]),
        help=f"The pairs in which a side has the higher score. At the right: the mean lead of {one} in points (scores: "
        "1 to 5), the largest first. Verdicts are made of these scores: compare the criteria with each other.",
    )


def _leads(criterion: CriterionDifference, one: str, two: str) -> str:
    """Who has the higher score on it, in how many pairs, and the other in how many."""
    (more, ahead), (less, behind) = sorted(
        ((criterion.won, one), (criterion.lost, two)), key=lambda side: side[0], reverse=True
    )
    claim = CLAIMS[evidence(criterion.rate)]
    if evidence(criterion.rate) is Evidence.OPEN:
        return f"Neither leads on {criterion.name} beyond chance: {ahead} in {more:,} pairs, {behind} in {less:,}"
    return f"{ahead} {claim}leads on {criterion.name} in {counted(more, 'pair')}, {behind} in {less:,}"


def _largest_lead(differences: Sequence[CriterionDifference], ahead: bool) -> CriterionDifference | None:
    """The criterion on which a side leads by most, beyond chance."""
    led = [
        difference
        for difference in differences
        if evidence(difference.rate) is not Evidence.OPEN and ((difference.share or 0.0) > EVEN) is ahead
    ]
    return max(led, key=lambda difference: abs(difference.difference.mean or 0.0), default=None)


def expectations_charts(top: Findings) -> Iterator[Chart]:
    """Who meets which expectation, by the verdicts and by imported graders."""
    if expectations := by_expectation(session.services().database, top.filter):
        yield expectations_chart(top, expectations)
    if top.graders:
        yield from _graded_expectations(top)


def expectations_chart(top: Findings, expectations: Sequence[Expectation]) -> Chart:
    """Who meets which expectation; where none separates the two, whether imported graders see it otherwise."""
    one, two = top.names
    every, expectations = (
        len(expectations),
        [expectation for expectation in expectations if expectation.assessed],
    )
    if not expectations:
        return Chart(
            "expectations",
            f"Who meets which expectation: none of {every:,} assessed",
            note="The offline check assesses no expectations. A model does, and so does a reviewer.",
        )
    series = {
        f"Only {one}": ExpectationMet.ONE,
        f"Only {two}": ExpectationMet.TWO,
        "Both": ExpectationMet.BOTH,
        "Varies between runs": ExpectationMet.VARIES,
        "Neither": ExpectationMet.NEITHER,
    }
    useless, never = (
        [expectation for expectation in expectations if expectation.pairs[met] == expectation.n]
        for met in (ExpectationMet.BOTH, ExpectationMet.NEITHER)
    )
    # What the note says of these needs no bar.
    telling = [expectation for expectation in expectations if expectation not in (*useless, *never)]
    expectations = [*telling, *useless, *never]
    notes = [f"{every - len(expectations):,} more not assessed."] if every > len(expectations) else []
    if useless:
        notes.append(f"Always met: {_quoted(useless)}.")
    if never:
        notes.append(f"Never met: {_quoted(never)}.")
    first = expectations[0]
    graded = next((grader for grader in top.graders if grader.rate_one != grader.rate_two), None)
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
                "Expectation": expectation.text,
                **{name: expectation.pairs[met] for name, met in series.items()},
                "Met": f"{percent(expectation.met_one / expectation.assessed)}, "
                f"{percent(expectation.met_two / expectation.assessed)}",
                f"Met by {one}": round(expectation.met_one / expectation.assessed, 3),
                f"Met by {two}": round(expectation.met_two / expectation.assessed, 3),
                "Difference": round(expectation.difference, 3),
                "Not assessed": expectation.pairs[ExpectationMet.NOT_ASSESSED],
                "Not in the task": top.result.n - expectation.n,
            }
            for expectation in expectations
        ],
        Bars(
            "Expectation",
            dict(zip(series, (Tone.ONE, Tone.TWO), strict=False)),
            beside="Met",
            first=min(len(telling), Bars.first),
            sides=(f"only {two}", f"only {one}"),
        ),
        {
            name: [
                pairs_link(top.filter, "expectation", expectation=expectation.id, met=met)
                for expectation in expectations
            ]
            for name, met in series.items()
        },
        note=" ".join(notes),
        help="The pairs in which only one side meets it; those that separate the two most come first. At the right: "
        f"how often {one} and {two} meet it. What both always meet, or never, tells nothing.",
    )


def _quoted(expectations: Sequence[Expectation]) -> str:
    """The first few in full, where they are short."""
    first = ", ".join(
        f"“{safe.beginning(expectation.text, LONGEST)}”" for expectation in expectations[:NAMED]
    )
    return f"{first} and {len(expectations) - NAMED} more" if len(expectations) > NAMED else first


def reasons_charts(top: Findings) -> Iterator[Chart]:
    """For which reasons reviewers changed scores; nothing where none was given."""
    reasons, (one, two) = by_reason(session.services().database, top.filter), top.names
    if not reasons.kinds:
        return
    links = [pairs_link(top.filter, "reason", reasons=kind.code) for kind in reasons.kinds]
    rows = [(kind.code, kind.one, kind.two, kind.pairs) for kind in reasons.kinds]
    rows.append(("none given", 0, 0, top.result.n - reasons.pairs))
    series = {f"Of {one}": Tone.ONE, f"Of {two}": Tone.TWO}
    yield Chart(
        "reasons",
        f"Most frequent reason for a changed score: {reasons.kinds[0].code}",
        [
            {
                "Reason": code,
                **dict(zip(series, (of_one, of_two), strict=True)),
                "Pairs": pairs,
                "Other pairs": top.result.n - pairs,
            }
            for code, of_one, of_two, pairs in rows
        ],
        Bars("Reason", series, first=len(reasons.kinds)),
        {name: [*links, None] for name in series},
        help="Changed scores by the reason that the reviewer chose.",
    )


def _graded_expectations(top: Findings) -> Iterator[Chart]:
    """Each expectation as the verdicts and as the imported graders have it, one beside the other."""
    one, two = top.names
    rates = by_grader_and_expectation(session.services().database, top.filter)
    if not rates:
        return
    by_speaker = {(rate.expectation, rate.speaker): rate.one - rate.two for rate in rates}
    apart = [
        rate.expectation
        for rate in rates
        if rate.speaker == "graders"
        and by_speaker.get((rate.expectation, "verdicts"), 0.0) * (rate.one - rate.two) < 0
    ]
    yield Chart(
        "graders_by_expectation",
        f"Graders and verdicts disagree on {counted(len(apart), 'expectation')}"
        if apart
        else "On each expectation, graders and verdicts favour the same side or none",
        [
            {
                "Expectation": f"{safe.beginning(rate.expectation, LONGEST)} · {rate.speaker}",
                "Difference": round(rate.one - rate.two, 3),
                **ends(rate.more),
                f"Met by {one}": round(rate.one, 3),
                f"Met by {two}": round(rate.two, 3),
                "Pairs": rate.pairs,
            }
            for rate in rates
        ],
        _one_minus_two("Expectation", "Difference", top, who="{} meets it more often", form="+z.0%"),
        help="Expectations with the same wording that graders marked in both runs of a pair. Verdicts: reviews, else "
        "the judge. The line is the 95% interval, clustered by task.",
    )


def means_chart(top: Findings) -> Chart:
    """By how much the mean scores of the two differ."""
    result, (one, two) = top.result, top.names
    measures = {
        "Overall (2 to 10)": result.overall,
        "Content (1 to 5)": result.content,
        "Structure (1 to 5)": result.structure,
    }
    return Chart(
        "differences",
        f"Mean score of {one} minus that of {two}: {'{} ({})'.format(*sentences.mean_and_interval(result.overall))}",
        [
            {
                "Score": name,
                "Mean difference": None if difference.mean is None else round(difference.mean, 4),
                **ends(difference.estimate),
                "Pairs": difference.pairs,
                "Tasks": difference.estimate.n,
            }
            for name, difference in measures.items()
        ],
        _one_minus_two("Score", "Mean difference", top, who="{} better", form="+z.2f"),
        {PAIRS: [pairs_link(top.filter)] * len(measures)},
        note=sentences.scores_against_winners(top),
        help="Points; the line is the 95% interval, clustered by task.",
    )


def _one_minus_two(label: str, value: str, top: Findings, *, who: str, form: str) -> Dots:
    """Dots of what the first candidate has more than the second; `who` says it of the candidate of either side."""
    one, two = top.names
    return Dots(label, value, None, even=0.0, sides=(who.format(two), who.format(one)), form=form, n="Pairs")

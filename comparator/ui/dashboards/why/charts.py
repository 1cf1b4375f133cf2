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
from comparator.ui.frame.charts import PAIRS, Bars, Chart, Dots, Tone, ends, numbers, show
from comparator.ui.frame.charts.chart import draw
from comparator.ui.frame.estimates import CLAIMS, percent
from comparator.ui.frame.words import counted

NAMED, LONGEST = 3, 60
"""Expectations that a sentence names, and characters of each."""


def why(top: Findings) -> None:
    """What the win rests on; the mean scores, which say least of it, are folded."""
    show(why_charts(top))
    means = means_chart(top)
    box = st.expander(safe.text(means.title), key=f"numbers_{means.name}", on_change="rerun")
    if box.open:
        with box:
            st.caption(safe.text(f"{means.note} {means.help}"))
            draw(means)
            numbers(means.name, means.numbers)


def why_charts(top: Findings) -> Iterator[Chart]:
    """Criteria, what was said, expectations, and those that graders marked."""
    database = session.services().database
    # A criterion on which all pairs are even tells nobody apart.
    criteria = [
        difference for difference in by_criterion(database, top.filter) if difference.won or difference.lost
    ]
    if criteria:
        yield criteria_chart(top, criteria)
    yield from theme_charts(top)
    if expectations := by_expectation(database, top.filter):
        yield expectations_chart(top, expectations)
    if top.graders:
        yield from _graded_expectations(top)


def criteria_chart(top: Findings, differences: Sequence[CriterionDifference]) -> Chart:
    """Who leads by which criterion; the title is of the one that decides most, the note of the largest other leads."""
    one, two = top.names
    ordered = sorted(
        differences,
        key=lambda difference: (
            # What only few pairs were scored by says least.
            difference.n < top.result.n / 10,
            -_agrees(difference),
            -abs(difference.difference.mean or 0),
            difference.path,
        ),
    )
    series = {
        f"Led by {one}": (Tone.ONE, PairOutcome.WON),
        "Even": (Tone.EVEN, PairOutcome.TIED),
        f"Led by {two}": (Tone.TWO, PairOutcome.LOST),
    }
    decides = ordered[0]
    said = [(difference.decided, difference.with_winner) for difference in ordered]
    alike = said.count(said[0]) - 1
    most = f" and {counted(alike, 'other')} decide alike" if alike else " decides most"
    leader = one if (decides.share or 0.0) > EVEN else two
    how = f"{leader} {CLAIMS[evidence(decides.rate)]}leads on it"
    if evidence(decides.rate) is Evidence.OPEN:
        how = "neither leads on it beyond chance"
    others = [
        f"{name} {CLAIMS[evidence(lead.rate)]}leads on {lead.name} ({lead.difference.mean:+.1f})."
        for name, ahead in ((one, True), (two, False))
        if (lead := _largest_lead(ordered, ahead)) and lead is not decides
    ]
    return Chart(
        "criteria",
        f"{decides.name}{most}; {how} ({decides.difference.mean or 0.0:+z.1f})"
        if any(isinstance(difference.rate, Estimate) for difference in ordered)
        else f"Too few tasks to tell {one} and {two} apart by a criterion",
        [
            {
                "Criterion": difference.name,
                **dict(zip(series, (difference.won, difference.tied, difference.lost), strict=True)),
                "In short": ", ".join(_in_short(difference)),
                "Mean lead": difference.difference.mean and round(difference.difference.mean, 3),
                **ends(difference.difference.estimate),
                "Not scored": top.result.n - difference.n,
                "With the winner": difference.with_winner,
                "Decided by both": difference.decided,
            }
            for difference in ordered
        ],
        Bars("Criterion", {name: tone for name, (tone, _) in series.items()}, beside="In short"),
        {
            name: [
                pairs_link(top.filter, "criterion", path=difference.path, lead=lead) for difference in ordered
            ]
            for name, (_, lead) in series.items()
        },
        note=" ".join(others),
        help=f"At the right: how often its leader wins the pair, and the mean lead of {one} (scores: 1 to 5). "
        "A criterion counts in pairs whose rubric has it, and favours the winner if the side with the higher "
        "score on it wins the pair. Verdicts are made of these scores: compare the criteria with each other.",
    )


def _in_short(difference: CriterionDifference) -> Iterator[str]:
    """How often the side that leads by it wins the pair, and by how much candidate one leads."""
    if difference.decided:
        yield f"leader wins {percent(difference.with_winner / difference.decided)}"
    if difference.difference.mean is not None:
        yield f"{difference.difference.mean:+z.1f}"


def _largest_lead(differences: Sequence[CriterionDifference], ahead: bool) -> CriterionDifference | None:
    """The criterion on which a side leads by most, beyond chance."""
    led = [
        difference
        for difference in differences
        if evidence(difference.rate) is not Evidence.OPEN and ((difference.share or 0.0) > EVEN) is ahead
    ]
    return max(led, key=lambda difference: abs(difference.difference.mean or 0.0), default=None)


def _agrees(difference: CriterionDifference) -> float:
    # Of pairs that it leaves even it decides nothing.
    return (2 * difference.with_winner - difference.decided) / difference.n if difference.n else 0.0


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
        f"Only {one}": (Tone.ONE, ExpectationMet.ONE),
        "Both": (Tone.PLAIN, ExpectationMet.BOTH),
        "Varies between runs": (Tone.VARIES, ExpectationMet.VARIES),
        "Neither": (Tone.EVEN, ExpectationMet.NEITHER),
        f"Only {two}": (Tone.TWO, ExpectationMet.TWO),
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
                **{name: expectation.pairs[met] for name, (_, met) in series.items()},
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
            {name: tone for name, (tone, _) in series.items()},
            first=min(len(telling), Bars.first),
        ),
        {
            name: [
                pairs_link(top.filter, "expectation", expectation=expectation.id, met=met)
                for expectation in expectations
            ]
            for name, (_, met) in series.items()
        },
        note=" ".join(notes),
        help="Those that separate the two most come first. What both always meet, or never, tells nothing.",
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
                "Mean difference": None if difference.mean is None else round(difference.mean, 3),
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

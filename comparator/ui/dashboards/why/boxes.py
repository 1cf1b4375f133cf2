"""Why one candidate wins: by criterion, by expectation, and by the reasons that reviewers gave."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import streamlit as st

from comparator.reporting.why.criteria import CriterionDifference, by_criterion
from comparator.reporting.why.expectations import Expectation, ExpectationMet, by_expectation
from comparator.reporting.why.graders import Graded, by_grader
from comparator.reporting.why.pairs import PairOutcome, Slice
from comparator.reporting.why.reasons import Reasons, by_reason
from comparator.stats.figures import TooFew
from comparator.ui.dashboards import sentences
from comparator.ui.dashboards.data import Headline
from comparator.ui.dashboards.pairs_behind import pairs_link
from comparator.ui.dashboards.why.themes import themes_part
from comparator.ui.frame import charts, safe, session
from comparator.ui.frame.charts.box import Box, linked, show
from comparator.ui.frame.charts.theme import PALETTES, ColourTheme, theme
from comparator.ui.frame.words import counted

MOST = 12
"""Rows of a chart; the numbers under it hold all."""
NAMED, LONGEST = 3, 60
"""Expectations that a sentence names, and characters of each."""


def why(top: Headline, *, picture: str) -> None:
    """What the win rests on."""
    if not top.result.n:
        st.info("No pair of these two is counted yet.", icon=":material/info:")
        return
    show(why_boxes(top, theme=theme()), picture=picture)
    themes_part(top, picture=picture)


def why_boxes(top: Headline, *, theme: ColourTheme) -> Iterator[Box]:
    """Criteria, expectations, reasons and imported grades; the rows of each add up to the counted pairs."""
    database = session.services().database
    if criteria := by_criterion(database, top.asked):
        yield _criteria(top, criteria, theme)
    if expectations := by_expectation(database, top.asked):
        yield _expectations(top, expectations, theme)
    if (reasons := by_reason(database, top.asked)).kinds:
        yield _reasons(top, reasons, theme)
    if graded := by_grader(database, top.asked):
        yield _graders(top, graded)


def _criteria(top: Headline, found: Sequence[CriterionDifference], theme: ColourTheme) -> Box:
    one, two = top.names
    ordered = sorted(found, key=lambda each: (-_agrees(each), -abs(each.difference.mean or 0), each.path))
    # What only few pairs were scored by says least.
    ordered.sort(key=lambda each: each.n < top.result.n / 10)
    drawn = ordered[:MOST]
    colours, shown = charts.CANDIDATES[theme], PALETTES[theme]
    marks = {
        name: [pairs_link(top.asked, Slice(criterion=each.path, lead=lead)) for each in ordered]
        for name, lead in (
            (f"led by {one}", PairOutcome.WON),
            ("even", PairOutcome.TIED),
            (f"led by {two}", PairOutcome.LOST),
        )
    }
    first = drawn[0]
    title = (
        f"{sentences.criterion(first.path, first.name)} favours the winner most often: in {first.with_winner:,} of "
        f"{counted(first.decided, 'pair')}"
        if first.decided
        else "By criterion"
    )
    return Box(
        "criteria",
        title=title,
        counts=f"Pairs in which each criterion favours {one}, neither, or {two}, with the mean lead in points beside "
        "its name. The 95% interval of that lead is in the numbers below. A criterion counts in pairs whose rubric has "
        "it. It favours the winner if the side with the higher score on it wins the pair. Ties on the criterion or in "
        "the verdict are not counted. Verdicts are made of these scores, so some agreement is built in: compare the "
        "criteria with each other.",
        figure=charts.stacked(
            [_named(each) for each in drawn],
            (
                charts.Segment(f"led by {one}", colours[0], shown.page, tuple(each.won for each in drawn)),
                charts.Segment("even", shown.line, shown.ink, tuple(each.tied for each in drawn)),
                charts.Segment(
                    f"led by {two}",
                    colours[1],
                    shown.page,
                    tuple(each.lost for each in drawn),
                    charts.HATCHED,
                ),
            ),
            palette=shown,
        ),
        rows=linked(
            [
                {
                    "Criterion": sentences.criterion(each.path, each.name),
                    "Mean lead": None if each.difference.mean is None else round(each.difference.mean, 3),
                    "Interval from": None
                    if isinstance(each.difference.estimate, TooFew)
                    else round(each.difference.estimate.interval.low, 3),
                    "Interval to": None
                    if isinstance(each.difference.estimate, TooFew)
                    else round(each.difference.estimate.interval.high, 3),
                    f"Led by {one}": each.won,
                    "Even": each.tied,
                    f"Led by {two}": each.lost,
                    "Not scored": top.result.n - each.n,
                    "With the winner": each.with_winner,
                    "Decided by both": each.decided,
                }
                for each in ordered
            ],
            marks,
        ),
        marks=tuple(links[: len(drawn)] for links in marks.values()),
    )


def _agrees(each: CriterionDifference) -> float:
    # Of pairs that it leaves even it decides nothing.
    return (2 * each.with_winner - each.decided) / each.n if each.n else 0.0


def _named(each: CriterionDifference) -> str:
    mean = each.difference.mean
    return (
        f"{sentences.criterion(each.path, each.name)} {mean:+z.1f}"
        if mean is not None
        else sentences.criterion(each.path, each.name)
    )


def _expectations(top: Headline, found: Sequence[Expectation], theme: ColourTheme) -> Box:
    one, two = top.names
    every, found = len(found), [each for each in found if each.assessed]
    if not found:
        return Box(
            "expectations",
            title=f"Who meets which expectation: none of {every:,} assessed",
            counts="The offline check assesses no expectations. A model does, and so does a reviewer.",
            figure=None,
            rows=[],
        )
    colours, shown = charts.CANDIDATES[theme], PALETTES[theme]
    classes = (
        (ExpectationMet.ONE, f"only {one}", colours[0], shown.page, charts.PLAIN),
        (ExpectationMet.BOTH, "both", shown.muted, shown.page, charts.PLAIN),
        (ExpectationMet.VARIES, "varies between runs", shown.tie, shown.page, "x"),
        (ExpectationMet.NEITHER, "neither", shown.line, shown.ink, charts.PLAIN),
        (ExpectationMet.TWO, f"only {two}", colours[1], shown.page, charts.HATCHED),
    )
    drawn = found[:MOST]
    marks = {
        name: [pairs_link(top.asked, Slice(expectation=each.id, met=met)) for each in found]
        for met, name, *_ in classes
    }
    useless = [each.text for each in found if each.pairs[ExpectationMet.BOTH] == each.n]
    never = [each.text for each in found if each.pairs[ExpectationMet.NEITHER] == each.n]
    notes = [
        f"{counted(len(found), 'expectation')}, those that separate the two most first."
        + (f" {every - len(found):,} more not assessed." if every > len(found) else ""),
        *(
            [
                (
                    "1 never fails, so it does"
                    if len(useless) == 1
                    else f"{len(useless)} never fail, so they do"
                )
                + f" not tell the two apart: {_quoted(useless)}."
            ]
            if useless
            else ()
        ),
        *([f"Nobody meets {len(never)}: {_quoted(never)}."] if never else ()),
    ]
    return Box(
        "expectations",
        title=f"Who meets which expectation: {one}, {two}, both or neither",
        counts=" ".join(notes),
        figure=charts.stacked(
            [each.text for each in drawn],
            [
                charts.Segment(name, colour, on, tuple(each.pairs[met] for each in drawn), pattern)
                for met, name, colour, on, pattern in classes
            ],
            palette=shown,
        ),
        rows=linked(
            [
                {
                    "Expectation": each.text,
                    "Says": _says(each, one, two),
                    f"Met by {one}": _of(each.met_one, each),
                    f"Met by {two}": _of(each.met_two, each),
                    "Difference": round(each.difference, 3),
                    **{name.capitalize(): each.pairs[met] for met, name, *_ in classes},
                    "Not assessed": each.pairs[ExpectationMet.NOT_ASSESSED],
                    "Not in the task": top.result.n - each.n,
                }
                for each in found
            ],
            marks,
        ),
        marks=tuple(links[: len(drawn)] for links in marks.values()),
    )


def _quoted(texts: Sequence[str]) -> str:
    """The first few in full, where they are short."""
    first = ", ".join(f"“{safe.beginning(text, LONGEST)}”" for text in texts[:NAMED])
    return f"{first} and {len(texts) - NAMED} more" if len(texts) > NAMED else first


def _of(met: int, each: Expectation) -> float:
    return round(met / each.assessed, 3)


def _says(each: Expectation, one: str, two: str) -> str:
    """What an assessed expectation is good for, in two or three words."""
    if each.pairs[ExpectationMet.BOTH] == each.assessed:
        return "never fails"
    if each.pairs[ExpectationMet.NEITHER] == each.assessed:
        return "nobody meets it"
    if not each.difference:
        return "as often with both"
    return f"for {one if each.difference > 0 else two}"


def _reasons(top: Headline, found: Reasons, theme: ColourTheme) -> Box:
    one, two = top.names
    colours, shown = charts.CANDIDATES[theme], PALETTES[theme]
    links = [pairs_link(top.asked, Slice(reason=each.code)) for each in found.kinds]
    drawn = found.kinds[:MOST]
    rows = [(each.code, each.one, each.two, each.pairs) for each in found.kinds]
    rows.append(("none given", 0, 0, top.result.n - found.pairs))
    return Box(
        "reasons",
        title=f"Why reviewers changed scores of {one} and of {two}",
        counts="Changed scores by the reason that the reviewer chose. The table lists the pairs too.",
        figure=charts.stacked(
            [each.code for each in drawn],
            (
                charts.Segment(f"of {one}", colours[0], shown.page, tuple(each.one for each in drawn)),
                charts.Segment(
                    f"of {two}", colours[1], shown.page, tuple(each.two for each in drawn), charts.HATCHED
                ),
            ),
            palette=shown,
        ),
        rows=linked(
            [
                {
                    "Reason": code,
                    f"Scores of {one}": of_one,
                    f"Scores of {two}": of_two,
                    "Pairs": pairs,
                    "Other pairs": top.result.n - pairs,
                }
                for code, of_one, of_two, pairs in rows
            ],
            {"in which it was given": [*links, None]},
        ),
        marks=(links[: len(drawn)], links[: len(drawn)]),
    )


def _graders(top: Headline, found: Sequence[Graded]) -> Box:
    one, two = top.names
    first = found[0]
    return Box(
        "graders",
        title=f"Imported graders: {one} meets {first.rate_one:.0%} of its expectations, {two} {first.rate_two:.0%}",
        counts="Pass rates that came with the import (grading.json, benchmark.json, promptfoo), averaged over pairs. "
        "They count in no verdict here.",
        figure=None,
        rows=linked(
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
            {"graded": [pairs_link(top.asked, Slice(grader=each.author)) for each in found]},
        ),
    )

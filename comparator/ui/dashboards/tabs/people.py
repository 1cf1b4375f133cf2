"""The charts of how far people can be trusted: their agreement, and whether blinding held."""

from __future__ import annotations

from collections.abc import Iterator

from comparator.reporting.scope import ResultFilter
from comparator.reporting.trust.reviewers import WINNER, Blinding, People, ReviewerAgreement
from comparator.reporting.why.pairs_behind import ANY
from comparator.stats.figures import Estimate
from comparator.ui.dashboards import sentences
from comparator.ui.dashboards.pairs_behind import tally_link
from comparator.ui.frame import charts, estimates
from comparator.ui.frame.charts.box import PAIRS, Box, Link, linked
from comparator.ui.frame.charts.theme import PALETTES, ColourTheme
from comparator.ui.frame.words import counted


def people_boxes(found: People, *, of: ResultFilter | str, theme: ColourTheme) -> Iterator[Box]:
    """All charts of the reviewers; where there is nothing to draw, what is missing."""
    yield _box(found, of, theme)
    yield _blinding(found.blinding, of, theme)


def _box(found: People, of: ResultFilter | str, theme: ColourTheme) -> Box:
    title = "Inter-rater agreement of reviewers of the same pairs"
    told = (
        f" Left out: {counted(found.told, 'pair')} whose reviewer had set up the pair or knew the candidates."
        if found.told
        else ""
    )
    if not found.panel:
        return Box(
            "reviewers",
            title=title,
            counts="None of these pairs has two blind final reviews yet. Two reviewers' agreement is the ceiling "
            f"for a judge's. In Settings, ask for two reviews of some pairs.{told}",
            figure=None,
            rows=[],
        )
    shown = PALETTES[theme]
    drawn = [
        (
            charts.Point(f"{_what(each)}: {name}", value.value, value.interval, estimates.figure(value)),
            _reviewed(each, of),
        )
        for each in found.panel
        for name, value in (
            ("same answer", each.agreement.raw),
            ("alpha", each.agreement.alpha),
            ("AC1", each.agreement.ac1),
        )
        if isinstance(value, Estimate)
    ]
    first = found.panel[0].agreement
    return Box(
        "reviewers",
        title=title,
        counts=f"{counted(first.cases, 'pair')} with two or more final reviews. Same answer: the "
        "probability that two reviewers of one pair agree, which is the ceiling for a judge's. "
        f"Krippendorff's alpha (ordinal) and Gwet's AC1 correct for chance.{told}",
        figure=charts.points(
            [point for point, _ in drawn],
            colour=shown.ink,
            even=0.0,
            low="as chance",
            high="agree",
            palette=shown,
            between=(-0.25, 1.05),
        )
        if drawn
        else None,
        rows=[
            {
                "What": _what(each),
                "Pairs": each.agreement.cases,
                "Same answer": estimates.figure(each.agreement.raw),
                "Alpha": estimates.figure(each.agreement.alpha),
                "AC1": estimates.figure(each.agreement.ac1),
                PAIRS: _reviewed(each, of),
            }
            for each in found.panel
        ],
        marks=[[link for _, link in drawn]],
    )


def _reviewed(each: ReviewerAgreement, of: ResultFilter | str) -> Link:
    return tally_link(of, "panel", "blind", each.what, ANY)


def _what(each: ReviewerAgreement) -> str:
    return "The winner" if each.what == WINNER else sentences.criterion(each.what, each.called)


def _guessed(found: Blinding) -> str:
    named = found.right + found.wrong
    if not named:
        return "Nobody named a candidate."
    guesses = "guess" if named == 1 else "guesses"
    share = (
        f"{found.right} of {named} {guesses} that named a candidate {'was' if named == 1 else 'were'} right"
    )
    return f"{share} ({estimates.interval(found.share)}); chance would give half."


def _blinding(found: Blinding | None, of: ResultFilter | str, theme: ColourTheme) -> Box:
    title = "Guesses, before the reveal, of who made output A: right, wrong, no idea"
    if found is None:
        return Box(
            "guesses",
            title=title,
            counts="Nobody was asked about these pairs, or none of them is revealed yet. In Settings, choose in how "
            "many pairs reviewers guess who made which output.",
            figure=None,
            rows=[],
        )
    shown = PALETTES[theme]
    indices = " ".join(f"Outputs of {arm.name}: {estimates.figure(arm.index)}." for arm in found.arms)
    marks = {
        what.replace("_", " "): [tally_link(of, "guess", arm.id, what) for arm in found.arms]
        for what in ("right", "wrong", "no_idea")
    }
    return Box(
        "guesses",
        title=title,
        counts=f"{_guessed(found)} Bang's index, 0 where blinding held and 1 where everybody could tell: {indices}",
        figure=charts.stacked(
            [f"made by {arm.name}" for arm in found.arms],
            (
                charts.Segment("right", shown.ink, shown.page, tuple(a.guesses.right for a in found.arms)),
                charts.Segment("wrong", shown.muted, shown.page, tuple(a.guesses.wrong for a in found.arms)),
                charts.Segment(
                    "no idea", shown.line, shown.ink, tuple(a.guesses.no_idea for a in found.arms)
                ),
            ),
            palette=shown,
        ),
        rows=linked(
            [
                {
                    "Made by": arm.name,
                    "Right": arm.guesses.right,
                    "Wrong": arm.guesses.wrong,
                    "No idea": arm.guesses.no_idea,
                    "Bang's index": estimates.figure(arm.index),
                }
                for arm in found.arms
            ],
            marks,
        ),
        marks=tuple(marks.values()),
    )

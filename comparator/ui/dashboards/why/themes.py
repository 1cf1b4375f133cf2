"""Themes on the page: for whom each named reason speaks, and what the codebook leaves out."""

from __future__ import annotations

from collections.abc import Iterator

from comparator.domain.rights import Act
from comparator.reporting.results.over_iterations import History
from comparator.reporting.scope import Meets
from comparator.reporting.themes.assignment import AssignmentStatus, assignment_status
from comparator.reporting.themes.picture import ThemePicture, ThemeSides, ThemeTrend, theme_picture, trends
from comparator.reporting.why.pairs import PairOutcome, Slice
from comparator.stats.figures import Estimate
from comparator.ui.dashboards.data import Headline
from comparator.ui.dashboards.pairs_behind import pairs_link
from comparator.ui.dashboards.why.codebook import codebook_box
from comparator.ui.dashboards.why.subjects import subjects_box
from comparator.ui.dashboards.why.theme_charts import small_trends, to_each_side
from comparator.ui.dashboards.why.theme_work import theme_work
from comparator.ui.frame import session
from comparator.ui.frame.charts import break_marks
from comparator.ui.frame.charts.box import Box, Link, linked, show
from comparator.ui.frame.charts.theme import ColourTheme, theme
from comparator.ui.frame.estimates import percent
from comparator.ui.frame.words import counted

SPEAKS = (PairOutcome.LOST, PairOutcome.WON, PairOutcome.TIED)
"""The traces of the picture, in their order."""


def themes_part(top: Headline, *, picture: str) -> None:
    """The themes, and what can be done about them."""
    database, project_id = session.services().database, top.asked.project_id
    may_ask = session.may(Act.JUDGE, project_id=project_id)
    found = assignment_status(database, project_id)
    show(_boxes(top, found, theme=theme()), picture=picture)
    if may_ask or found is None:
        theme_work(project_id, found=found, may_ask=may_ask)
    codebook_box(project_id)
    subjects_box(project_id)


def theme_boxes(top: Headline, *, theme: ColourTheme) -> Iterator[Box]:
    """The picture and the trends; nothing before findings are assigned."""
    yield from _boxes(top, assignment_status(session.services().database, top.asked.project_id), theme=theme)


def _boxes(top: Headline, about: AssignmentStatus | None, *, theme: ColourTheme) -> Iterator[Box]:
    database = session.services().database
    found = theme_picture(database, top.asked) if about is not None else None
    # Findings may all be of other candidates' pairs.
    if found is None or about is None or not (found.themes and found.findings):
        return
    yield themes_box(top, found, about, theme=theme)
    if top.history is not None:
        yield _trends_box(top, found, top.history, theme=theme)


def _trends_box(top: Headline, found: ThemePicture, history: History, *, theme: ColourTheme) -> Box:
    """A small chart a theme; a dot lists the pairs of its iteration with the quotes."""
    iterations = tuple((each.name, Meets(each.one, each.two)) for each in history.iterations)
    ordered = {each.theme.id: place for place, each in enumerate(found.themes)}
    over_time = sorted(
        trends(session.services().database, top.asked, iterations),
        key=lambda each: ordered[each.theme.id],
    )
    names = [name for name, _ in iterations]
    cuts = [each.at for each in history.breaks or ()]

    def link(each: ThemeTrend, at: int | None) -> Link | None:
        if at is None or each.leads[at] is None:
            return None
        _, met = iterations[at]
        asked = top.asked.model_copy(update={"one": met.one, "two": met.two, "also": ()})
        return pairs_link(asked, Slice(theme=each.theme.id))

    return Box(
        "theme_trends",
        title=f"Themes by {history.over.value.removesuffix('s')}",
        counts=f"Up: the theme speaks for {top.names.one} in more of the pairs that were read; down: for "
        f"{top.names.two}. All charts have the same scale. "
        f"{break_marks.sentence(history.breaks, names)}".rstrip(),
        figure=small_trends(over_time, names, theme=theme, cuts=cuts),
        rows=linked(
            [
                {
                    "Iteration": name,
                    **{
                        each.theme.name: None if (lead := each.leads[at]) is None else round(lead, 3)
                        for each in over_time
                    },
                }
                for at, name in enumerate(names)
            ],
            {each.theme.name: [link(each, at) for at in range(len(names))] for each in over_time},
        ),
        marks=[[link(each, at) for at in break_marks.parted(range(len(names)), cuts)] for each in over_time],
    )


def themes_box(top: Headline, found: ThemePicture, about: AssignmentStatus, *, theme: ColourTheme) -> Box:
    """A bar to each side for each theme; a click lists the pairs with the quote."""
    one, two = top.names
    links = [
        [pairs_link(top.asked, Slice(theme=each.theme.id, speaks=speaks)) for each in found.themes]
        for speaks in SPEAKS
    ]
    return Box(
        "themes",
        title=_title(found.themes[0], one, two),
        counts=" ".join(sentences(found, about)),
        figure=to_each_side(found.themes, one=one, two=two, theme=theme),
        rows=linked(
            [
                {
                    "Theme": each.theme.name,
                    "Test": each.theme.test,
                    f"For {one}": each.one,
                    "For both alike": each.even,
                    f"For {two}": each.two,
                    "For the winner": each.for_winner,
                    "For the loser": each.for_loser,
                    "Tasks": each.tasks,
                    f"Share for {one}": round(each.share.value, 3)
                    if isinstance(each.share, Estimate)
                    else None,
                    "Interval from": round(each.share.interval.low, 3)
                    if isinstance(each.share, Estimate)
                    else None,
                    "Interval to": round(each.share.interval.high, 3)
                    if isinstance(each.share, Estimate)
                    else None,
                }
                for each in found.themes
            ],
            {f"for {two}": links[0], f"for {one}": links[1], "for both alike": links[2]},
        ),
        marks=links,
    )


def sentences(found: ThemePicture, about: AssignmentStatus) -> Iterator[str]:
    """What the picture counts and what it leaves out, sentence by sentence."""
    yield (
        f"Pairs in which a theme speaks for one candidate, of {counted(found.read, 'pair')} whose reasons were read; "
        "ties are counted apart. Intervals are clustered by task and need 20 tasks."
    )
    if (first := found.themes[0]).decided:
        yield (
            f"“{first.theme.name}” speaks for the winner in {first.for_winner:,} of "
            f"{counted(first.decided, 'decided pair')} in which it speaks for one side."
        )
    yield f"None of these: {percent(found.uncovered)} of {counted(found.findings, 'finding')}."
    if not found.covers:
        yield "The codebook does not cover the findings: more than a quarter belong to none of its themes."
    yield f"Assigned by {about.assignment.model}."
    if about.waiting:
        yield f"{counted(about.waiting, 'finding')} of the newest assignment are left."
    if about.outdated:
        yield "The codebook has been drafted again: assign the findings again."


def _title(first: ThemeSides, one: str, two: str) -> str:
    if first.one == first.two:
        return f"“{first.theme.name}” recurs most often, as often for {one} as for {two}"
    ahead, more, less = (one, first.one, first.two) if first.one > first.two else (two, first.two, first.one)
    return f"“{first.theme.name}” recurs most often: for {ahead} in {counted(more, 'pair')}, for the other in {less}"

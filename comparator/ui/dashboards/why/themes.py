"""Themes on the page: for whom each named reason speaks, and what the codebook leaves out."""

from collections import Counter
from collections.abc import Iterator, Sequence
from math import isnan

import streamlit as st

from comparator.domain.rights import Act
from comparator.domain.themes import FindingSource
from comparator.interop.exported import ExportFormat
from comparator.interop.written.fix_list import gaps_of
from comparator.reporting.findings import Findings
from comparator.reporting.results.over_iterations import History
from comparator.reporting.theme_picture import (
    AssignmentStatus,
    Subject,
    Subjects,
    ThemePicture,
    ThemeSides,
    assignment_status,
    subjects,
    theme_picture,
    trends,
)
from comparator.reporting.why.pairs import PairOutcome, Slice
from comparator.stats.differences import benjamini_hochberg, mann_whitney
from comparator.stats.intervals import ENOUGH, Estimate
from comparator.ui.dashboards.pairs_behind import SAID, pairs_link, part_link
from comparator.ui.dashboards.why.theme_work import codebook_box, theme_work
from comparator.ui.frame import safe, session
from comparator.ui.frame.charts import Bars, Cell, Chart, Link, Multiples, Tone, break_marks, ends
from comparator.ui.frame.charts.chart import FOLLOWED
from comparator.ui.frame.estimates import percent
from comparator.ui.frame.words import counted
from comparator.workflow.exporting.formats import ExportRequest, gather

LONGEST, TYPICAL, STRETCHES = 60, 3, 6
"""Characters of a reason beside its bar, reasons that are quoted, and points of each over the iterations."""


def theme_charts(top: Findings) -> Iterator[Chart]:
    """The themes and their trends; before findings are assigned, what reasons talk about by their words."""
    database, project_id = session.services().database, top.filter.project_id
    about = assignment_status(database, project_id)
    picture = theme_picture(database, top.filter) if about is not None else None
    # Findings may all be of other candidates' pairs.
    if picture is not None and about is not None and picture.themes and picture.findings:
        yield themes_chart(top, picture, about)
        if top.history is not None:
            yield _trends(top, picture, top.history)
    elif (mentioned := subjects(database, top.filter)).groups:
        yield _subjects(top, mentioned)
        if top.history is not None and top.filter.also:
            yield from _subject_trends(top, mentioned, top.history)


def theme_forms(project_id: str) -> None:
    """What can be done about themes."""
    database = session.services().database
    may_ask = session.may(Act.JUDGE, project_id=project_id)
    status = assignment_status(database, project_id)
    if may_ask or status is None:
        theme_work(project_id, assignment_status=status, may_ask=may_ask)
    codebook_box(project_id)


def _trends(top: Findings, picture: ThemePicture, history: History) -> Chart:
    """A small chart a theme; a dot lists the pairs of its iteration with the quotes."""
    meets = [iteration.met for iteration in history.iterations]
    leads = trends(session.services().database, top.filter, meets)
    themes = [sides.theme for sides in picture.themes if sides.theme.id in leads]

    return Chart(
        "theme_trends",
        f"Themes by {history.over.value.removesuffix('s')}",
        [
            {
                "Iteration": iteration.name,
                **{
                    theme.name: None if isnan(lead := leads[theme.id].iat[at]) else round(lead, 3)
                    for theme in themes
                },
            }
            for at, iteration in enumerate(history.iterations)
        ],
        Multiples(
            "Iteration",
            [theme.name for theme in themes],
            [change.at for change in history.breaks or ()],
            form="+.0%",
            even=0.0,
        ),
        {
            theme.name: [
                None if isnan(lead) else pairs_link(top.filter.over(met), "theme", theme_id=theme.id)
                for met, lead in zip(meets, leads[theme.id], strict=True)
            ]
            for theme in themes
        },
        note=f"Up: the theme speaks for {top.names.one} in more pairs; down: for {top.names.two}.",
        help=break_marks.sentence(history.breaks, history.steps),
    )


def themes_chart(top: Findings, picture: ThemePicture, about: AssignmentStatus) -> Chart:
    """A bar for each theme; a click lists the pairs with the quote."""
    one, two = top.names
    series = {
        f"For {one}": (Tone.ONE, PairOutcome.WON),
        "For both alike": (Tone.EVEN, PairOutcome.TIED),
        f"For {two}": (Tone.TWO, PairOutcome.LOST),
    }
    share = f"Share for {one}"
    return Chart(
        "themes",
        _title(picture.themes[0], one, two),
        [
            {
                "Theme": theme.theme.name,
                **dict(zip(series, (theme.won, theme.tied, theme.lost), strict=True)),
                share: round(theme.rate.value, 3) if isinstance(theme.rate, Estimate) else None,
                **ends(theme.rate),
                "For the winner": theme.for_winner,
                "For the loser": theme.for_loser,
                "Tasks": theme.tasks,
                "Test": theme.theme.test,
            }
            for theme in picture.themes
        ],
        Bars("Theme", {name: tone for name, (tone, _) in series.items()}),
        {
            name: [
                pairs_link(top.filter, "theme", theme_id=theme.theme.id, speaks=speaks)
                for theme in picture.themes
            ]
            for name, (_, speaks) in series.items()
        },
        note=" ".join(sentences(picture, about)),
        help=f"Pairs in which a theme speaks for one candidate, of {counted(picture.read, 'pair')} whose reasons were "
        f"read. Intervals are clustered by task and need 20 tasks. Assigned by {about.assignment.model}.",
    )


def sentences(picture: ThemePicture, about: AssignmentStatus) -> Iterator[str]:
    """What the picture leaves out, and for whom the first theme speaks, sentence by sentence."""
    if (first := picture.themes[0]).decided:
        yield (
            f"“{first.theme.name}” speaks for the winner in {first.for_winner:,} of "
            f"{counted(first.decided, 'decided pair')} in which it speaks for one side."
        )
    yield f"None of these: {percent(picture.uncovered)} of {counted(picture.findings, 'finding')}."
    if not picture.covers:
        yield "The codebook does not cover the findings: more than a quarter belong to none of its themes."
    if about.waiting:
        yield f"{counted(about.waiting, 'finding')} of the newest assignment are left."
    if about.outdated:
        yield "The codebook has been drafted again: assign the findings again."


def _title(first: ThemeSides, one: str, two: str) -> str:
    if first.won == first.lost:
        return f"“{first.theme.name}” recurs most often, as often for {one} as for {two}"
    ahead, more, less = (
        (one, first.won, first.lost) if first.won > first.lost else (two, first.lost, first.won)
    )
    return f"“{first.theme.name}” recurs most often: for {ahead} in {counted(more, 'pair')}, for the other in {less}"


def _subjects(top: Findings, mentioned: Subjects) -> Chart:
    one, two = top.names
    series = {f"Of {one}": Tone.ONE, f"Of {two}": Tone.TWO}
    first = mentioned.groups[0]
    # Strengths, then weaknesses.
    groups = sorted(mentioned.groups, key=lambda group: group.example.source)
    (often, more), (seldom, less) = sorted(
        ((len(first.of_one), one), (len(first.of_two), two)), key=lambda side: -side[0]
    )
    said = "for" if first.example.source is FindingSource.STRENGTH else "against"
    drawn = ""
    if mentioned.read < mentioned.pairs:
        drawn = f"; from {mentioned.read} pairs drawn at random"
    return Chart(
        "subjects",
        f"“{safe.beginning(first.example.words, LONGEST).rstrip('.')}”: said {said} {more} in "
        f"{counted(often, 'pair')}, {said} {less} in {seldom}",
        [
            {
                "Said": _said(group),
                **dict(zip(series, map(len, (group.of_one, group.of_two)), strict=True)),
                "Of the winner": group.of_winner,
                "Words": ", ".join(group.words),
            }
            for group in groups
        ],
        Bars("Said", series, sides=(two, one)),
        {
            name: [_listed(top, (group.of_one, group.of_two)[at]) for group in groups]
            for at, name in enumerate(series)
        },
        note=f"+ strength, − weakness{drawn}.",
        help=f"A bar counts pairs with a remark in similar words, of {mentioned.pairs:,} won and lost. The title has "
        "the most one-sided remark. The same remark in other words is counted separately.",
        pairs=mentioned.read,
        under=lambda: _typical(top, mentioned.groups[:TYPICAL]),
    )


def _listed(top: Findings, ids: tuple[str, ...]) -> Link | None:
    """The address of the list of these pairs."""
    return part_link(top.filter, Slice(comparisons=ids)) if ids else None


def _said(group: Subject) -> str:
    """The remark that is most like all others of its group."""
    sign = "+" if group.example.source is FindingSource.STRENGTH else "−"
    return f"{sign} {safe.beginning(group.example.words, LONGEST)}"


def _typical(top: Findings, groups: Sequence[Subject]) -> None:
    """The most typical remark of each group, with the judge's quote there; a button opens its pair at that place."""
    examples = {group.example.comparison_id: group.example for group in groups}
    request = ExportRequest(format=ExportFormat.CSV, comparisons=tuple(examples))
    by_id = {pair.id: pair for pair in gather(session.services(), request, Counter())}
    with st.container(gap=None):
        for at, (id, example) in enumerate(examples.items()):
            if (pair := by_id.get(id)) is None or pair.makers is None:
                continue
            # A strength is quoted where the other output trails, a weakness where its own does.
            is_strength = example.source is FindingSource.STRENGTH
            gaps = gaps_of(pair, example.label.other if is_strength else example.label)
            quotes = (quote for gap in gaps for quote in (gap.other if is_strength else gap.own).quotes)
            quote = next(quotes, "")
            words = (
                f"“{safe.beginning(example.words, 90)}”: {pair.makers[example.label].dated} in {pair.title}"
            )
            link = part_link(top.filter, Slice(comparisons=(id,))).saying(f"“{example.words}”")
            st.button(
                safe.text(
                    f"{words}; the judge quotes “{safe.beginning(quote, LONGEST)}”" if quote else words
                ),
                key=f"typical_{at}",
                icon=":material/format_quote:",
                type="tertiary",
                on_click=st.session_state.update,
                args=({FOLLOWED: link, SAID: quote or example.words},),
            )


def _subject_trends(top: Findings, mentioned: Subjects, history: History) -> Iterator[Chart]:
    """A small chart a subject over stretches of iterations, since each has few of the pairs that were read; nothing
    where no subject changed beyond chance."""
    names = history.steps
    changed = changed_subjects(mentioned, [iteration.met.both for iteration in history.iterations])
    if not changed:
        return
    size = -(-len(names) // STRETCHES)
    place = {iteration.met.both: at // size for at, iteration in enumerate(history.iterations)}
    at_step = {id: place[both] for id, both in mentioned.both.items()}
    steps = range(place[history.iterations[-1].met.both] + 1)
    read = Counter(at_step.values())
    rows: list[dict[str, Cell]] = [
        {"Iterations": " to ".join(dict.fromkeys((own[0], own[-1])))}
        for own in (names[step * size : (step + 1) * size] for step in steps)
    ]
    opens = {}
    for group in changed[: Multiples.across]:
        one, two = (Counter(at_step[id] for id in ids) for ids in (group.of_one, group.of_two))
        every = group.of_one + group.of_two
        opens[_said(group)] = [
            _listed(top, tuple(id for id in every if at_step[id] == step)) for step in steps
        ]
        for step, row in zip(steps, rows, strict=True):
            row[_said(group)] = round((one[step] - two[step]) / read[step], 3) if read[step] else None
    yield Chart(
        "subject_trends",
        f"{counted(len(changed), 'remark')} changed over the iterations",
        rows,
        Multiples("Iterations", list(opens), form="+.0%", even=0.0),
        opens,
        note=f"Up: said of {top.names.one} in more pairs; down: of {top.names.two}.",
        pairs=mentioned.read,
    )


def changed_subjects(mentioned: Subjects, steps: Sequence[str]) -> list[Subject]:
    """The subjects that are said of one candidate more often, or less, in the later half of the iterations, beyond
    chance and with all of them in mind."""
    late = {id: 2 * steps.index(both) >= len(steps) for id, both in mentioned.both.items()}
    if len(late) < ENOUGH or len(set(late.values())) == 1:
        return []
    chances = []
    for group in mentioned.groups:
        sides = {id: (id in group.of_one) - (id in group.of_two) for id in late}
        chances.append(
            mann_whitney(
                *([side for id, side in sides.items() if late[id] is half] for half in (False, True))
            )
        )
    beyond = benjamini_hochberg(chances)
    return [group for group, is_beyond in zip(mentioned.groups, beyond, strict=True) if is_beyond]

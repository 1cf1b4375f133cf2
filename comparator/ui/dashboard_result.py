"""The charts of the result of two candidates: what the answer in words rests on."""

from __future__ import annotations

from collections.abc import Iterator

from comparator.reporting.results import Difference, Result
from comparator.reporting.results_powered import AllPairs
from comparator.reporting.results_scope import Kind, Runs, Verdicts
from comparator.stats.figures import Estimate, Interval, TooFew
from comparator.stats.noise import NoiseFloor
from comparator.ui import charts, dashboard_words
from comparator.ui.dashboard_data import Details, Headline, address
from comparator.ui.dashboard_panel import PAIRS, Cell, Panel
from comparator.ui.dashboard_words import percent
from comparator.ui.theme import PALETTES, Theme
from comparator.ui.words import counted

ON_TIE = "#000000"
LISTED = {
    Kind.BLIND: {"verdicts": Verdicts.BLIND.value},
    Kind.KNEW: {"verdicts": Verdicts.REVIEWED.value},
    Kind.JUDGE: {"verdicts": Verdicts.JUDGE.value},
    Kind.BASELINE: {"verdicts": Verdicts.JUDGE.value, "baseline": "true"},
}
"""The filters under which the pairs of each kind of verdict are listed."""
REASON_LIMIT = 220


def result_panels(top: Headline, more: Details, *, theme: Theme) -> Iterator[Panel]:
    """All charts of the result, in the order in which they are read."""
    found = top.result
    if not found.by_kind:
        return
    yield _outcomes(top, theme)
    if not found.n:
        return
    yield _noise(top, theme)
    yield _differences(top, theme)
    if more.criteria:
        yield _criteria(top, more, theme)
    if more.ahead or more.behind:
        yield _tasks(top, more, theme)
    yield _all_pairs(top, more.all_pairs, theme)
    yield _runs(top, more.other_runs)


def _filters(top: Headline) -> dict[str, str]:
    asked = top.asked
    return {
        "pair": ".".join(sorted((asked.one, asked.two))),
        "adopt": asked.one,
        "verdicts": asked.verdicts.value,
        "runs": asked.runs.value,
        **({"baseline": "true"} if asked.baseline else {}),
    }


def _outcomes(top: Headline, theme: Theme) -> Panel:
    found, (one, two) = top.result, top.names
    colours, shown = charts.CANDIDATES[theme], PALETTES[theme]
    names = [
        dashboard_words.KINDS[each.kind] + ("" if each.kind in top.asked.kinds else " (not counted)")
        for each in found.by_kind
    ]
    rows: list[dict[str, Cell]] = [
        {
            "Whose verdict": name,
            f"Won by {one}": each.won,
            "Tied": each.tied,
            f"Won by {two}": each.lost,
            "Judge's orders disagreed": each.flipped,
            PAIRS: address(top.asked.project_id, **_filters(top) | LISTED[each.kind]) + "#pairs",
        }
        for name, each in zip(names, found.by_kind, strict=True)
    ]
    return Panel(
        "outcomes",
        title=f"Pairs won by {one}, tied, and won by {two}",
        counts=f"{counted(found.n, 'pair')} counted in {counted(found.tasks, 'task')}. "
        f"{dashboard_words.sign(found.sign_test)} {dashboard_words.consistency(found)}",
        figure=charts.stacked(
            [name.capitalize() for name in names],
            (
                charts.Segment(f"won by {one}", colours[0], shown.page, tuple(k.won for k in found.by_kind)),
                charts.Segment("tied", shown.tie, ON_TIE, tuple(k.tied for k in found.by_kind)),
                charts.Segment(f"won by {two}", colours[1], shown.page, tuple(k.lost for k in found.by_kind)),
            ),
            palette=shown,
        ),
        rows=rows,
    )


def _noise(top: Headline, theme: Theme) -> Panel:
    noise, shown = top.noise, PALETTES[theme]
    floor = noise.floor
    if isinstance(floor, NoiseFloor):
        ends = floor.rates(top.result.n)
        told = (
            f"Two runs of the same candidate were compared {floor.pairs} times: one of the two equals was named the "
            f"winner in {floor.decided}, with a lead of {floor.median / 10:.1f} points in the middle and at most "
            f"{floor.most / 10:.1f} in 95 of 100. A win by no more than that may be chance. Over {top.result.n} pairs "
            f"chance alone gives win rates between {ends.low * 100:.0f}% and {ends.high * 100:.0f}%."
        )
    else:
        told = (
            f"The noise is not known: {floor.n} pairs of two runs of the same candidate are there, {floor.needed} are "
            "needed. Import them with their repetitions, or run the same candidate twice. Until then only wins by "
            "no lead at all count as within the noise."
        )
    parts = (("clear win or loss", noise.clear), ("within the noise", noise.within), ("tied", noise.tied))
    return Panel(
        "noise",
        title="Wins and losses that are clear, and those that chance would give as well",
        counts=f"{told} The judge's two orders disagreed on {noise.flipped} of {counted(top.result.n, 'pair')}.",
        figure=charts.stacked(
            ["Counted pairs"],
            (
                charts.Segment(parts[0][0], shown.ink, shown.page, (noise.clear,)),
                charts.Segment(parts[1][0], shown.muted, shown.page, (noise.within,)),
                charts.Segment(parts[2][0], shown.line, shown.ink, (noise.tied,)),
            ),
            palette=shown,
        ),
        rows=[
            {"What": name.capitalize(), "Pairs": n}
            for name, n in (*parts, ("orders disagreed", noise.flipped))
        ],
    )


def _differences(top: Headline, theme: Theme) -> Panel:
    found, (one, two) = top.result, top.names
    measures = {
        "Overall (2 to 10)": found.overall,
        "Content (1 to 5)": found.content,
        "Structure (1 to 5)": found.structure,
    }
    rates = found.pass_rates
    expectations = ""
    if rates:
        passed = rates.difference
        told = (
            ""
            if isinstance(passed, TooFew)
            else f", a difference of {passed.value * 100:+.0f} points ({passed.interval.low * 100:+.0f} to "
            f"{passed.interval.high * 100:+.0f})"
        )
        expectations = (
            f" Expectations met, over {counted(rates.pairs, 'pair')} that have any: {one} {percent(rates.one)}, "
            f"{two} {percent(rates.two)}{told}."
        )
    return _difference_panel(
        "differences",
        f"Mean score of {one} minus mean score of {two}",
        f"Points over {counted(found.overall.pairs, 'pair')} in {counted(found.tasks, 'task')}; the line is the "
        f"95% interval, in which pairs of one task count as alike.{expectations}",
        measures,
        top,
        theme,
    )


def _criteria(top: Headline, more: Details, theme: Theme) -> Panel:
    measures = {dashboard_words.criterion(each.path): each.difference for each in more.criteria}
    return _difference_panel(
        "by_criterion",
        f"Mean score of {top.names.one} minus mean score of {top.names.two}, by criterion",
        "Points on a scale of 1 to 5, over pairs that were scored by the project's own rubric, so that a criterion "
        "means the same in every task.",
        measures,
        top,
        theme,
    )


def _difference_panel(
    name: str, title: str, counts: str, measures: dict[str, Difference], top: Headline, theme: Theme
) -> Panel:
    shown, (one, two) = PALETTES[theme], top.names
    return Panel(
        name,
        title=title,
        counts=counts,
        figure=charts.points(
            [
                charts.Point(
                    told,
                    each.mean or 0.0,
                    None if isinstance(each.estimate, TooFew) else each.estimate.interval,
                    dashboard_words.difference(each),
                )
                for told, each in measures.items()
            ],
            colour=shown.ink,
            even=0.0,
            low=f"{two} better",
            high=f"{one} better",
            palette=shown,
        ),
        rows=[_difference_row(told, each) for told, each in measures.items()],
    )


def _difference_row(name: str, each: Difference) -> dict[str, Cell]:
    ends = None if isinstance(each.estimate, TooFew) else each.estimate.interval
    return {
        "Score": name,
        "Mean difference": None if each.mean is None else round(each.mean, 3),
        "Interval from": round(ends.low, 3) if ends else None,
        "Interval to": round(ends.high, 3) if ends else None,
        "Pairs": each.pairs,
        "Tasks": each.estimate.n,
    }


def _tasks(top: Headline, more: Details, theme: Theme) -> Panel:
    one, two = top.names
    rows = (*more.ahead, *reversed(more.behind))
    return Panel(
        "tasks",
        title=f"Tasks on which {one} leads most, and trails most",
        counts=f"Mean difference of the overall score in points, {one} minus {two}; at most five tasks each way. The "
        "numbers hold the reason that the verdict gives for one pair of each, and a link to it.",
        figure=charts.diverging(
            [(each.title, each.difference) for each in rows],
            colours=charts.CANDIDATES[theme],
            low=f"{two} better",
            high=f"{one} better",
            palette=PALETTES[theme],
        ),
        rows=[
            {
                "Task": each.title,
                "Mean difference": round(each.difference, 3),
                "Pairs": each.pairs,
                "Pair": each.comparison_id,
                f"{one} is": each.one_is,
                "Reason": each.reasoning[:REASON_LIMIT] + ("…" if len(each.reasoning) > REASON_LIMIT else ""),
            }
            for each in rows
        ],
    )


def _all_pairs(top: Headline, found: AllPairs, theme: Theme) -> Panel:
    shown, one = PALETTES[theme], top.names.one
    title = f"Share of all pairs that people would give {one}"
    if found.powered is None or isinstance(found.powered, TooFew):
        missing = (
            "No model has judged a pair of these two."
            if not found.pairs
            else "No pair of the audit sample is reviewed yet."
            if found.powered is None
            else f"Reviewed pairs of the sample lie in {found.powered.n} tasks; {found.powered.needed} are needed."
        )
        return Panel(
            "all_pairs",
            title=title,
            counts=f"Here stands what people would say of all {found.pairs} pairs that a model judged, from the judge "
            f"on all of them and people on the audit sample ({found.reviewed} of {found.sample} reviewed). {missing}",
            figure=None,
            rows=[],
        )
    powered = found.powered
    unfinished = (
        ""
        if found.finished
        else f" The sample is not finished: {found.sample - found.reviewed} of {found.sample} pairs are not reviewed, "
        "and those that are may differ from the rest."
    )
    saved = (
        f" It would have taken {powered.reviews_saved} more reviews to be as sure without the judge."
        if powered.reviews_saved
        else " The judge made it no surer."
    )
    parts = {"Judge and sample together": powered.rate, "Reviewed sample alone": powered.plain}
    return Panel(
        "all_pairs",
        title=title,
        counts=f"The judge's verdict on all {found.pairs} pairs, corrected by people's on {found.reviewed} of them "
        f"(PPI++; the judge's word is given a weight of {percent(powered.trust)}).{saved}{unfinished}",
        figure=charts.points(
            [
                charts.Point(name, each.value * 100, _percent_ends(each), dashboard_words.interval(each))
                for name, each in parts.items()
            ],
            colour=shown.ink,
            even=50.0,
            low=f"{top.names.two} better",
            high=f"{one} better",
            palette=shown,
            between=(0, 100),
        ),
        rows=[
            {
                "Figure": name,
                "Share": round(each.value, 3),
                "Interval from": round(each.interval.low, 3),
                "Interval to": round(each.interval.high, 3),
                "Reviews": each.n,
            }
            for name, each in parts.items()
        ],
    )


def _percent_ends(each: Estimate) -> Interval:
    return Interval(low=each.interval.low * 100, high=each.interval.high * 100)


def _runs(top: Headline, other: Result) -> Panel:
    shown = "valid runs only" if top.asked.runs is Runs.VALID else "all runs"
    hidden = "all runs" if top.asked.runs is Runs.VALID else "valid runs only"
    return Panel(
        "runs",
        title="The same result with and without void, cut off and superseded runs",
        counts="If the two lines differ much, the runs that did not end well decide, not the candidates.",
        figure=None,
        rows=[
            {
                "Runs": name.capitalize() + mark,
                f"Won by {top.names.one}": each.won,
                "Tied": each.tied,
                f"Won by {top.names.two}": each.lost,
                "Win rate": dashboard_words.interval(each.win_rate),
            }
            for name, each, mark in ((shown, top.result, " (shown)"), (hidden, other, ""))
        ],
    )

"""The charts of the result of two candidates: what the answer in words rests on."""

from __future__ import annotations

from collections.abc import Iterator

from comparator.reporting.results.prediction_powered import AllPairs
from comparator.reporting.results.result import Difference, Result
from comparator.reporting.scope import KIND_NAMES, Runs, Verdicts
from comparator.reporting.why.pairs import PairOutcome, Slice
from comparator.stats.figures import Estimate, Interval, TooFew
from comparator.stats.noise import NoiseFloor
from comparator.ui.dashboards import sentences
from comparator.ui.dashboards.data import Details, Headline
from comparator.ui.dashboards.pairs_behind import pairs_link
from comparator.ui.frame import charts, estimates
from comparator.ui.frame.charts.box import PAIRS, REVIEW, Box, Cell, Link, Row, linked
from comparator.ui.frame.charts.theme import PALETTES, ColourTheme
from comparator.ui.frame.estimates import percent
from comparator.ui.frame.words import counted

REASON_LIMIT = 220


def result_boxes(top: Headline, more: Details, *, theme: ColourTheme) -> Iterator[Box]:
    """All charts of the result, in the order in which they are read."""
    found = top.result
    if not found.by_kind:
        return
    yield _outcomes(top, theme)
    if not found.n:
        return
    yield _noise(top, theme)
    yield _differences(top, theme)
    if more.ahead or more.behind:
        yield _tasks(top, more, theme)
    yield _all_pairs(top, more.all_pairs, theme)
    yield _runs(top, more.other_runs)


def _outcomes(top: Headline, theme: ColourTheme) -> Box:
    found, (one, two) = top.result, top.names
    colours, shown = charts.CANDIDATES[theme], PALETTES[theme]
    names = [
        KIND_NAMES[each.kind] + ("" if each.kind in top.asked.kinds else " (not counted)")
        for each in found.by_kind
    ]
    rows: list[Row] = [
        {
            "Whose verdict": name,
            f"Won by {one}": each.won,
            "Tied": each.tied,
            f"Won by {two}": each.lost,
            "Judge's orders disagreed": each.flipped,
        }
        for name, each in zip(names, found.by_kind, strict=True)
    ]
    marks = {
        series: [pairs_link(top.asked, Slice(kind=each.kind, outcome=outcome)) for each in found.by_kind]
        for series, outcome in (
            (f"won by {one}", PairOutcome.WON),
            ("tied", PairOutcome.TIED),
            (f"won by {two}", PairOutcome.LOST),
        )
    }
    return Box(
        "outcomes",
        title=f"Pairs won by {one}, tied, and won by {two}",
        counts=f"{counted(found.n, 'pair')} counted in {counted(found.tasks, 'task')}. "
        f"{sentences.sign(found.sign_test)} {sentences.consistency(found)}"
        if found.n
        else "None of these is counted with the filters above.",
        figure=charts.stacked(
            [name.capitalize() for name in names],
            (
                charts.Segment(f"won by {one}", colours[0], shown.page, tuple(k.won for k in found.by_kind)),
                charts.Segment("tied", shown.line, shown.ink, tuple(k.tied for k in found.by_kind)),
                charts.Segment(
                    f"won by {two}",
                    colours[1],
                    shown.page,
                    tuple(k.lost for k in found.by_kind),
                    charts.HATCHED,
                ),
            ),
            palette=shown,
        ),
        rows=linked(rows, marks),
        marks=tuple(marks.values()),
    )


def _noise(top: Headline, theme: ColourTheme) -> Box:
    noise, shown = top.noise, PALETTES[theme]
    floor = noise.floor
    if isinstance(floor, NoiseFloor):
        most, ends = floor.most, floor.rates(top.result.n)
        title = "Wins and losses beyond the noise, and within it"
        names = ("clear win or loss", "within the noise")
        whole = (
            " in the whole project, because the filters leave too few revealed ones"
            if noise.of_project
            else ""
        )
        explained = (
            f"Two runs of the same candidate were compared {floor.pairs} times{whole}: one of them was named the "
            f"winner in {floor.decided}, with a median lead of {floor.median / 10:.1f} points (95th "
            f"percentile {most / 10:.1f}). A smaller win may be chance. Over "
            f"{counted(top.result.n, 'pair')} chance alone gives win rates between {ends.low * 100:.0f}% and "
            f"{ends.high * 100:.0f}%."
        )
    else:
        most = 0
        title = "Wins and losses with a lead in the scores, and those without"
        names = ("win or loss with a lead", "on equal scores")
        explained = (
            "The noise between two runs of the same candidate is not known: it takes "
            f"{floor.needed} such pairs, and {sentences.there_are(floor.n)}. Import repetitions, or run one "
            f"candidate twice.{_between_iterations(top)}"
        )
    parts = (
        (names[0], noise.clear, Slice(above=most)),
        (names[1], noise.within, Slice(upto=most)),
        ("tied", noise.tied, Slice(outcome=PairOutcome.TIED)),
    )
    colours = ((shown.ink, shown.page), (shown.muted, shown.page), (shown.line, shown.ink))
    return Box(
        "noise",
        title=title,
        counts=f"{explained} {sentences.flips(noise, top.result)}",
        figure=charts.stacked(
            ["Counted pairs"],
            [
                charts.Segment(name, colour, on, (n,))
                for (name, n, _), (colour, on) in zip(parts, colours, strict=True)
            ],
            palette=shown,
        ),
        rows=[
            {"What": name.capitalize(), "Pairs": n, PAIRS: pairs_link(top.asked, only)}
            for name, n, only in (*parts, ("orders disagreed", noise.flipped, Slice(flipped=True)))
        ],
        marks=[[pairs_link(top.asked, only)] for _, _, only in parts],
    )


def _between_iterations(top: Headline) -> str:
    usual = top.history.usual_change if top.history else None
    if usual is None:
        return ""
    return f" The noise between iterations is known: {usual:.1f} points of change in a task's lead (see Over time)."


def _differences(top: Headline, theme: ColourTheme) -> Box:
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
        difference = (
            ""
            if isinstance(passed, TooFew)
            else f", a difference of {passed.value * 100:+z.0f} points ({passed.interval.low * 100:+z.0f} to "
            f"{passed.interval.high * 100:+z.0f})"
        )
        expectations = (
            f" Expectations met, over {counted(rates.pairs, 'pair')} that have any: {one} {percent(rates.one)}, "
            f"{two} {percent(rates.two)}{difference}."
        )
    return _difference_box(
        "differences",
        f"Mean score of {one} minus mean score of {two}",
        f"Points over {counted(found.overall.pairs, 'pair')} in {counted(found.tasks, 'task')}; the line is the "
        f"95% interval, clustered by task.{expectations}",
        measures,
        top,
        theme,
    )


def _difference_box(
    name: str, title: str, counts: str, measures: dict[str, Difference], top: Headline, theme: ColourTheme
) -> Box:
    shown, (one, two) = PALETTES[theme], top.names
    links = [pairs_link(top.asked)] * len(measures)
    return Box(
        name,
        title=title,
        counts=counts,
        figure=charts.points(
            [
                charts.Point(
                    measure,
                    each.mean or 0.0,
                    None if isinstance(each.estimate, TooFew) else each.estimate.interval,
                    sentences.difference(each),
                )
                for measure, each in measures.items()
            ],
            colour=shown.ink,
            even=0.0,
            low=f"{two} better",
            high=f"{one} better",
            palette=shown,
        ),
        rows=linked([_difference_row(measure, each) for measure, each in measures.items()], {PAIRS: links}),
        marks=[links],
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


def _tasks(top: Headline, more: Details, theme: ColourTheme) -> Box:
    one, two = top.names
    rows = (*more.ahead, *reversed(more.behind))
    return Box(
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
        marks=[[Link(REVIEW + each.comparison_id) for each in rows]],
    )


def _all_pairs(top: Headline, found: AllPairs, theme: ColourTheme) -> Box:
    shown, one = PALETTES[theme], top.names.one
    title = f"Win rate over all pairs that people would give {one}"
    if not found.pairs:
        return Box(
            "all_pairs",
            title=title,
            counts="No model has judged a pair of these two yet. Once one has judged all pairs and people have "
            "reviewed the audit sample, this says how people would judge all of them.",
            figure=None,
            rows=[],
        )
    if found.powered is None or isinstance(found.powered, TooFew):
        missing = (
            "No pair of the audit sample is reviewed yet."
            if found.powered is None
            else f"Reviewed pairs of the sample lie in {counted(found.powered.n, 'task')}; "
            f"{found.powered.needed} are needed."
        )
        return Box(
            "all_pairs",
            title=title,
            counts=f"This will estimate how people would judge all {found.pairs:,} pairs. The model has judged them "
            f"all. Reviews of the audit sample correct it ({found.reviewed:,} of {found.sample:,} are done). {missing}",
            figure=None,
            rows=[],
        )
    powered = found.powered
    unfinished = (
        ""
        if found.finished
        else f" The sample is not finished: {found.reviewed:,} of {counted(found.sample, 'pair')} reviewed so far, "
        "which may differ from the rest."
    )
    saved = (
        f" Without the judge, the same precision takes {counted(powered.reviews_saved, 'more review')}."
        if powered.reviews_saved
        else " The judge added no precision."
    )
    parts = {"Judge and sample together": powered.rate, "Reviewed sample alone": powered.plain}
    either = top.asked.model_copy(update={"verdicts": Verdicts.EITHER, "offline": False})
    people = either.model_copy(update={"verdicts": Verdicts.REVIEWED})
    links = [pairs_link(either), pairs_link(people, Slice(audited=True))]
    return Box(
        "all_pairs",
        title=title,
        counts=f"The judge's verdict on all {found.pairs} pairs, corrected by people's on {found.reviewed} of them "
        f"(PPI++; the judge's word is given a weight of {percent(powered.trust)}).{saved}{unfinished}",
        figure=charts.points(
            [
                charts.Point(name, each.value * 100, _percent_ends(each), estimates.interval(each))
                for name, each in parts.items()
            ],
            colour=shown.ink,
            even=50.0,
            low=f"{top.names.two} better",
            high=f"{one} better",
            palette=shown,
            between=(-3, 103),
        ),
        rows=[
            {
                "Figure": name,
                "Share": round(each.value, 3),
                "Interval from": round(each.interval.low, 3),
                "Interval to": round(each.interval.high, 3),
                "Reviews": each.n,
                PAIRS: link,
            }
            for (name, each), link in zip(parts.items(), links, strict=True)
        ],
        marks=[links],
    )


def _percent_ends(each: Estimate) -> Interval:
    return Interval(low=each.interval.low * 100, high=each.interval.high * 100)


def _runs(top: Headline, other: Result) -> Box:
    names = {Runs.VALID: "Valid runs only", Runs.ALL: "All runs"}
    others = Runs.ALL if top.asked.runs is Runs.VALID else Runs.VALID
    return Box(
        "runs",
        title="Sensitivity: the result with and without unusable, cut-off and superseded outputs",
        counts="If the two lines differ a lot, failed runs drive the result rather than the candidates.",
        figure=None,
        rows=[
            {
                "Runs": names[runs] + mark,
                f"Won by {top.names.one}": each.won,
                "Tied": each.tied,
                f"Won by {top.names.two}": each.lost,
                "Win rate": estimates.interval(each.win_rate),
                PAIRS: pairs_link(top.asked.model_copy(update={"runs": runs})),
            }
            for runs, each, mark in ((top.asked.runs, top.result, " (shown)"), (others, other, ""))
        ],
    )

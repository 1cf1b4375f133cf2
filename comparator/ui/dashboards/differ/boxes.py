"""What goes with winning, and how much more of one thing a candidate has: charts of paired differences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from comparator.reporting.scope import By
from comparator.reporting.why.differ import Differences, Differs, Record
from comparator.reporting.why.differ_by_part import PartDiffers
from comparator.reporting.why.pairs import Slice
from comparator.stats.figures import ENOUGH, Estimate, Interval, TooFew
from comparator.ui.dashboards.data import Headline
from comparator.ui.dashboards.pairs_behind import pairs_link
from comparator.ui.frame import charts, estimates
from comparator.ui.frame.charts.box import PAIRS, Box, linked
from comparator.ui.frame.charts.parts import HATCHED, PLAIN, across, figure, frame, plain
from comparator.ui.frame.charts.theme import PALETTES, ColourTheme, Palette
from comparator.ui.frame.estimates import percent
from comparator.ui.frame.lists.narrowing import BY
from comparator.ui.frame.words import counted

CONFOUNDED = 0.9
"""Where one candidate has more in so large a share of the pairs, the measure and the candidate cannot be told apart."""
LEAST = 1e-9


def measures_box(
    top: Headline, found: Differences, called: Mapping[str, str], *, same: Sequence[str], theme: ColourTheme
) -> Box:
    """Of each measure the share of pairs won by the side with more of it, with its interval."""
    shown, (one, two) = PALETTES[theme], top.names
    drawn = [each for each in found.measures if each.more.share is not None]
    drawn.sort(key=lambda each: -abs((each.more.share or 0.5) - 0.5))
    links = [pairs_link(top.asked, Slice(measure=each.measure, least=LEAST)) for each in drawn]
    clear = [each for each in drawn if _clear(each.more)]
    leads = ", ".join(
        f"{'more' if (each.more.share or 0) > 0.5 else 'less'} {_low(called[each.measure])}"
        for each in clear[:4]
    )
    alike = f" The same in every pair: {', '.join(map(_low, same))}." if same else ""
    return Box(
        "differ",
        title=f"Where the two differ, a pair's winner has {leads}"
        if clear
        else "No measure goes with winning",
        counts=f"Share of pairs won by the side with more, among pairs in which {one} and {two} differ; ties count as "
        "half. What goes with winning is not always the reason. If one candidate nearly always has more, this chart "
        f"cannot tell the measure from the candidate. The numbers show each side separately.{alike}",
        figure=charts.points(
            [
                charts.Point(
                    called[each.measure],
                    (each.more.share or 0.5) * 100,
                    _ends(each.more),
                    _words(each),
                    f"{each.name}: {estimates.interval(each.more.rate)}; {counted(each.more.n, 'pair')} that differ",
                )
                for each in drawn
            ],
            colour=shown.ink,
            even=50,
            low="the side with less wins",
            high="the side with more wins",
            palette=shown,
            between=(-3, 103),
            row_height=34,
        )
        if drawn
        else None,
        rows=linked(
            [
                {
                    "Measure": called[each.measure],
                    f"Median of {one}": round(each.one, 4),
                    f"Median of {two}": round(each.two, 4),
                    "Median difference": round(each.median, 4),
                    "Won by the side with more": estimates.interval(each.more.rate),
                    f"Where {one} has more": _share(each.one_more),
                    f"Where {two} has more": _share(each.two_more),
                    "Pairs": each.pairs,
                }
                for each in drawn
            ],
            {PAIRS: links},
        ),
        marks=[links],
    )


def one_box(top: Headline, each: Differs, name: str, *, theme: ColourTheme) -> Box:
    """The paired differences of one measure: how many pairs are won, tied and lost in each bin."""
    one, two = top.names
    last = len(each.bins) - 1
    links = [
        pairs_link(
            top.asked,
            Slice(
                measure=each.measure,
                least=None if at == 0 else own.low,
                below=None if at == last else own.high,
            ),
        )
        for at, own in enumerate(each.bins)
    ]
    return Box(
        "measure",
        title=f"{name}: {one} minus {two}",
        counts=f"Median {_number(each.median)} ({one} {_number(each.one)}, {two} {_number(each.two)}), {each.pairs:,} "
        f"pairs. {_split(each, one, two)} The outermost bars hold what lies beyond. A click lists the pairs.",
        figure=histogram(each, one=one, two=two, theme=theme),
        rows=linked(
            [
                {
                    "From": round(own.low, 4),
                    "Below": round(own.high, 4),
                    f"Won by {one}": own.won,
                    "Tied": own.tied,
                    f"Won by {two}": own.lost,
                }
                for own in each.bins
            ],
            {PAIRS: links},
        ),
        marks=[links, links, links],
    )


def parts_box(top: Headline, found: Sequence[PartDiffers], name: str, *, by: By, theme: ColourTheme) -> Box:
    """Of one measure and each part of the pairs: the share won by the side with more, and which candidate that is."""
    shown, (one, two) = PALETTES[theme], top.names
    links = [
        pairs_link(top.asked.model_copy(update={"within": (*top.asked.within, each.part)})) for each in found
    ]
    enough = [each.more for each in found if isinstance(each.more.rate, Estimate)]
    wins = sum((more.share or 0) > 0.5 for more in enough)
    return Box(
        "differ_parts",
        title=f"{name} by {_low(BY[by])}: "
        + (
            f"the side with more wins in {wins} of {counted(len(enough), 'part')}"
            if enough
            else f"each part has fewer than {ENOUGH} tasks"
        ),
        counts=f"Share of pairs won by the side with more, among pairs in which {one} and {two} differ; ties count as "
        f"half. In brackets: pairs in which {one} has more, and in which {two} has. {_who(found, one, two)}"
        f"{estimates.counts_only(each.more.rate for each in found)}",
        figure=charts.points(
            [
                charts.Point(
                    each.part.value,
                    (each.more.share or 0) * 100,
                    _ends(each.more),
                    f"{_share(each.more)} ({each.one_more.n:,} : {each.two_more.n:,})",
                    f"{each.part.value}: {estimates.interval(each.more.rate)}; {_split(each, one, two)}",
                    counts_only=isinstance(each.more.rate, TooFew),
                )
                for each in found
            ],
            colour=shown.ink,
            even=50,
            low="the side with less wins",
            high="the side with more wins",
            palette=shown,
            between=(-3, 103),
            row_height=30,
        ),
        rows=linked(
            [
                {
                    BY[by]: each.part.value,
                    "Pairs that differ": each.more.n,
                    "Won by the side with more": each.more.won,
                    "Tied": each.more.tied,
                    "Share won": estimates.interval(each.more.rate),
                    f"{one} has more": each.one_more.n,
                    f"Where {one} has more": _share(each.one_more),
                    f"{two} has more": each.two_more.n,
                    f"Where {two} has more": _share(each.two_more),
                }
                for each in found
            ],
            {PAIRS: links},
        ),
        marks=[links],
    )


def _who(found: Sequence[PartDiffers], one: str, two: str) -> str:
    """Which candidate has more, where that is nearly always the same one in each part."""
    shares = [each.one_more.n / each.more.n for each in found]
    for name, least in ((one, min(shares)), (two, 1 - max(shares))):
        if least >= CONFOUNDED:
            return f"{name} has more in {percent(least)} or more of each part: it goes with the candidate."
    return f"{one} has more in {percent(min(shares))} to {percent(max(shares))} of them."


def histogram(each: Differs, *, one: str, two: str, theme: ColourTheme) -> go.Figure:
    """Bars from left to right, each parted into won, tied and lost, with lines at zero and at the median."""
    shown, colours = PALETTES[theme], charts.CANDIDATES[theme]
    parts = (
        (f"{one} wins", colours[0], PLAIN, [own.won for own in each.bins]),
        ("tied", shown.line, PLAIN, [own.tied for own in each.bins]),
        (f"{two} wins", colours[1], HATCHED, [own.lost for own in each.bins]),
    )
    middle = [(own.low + own.high) / 2 for own in each.bins]
    spans = [f"{_number(own.low)} to {_number(own.high)}" for own in each.bins]
    bars = [
        {
            "type": "bar",
            "x": middle,
            "y": counts,
            "width": [own.high - own.low for own in each.bins],
            "name": plain(series),
            "customdata": spans,
            "marker": {
                "color": colour,
                "line": {"color": shown.page, "width": 1},
                "pattern": {"shape": pattern, "fillmode": "overlay", "fgcolor": shown.page, "fgopacity": 0.4},
            },
            "selected": {"marker": {"opacity": 1}},
            "unselected": {"marker": {"opacity": 1}},
            "hovertemplate": "%{customdata}: %{y} pairs, %{fullData.name}<extra></extra>",
        }
        for series, colour, pattern, counts in parts
    ]
    most = max((sum(counts) for counts in zip(*(counts for *_, counts in parts), strict=True)), default=1)
    layout = frame(4, palette=shown, legend=True, labels=[f"{most:,}"])
    layout |= {"height": 300, "barmode": "stack", "bargap": 0}
    layout["margin"] |= {"r": 56, "t": 58, "b": 36}
    layout["xaxis"] |= {
        "range": [each.bins[0].low, each.bins[-1].high],
        "tickangle": 0,
        "showgrid": False,
        "zeroline": False,
        # Its first number would touch the lowest one of the other axis.
        "ticklabelstandoff": 8,
    }
    layout["yaxis"] |= {
        "range": [0, most * 1.05],
        "showgrid": True,
        "gridcolor": shown.line,
        "zeroline": False,
    }
    layout["shapes"] = [across("x", 0, shown.muted), across("x", each.median, shown.ink, dash="dash")]
    layout["annotations"] = [_median(each, shown)]
    return figure(data=bars, layout=layout)


def _median(each: Differs, shown: Palette) -> dict[str, object]:
    left = each.median > (each.bins[0].low + each.bins[-1].high) / 2
    return {
        "text": f"median {_number(each.median)}",
        "x": each.median,
        "y": 1,
        "yref": "paper",
        "xanchor": "right" if left else "left",
        "yanchor": "bottom",
        "showarrow": False,
        "font": {"color": shown.ink, "size": 12},
    }


def _split(each: Differs | PartDiffers, one: str, two: str) -> str:
    """Whether more of it wins on both sides, or only goes with a candidate."""
    n = each.one_more.n + each.two_more.n
    if not n:
        return ""
    share = each.one_more.n / n
    if share >= CONFOUNDED or share <= 1 - CONFOUNDED:
        most = one if share >= CONFOUNDED else two
        return f"{most} has more in {percent(max(share, 1 - share))} of them: it goes with the candidate."
    both = f"{_share(each.one_more)} where that is {one}'s, {_share(each.two_more)} where it is {two}'s"
    return f"The side with more wins {both}."


def _share(record: Record) -> str:
    if record.share is None:
        return "no pair"
    if isinstance(record.rate, Estimate):
        return f"{percent(record.share)} of {record.n:,}"
    return f"{record.won} of {record.n}" + (f", {record.tied} tied" if record.tied else "")


def _words(each: Differs) -> str:
    return f"{percent(each.more.share or 0)} of {counted(each.more.n, 'pair')} that differ"


def _clear(record: Record) -> bool:
    if not isinstance(record.rate, Estimate):
        return False
    return record.rate.interval.low > 0.5 or record.rate.interval.high < 0.5


def _ends(record: Record) -> Interval | None:
    if not isinstance(record.rate, Estimate):
        return None
    return Interval(low=record.rate.interval.low * 100, high=record.rate.interval.high * 100)


def _number(value: float) -> str:
    if value and abs(value) < 1:
        return f"{value:.3g}"
    return f"{value:,.0f}" if value == round(value) or abs(value) >= 100 else f"{value:,.1f}"


def _low(name: str) -> str:
    """A name within a sentence; the name of a check stays as it is."""
    return name if name.startswith("Check: ") else name[0].lower() + name[1:]

"""What goes with winning, and how much more of one thing a candidate has: charts of paired differences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from comparator.reporting.scope import By
from comparator.reporting.why.differ import Differences, Differs, Record
from comparator.reporting.why.differ_by_part import PartDiffers
from comparator.reporting.why.pairs import Slice
from comparator.stats.figures import ENOUGH, Estimate
from comparator.ui.dashboards.data import Headline
from comparator.ui.dashboards.pairs_behind import pairs_link
from comparator.ui.frame.charts import PAIRS, Chart, Dots, Histogram, Tone, ends
from comparator.ui.frame.estimates import percent
from comparator.ui.frame.lists.narrowing import BY
from comparator.ui.frame.words import counted

CONFOUNDED = 0.9
"""Where one candidate has more in so large a share of the pairs, the measure and the candidate cannot be told apart."""
LEAST = 1e-9
SHARE = "Won by the side with more"
SIDES = ("the side with less wins", "the side with more wins")


def measures_chart(
    top: Headline, found: Differences, called: Mapping[str, str], *, same: Sequence[str]
) -> Chart:
    """Of each measure the share of pairs won by the side with more of it, with its interval."""
    one, two = top.names
    drawn = [each for each in found.measures if each.more.share is not None]
    drawn.sort(key=lambda each: -abs((each.more.share or 0.5) - 0.5))
    leads = ", ".join(
        f"{'more' if (each.more.share or 0) > 0.5 else 'less'} {_low(called[each.measure])}"
        for each in [each for each in drawn if _clear(each)][:4]
    )
    return Chart(
        "differ",
        f"Where the two differ, a pair's winner has {leads}" if leads else "No measure goes with winning",
        [
            {
                "Measure": called[each.measure],
                SHARE: _rounded(each.more.share),
                **ends(each.more.rate),
                "Pairs that differ": each.more.n,
                f"Median of {one}": round(each.one, 4),
                f"Median of {two}": round(each.two, 4),
                "Median difference": round(each.median, 4),
                f"Where {one} has more": _share(each.one_more),
                f"Where {two} has more": _share(each.two_more),
                "Pairs": each.pairs,
            }
            for each in drawn
        ],
        Dots("Measure", SHARE, (0, 1), sides=SIDES, n="Pairs that differ"),
        {PAIRS: [pairs_link(top.asked, Slice(measure=each.measure, least=LEAST)) for each in drawn]},
        note=f"The same in every pair: {', '.join(map(_low, same))}." if same else "",
        help=f"Among pairs in which {one} and {two} differ; ties count as half. What goes with winning is not always "
        "the reason. If one candidate nearly always has more, this chart cannot tell the measure from the candidate.",
    )


def one_chart(top: Headline, each: Differs, name: str) -> Chart:
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
    series = {f"Won by {one}": Tone.ONE, "Tied": Tone.EVEN, f"Won by {two}": Tone.TWO}
    return Chart(
        "measure",
        f"{name}: {one} minus {two}",
        [
            {
                "From": round(own.low, 4),
                "Below": round(own.high, 4),
                **dict(zip(series, (own.won, own.tied, own.lost), strict=True)),
            }
            for own in each.bins
        ],
        Histogram(series, each.median),
        dict.fromkeys(series, links),
        note=f"Median {_number(each.median)} ({one} {_number(each.one)}, {two} {_number(each.two)}), {each.pairs:,} "
        f"pairs. {_split(each, one, two)}",
        help="The outermost bars hold what lies beyond. The dashed line is the median.",
    )


def parts_chart(top: Headline, found: Sequence[PartDiffers], name: str, *, by: By) -> Chart:
    """Of one measure and each part of the pairs: the share won by the side with more, and which candidate that is."""
    one, two = top.names
    enough = [each.more for each in found if isinstance(each.more.rate, Estimate)]
    wins = sum((more.share or 0) > 0.5 for more in enough)
    return Chart(
        "differ_parts",
        f"{name} by {_low(BY[by])}: "
        + (
            f"the side with more wins in {wins} of {counted(len(enough), 'part')}"
            if enough
            else f"each part has fewer than {ENOUGH} tasks"
        ),
        [
            {
                BY[by]: each.part.value,
                SHARE: _rounded(each.more.share),
                **ends(each.more.rate),
                "Pairs that differ": each.more.n,
                f"{one} has more": each.one_more.n,
                f"Where {one} has more": _share(each.one_more),
                f"{two} has more": each.two_more.n,
                f"Where {two} has more": _share(each.two_more),
            }
            for each in found
        ],
        Dots(BY[by], SHARE, (0, 1), sides=SIDES, n="Pairs that differ"),
        {
            PAIRS: [
                pairs_link(top.asked.model_copy(update={"within": (*top.asked.within, each.part)}))
                for each in found
            ]
        },
        note=_who(found, one, two),
        help=f"Among pairs in which {one} and {two} differ; ties count as half.",
    )


def _who(found: Sequence[PartDiffers], one: str, two: str) -> str:
    """Which candidate has more, where that is nearly always the same one in each part."""
    shares = [each.one_more.n / each.more.n for each in found]
    for name, least in ((one, min(shares)), (two, 1 - max(shares))):
        if least >= CONFOUNDED:
            more = "" if least == 1 else " or more"
            return f"{name} has more in {percent(least)}{more} of each part: it goes with the candidate."
    return f"{one} has more in {percent(min(shares))} to {percent(max(shares))} of them."


def _split(each: Differs, one: str, two: str) -> str:
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
    return "no pair" if record.share is None else f"{percent(record.share)} of {record.n:,}"


def _rounded(share: float | None) -> float | None:
    return None if share is None else round(share, 3)


def _clear(each: Differs) -> bool:
    """Whether the interval lies on one side of a half, and not only since one candidate always has more."""
    rate, n = each.more.rate, each.one_more.n + each.two_more.n
    if not isinstance(rate, Estimate) or 0.5 in rate.interval:
        return False
    return 1 - CONFOUNDED < each.one_more.n / n < CONFOUNDED


def _number(value: float) -> str:
    if value and abs(value) < 1:
        return f"{value:.3g}"
    return f"{value:,.0f}" if value == round(value) or abs(value) >= 100 else f"{value:,.1f}"


def _low(name: str) -> str:
    """A name within a sentence; the name of a check stays as it is."""
    return name if name.startswith("Check: ") else name[0].lower() + name[1:]

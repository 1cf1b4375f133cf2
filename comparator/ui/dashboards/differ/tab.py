"""How they differ: what each candidate's outputs and runs have more of, what goes with winning, and checks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import streamlit as st

from comparator.reporting.findings import Findings
from comparator.reporting.why.differ import CHECK, FILES, Differences, Differs, Record, how_they_differ
from comparator.reporting.why.pairs import Slice
from comparator.stats.figures import Estimate
from comparator.ui.dashboards.differ.checks import checks_part, look
from comparator.ui.dashboards.pairs_behind import pairs_link
from comparator.ui.frame import safe, session
from comparator.ui.frame.charts import PAIRS, Chart, Dots, Dumbbells, ends, show
from comparator.ui.frame.estimates import percent
from comparator.ui.frame.words import FAMILIES, counted

NAMES = {
    "characters": "Characters",
    "words": "Words",
    "headings": "Headings",
    "list_items": "List items",
    "tables": "Tables",
    "code_blocks": "Code blocks and files",
    "links": "Links",
    "pictures": "Pictures",
    "pages": "Pages",
    "expectations": "Expectations met (share)",
    "tokens": "Tokens",
    "seconds": "Seconds",
    "cost": "Cost in USD",
}
LEAST = 1e-9


def how_they_differ_part(top: Findings) -> None:
    """The tab."""
    look(top.asked.project_id)
    found = how_they_differ(session.services().database, top.asked)
    if found.unmeasured:
        st.info(
            safe.text(
                f"The outputs of {counted(found.unmeasured, 'pair')} were kept by an earlier version and are being "
                "measured in the background. Until then they are left out of what is counted in outputs."
            ),
            icon=":material/hourglass_top:",
        )
    show(differ_charts(top, found))
    checks_part(top.asked.project_id)


def differ_charts(top: Findings, found: Differences) -> Iterator[Chart]:
    """The medians of both candidates side by side, and how often the side with more of something wins."""
    one, two = top.names
    if not found.measures:
        yield Chart("differ", f"The outputs of {one} and {two} differ in no measure")
        return
    yield medians_chart(top, found)
    yield winning_chart(top, found)


def medians_chart(top: Findings, found: Differences) -> Chart:
    """Length, tokens, seconds, cost and form of both, each as a share of the second candidate's."""
    one, two = top.names
    # Where one side has none of it there is no ratio; the table of the other chart has it.
    drawn = [each for each in found.measures if each.one and each.two]
    drawn.sort(key=lambda each: -abs(each.one / each.two - 1))
    same = [_called(name) for name in found.same]
    first = drawn[0] if drawn else None
    return Chart(
        "medians",
        f"{one} has {_times(first.one / first.two)} the {_low(name_of(first))} of {two}"
        if first
        else f"Medians of {one} and {two}",
        [
            {
                "Measure": name_of(each),
                one: round(each.one, 4),
                two: round(each.two, 4),
                "Medians": f"{_number(each.one)} against {_number(each.two)}",
                "Median difference": round(each.median, 4),
                "Pairs": each.pairs,
            }
            for each in drawn
        ],
        Dumbbells("Measure", one, two, "Medians"),
        {one: [pairs_link(top.asked, Slice(measure=each.measure, least=LEAST)) for each in drawn]},
        note=f"The same in every pair: {', '.join(map(_low, same))}." if same else "",
        help=f"Medians over the counted pairs; that of {two} is 100%. The table has the differences within pairs.",
    )


def winning_chart(top: Findings, found: Differences) -> Chart:
    """Of each measure that can be told apart from the candidates, the share of pairs won by the side with more."""
    one, two = top.names
    told = [each for each in found.measures if each.more.share is not None]
    drawn = [each for each in told if not each.belongs_to]
    drawn.sort(key=lambda each: -abs((each.more.share or 0.5) - 0.5))
    leads = ", ".join(
        f"{'more' if (each.more.share or 0) > 0.5 else 'less'} {_low(name_of(each))}"
        for each in [each for each in drawn if _clear(each)][:4]
    )
    return Chart(
        "differ",
        f"A pair's winner has {leads}" if leads else "No measure goes with winning",
        [
            {
                "Measure": name_of(each),
                "Won by the side with more": round(each.more.share or 0.0, 3),
                **ends(each.more.rate),
                "Pairs that differ": each.more.n,
                f"Where {one} has more": _share(each.one_more),
                f"Where {two} has more": _share(each.two_more),
            }
            for each in drawn
        ],
        Dots(
            "Measure",
            "Won by the side with more",
            (0, 1),
            sides=("the side with less wins", "the side with more wins"),
            n="Pairs that differ",
        ),
        {PAIRS: [pairs_link(top.asked, Slice(measure=each.measure, least=LEAST)) for each in drawn]},
        note=f"{_goes_with(told, 1, one)} {_goes_with(told, 2, two)}".strip(),
        help=f"Among pairs in which {one} and {two} differ; ties count as half. What goes with winning is not always "
        "the reason. A measure of which one candidate nearly always has more says nothing beside the candidate.",
    )


def _goes_with(told: Sequence[Differs], candidate: int, name: str) -> str:
    """The measures of which this candidate nearly always has more: length among them says nothing beside it."""
    own = [_low(name_of(each)) for each in told if each.belongs_to == candidate]
    if not own:
        return ""
    return (
        f"{name} nearly always has more {', '.join(own)}, so these cannot be told apart from the candidate."
    )


def _clear(each: Differs) -> bool:
    rate = each.more.rate
    return isinstance(rate, Estimate) and not rate.few and 0.5 not in rate.interval


def _share(record: Record) -> str:
    return "no pair" if record.share is None else f"{percent(record.share)} of {record.n:,}"


def _times(ratio: float) -> str:
    return f"{ratio:.1f} times" if ratio >= 1.95 else percent(ratio)


def _number(value: float) -> str:
    if value and abs(value) < 1:
        return f"{value:.3g}"
    return f"{value:,.0f}" if value == round(value) or abs(value) >= 100 else f"{value:,.1f}"


def name_of(each: Differs) -> str:
    """What a measure is called."""
    return f"Check: {each.name}" if each.measure.startswith(CHECK) else _called(each.measure)


def _called(measure: str) -> str:
    if measure.startswith(FILES):
        family = measure.removeprefix(FILES)
        return f"{next((words for each, words in FAMILIES.items() if each.value == family), family)} files"
    return NAMES.get(measure, measure)


def _low(name: str) -> str:
    """A name within a sentence; the name of a check stays as it is."""
    return name if name.startswith("Check: ") else name[0].lower() + name[1:]

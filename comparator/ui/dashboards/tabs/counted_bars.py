"""A bar chart counted from the lines of a figure, with the pairs behind each part of each bar."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from comparator.reporting.facts import Facts
from comparator.reporting.figures import lines_of
from comparator.reporting.scope import ResultFilter
from comparator.stats.figures import share
from comparator.ui.dashboards.pairs_behind import pairs_link
from comparator.ui.frame import estimates
from comparator.ui.frame.charts import Bars, Cell, Chart, Tone

Key = tuple[str, ...]


def counted_bars(
    facts: Facts,
    of: ResultFilter | None,
    figure: str,
    title: str,
    series: Mapping[str, tuple[str, Tone]],
    *,
    by: Sequence[str],
    label: str,
    called: Callable[[Key], str] = ": ".join,
    order: Callable[[Key, Counter[str]], Any] = lambda key, counts: (-counts.total(), key),
    share_of: tuple[str, str] = ("", ""),
    more: Callable[[Key, Counter[str]], Mapping[str, Cell]] = lambda _key, _counts: {},
    note: str = "",
    help: str = "",  # noqa: A002  # the chart's own word
) -> Chart:
    """A bar for each value of the columns `by`, in a part for each value of `what` that has a heading in `series`.

    `share_of` is the heading of the share, among all parts, of one value; it stands beside the bar. `more` are further
    columns; without a share the first of them stands there.
    """
    table: dict[Key, Counter[str]] = {}
    for (*key, what), n in lines_of(facts, figure, of).groupby([*by, "what"]).n.sum().items():
        table.setdefault(tuple(key), Counter())[what] += int(n)
    keys = sorted(table, key=lambda key: order(key, table[key]))
    heading, part = share_of

    def beside(key: Key) -> dict[str, Cell]:
        counts = table[key]
        rate = share(counts[part], sum(counts[what] for what in series)) if heading else None
        return {**({heading: estimates.interval(rate)} if rate else {}), **more(key, counts)}

    further = {key: beside(key) for key in keys}
    return Chart(
        figure,
        title,
        [
            {
                label: called(key),
                **{name: table[key][what] for what, (name, _) in series.items()},
                **further[key],
            }
            for key in keys
        ],
        Bars(label, dict(series.values()), beside=next(iter(further[keys[0]]), "") if keys else ""),
        {
            name: [pairs_link(of, figure, **dict(zip(by, key, strict=True)), what=what) for key in keys]
            for what, (name, _) in series.items()
        },
        note=note,
        help=help,
    )

"""A bar chart counted from the lines of a figure, with the pairs behind each part of each bar."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from comparator.reporting.frames import Frame
from comparator.reporting.scope import ResultFilter
from comparator.ui.dashboards.pairs_behind import pairs_link
from comparator.ui.frame.charts import Bars, Cell, Chart, Tone

Of = ResultFilter | str
"""A result, or a whole project by its id."""
Key = tuple[str, ...]


def counted_bars(
    name: str,
    title: str,
    lines: Frame,
    series: Mapping[str, tuple[str, Tone]],
    *,
    of: Of,
    figure: str,
    by: Sequence[str],
    label: str,
    called: Callable[[Key], str] = ": ".join,
    order: Callable[[Key, Counter[str]], Any] = lambda key, counts: (-counts.total(), key),
    more: Callable[[Key, Counter[str]], Mapping[str, Cell]] = lambda _key, _counts: {},
    note: str = "",
    help: str = "",  # noqa: A002  # the chart's own word
) -> Chart:
    """A bar for each value of the columns `by`, in a part for each value of `what` that has a heading in `series`.

    `more` are further columns of a bar; the first of them stands beside it.
    """
    table: dict[Key, Counter[str]] = {}
    for (*key, what), n in lines.groupby([*by, "what"]).n.sum().items():
        table.setdefault(tuple(key), Counter())[what] += int(n)
    keys = sorted(table, key=lambda key: order(key, table[key]))
    further = {key: more(key, table[key]) for key in keys}
    return Chart(
        name,
        title,
        [
            {
                label: called(key),
                **{heading: table[key][what] for what, (heading, _) in series.items()},
                **further[key],
            }
            for key in keys
        ],
        Bars(label, dict(series.values()), beside=next(iter(further[keys[0]]), "") if keys else ""),
        {
            heading: [pairs_link(of, figure, **dict(zip(by, key, strict=True)), what=what) for key in keys]
            for what, (heading, _) in series.items()
        },
        note=note,
        help=help,
    )

"""What may sway the judge besides quality: the charts of position, length and formatting bias."""

from __future__ import annotations

from collections.abc import Iterator

from comparator.reporting.facts import Facts
from comparator.reporting.figures import REVIEWERS, lean_rates, lines_of
from comparator.reporting.scope import ResultFilter
from comparator.stats.figures import share
from comparator.ui.dashboards.tabs.counted_bars import counted_bars
from comparator.ui.frame import estimates
from comparator.ui.frame.charts import Chart, Tone
from comparator.ui.frame.words import counted

TRAITS = {"longer": "longer", "formatted": "more formatted"}


def bias_charts(facts: Facts, of: ResultFilter | None) -> Iterator[Chart]:
    """What may sway the judge besides quality: order, length and formatting; and how many quotes were not found."""
    judge, rates = lines_of(facts, "flips", of), lean_rates(lines_of(facts, "lean", of))
    quotes, missing = (judge[judge.what == what].groupby("model").n.sum() for what in ("quotes", "missing"))
    yield counted_bars(
        facts,
        of,
        "flips",
        "Position consistency: pairs with the same winner in both orders, and pairs that flipped",
        {"same": ("Same winner", Tone.PLAIN), "flipped": ("Flipped", Tone.EVEN)},
        by=["model"],
        label="Model",
        order=lambda key, counts: (-counts["judged"], key),
        share_of=("Share flipped", "flipped"),
        more=lambda _, counts: {
            "Quotes": counts["quotes"],
            "Quotes not found": counts["missing"],
        },
        note=" ".join(
            f"{model}: {missing.get(model, 0):,} of {counted(int(number), 'quote')} not found."
            for model, number in quotes[:2].items()
        ),
    )
    yield counted_bars(
        facts,
        of,
        "first",
        "Position bias: readings that named the output shown first, and the one shown second",
        {
            "first": ("First", Tone.PLAIN),
            "tied": ("Neither", Tone.TIE),
            "second": ("Second", Tone.EVEN),
        },
        by=["model"],
        label="Model",
        more=lambda _, counts: {
            "Share naming the first": estimates.interval(
                share(counts["first"], counts["first"] + counts["second"])
            )
        },
        help="Each pair is read in both orders and counts twice. An unbiased judge names the first and the second "
        "output equally often.",
    )
    if rates:
        yield counted_bars(
            facts,
            of,
            "lean",
            "Length and formatting bias: how often the longer, or more formatted, output wins",
            {"won": ("Won", Tone.PLAIN), "tied": ("Tied", Tone.TIE), "lost": ("Lost", Tone.EVEN)},
            by=["model", "trait"],
            label="By",
            called=lambda key: f"{key[0]}: {TRAITS[key[1]]}",
            order=lambda key, _: (key[1] != "longer", key[0] == REVIEWERS, key[0]),
            more=lambda key, _: {"Share won": estimates.interval(rates[key[0], key[1]])},
            help="Of pairs whose outputs differ by a tenth or more in characters, or in headings, list items, table "
            "rows and emphases; the interval is clustered by task. Longer may be better: compare the judge with the "
            "reviewers, and see under How they differ whether length can be told apart from the candidate.",
        )

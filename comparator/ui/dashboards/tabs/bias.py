"""What may sway the judge besides quality: the charts of position, length and formatting bias."""

from __future__ import annotations

from collections.abc import Iterator

from comparator.reporting.scope import ResultFilter
from comparator.reporting.trust.judge import Trait, Trust
from comparator.ui.dashboards.pairs_behind import tally_link
from comparator.ui.frame import estimates
from comparator.ui.frame.charts import Bars, Chart, Link, Tone
from comparator.ui.frame.words import counted

TRAITS = {Trait.LONGER: "longer", Trait.FORMATTED: "more formatted"}


def bias_charts(found: Trust, *, of: ResultFilter | str) -> Iterator[Chart]:
    """What may sway the judge besides quality: order, length and formatting; and how many quotes were not found."""
    kept = [
        tally_link(
            of,
            "judge",
            {"model": each.model, "what": "read_twice"},
            without={"model": each.model, "what": "flipped"},
        )
        for each in found.models
    ]

    def models(figure: str, **what: str) -> list[Link]:
        return [tally_link(of, figure, {"model": each.model, **what}) for each in found.models]

    yield Chart(
        "flips",
        "Position consistency: pairs with the same winner in both orders, and pairs that flipped",
        [
            {
                "Model": each.model,
                "Same winner": each.read_twice - each.flipped,
                "Flipped": each.flipped,
                "Share flipped": estimates.interval(each.flips),
                "Quotes": each.quotes,
                "Quotes not found": each.quotes_missing,
            }
            for each in found.models
        ],
        Bars("Model", {"Same winner": Tone.PLAIN, "Flipped": Tone.EVEN}, beside="Share flipped"),
        {
            "Same winner": kept,
            "Flipped": models("judge", what="flipped"),
            "Quotes not found": models("judge", what="missing"),
        },
        note=" ".join(
            f"{each.model}: {each.quotes_missing:,} of {counted(each.quotes, 'quote')} not found."
            for each in found.models[:2]
            if each.quotes
        ),
    )
    yield Chart(
        "first",
        "Position bias: readings that named the output shown first, and the one shown second",
        [
            {
                "Model": each.model,
                "First": each.first,
                "Neither": each.tied,
                "Second": each.second,
                "Share naming the first": estimates.interval(each.to_first),
            }
            for each in found.models
        ],
        Bars(
            "Model",
            {"First": Tone.PLAIN, "Neither": Tone.TIE, "Second": Tone.EVEN},
            beside="Share naming the first",
        ),
        {
            "First": models("order", place="first"),
            "Neither": models("order", place="tied"),
            "Second": models("order", place="second"),
        },
        help="Each pair is read in both orders and counts twice. An unbiased judge names the first and the second "
        "output equally often.",
    )
    if found.lean:
        yield Chart(
            "lean",
            "Length and formatting bias: how often the longer, or more formatted, output wins",
            [
                {
                    "By": f"{each.who}: {TRAITS[each.trait]}",
                    "Won": each.won,
                    "Tied": each.tied,
                    "Lost": each.lost,
                    "Share won": estimates.interval(each.share),
                }
                for each in found.lean
            ],
            Bars("By", {"Won": Tone.PLAIN, "Tied": Tone.TIE, "Lost": Tone.EVEN}, beside="Share won"),
            {
                name: [
                    tally_link(of, "lean", {"model": each.who, "trait": each.trait.value, "what": ended})
                    for each in found.lean
                ]
                for name, ended in (("Won", "won"), ("Tied", "tied"), ("Lost", "lost"))
            },
            help="Of pairs whose outputs differ by a tenth or more in characters, or in headings, list items, table "
            "rows and emphases; the interval is clustered by task. Longer may be better: compare the judge with the "
            "reviewers, and see under How they differ whether length can be told apart from the candidate.",
        )

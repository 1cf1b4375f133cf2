"""The charts of a judge's readings: the order, the quotes, what it leans to, and labels that came with an import."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from comparator.reporting.scope import ResultFilter
from comparator.reporting.trust.judge import LABELS, PEOPLE, READINGS, Gold, Lean, Trait, Trust
from comparator.reporting.why.pairs_behind import ANY
from comparator.ui.dashboards.pairs_behind import tally_link
from comparator.ui.frame import charts, estimates
from comparator.ui.frame.charts.box import Box, Link, linked
from comparator.ui.frame.charts.theme import PALETTES, ColourTheme
from comparator.ui.frame.words import counted

TRAITS = {Trait.LONGER: "longer", Trait.FORMATTED: "more formatted"}


def flips(found: Trust, of: ResultFilter | str, theme: ColourTheme) -> Box:
    """Pairs whose winner changed with the order, and quotes that were not found."""
    by_model = " ".join(
        f"{each.model}: {each.flipped:,} of {counted(each.read_twice, 'pair')} flipped "
        f"({estimates.interval(each.flips)}); {each.quotes_missing:,} of {counted(each.quotes, 'quote')} "
        "not found in the outputs."
        for each in found.models
    )
    shown = PALETTES[theme]
    marks = {
        "kept": [
            tally_link(of, "judge", ANY, each.model, "read_twice", without=(ANY, each.model, "flipped"))
            for each in found.models
        ],
        "flipped": _of_models(found, of, "judge", "flipped"),
    }
    return Box(
        "flips",
        title="Position consistency: pairs with the same winner in both orders, and pairs that flipped",
        counts=by_model,
        figure=charts.stacked(
            [each.model for each in found.models],
            (
                charts.Segment(
                    "kept",
                    shown.muted,
                    shown.page,
                    tuple(each.read_twice - each.flipped for each in found.models),
                ),
                charts.Segment(
                    "flipped", shown.line, shown.ink, tuple(each.flipped for each in found.models)
                ),
            ),
            palette=shown,
        ),
        rows=linked(
            [
                {
                    "Model": each.model,
                    "Judged": each.judged,
                    "Read in both orders": each.read_twice,
                    "Flipped": each.flipped,
                    "Quotes": each.quotes,
                    "Quotes not found": each.quotes_missing,
                }
                for each in found.models
            ],
            marks | {"quotes not found": _of_models(found, of, "judge", "missing")},
        ),
        marks=tuple(marks.values()),
    )


def places(found: Trust, of: ResultFilter | str, theme: ColourTheme) -> Box:
    """How often the output shown first was named."""
    shown = PALETTES[theme]
    by_model = " ".join(
        f"{each.model} named the first output in {each.first:,} of "
        f"{counted(each.first + each.second, 'reading')} with a winner ({estimates.interval(each.to_first)}). "
        f"{counted(each.tied, 'reading')} named neither."
        for each in found.models
    )
    marks = {
        name: _of_models(found, of, "order", place)
        for name, place in (("first", "first"), ("neither", "tied"), ("second", "second"))
    }
    return Box(
        "first",
        title="Position bias: readings that named the output shown first, and the one shown second",
        counts="Each pair is read in both orders and counts twice. An unbiased judge names the first and "
        f"the second output equally often. {by_model}",
        figure=charts.stacked(
            [each.model for each in found.models],
            (
                charts.Segment("first", shown.muted, shown.page, tuple(each.first for each in found.models)),
                charts.Segment("neither", shown.tie, "#000000", tuple(each.tied for each in found.models)),
                charts.Segment("second", shown.line, shown.ink, tuple(each.second for each in found.models)),
            ),
            palette=shown,
        ),
        rows=linked(
            [
                {
                    "Model": each.model,
                    "Named the first": each.first,
                    "Neither": each.tied,
                    "Named the second": each.second,
                }
                for each in found.models
            ],
            marks,
        ),
        marks=tuple(marks.values()),
    )


def lean(found: Sequence[Lean], of: ResultFilter | str, theme: ColourTheme) -> Box:
    """How often the longer and the more formatted output won."""
    shown = PALETTES[theme]
    marks = {
        ended: [tally_link(of, "lean", ANY, each.who, each.trait.value, ended) for each in found]
        for ended in ("won", "tied", "lost")
    }
    return Box(
        "lean",
        title="Length and formatting bias: how often the longer, or more formatted, output wins",
        counts="Of pairs whose outputs differ by a tenth or more in characters, or in headings, list items, table rows "
        "and emphases. Longer may be better: compare the judge with the reviewers. "
        + " ".join(
            f"{each.who}, {TRAITS[each.trait]}: won {each.won:,}, tied {each.tied:,}, lost {each.lost:,} "
            f"({estimates.interval(each.share)})."
            for each in found
        ),
        figure=charts.stacked(
            [f"{TRAITS[each.trait]}, by {each.who}" for each in found],
            (
                charts.Segment("won", shown.muted, shown.page, tuple(each.won for each in found)),
                charts.Segment("tied", shown.tie, "#000000", tuple(each.tied for each in found)),
                charts.Segment("lost", shown.line, shown.ink, tuple(each.lost for each in found)),
            ),
            palette=shown,
        ),
        rows=linked(
            [
                {
                    "By": each.who,
                    "Which output": TRAITS[each.trait],
                    "Won": each.won,
                    "Tied": each.tied,
                    "Lost": each.lost,
                    "Share won": estimates.interval(each.share),
                }
                for each in found
            ],
            marks,
        ),
        marks=tuple(marks.values()),
    )


def _of_models(found: Trust, of: ResultFilter | str, figure: str, what: str) -> list[Link]:
    return [tally_link(of, figure, ANY, each.model, what) for each in found.models]


def gold(found: Sequence[Gold], of: ResultFilter | str, theme: ColourTheme) -> Box:
    """Verdicts against gold labels."""
    return _labels(
        "gold",
        "Accuracy on gold labels, by reading order",
        "Gold labels came with the import and were hidden from judge and reviewers. Right in "
        "both orders is reliable; right in one order may be chance. A tie counts as another "
        "winner if the label names one.",
        found,
        {
            name: [_of_gold(each, of, what) for each in found]
            for name, what in (("same", "right"), ("another", "wrong"))
        },
        theme,
    )


def _of_gold(each: Gold, of: ResultFilter | str, what: str) -> Link:
    if each.model == PEOPLE:
        return tally_link(of, "gold_people", what)
    reading = next(key for key, words in READINGS.items() if words == each.reading)
    return tally_link(of, "gold", ANY, each.model, reading, what)


def labels(found: Sequence[Gold], of: ResultFilter | str, theme: ColourTheme) -> Box:
    """Verdicts against other people's or judges' labels that came with an import."""
    return _labels(
        "labels",
        "Agreement of the judge with imported labels",
        "These labels came with the import; they are not reviews of this project.",
        found,
        {
            name: [
                tally_link(of, "labelled", ANY, each.model, each.reading.removesuffix(LABELS), what)
                for each in found
            ]
            for name, what in (("same", "same"), ("another", "other"))
        },
        theme,
    )


def _labels(
    name: str,
    title: str,
    about: str,
    found: Sequence[Gold],
    marks: Mapping[str, Sequence[Link]],
    theme: ColourTheme,
) -> Box:
    shown = PALETTES[theme]
    return Box(
        name,
        title=title,
        counts=about
        + " "
        + " ".join(
            f"{each.model}, {each.reading}: {each.right:,} of {each.n:,} ({estimates.interval(each.share)})."
            for each in found
        ),
        figure=charts.stacked(
            [f"{each.model}, {each.reading}" for each in found],
            (
                charts.Segment("same", shown.muted, shown.page, tuple(each.right for each in found)),
                charts.Segment(
                    "another", shown.line, shown.ink, tuple(each.n - each.right for each in found)
                ),
            ),
            palette=shown,
        ),
        rows=linked(
            [
                {
                    "By": each.model,
                    "Reading": each.reading,
                    "Same": each.right,
                    "Labels": each.n,
                    "Share": estimates.interval(each.share),
                }
                for each in found
            ],
            marks,
        ),
        marks=tuple(marks.values()),
    )

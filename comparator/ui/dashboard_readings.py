"""The charts of a judge's readings: the order, the quotes, what it leans to, and labels that came with an import."""

from __future__ import annotations

from collections.abc import Sequence

from comparator.reporting.behind import ANY
from comparator.reporting.trust import Gold, Lean, Trait, Trust
from comparator.ui import charts, dashboard_words
from comparator.ui.dashboard_data import behind_link
from comparator.ui.dashboard_panel import PAIRS, Panel
from comparator.ui.theme import PALETTES, Theme
from comparator.ui.words import counted

TRAITS = {Trait.LONGER: "longer", Trait.FORMATTED: "more formatted"}


def flips(found: Trust, project_id: str, theme: Theme) -> Panel:
    """Pairs whose winner changed with the order, and quotes that were not found."""
    told = " ".join(
        f"{each.model}: {each.flipped} of {counted(each.read_twice, 'pair')} flipped "
        f"({dashboard_words.interval(each.flips)}); {each.quotes_missing} of {counted(each.quotes, 'quote')} "
        "not found in the outputs."
        for each in found.models
    )
    shown = PALETTES[theme]
    return Panel(
        "flips",
        title="Pairs on which the judge kept its winner when the order was swapped, and on which it did not",
        counts=told,
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
        rows=[
            {
                "Model": each.model,
                "Judged": each.judged,
                "Read in both orders": each.read_twice,
                "Flipped": each.flipped,
                "Quotes": each.quotes,
                "Quotes not found": each.quotes_missing,
                PAIRS: behind_link(project_id, "judge", f"{ANY}|{each.model}|flipped"),
            }
            for each in found.models
        ],
    )


def places(found: Trust, project_id: str, theme: Theme) -> Panel:
    """How often the output shown first was named."""
    shown = PALETTES[theme]
    told = " ".join(
        f"{each.model} named the first in {each.first} of {each.first + each.second} readings that named one "
        f"({dashboard_words.interval(each.to_first)})."
        for each in found.models
    )
    return Panel(
        "first",
        title="Readings in which the judge named the output that it was shown first, and the second",
        counts=f"Each pair is read in both orders, so a judge that looks at the outputs alone names both equally "
        f"often. {told}",
        figure=charts.stacked(
            [each.model for each in found.models],
            (
                charts.Segment("first", shown.muted, shown.page, tuple(each.first for each in found.models)),
                charts.Segment("neither", shown.tie, "#000000", tuple(each.tied for each in found.models)),
                charts.Segment("second", shown.line, shown.ink, tuple(each.second for each in found.models)),
            ),
            palette=shown,
        ),
        rows=[
            {
                "Model": each.model,
                "Named the first": each.first,
                "Neither": each.tied,
                "Named the second": each.second,
                PAIRS: behind_link(project_id, "order", f"{ANY}|{each.model}|first"),
            }
            for each in found.models
        ],
    )


def lean(found: Sequence[Lean], project_id: str, theme: Theme) -> Panel:
    """How often the longer and the more formatted output won."""
    shown = PALETTES[theme]
    return Panel(
        "lean",
        title="How often the longer, and the more formatted, output wins",
        counts="Of pairs whose outputs differ by a tenth or more in characters, or in headings, list items, table rows "
        "and emphases. More may well be better: compare the judge's line with the reviewers'. "
        + " ".join(
            f"{each.who}, {TRAITS[each.trait]}: won {each.won}, tied {each.tied}, lost {each.lost} "
            f"({dashboard_words.interval(each.share)})."
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
        rows=[
            {
                "By": each.who,
                "Which output": TRAITS[each.trait],
                "Won": each.won,
                "Tied": each.tied,
                "Lost": each.lost,
                "Share won": dashboard_words.interval(each.share),
                PAIRS: behind_link(project_id, "lean", f"{ANY}|{each.who}|{each.trait.value}|won"),
            }
            for each in found
        ],
    )


def gold(name: str, title: str, found: Sequence[Gold], theme: Theme, about: str) -> Panel:
    """Verdicts against labels that came with an import."""
    shown = PALETTES[theme]
    return Panel(
        name,
        title=title,
        counts=about
        + " "
        + " ".join(
            f"{each.model}, {each.reading}: {each.right} of {each.n} ({dashboard_words.interval(each.share)})."
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
        rows=[
            {
                "By": each.model,
                "Reading": each.reading,
                "Same": each.right,
                "Labels": each.n,
                "Share": dashboard_words.interval(each.share),
            }
            for each in found
        ],
    )

"""Charts that can be read without hovering, in the colours of the page's theme; what they count stands beside them."""

from comparator.ui.frame.charts.chart import (
    PAIR,
    PAIRS,
    REVIEW,
    Chart,
    Link,
    ends,
    name_source,
    numbers,
    outcome,
    show,
)
from comparator.ui.frame.charts.drawing import Bars, Cell, Dots, Dumbbells, Row
from comparator.ui.frame.charts.lines import Lines, Multiples
from comparator.ui.frame.charts.theme import Tone

__all__ = [
    "PAIR",
    "PAIRS",
    "REVIEW",
    "Bars",
    "Cell",
    "Chart",
    "Dots",
    "Dumbbells",
    "Lines",
    "Link",
    "Multiples",
    "Row",
    "Tone",
    "ends",
    "name_source",
    "numbers",
    "outcome",
    "show",
]
